package external

import (
	"slices"
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// FuzzFound reads anything that a provider may send, about a position of White's and one of Black's: what is told has
// no more lines than were asked for, and each is legal.
func FuzzFound(f *testing.F) {
	for _, seed := range []string{
		"info depth 9 multipv 1 score cp -25 nodes 900 time 7 pv e7e5 g1f3 b8c6\ninfo depth 9 multipv 2 score mate -4 pv c7c5\nbestmove e7e5",
		"info depth 1 score cp 1 pv e2e4 e7e5\ninfo multipv 3 score cp 1 pv d2d4\ninfo multipv 2 score cp 1 pv d2d4",
		"info depth -1 score cp 99999999999 nodes -1 time -5 pv a2a3",
		"info score mate 0 pv a2a3\ninfo score mate -9223372036854775808 pv a2a3\ninfo depth 3 nodes 18446744073709551615 score cp 4 pv a2a3",
		"info multipv 0 score cp 1 pv a2a3\ninfo multipv -7 score cp 1 pv a2a3\ninfo string score cp 1 pv a2a3",
		"bestmove", "", "info", "\x00\xff",
	} {
		f.Add(seed)
	}
	set, err := variant.Catalogue()
	if err != nil {
		f.Fatal(err)
	}
	r := set.List()[0]
	white, err := r.Start(r.UsualStart())
	if err != nil {
		f.Fatal(err)
	}
	black := white.Clone()
	m, err := notation.ParseMove(black, "e2e4")
	if err != nil {
		f.Fatal(err)
	}
	var u rules.Undo
	black.Make(m, &u)
	const lines = 2
	f.Fuzz(func(t *testing.T, said string) {
		var u rules.Undo
		for _, root := range []*rules.Position{white, black} {
			finder, key := newFinder(root, lines), root.Key()
			for line := range strings.Lines(said) {
				if finder.read(line) {
					break
				}
			}
			found := finder.take()
			if len(found.Pvs) > lines || found.Depth < 0 || found.Nodes < 0 || found.Time < 0 || root.Key() != key {
				t.Fatalf("found was %+v", found)
			}
			for _, pv := range found.Pvs {
				if len(pv.Moves) == 0 || len(pv.Moves) > maxPV || (pv.Cp == nil) == (pv.Mate == nil) {
					t.Fatalf("a line is %+v", pv)
				}
				p := root.Clone()
				for _, text := range pv.Moves {
					i := slices.IndexFunc(p.Moves(nil), func(m rules.Move) bool { return notation.FormatMove(p, m) == text })
					if i < 0 {
						t.Fatalf("%s of %v is not legal", text, pv.Moves)
					}
					p.Make(p.Moves(nil)[i], &u)
				}
			}
		}
	})
}
