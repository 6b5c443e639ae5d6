package rules_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// squares is a second reading of a board with unions: the letters of the men by side and square, file and rank from 0.
type squares [2][8][8]byte

// reading collects the boards that the turns of one side lead to, castling and captures in passing apart.
type reading struct {
	us    int
	seen  map[string]bool
	after map[squares]bool
}

// maxReleases bounds the positions with a released man that the second reading looks at. Boards that lead to more are not
// compared.
const maxReleases = 400

func readSquares(p *rules.Position) (b squares) {
	r := p.Rules()
	for c := range rules.Cell(64) {
		q := p.At(c)
		if q == 0 {
			continue
		}
		file, rank := r.Board().Coord(c)
		if men, ok := r.Union(q); ok {
			b[0][file][rank], b[1][file][rank] = r.PieceInfo(r.Type(men[0])).Letter[0], r.PieceInfo(r.Type(men[1])).Letter[0]
		} else {
			b[r.Side(q)][file][rank] = r.PieceInfo(r.Type(q)).Letter[0]
		}
	}
	return b
}

// turns plays all turns.
func (n *reading) turns(b squares) {
	last := 7 - 7*n.us
	for f := range 8 {
		if b[n.us][f][last] == 'P' { // carried there by the other side
			for _, become := range []byte("QRBN") {
				next := b
				next[n.us][f][last] = become
				n.turns(next)
			}
			return
		}
	}
	for f := range 8 {
		for r := range 8 {
			man := b[n.us][f][r]
			if man == 0 {
				continue
			}
			lifted := b
			lifted[n.us][f][r] = 0
			single := b[1-n.us][f][r] == 0
			lifted[1-n.us][f][r] = 0
			n.walk(lifted, man, b[1-n.us][f][r], f, r, single && man != 'K')
		}
	}
}

// walk moves a man that has been lifted from a square, with another that goes along or 0. meets says whether it may go
// onto others.
func (n *reading) walk(b squares, man, along byte, f, r int, meets bool) {
	up := 1 - 2*n.us
	quiet := func(f, r int) {
		n.land(b, man, along, f, r)
	}
	free := func(f, r int) bool { return f >= 0 && f < 8 && r >= 0 && r < 8 && b[0][f][r] == 0 && b[1][f][r] == 0 }
	take := func(f, r int) {
		if f < 0 || f > 7 || r < 0 || r > 7 || !meets || b[1-n.us][f][r] == 0 {
			return
		}
		n.land(b, man, 0, f, r)
	}
	if man == 'P' {
		if free(f, r+up) {
			quiet(f, r+up)
			if (n.us == 0 && r < 2 || n.us == 1 && r > 5) && free(f, r+2*up) {
				quiet(f, r+2*up)
			}
		}
		take(f-1, r+up)
		take(f+1, r+up)
		return
	}
	for df := -2; df <= 2; df++ {
		for dr := -2; dr <= 2; dr++ {
			d := df*df + dr*dr
			leap := man == 'N' && d == 5 || man == 'K' && (d == 1 || d == 2)
			slide := d == 1 && (man == 'R' || man == 'Q') || d == 2 && (man == 'B' || man == 'Q')
			if !leap && !slide {
				continue
			}
			for k := 1; k == 1 || slide && k < 8; k++ {
				if !free(f+k*df, r+k*dr) {
					take(f+k*df, r+k*dr)
					break
				}
				quiet(f+k*df, r+k*dr)
			}
		}
	}
}

// land puts a man down, promoted on its last row, and goes on with the man that it releases.
func (n *reading) land(b squares, man, along byte, f, r int) {
	if man == 'P' && r == 7-7*n.us {
		for _, become := range []byte("QRBN") {
			n.land(b, become, along, f, r)
		}
		return
	}
	released := b[n.us][f][r]
	b[n.us][f][r] = man
	if along != 0 {
		b[1-n.us][f][r] = along
	}
	if released == 0 {
		n.after[b] = true
		return
	}
	key := string(released) + string(rune('a'+f)) + string(rune('1'+r))
	for s := range b {
		for f := range b[s] {
			key += string(b[s][f][:])
		}
	}
	if !n.seen[key] && len(n.seen) < maxReleases {
		n.seen[key] = true
		n.walk(b, released, 0, f, r, true)
	}
}

// ours collects the boards that the turns of the side to move lead to by the rules, castling and captures in passing
// apart. It fails if a turn cannot be ended.
func ours(t *testing.T, p *rules.Position, seen map[uint64]bool, after map[squares]bool) {
	t.Helper()
	if seen[p.Key()] {
		return
	}
	seen[p.Key()] = true
	moves := p.Moves(nil)
	if _, _, released := p.Released(); released && len(moves) == 0 {
		t.Fatalf("%s: the turn cannot be ended", notation.FEN(p))
	}
	for _, m := range moves {
		passing := (m.Kind() == rules.Unite || m.Kind() == rules.TakeOver) && p.At(m.To()) == 0
		if m.Kind().IsCastle() || passing {
			continue
		}
		q := p.Clone()
		if err := q.Play(m); err != nil {
			t.Fatal(err)
		}
		if q.Turn() == p.Turn() {
			ours(t, q, seen, after)
		} else {
			after[readSquares(q)] = true
		}
	}
}

// TestUnionTurns compares the boards that all turns lead to with a second reading, in random games.
func TestUnionTurns(t *testing.T) {
	r, err := rules.Compile(variant.Friendly())
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(21, 22))
	boards, chains, gifts := 0, 0, 0
	for range 25 {
		p, err := r.Start(0)
		if err != nil {
			t.Fatal(err)
		}
		for range 160 {
			if _, over := p.Decided(); over {
				break
			}
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			want := reading{us: int(p.Turn()), seen: map[string]bool{}, after: map[squares]bool{}}
			if _, _, released := p.Released(); !released {
				want.turns(readSquares(p))
			}
			if len(want.after) > 0 && len(want.seen) < maxReleases {
				boards++
				gifts += btoi(moves[0].Kind() == rules.Gift)
				got := map[squares]bool{}
				ours(t, p, map[uint64]bool{}, got)
				for b := range want.after {
					if !got[b] {
						t.Fatalf("%s: %d boards, want %d; missing %q", notation.FEN(p), len(got), len(want.after), b)
					}
				}
				if len(got) != len(want.after) {
					t.Fatalf("%s: %d boards, want %d", notation.FEN(p), len(got), len(want.after))
				}
				chains += len(want.seen)
			}
			m := moves[rng.IntN(len(moves))]
			for _, o := range moves {
				if (o.Kind() == rules.TakeOver || o.Kind() == rules.Unite) && !p.IsCapture(o) && rng.IntN(4) == 0 {
					m = o
				}
			}
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d boards with %d releases and %d gifts compared", boards, chains, gifts)
	if boards < 1000 || chains < 1000 || gifts == 0 {
		t.Errorf("%d boards with %d releases and %d gifts compared", boards, chains, gifts)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestUnionErrors(t *testing.T) {
	for _, c := range []struct {
		change func(d *rules.Definition)
		want   string
	}{
		{func(d *rules.Definition) { delete(d.Union.Types, "D") }, "no union of"},
		{func(d *rules.Definition) { d.Union.Types["D"] = "PPP" }, "a type of its own and two others"},
		{func(d *rules.Definition) { d.Union.Types["D"] = "PR" }, "no union of"},
		{func(d *rules.Definition) { d.Sides[1].Army = strings.Replace(d.Sides[1].Army, "D", "", 1) }, "in their armies"},
		{func(d *rules.Definition) { d.Royal = rules.RoyalOne }, "royal rule"},
		{func(d *rules.Definition) { d.EnPassant = rules.EnPassantOne }, "en passant"},
		{func(d *rules.Definition) { d.Union = nil }, "no unions"},
	} {
		d := variant.Friendly()
		c.change(d)
		if _, err := rules.Compile(d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestUnionKeys reaches one position by two orders of moves, chains among them.
func TestUnionKeys(t *testing.T) {
	const fen = "7k/8/8/8/8/2V5/8/V3B2K w - - 0 1"
	keys := map[uint64]string{}
	var list []uint64
	for _, turn := range []string{"e1c3a1c3e1", "e1c3e1", "e1c3b4"} {
		p := positionOf(t, variant.Friendly(), fen)
		moves, err := notation.ParseTurn(p, turn)
		if err != nil {
			t.Fatal(err)
		}
		if got := notation.FormatTurn(p, moves); got != turn {
			t.Errorf("%s written as %s", turn, got)
		}
		for _, m := range moves {
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, p.Key())
		keys[p.Key()] = notation.Placement(p)
	}
	if len(keys) != 2 || list[0] != list[1] || slices.Contains(list[2:], list[0]) {
		t.Errorf("keys %x for %v", list, keys)
	}
}
