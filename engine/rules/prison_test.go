package rules_test

import (
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// captivity is chess with prisons of the given rule, from a position of its own.
func captivity(t *testing.T, fen string, rule rules.PrisonRule) *rules.Position {
	t.Helper()
	d := variant.Standard()
	d.Key, d.Castling = "captivity", nil
	d.Hand = &rules.HandRule{Types: "QRBNP", Drops: []rules.DropRule{{Types: "P", Rows: []int{1}}, {Types: "RN", Rows: []int{0}}}}
	d.Prison = &rule
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

// TestExchangeZones lets freed men enter where their drops may, for each man that can be given.
func TestExchangeZones(t *testing.T) {
	worth := map[string]int{"P": 1, "N": 3, "R": 5}
	p := captivity(t, "4k3/8/8/8/8/8/8/4K3[][rnPR] w - - 0 1", rules.PrisonRule{Worth: worth})
	counts := map[string]int{}
	for _, m := range p.Moves(nil) {
		if m.Kind() == rules.Exchange {
			counts[p.Rules().PieceInfo(m.Given()).Letter+p.Rules().PieceInfo(m.Arg()).Letter]++
		}
	}
	if len(counts) != 3 || counts["RR"] != 7 || counts["RP"] != 8 || counts["NP"] != 8 {
		t.Errorf("got %v", counts)
	}
	if got := p.Prisoners(0, p.Rules().TypeOf("R")) + p.Prisoners(1, p.Rules().TypeOf("P")); got != 2 || p.Prisoners(0, p.Rules().TypeOf("B")) != 0 {
		t.Errorf("prisoners are counted wrong: %d", got)
	}
}

// TestPromotionWithoutRansom leaves promotion as in chess where prisoners play no part in it.
func TestPromotionWithoutRansom(t *testing.T) {
	for ransom, want := range map[bool]int{false: 4, true: 0} {
		p := captivity(t, "8/P6k/8/8/8/8/8/K7[][] w - - 0 1", rules.PrisonRule{Worth: map[string]int{"P": 1, "Q": 9}, Ransom: ransom})
		n := 0
		for _, m := range p.Moves(nil) {
			if p.IsPromotion(m) {
				n++
			}
		}
		if n != want {
			t.Errorf("ransom %t: %d promotions", ransom, n)
		}
	}
}

// TestGivingEndsCheck gives away the prisoner by whom a pawn would promote, so that its check ends.
func TestGivingEndsCheck(t *testing.T) {
	worth := map[string]int{"Q": 9, "N": 3}
	p := captivity(t, "4k3/5P2/5K2/8/8/8/8/8[][Qn] b - - 0 1", rules.PrisonRule{Worth: worth, Ransom: true})
	if !p.InCheck() {
		t.Fatal("no check")
	}
	m, err := notation.ParseMove(p, "q-N@a8")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Play(m); err != nil {
		t.Fatal(err)
	}
	if p.Hand(0, p.Rules().TypeOf("Q")) != 1 {
		t.Error("the queen did not come home")
	}
	// A capture that gives the pawn something to become is no legal move.
	p = captivity(t, "r3k3/5P2/5K2/8/8/8/8/Q7[][] b - - 0 1", rules.PrisonRule{Worth: worth, Ransom: true})
	if p.InCheck() {
		t.Fatal("check without a prisoner")
	}
	if _, err := notation.ParseMove(p, "a8a1"); err == nil {
		t.Error("the captured queen lets the pawn give check")
	}
}

func TestPrisonRefuses(t *testing.T) {
	for _, c := range []struct {
		name, want string
		edit       func(d *rules.Definition)
	}{
		{"no hand", "a hand", func(d *rules.Definition) { d.Hand = nil }},
		{"stranger", "unknown men", func(d *rules.Definition) { d.Prison.Worth["X"] = 1 }},
		{"never in hand", "never be in hand", func(d *rules.Definition) { d.Prison.Worth["K"] = 1 }},
		{"files", "fixed cells", func(d *rules.Definition) { d.Castling.Files, d.Castling.Renewed = true, true }},
	} {
		d := variant.Standard()
		d.Hand, d.Prison = &rules.HandRule{Types: "QP"}, &rules.PrisonRule{Worth: map[string]int{"P": 1}}
		c.edit(d)
		if _, err := rules.Compile(d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}
