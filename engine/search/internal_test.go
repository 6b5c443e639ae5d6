package search

import (
	"context"
	"runtime/debug"
	"testing"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

func TestSearchDoesNotAllocate(t *testing.T) {
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	// A collection would empty the pool of scratch lists, which is no fault of the search.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, r := range set.List() {
		p, err := r.Start(r.Definition().Start.Usual)
		if err != nil {
			t.Fatal(err)
		}
		e := New(r, Options{Hash: 1})
		s := e.begin(context.Background(), rules.NewGame(p), Limits{})
		w := e.workers[0]
		nodes := w.nodes
		n := testing.AllocsPerRun(5, func() {
			w.pos.HasMove() // fills the pool of scratch lists in the run that does not count
			// Other windows, so that the table does not answer at once; games with many moves a position stop early.
			for _, window := range [][2]int{{-infinity, infinity}, {30, 31}} {
				w.completed, w.stopped, w.nodeLimit = 1, false, w.nodes+2000
				w.search(7, 1, window[0], window[1], false)
			}
		})
		s.end()
		if n != 0 {
			t.Errorf("%s: %v allocations", r.Key(), n)
		}
		if w.nodes-nodes < 1000 {
			t.Errorf("%s: only %d nodes were searched", r.Key(), w.nodes-nodes)
		}
	}
}

func TestTableGivesBackWhatWasStored(t *testing.T) {
	t.Parallel()
	tt := newTable(1)
	keys := []uint64{0, 1, 0xffffffffffffffff, 0x123456789abcdef0, 1 << 63}
	entries := []entry{
		{fold: 0, score: 0, eval: noEval, depth: 0, bound: boundUpper},
		{fold: 1, score: -infinity, eval: -20000, depth: 1, bound: boundLower},
		{fold: foldMask, score: mateScore, eval: 20000, depth: 127, bound: boundExact},
		{fold: 77, score: -mateScore + 3, eval: -1, depth: 12, bound: boundExact},
		{fold: 99, score: 15, eval: 0, depth: -1, bound: boundLower},
	}
	for i, key := range keys {
		tt.store(key, entries[i])
	}
	for i, key := range keys {
		if got, ok := tt.probe(key); !ok || got != entries[i] {
			t.Errorf("key %x: %+v %v, want %+v", key, got, ok, entries[i])
		}
	}
	if _, ok := tt.probe(0xabcdef0123456789); ok {
		t.Error("found what was never stored")
	}
	tt.clear()
	if _, ok := tt.probe(keys[2]); ok {
		t.Error("found an entry after clear")
	}
}

func TestTornEntriesAreNotBelieved(t *testing.T) {
	t.Parallel()
	tt := newTable(1)
	const key = 0xfeedfacecafebeef
	tt.store(key, entry{fold: 5, score: 100, depth: 9, bound: boundExact})
	for i := range tt.words {
		if tt.words[i] != 0 {
			tt.words[i] ^= 1 << 60 // as if another thread had written one word
			break
		}
	}
	if e, ok := tt.probe(key); ok {
		t.Errorf("believed %+v", e)
	}
}

func TestDeepAndNewEntriesStay(t *testing.T) {
	t.Parallel()
	tt := newTable(1)
	bucket := func(i uint64) uint64 { return i<<40 | 7 } // all in one bucket
	for i := range uint64(bucketSize) {
		tt.store(bucket(i+1), entry{fold: 1, depth: 10 + int(i), bound: boundExact})
	}
	tt.store(bucket(9), entry{fold: 1, depth: 1, bound: boundExact})
	if _, ok := tt.probe(bucket(1)); ok {
		t.Error("the shallowest entry was not the one replaced")
	}
	if _, ok := tt.probe(bucket(4)); !ok {
		t.Error("the deepest entry was replaced")
	}
	for range 3 {
		tt.nextSearch()
	}
	for i := range uint64(3) {
		tt.store(bucket(20+i), entry{fold: 1, depth: 2, bound: boundExact})
		tt.store(bucket(20+i), entry{fold: 1, depth: 3, bound: boundExact})
	}
	for i := range uint64(3) {
		if _, ok := tt.probe(bucket(20 + i)); !ok {
			t.Error("a new entry was replaced before old ones")
		}
	}
}

func TestMateScoresDependOnTheNode(t *testing.T) {
	t.Parallel()
	for _, v := range []int{mateScore - 5, 5 - mateScore, 120, -120, 0} {
		stored := toTable(v, 4)
		if got := fromTable(stored, 4); got != v {
			t.Errorf("%d comes back as %d", v, got)
		}
		if v > mateBound && fromTable(stored, 6) != v-2 {
			t.Errorf("two plies deeper, %d is %d", v, fromTable(stored, 6))
		}
	}
	for mate := 1; mate <= 20; mate++ {
		for _, s := range []Score{{Mate: mate}, {Mate: -mate}} {
			if got := toScore(s.value()); got != s {
				t.Errorf("%v is read back as %v", s, got)
			}
		}
	}
}

func TestTraitsComeFromMechanisms(t *testing.T) {
	t.Parallel()
	read := func(edit func(d *rules.Definition)) traits {
		d := variant.Standard()
		edit(d)
		r, err := rules.Compile(d)
		if err != nil {
			t.Fatal(err)
		}
		return traitsOf(r)
	}
	ends := func(list ...rules.EndRule) func(d *rules.Definition) {
		return func(d *rules.Definition) { d.Ends = list }
	}
	if got := read(ends(rules.EndRule{Kind: rules.EndMate}, rules.EndRule{Kind: rules.EndClock, Plies: 70})); !got.nullMove ||
		got.stuckLoses || got.clock != 70 || got.special || got.staged {
		t.Errorf("one king: %+v", got)
	}
	if got := read(ends(rules.EndRule{Kind: rules.EndNoMove, Lost: true})); got.nullMove || !got.stuckLoses {
		t.Errorf("no move loses: %+v", got)
	}
	if got := read(func(d *rules.Definition) { d.Royal = rules.RoyalAllAttacked }); got.nullMove {
		t.Errorf("check attacks all royals: %+v", got)
	}
	if got := read(func(d *rules.Definition) {
		d.Royal = rules.RoyalCapture
		d.Ends = []rules.EndRule{{Kind: rules.EndRoyal}}
	}); !got.staged || got.special {
		t.Errorf("the king is taken: %+v", got)
	}
}
