package search

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/rules"
)

// levelData are lines of a game's key and, for each of its levels below full
// strength, the node limit and the rating that was measured with it.
//
//go:embed levels.txt
var levelData string

// scale turns node limits of levels as they are for any game into those of one
// game, so that a step between levels is as great in all of them.
type scale struct {
	from, to []float64 // logarithms of nodes, rising; empty: nothing changes
}

// LevelNodes returns the node limits of the levels below full strength in a
// game: those that a calibration found, else those of Levels.
func LevelNodes(r *rules.Rules) []uint64 {
	if nodes, _, ok := calibrated(r); ok {
		return nodes
	}
	return usualNodes()
}

// calibrated returns the limits and ratings of a game that has a line in the
// data.
func calibrated(r *rules.Rules) (nodes []uint64, ratings []int, ok bool) {
	for line := range strings.Lines(levelData) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] != r.Key() {
			continue
		}
		for _, level := range f[1:] {
			limit, rating, _ := strings.Cut(level, ":")
			n, err := strconv.ParseUint(limit, 10, 32)
			if err != nil {
				return nil, nil, false
			}
			points, err := strconv.Atoi(rating)
			if err != nil {
				return nil, nil, false
			}
			nodes, ratings = append(nodes, n), append(ratings, points)
		}
		return nodes, ratings, ValidLevelNodes(nodes) && rising(ratings)
	}
	return nil, nil, false
}

func usualNodes() []uint64 {
	var nodes []uint64
	for _, l := range Levels() {
		if l.Nodes > 0 {
			nodes = append(nodes, l.Nodes)
		}
	}
	return nodes
}

// ValidLevelNodes reports whether nodes are limits of the levels below full
// strength: one for each, and each above the one before.
func ValidLevelNodes(nodes []uint64) bool {
	return len(nodes) == len(usualNodes()) && nodes[0] > 0 && rising(nodes)
}

// rising reports whether each number is above the one before.
func rising[N int | uint64](list []N) bool {
	return slices.IsSorted(list) && len(slices.Compact(slices.Clone(list))) == len(list)
}

// newScale makes the scale on which the usual limits become the given ones.
func newScale(to []uint64) scale {
	from := usualNodes()
	if !ValidLevelNodes(to) || slices.Equal(to, from) {
		return scale{}
	}
	var s scale
	for i := range from {
		s.from = append(s.from, math.Log(float64(from[i])))
		s.to = append(s.to, math.Log(float64(to[i])))
	}
	return s
}

// nodes is what a limit becomes. Between levels it is interpolated; below the
// first and above the last it changes as much as theirs.
func (s scale) nodes(n uint64) uint64 {
	if len(s.from) == 0 || n == 0 {
		return n
	}
	x := math.Log(float64(n))
	i, exact := slices.BinarySearch(s.from, x)
	last := len(s.from) - 1
	switch {
	case exact:
		x = s.to[i]
	case i == 0:
		x += s.to[0] - s.from[0]
	case i > last:
		x += s.to[last] - s.from[last]
	default:
		part := (x - s.from[i-1]) / (s.from[i] - s.from[i-1])
		x = s.to[i-1] + part*(s.to[i]-s.to[i-1])
	}
	return uint64(max(math.Round(math.Exp(x)), 1))
}
