package rules_test

import (
	"slices"
	"strings"
	"testing"

	"hoplite/engine/board"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// reserve is chess with a hand, from a position of its own.
func reserve(t *testing.T, fen string, hand rules.HandRule) *rules.Position {
	t.Helper()
	d := variant.Standard()
	d.Key, d.Castling, d.EnPassant = "reserve", nil, rules.EnPassantNone
	d.Start.FEN = fen
	d.Hand = &hand
	r, err := rules.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func cellOf(t *testing.T, p *rules.Position, name string) rules.Cell {
	t.Helper()
	c, ok := p.Rules().Board().ParseCell(name)
	if !ok {
		t.Fatalf("no cell %s", name)
	}
	return c
}

// dropCells lists the cells on which a man of the type may be dropped.
func dropCells(p *rules.Position, letter string) string {
	var names []string
	for _, m := range p.Moves(nil) {
		if m.Kind() == rules.Drop && p.Rules().PieceInfo(m.Arg()).Letter == letter {
			names = append(names, p.Rules().Board().CellName(m.To()))
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// TestDropZones asks where men may enter on a board with three white pawns on the d-file and one on the a-file.
func TestDropZones(t *testing.T) {
	const fen = "4k3/8/3P4/3P4/8/3P4/P7/4K3[PRNpr] w - - 0 1"
	for _, c := range []struct {
		name, letter, want string
		rule               rules.DropRule
	}{
		{"on one row", "R", "a1 b1 c1 d1 f1 g1 h1", rules.DropRule{Types: "R", Rows: []int{0}}},
		{"not on the farthest", "R", "a8 b8 c8 d8 f8 g8 h8", rules.DropRule{Types: "R", Rows: []int{-1, 1}, Barred: []int{1}}},
		{"one on a file", "P", "b2 c2 e2 f2 g2 h2", rules.DropRule{Types: "P", Rows: []int{1}, PerFile: 1}},
		{"two on a file", "P", "a3 b3 c3 e3 f3 g3 h3", rules.DropRule{Types: "P", Rows: []int{2}, PerFile: 2}},
		{"four on a file", "P", "b2 c2 d2 e2 f2 g2 h2", rules.DropRule{Types: "P", Rows: []int{1}, PerFile: 4}},
		{"another's rule", "N", "a1 b1 c1 d1 f1 g1 h1", rules.DropRule{Types: "RN", Rows: []int{0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := reserve(t, fen, rules.HandRule{Types: "PRN", Drops: []rules.DropRule{c.rule}})
			if got := dropCells(p, c.letter); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	t.Run("anywhere", func(t *testing.T) {
		p := reserve(t, fen, rules.HandRule{Types: "PRN"})
		if n := len(strings.Fields(dropCells(p, "N"))); n != 58 {
			t.Errorf("%d cells", n)
		}
	})
	t.Run("the other side's rows", func(t *testing.T) {
		p := reserve(t, strings.Replace(fen, " w ", " b ", 1), rules.HandRule{Types: "PRN",
			Drops: []rules.DropRule{{Types: "R", Rows: []int{0}}}})
		if got := dropCells(p, "R"); got != "a8 b8 c8 d8 f8 g8 h8" {
			t.Errorf("got %s", got)
		}
	})
}

// TestFixedHand lets captured men go out of the game where captures do not feed the hand.
func TestFixedHand(t *testing.T) {
	for captures, want := range map[bool]int{true: 1, false: 0} {
		p := reserve(t, "4k3/8/8/8/8/8/3r4/4K3[] w - - 0 1", rules.HandRule{Types: "R", Captures: captures})
		m, err := notation.ParseMove(p, "e1d2")
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Play(m); err != nil {
			t.Fatal(err)
		}
		if got := p.HandSize(0); got != want {
			t.Errorf("captures %t: %d men in hand", captures, got)
		}
	}
}

func TestExplainDrop(t *testing.T) {
	p := reserve(t, "7k/4R3/6K1/8/8/8/3P4/8[PR] w - - 0 1", rules.HandRule{Types: "PRN",
		Drops: []rules.DropRule{{Types: "P", Barred: []int{0}, PerFile: 1}, {Types: "R", NoMate: true}}})
	r := p.Rules()
	for _, c := range []struct{ letter, cell, want string }{
		{"N", "e4", "has no knight in hand"}, {"P", "e7", "not empty"}, {"P", "a1", "may not be dropped on a1"},
		{"P", "d4", "on that file already"}, {"R", "d8", "may not mate"},
	} {
		if got := p.ExplainDrop(r.TypeOf(c.letter), cellOf(t, p, c.cell)); !strings.Contains(got, c.want) {
			t.Errorf("%s@%s: got %q", c.letter, c.cell, got)
		}
		if p.IsLegal(rules.NewMove(rules.Drop, board.Wall, cellOf(t, p, c.cell), r.TypeOf(c.letter), 0)) {
			t.Errorf("%s@%s is legal", c.letter, c.cell)
		}
	}
	// On the last rank the rook would mate, but on g8 it can be captured.
	if got := dropCells(p, "R"); !strings.Contains(got, "a1") || strings.Contains(got, "c8") || !strings.Contains(got, "g8") {
		t.Errorf("rooks enter on %s", got)
	}
	if got := p.ExplainDrop(0, board.Wall); got == "" {
		t.Error("no word about what does not exist")
	}
}

func TestHandRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		hand       rules.HandRule
	}{
		{"unknown man", "in hand", rules.HandRule{Types: "X"}},
		{"demotion", "cannot be", rules.HandRule{Types: "P", Demoted: map[string]string{"Q": "R"}}},
		{"demoted stranger", "cannot be", rules.HandRule{Types: "P", Demoted: map[string]string{"X": "P"}}},
		{"drop", "never in hand", rules.HandRule{Types: "P", Drops: []rules.DropRule{{Types: "R"}}}},
	} {
		d := variant.Standard()
		d.Hand = &c.hand
		if _, err := rules.Compile(d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

// TestRepetitionJudged shuffles kings, once with a check by each white move.
func TestRepetitionJudged(t *testing.T) {
	quiet := strings.Fields("a7a6 e8d8 a6a7 d8e8")
	checks := strings.Fields("a7a8 e8e7 a8a7 e7e8")
	for _, c := range []struct {
		name  string
		rule  rules.RepeatRule
		moves []string
		want  string
	}{
		{"draws", rules.RepeatRule{Draw: 3, Perpetual: rules.PerpetualCheck}, quiet, "1/2-1/2 repetition"},
		{"mover loses", rules.RepeatRule{Draw: 3, Loser: rules.RepeatMover}, quiet, "1-0 repetition"},
		{"first side loses", rules.RepeatRule{Draw: 3, Loser: rules.RepeatFirst}, quiet, "0-1 repetition"},
		{"perpetual check", rules.RepeatRule{Draw: 3, Perpetual: rules.PerpetualCheck}, checks, "0-1 perpetual"},
		{"perpetual check before the mover", rules.RepeatRule{Draw: 3, Perpetual: rules.PerpetualCheck, Loser: rules.RepeatMover},
			checks, "0-1 perpetual"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := variant.Standard()
			d.Castling, d.Repeat = nil, c.rule
			d.Start.FEN = "4k3/R7/8/8/8/8/6PP/6K1 w - - 0 1"
			r, err := rules.Compile(d)
			if err != nil {
				t.Fatal(err)
			}
			start, err := r.Start(0)
			if err != nil {
				t.Fatal(err)
			}
			g := rules.NewGame(start)
			for i := range 20 {
				o, over := g.Outcome()
				if over {
					if got := o.Result() + " " + string(o.Reason); got != c.want || i < 8 {
						t.Errorf("got %s after %d plies", got, i)
					}
					return
				}
				m, err := notation.ParseMove(g.Position(), c.moves[i%4])
				if err != nil {
					t.Fatal(err)
				}
				if err := g.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			t.Error("the game goes on")
		})
	}
	for _, rule := range []rules.RepeatRule{{Draw: 3, Perpetual: "joy"}, {Draw: 3, Loser: "referee"}, {Loser: rules.RepeatMover}} {
		d := variant.Standard()
		d.Repeat = rule
		if _, err := rules.Compile(d); err == nil {
			t.Errorf("%v was compiled", rule)
		}
	}
}

func TestImpasseRefuses(t *testing.T) {
	for _, rule := range []rules.ImpasseRule{{}, {Rows: []int{-1}, Points: []int{1}}, {Rows: []int{-1}, Points: []int{1, 1}, Big: "X"}} {
		d := variant.Standard()
		d.Impasse = &rule
		if _, err := rules.Compile(d); err == nil {
			t.Errorf("%v was compiled", rule)
		}
	}
}
