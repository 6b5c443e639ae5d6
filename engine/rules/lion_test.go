package rules_test

import (
	"slices"
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// stride is chess in which some men make two steps, from a position of its own.
func stride(t *testing.T, fen string, rule rules.LegsRule) *rules.Position {
	t.Helper()
	d := variant.Standard()
	d.Key, d.Castling, d.EnPassant, d.Legs = "stride", nil, rules.EnPassantNone, &rule
	d.Start.FEN = fen
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

func legTexts(p *rules.Position) string {
	var texts []string
	for _, m := range p.Moves(nil) {
		if m.Kind() == rules.Legs {
			texts = append(texts, notation.FormatMove(p, m))
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, " ")
}

// TestTwoSteps gives rooks two steps, straight on or round the corner, in a game with check.
func TestTwoSteps(t *testing.T) {
	for _, c := range []struct {
		name, fen, want string
		power           rules.LegPower
	}{
		{"straight on", "4k3/8/8/8/8/p7/n7/R3K3 w - - 0 1", "a1a1 a1a2a1 a1a2a3", rules.LegPower{Types: "R", Step: "W"}},
		{"turning", "4k3/8/8/8/8/p7/n7/R3K3 w - - 0 1", "a1a1 a1a2a1 a1a2a3 a1a2b2", rules.LegPower{Types: "R", Step: "W", Turns: true}},
		{"forward only", "4k3/8/8/8/8/8/rp6/Rn2K3 w - - 0 1", "a1a2a1 a1a2a3", rules.LegPower{Types: "R", Step: "fW"}},
		{"own men in the way", "4k3/8/8/8/8/P7/p7/RN2K3 w - - 0 1", "a1a2a1", rules.LegPower{Types: "R", Step: "W"}},
		{"a pinned man takes and returns", "4k3/8/8/8/4r3/3pp3/4R3/4K3 w - - 0 1", "e2e2 e2e3e2 e2e3e4", rules.LegPower{Types: "R", Step: "W"}},
		{"a check is answered by taking and returning", "4k3/8/8/8/8/8/3RPP2/3qK3 w - - 0 1", "d2d1d2", rules.LegPower{Types: "R", Step: "W"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := stride(t, c.fen, rules.LegsRule{Powers: []rules.LegPower{c.power}})
			if got := legTexts(p); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestProtectedLions lets knights be lions in a game without kings' safety in question.
func TestProtectedLions(t *testing.T) {
	rule := rules.LegsRule{Powers: []rules.LegPower{{Types: "N", Step: "K", Turns: true}}, Lions: "N", Weak: "P"}
	for _, c := range []struct {
		name, fen, text string
		legal           bool
	}{
		{"unprotected", "4k3/8/8/4n3/8/3N4/8/4K3 w - - 0 1", "d3e5", true},
		{"protected", "4k3/8/5p2/4n3/8/3N4/8/4K3 w - - 0 1", "d3f4", true},
		{"protected by a pawn", "4k3/8/5p2/4n3/8/3N4/8/4K3 w - - 0 1", "d3e5", false},
		{"over a rook", "4k3/8/5p2/4n3/4r3/3N4/8/4K3 w - - 0 1", "d3e4e5", true},
		{"over a pawn, protected by another", "4k3/8/5p2/4n3/4p3/3N4/8/4K3 w - - 0 1", "d3e4e5", false},
		{"over a pawn, unprotected", "4k3/8/8/4n3/4p3/3N4/8/4K3 w - - 0 1", "d3e4e5", true},
		{"by another man", "4k3/8/5p2/4n3/8/8/8/4RK2 w - - 0 1", "e1e5", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := notation.ParseMove(stride(t, c.fen, rule), c.text)
			if (err == nil) != c.legal {
				t.Errorf("%s: %v", c.text, err)
			}
		})
	}
}

func TestLegsRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		rule rules.LegsRule
	}{
		{"lions", rules.LegsRule{Lions: "X"}},
		{"types", rules.LegsRule{Powers: []rules.LegPower{{Types: "X", Step: "K"}}}},
		{"slide", rules.LegsRule{Powers: []rules.LegPower{{Types: "R", Step: "R"}}}},
		{"betza", rules.LegsRule{Powers: []rules.LegPower{{Types: "R", Step: "?"}}}},
	} {
		d := variant.Standard()
		d.Legs = &c.rule
		if _, err := rules.Compile(d); err == nil {
			t.Errorf("%s: compiled", c.name)
		}
	}
}
