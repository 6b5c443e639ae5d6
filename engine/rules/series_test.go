package rules_test

import (
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// TestSeriesCheckPolicy compares what a check within a turn may mean: where only the last move of a turn may give check,
// a side whose only answer to a check gives one is mated (progressive.md, Other readings).
func TestSeriesCheckPolicy(t *testing.T) {
	const fen = "rr5k/8/8/3n4/8/8/1K6/B3n3 w - - 0 1 3:"
	for _, c := range []struct {
		policy rules.CheckPolicy
		left   string
		moves  int
		mated  bool
	}{
		{rules.CheckEndsTurn, "3", 1, false},
		{rules.CheckEndsTurn, "1", 1, false},
		{rules.CheckOnlyLast, "3", 0, true},
		{rules.CheckOnlyLast, "1", 1, false},
	} {
		d := variant.Progressive()
		d.Series.Check = c.policy
		p := positionOf(t, d, fen+c.left)
		o, over := p.Outcome()
		if n := p.CountMoves(); n != c.moves || over != c.mated || over && o.Reason != rules.Mate {
			t.Errorf("%s, %s left: %d moves, outcome %v", c.policy, c.left, n, o)
		}
	}
}

func positionOf(t *testing.T, d *rules.Definition, fen string) *rules.Position {
	t.Helper()
	r, err := rules.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	p, err := notation.ParseFEN(r, fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSeriesLengths plays through the first turns of turns with other lengths.
func TestSeriesLengths(t *testing.T) {
	for _, c := range []struct {
		rule rules.SeriesRule
		want string
	}{
		{rules.SeriesRule{First: 1, Then: 3, Check: rules.CheckEndsTurn}, "w b b b w w w b"},
		{rules.SeriesRule{First: 2, Then: 2, Check: rules.CheckEndsTurn}, "w w b b w w b b"},
		{rules.SeriesRule{First: 2, Grows: true, Check: rules.CheckEndsTurn}, "w w b b b w w w"},
	} {
		d := variant.Marseillais()
		d.Series = &c.rule
		d.Start.FEN = strings.TrimSuffix(d.Start.FEN, " 1:1")
		p := positionOf(t, d, d.Start.FEN)
		var sides []string
		for len(sides) < 8 {
			sides = append(sides, d.Sides[p.Turn()].Letter)
			if err := p.Play(p.Moves(nil)[0]); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(sides, " "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.rule, got, c.want)
		}
	}
}

// TestSeriesSettled asks for repetition and the clock where turns begin only.
func TestSeriesSettled(t *testing.T) {
	p := positionOf(t, variant.Marseillais(), "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1 2:2")
	g := rules.NewGame(p)
	for i, want := range []bool{true, false, true, false, true} {
		if got := g.Position().Settled(); got != want {
			t.Errorf("after %d moves: settled %t", i, got)
		}
		moves := []string{"a1b1", "b1a1", "a8b8", "b8a8", ""}
		if moves[i] == "" {
			continue
		}
		m, err := notation.ParseMove(g.Position(), moves[i])
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	if n := g.Repetitions(); n != 2 {
		t.Errorf("the position occurred %d times", n)
	}
	for range 3 {
		g.Undo()
	}
	if length, left := g.Position().Series(); length != 2 || left != 1 || g.Repetitions() != 1 {
		t.Errorf("taken back to %s", notation.FEN(g.Position()))
	}
}

func TestSeriesErrors(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(d *rules.Definition)
	}{
		{"no first turn", "turns of 0 and 2 moves", func(d *rules.Definition) { d.Series.First = 0 }},
		{"no length", "turns of 1 and 0 moves", func(d *rules.Definition) { d.Series.Then = 0 }},
		{"check", "unknown meaning", func(d *rules.Definition) { d.Series.Check = "" }},
		{"en passant", "in turns of several moves", func(d *rules.Definition) { d.EnPassant = rules.EnPassantOne }},
		{"no series", "need turns of several moves", func(d *rules.Definition) { d.Series = nil }},
	} {
		d := variant.Marseillais()
		c.change(d)
		if _, err := rules.Compile(d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
