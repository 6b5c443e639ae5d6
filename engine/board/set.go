package board

import "math/bits"

// Words is the number of machine words in a Set.
const Words = 4

// Set is a set of cells, one bit a cell. It is a value: copying it copies the set.
type Set [Words]uint64

// SetOf returns the set of the cells given. Wall is ignored.
func SetOf(cells ...Cell) Set {
	var s Set
	for _, c := range cells {
		if c != Wall {
			s.Add(c)
		}
	}
	return s
}

// Has reports whether c is in the set.
func (s *Set) Has(c Cell) bool { return s[c>>6]>>(c&63)&1 != 0 }

// Add puts c into the set.
func (s *Set) Add(c Cell) { s[c>>6] |= 1 << (c & 63) }

// Remove takes c out of the set.
func (s *Set) Remove(c Cell) { s[c>>6] &^= 1 << (c & 63) }

// Flip adds c if it is absent and removes it if it is present.
func (s *Set) Flip(c Cell) { s[c>>6] ^= 1 << (c & 63) }

// Empty reports whether the set has no cell.
func (s *Set) Empty() bool { return s[0]|s[1]|s[2]|s[3] == 0 }

// Count returns the number of cells in the set.
func (s *Set) Count() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2]) + bits.OnesCount64(s[3])
}

// Union returns the cells that are in s or in o.
func (s Set) Union(o Set) Set {
	for w := range s {
		s[w] |= o[w]
	}
	return s
}

// Intersect returns the cells that are in both s and o.
func (s Set) Intersect(o Set) Set {
	for w := range s {
		s[w] &= o[w]
	}
	return s
}

// Without returns the cells of s that are not in o.
func (s Set) Without(o Set) Set {
	for w := range s {
		s[w] &^= o[w]
	}
	return s
}

// All yields the cells of the set in rising order.
func (s Set) All(yield func(Cell) bool) {
	for w, word := range s {
		for ; word != 0; word &= word - 1 {
			if !yield(Cell(w<<6 | bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// First returns the lowest cell of the set, or Wall if it is empty.
func (s *Set) First() Cell {
	for w, word := range s {
		if word != 0 {
			return Cell(w<<6 | bits.TrailingZeros64(word))
		}
	}
	return Wall
}
