package search

import (
	"math/bits"
	"sync/atomic"

	"hoplite/engine/rules"
)

// bound says how a stored score relates to the true one.
type bound uint8

const (
	boundNone  bound = iota
	boundUpper       // the true score is at most the stored one
	boundLower       // the true score is at least the stored one
	boundExact
)

// table is the transposition table: 16-byte entries in buckets of four, which
// fill one cache line. A word pair is stored as (tag xor data, data), so an
// entry torn by two writers fails the tag test instead of being believed; no
// lock is needed between search threads.
//
//	data: move fold 24 | score 16 | depth 8 | generation 6 + bound 2 | unused 8
//	tag:  upper 48 bits of the key | static evaluation 16
type table struct {
	words []uint64
	mask  uint64 // number of buckets - 1
	age   uint64 // 0..63
}

const (
	bucketSize  = 4
	bucketWords = 2 * bucketSize
	tagMask     = ^uint64(0xffff)
	foldMask    = 1<<24 - 1
	noEval      = -32768
)

// entry is a decoded table entry.
type entry struct {
	fold  uint32
	score int
	eval  int // noEval when it was not computed
	depth int
	bound bound
}

// newTable makes a table of at most mib mebibytes, and at least one.
func newTable(mib int) *table {
	mib = max(mib, 1)
	buckets := uint64(mib) << 20 / (8 * bucketWords)
	buckets = 1 << (bits.Len64(buckets) - 1)
	t := &table{words: make([]uint64, buckets*bucketWords), mask: buckets - 1}
	hugePages(t.words)
	return t
}

func (t *table) clear() {
	clear(t.words)
	t.age = 0
}

// nextSearch ages the entries: those of earlier searches are replaced first.
func (t *table) nextSearch() { t.age = (t.age + 1) & 63 }

// fold shortens a move to what an entry holds. The full move is never needed:
// nodes compare it with the moves they generate. A clash of two legal moves
// (one in 16 million pairs) costs ordering, not correctness.
func fold(m rules.Move) uint32 {
	if m == 0 {
		return 0
	}
	f := uint32(uint64(m) * 0x9e3779b97f4a7c15 >> 40)
	if f == 0 {
		f = 1
	}
	return f
}

// fetch announces a probe of key.
func (t *table) fetch(key uint64) { prefetch(&t.words[(key&t.mask)*bucketWords]) }

// probe finds the entry of key.
func (t *table) probe(key uint64) (entry, bool) {
	base := (key & t.mask) * bucketWords
	b := t.words[base : base+bucketWords : base+bucketWords]
	for i := 0; i < bucketWords; i += 2 {
		data := atomic.LoadUint64(&b[i+1])
		tag := atomic.LoadUint64(&b[i]) ^ data
		if tag&tagMask == key&tagMask && data != 0 {
			return entry{
				fold:  uint32(data & foldMask),
				score: int(int16(data >> 24)),
				eval:  int(int16(tag)),
				depth: int(int8(data >> 40)),
				bound: bound(data >> 48 & 3),
			}, true
		}
	}
	return entry{}, false
}

// store writes an entry: over the same position if it is there, else over the
// one of least worth, an old and shallow one.
func (t *table) store(key uint64, e entry) {
	base := (key & t.mask) * bucketWords
	b := t.words[base : base+bucketWords : base+bucketWords]
	slot, worst := 0, 1<<30
	for i := 0; i < bucketWords; i += 2 {
		data := atomic.LoadUint64(&b[i+1])
		tag := atomic.LoadUint64(&b[i]) ^ data
		if data == 0 {
			if worst > -1<<20 {
				slot, worst = i, -1<<20
			}
			continue
		}
		if tag&tagMask == key&tagMask {
			// A shallow result of a null window must not wipe a deep one of
			// this same search, but its move is kept when there is none yet.
			if e.bound != boundExact && data>>50&63 == t.age && e.depth+3 < int(int8(data>>40)) {
				return
			}
			if e.fold == 0 {
				e.fold = uint32(data & foldMask)
			}
			slot = i
			break
		}
		worth := int(int8(data>>40)) - 8*int((t.age-data>>50)&63)
		if worth < worst {
			slot, worst = i, worth
		}
	}
	data := uint64(e.fold) | uint64(uint16(e.score))<<24 | uint64(uint8(e.depth))<<40 |
		uint64(e.bound)<<48 | t.age<<50
	tag := key&tagMask | uint64(uint16(e.eval))
	atomic.StoreUint64(&b[slot], tag^data)
	atomic.StoreUint64(&b[slot+1], data)
}

// full returns how many of a thousand entries were written by this search.
func (t *table) full() int {
	n := 0
	for i := 0; i < 1000 && 2*i+1 < len(t.words); i++ {
		if d := atomic.LoadUint64(&t.words[2*i+1]); d != 0 && d>>50&63 == t.age {
			n++
		}
	}
	return n
}
