package eval

import (
	"math/bits"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// cells is a set of cells, one bit a cell, no wider than the board asks. What
// is computed for every position is compiled once for each width: loops over
// the words of a set have a known end, and tables are as small as can be.
type cells interface {
	[1]uint64 | [2]uint64 | [4]uint64
}

// narrow is a set without the words that the board has no cells for.
func narrow[S cells](set board.Set) (s S) {
	for j := 0; j < len(s); j++ {
		s[j] = set[j]
	}
	return s
}

func has[S cells](s *S, c rules.Cell) bool { return (*s)[c>>6]>>(c&63)&1 != 0 }

func add[S cells](s *S, c rules.Cell) { (*s)[c>>6] |= 1 << (c & 63) }

func remove[S cells](s *S, c rules.Cell) { (*s)[c>>6] &^= 1 << (c & 63) }

// meet reports whether two sets have a cell in common.
func meet[S cells](a, b *S) bool {
	for j := 0; j < len(*a); j++ {
		if (*a)[j]&(*b)[j] != 0 {
			return true
		}
	}
	return false
}

func count[S cells](s *S) (n int) {
	for j := 0; j < len(*s); j++ {
		n += bits.OnesCount64((*s)[j])
	}
	return n
}

// lowest is the first cell of a word of a set.
func lowest(j int, word uint64) rules.Cell { return rules.Cell(j<<6 | bits.TrailingZeros64(word)) }
