package search

import (
	"math"
	"sort"
)

// LevelOf returns a level as strong as the rating says, between those of
// Levels and not beyond them.
func LevelOf(rating int) Level {
	levels := Levels()
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
