// Package puzzle gives out positions to solve, judges answers by the rules core, and rates players
// and puzzles against each other.
//
// Puzzles live in the store, those that come with the program too: they are copied there at the
// first start of each version. So ratings, attempts and imported puzzles refer to one table, and
// several servers see the same numbers. To choose quickly, a server keeps an index of all of them in
// memory; a puzzle is a few hundred bytes.
package puzzle
