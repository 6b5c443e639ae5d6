package search

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePages asks for pages of two megabytes: a probe of the table then rarely
// waits for its address as well. Where the system refuses, nothing is lost.
func hugePages(words []uint64) {
	const page = 2 << 20
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(words)))) & (page - 1)
	if len(bytes)-skip < page {
		return
	}
	whole := (len(bytes) - skip) &^ (page - 1)
	_ = unix.Madvise(bytes[skip:skip+whole], unix.MADV_HUGEPAGE)
}
