//go:build !amd64

package search

// prefetch does nothing where it is not known to help.
func prefetch(*uint64) {}
