//go:build !linux

package search

func hugePages([]uint64) {}
