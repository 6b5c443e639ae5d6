package search

// prefetch brings the cache line of a word near. A probe of the table, which
// comes some time after the move is made, then need not wait for memory.
//
//go:noescape
func prefetch(word *uint64)
