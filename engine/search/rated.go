package search

import (
	"math"
	"sort"

	"hoplite/engine/rules"
)

// LevelsIn returns Levels with the ratings that were measured in a game. The
// first one's is the same in all games, and full strength, which depends on
// the machine, is as much above the last one as in Levels.
func LevelsIn(r *rules.Rules) []Level {
	levels := Levels()
	_, ratings, ok := calibrated(r)
	if !ok {
		return levels
	}
	last := len(levels) - 1
	above := levels[last].Rating - levels[last-1].Rating
	for i, rating := range ratings {
		levels[i].Rating = rating
	}
	levels[last].Rating = levels[last-1].Rating + above
	return levels
}

// LevelOf returns a level as strong in a game as the rating says, between
// those of LevelsIn and not beyond them.
func LevelOf(r *rules.Rules, rating int) Level {
	levels := LevelsIn(r)
	i := sort.Search(len(levels), func(i int) bool { return levels[i].Rating >= rating })
	switch {
	case i == len(levels):
		return levels[i-1]
	case i == 0 || levels[i].Rating == rating:
		return levels[i]
	}
	low, high := levels[i-1], levels[i]
	part := float64(rating-low.Rating) / float64(high.Rating-low.Rating)
	between := func(a, b float64) float64 { return a + (b-a)*part }
	l := low
	l.Rating = rating
	l.Spread, l.Oversight = between(low.Spread, high.Spread), between(low.Oversight, high.Oversight)
	l.Noise = int(math.Round(between(float64(low.Noise), float64(high.Noise))))
	// A level without a limit of its own counts as one with this many times
	// the nodes of the level below.
	most := float64(high.Nodes)
	if high.Nodes == 0 {
		most = 4 * float64(low.Nodes)
	}
	l.Nodes = uint64(math.Round(float64(low.Nodes) * math.Pow(most/float64(low.Nodes), part)))
	return l
}
