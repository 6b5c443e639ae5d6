package enginetest_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"hoplite/engine/board"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// symmetry maps a game onto itself with the sides changed: cells, and types of men (a pawn that goes round a ring one
// way becomes one that goes the other way).
type symmetry struct {
	cell  []rules.Cell
	types []rules.PieceType
}

// TestMirror compares positions with the same seen from the other side: the number of moves is equal. Games that have
// no symmetry, because their armies are unequal, are left out by what their start positions are, not by their names.
func TestMirror(t *testing.T) {
	mirrored := 0
	for _, r := range list(t) {
		sym, ok := symmetryOf(t, r)
		if !ok {
			continue
		}
		mirrored++
		t.Run(r.Key(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(5, 6))
			for range 20 {
				p, err := r.Start(rng.IntN(r.Starts()))
				if err != nil {
					t.Fatal(err)
				}
				var u rules.Undo
				for range 80 {
					moves := p.Moves(nil)
					if len(moves) == 0 {
						break
					}
					other := sym.mirror(t, p)
					// The second ply of large games would take too long in every position.
					depth := 2
					if len(moves) > 60 {
						depth = 1
					}
					if got, want := rules.Perft(other, depth), rules.Perft(p, depth); got != want {
						t.Fatalf("%s: %d leaves, mirrored %d", notation.FEN(p), want, got)
					}
					if other.InCheck() != p.InCheck() {
						t.Fatalf("%s: check is not mirrored", notation.FEN(p))
					}
					p.Make(pick(rng, p, moves), &u)
				}
			}
		})
	}
	if mirrored < 30 { // most games have a symmetry
		t.Errorf("%d games mirrored", mirrored)
	}
}

// symmetryOf looks for a symmetry of the start position: the drawing turned upside down, turned by half, or seen in a
// mirror, or a cube turned by half.
func symmetryOf(t *testing.T, r *rules.Rules) (*symmetry, bool) {
	t.Helper()
	b := r.Board()
	w, h := b.Frame()
	images := []func(c rules.Cell) rules.Cell{
		func(c rules.Cell) rules.Cell { x, y := b.Center(c); return drawnAt(b, x, h-y) },
		func(c rules.Cell) rules.Cell { x, y := b.Center(c); return drawnAt(b, w-x, h-y) },
		func(c rules.Cell) rules.Cell { x, y := b.Center(c); return drawnAt(b, w-x, y) },
		func(c rules.Cell) rules.Cell {
			file, rank := b.Coord(c)
			return b.At(b.Files()-1-file, b.Ranks()-1-rank)
		},
	}
	// One in which every man is the image of his own kind goes before one that changes kinds.
	for _, same := range []bool{true, false} {
		for _, image := range images {
			s := &symmetry{types: make([]rules.PieceType, r.Types()+1)}
			for c := range rules.Cell(b.N()) {
				s.cell = append(s.cell, image(c))
			}
			if s.fits(t, r, same) {
				return s, true
			}
		}
	}
	return nil, false
}

// drawnAt returns the cell whose middle is drawn at a place.
func drawnAt(b *board.Board, x, y float64) rules.Cell {
	for c := range rules.Cell(b.N()) {
		if cx, cy := b.Center(c); math.Hypot(cx-x, cy-y) < 0.1 {
			return c
		}
	}
	return board.Wall
}

// fits reports whether the start position is its own image, kind by kind if same is set, and learns how types correspond.
func (s *symmetry) fits(t *testing.T, r *rules.Rules, same bool) bool {
	t.Helper()
	p, err := r.Start(r.UsualStart())
	if err != nil {
		t.Fatal(err)
	}
	for c, to := range s.cell {
		if to == board.Wall {
			return false
		}
		q, image := p.At(rules.Cell(c)), p.At(to)
		if (q == 0) != (image == 0) || q != 0 && r.Side(q) == r.Side(image) {
			return false
		}
		if q == 0 {
			continue
		}
		if known := s.types[r.Type(q)]; known != 0 && known != r.Type(image) || same && r.Type(q) != r.Type(image) {
			return false
		}
		s.types[r.Type(q)] = r.Type(image)
	}
	for i := range s.types {
		if s.types[i] == 0 { // a type that the start has not
			s.types[i] = rules.PieceType(i)
		}
	}
	return true
}

// mirror returns the position seen from the other side.
func (s *symmetry) mirror(t *testing.T, p *rules.Position) *rules.Position {
	t.Helper()
	r := p.Rules()
	now := p.Setup()
	m := now
	m.Cells = make([]rules.Piece, len(now.Cells))
	for i, q := range now.Cells {
		if q != 0 {
			side := r.Side(q)
			if int(side) < r.Sides() { // others are neutral
				side = 1 - side
			}
			m.Cells[s.cell[i]] = r.Piece(side, s.types[r.Type(q)])
			if _, ok := r.Union(q); ok {
				m.Cells[s.cell[i]] = r.SwapUnion(q)
			}
		}
	}
	m.Turn = 1 - now.Turn
	if now.Swaps != nil {
		m.Swaps = []bool{now.Swaps[1], now.Swaps[0]}
	}
	if now.Hands != nil {
		m.Hands = [][]int{now.Hands[1], now.Hands[0]}
		m.Gates = append(m.Gates[:0:0], now.Gates[1], now.Gates[0])
		for i, gates := range m.Gates {
			m.Gates[i] = board.Set{}
			for c := range gates.All {
				m.Gates[i].Add(s.cell[c])
			}
		}
	}
	if now.Prisons != nil {
		m.Prisons = [][]int{now.Prisons[1], now.Prisons[0]}
	}
	m.Castling = nil
	wings := 0
	if r.Definition().Castling != nil {
		wings = len(r.Definition().Castling.Wings)
	}
	for _, right := range now.Castling {
		m.Castling = append(m.Castling, rules.CastlingRight{Wing: (right.Wing + wings/2) % wings, Rook: s.cell[right.Rook]})
	}
	if int(now.Passed) < len(s.cell) {
		m.Passed = s.cell[now.Passed]
	}
	m = m.MapState(func(c rules.Cell) rules.Cell { return s.cell[c] })
	if n := r.CountsChecks(); n != 0 {
		m = m.WithChecks(p.ChecksLeft(1), p.ChecksLeft(0), n)
	}
	q, err := r.Position(m)
	if err != nil {
		t.Fatal(err)
	}
	return q
}
