package rules_test

import (
	"strings"
	"testing"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// TestLayersWithoutPassing switches capture in passing off.
func TestLayersWithoutPassing(t *testing.T) {
	d := variant.Alice()
	d.EnPassant = rules.EnPassantNone
	for _, c := range []struct {
		rule  rules.EnPassantRule
		moves int
	}{{rules.EnPassantOtherLayer, 7}, {rules.EnPassantNone, 6}} {
		d.EnPassant = c.rule
		p := positionOf(t, d, "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1")
		for _, m := range p.Moves(nil) {
			if m.Kind() == rules.Double {
				if err := p.Play(m); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
		if n := p.CountMoves(); n != c.moves {
			t.Errorf("en passant %q: %d moves, want %d", c.rule, n, c.moves)
		}
	}
}

func TestLayersErrors(t *testing.T) {
	for _, c := range []struct {
		change func(d *rules.Definition)
		want   string
	}{
		{func(d *rules.Definition) { d.Board.Layers = 1 }, "without a second layer"},
		{func(d *rules.Definition) { d.EnPassant = rules.EnPassantOne }, "between layers"},
		{func(d *rules.Definition) { d.Layers = "" }, "need men that pass"},
		{func(d *rules.Definition) { d.Layers = "mirror" }, "unknown rule"},
	} {
		d := variant.Alice()
		c.change(d)
		if _, err := rules.Compile(d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
