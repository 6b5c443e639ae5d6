package rules_test

import (
	"testing"

	"hoplite/engine/rules"
)

// TestNoAllocations holds generation, make, unmake and counting to no allocation at all.
func TestNoAllocations(t *testing.T) {
	for _, c := range benchPositions {
		t.Run(c.name, func(t *testing.T) {
			p := position(t, c.key, c.fen)
			room := make([]rules.Move, 0, 4096)
			moves := p.Moves(nil)
			var u rules.Undo
			for name, f := range map[string]func(){
				"Moves":      func() { p.Moves(room) },
				"Noisy":      func() { p.Noisy(room) },
				"CountMoves": func() { p.CountMoves() },
				"HasMove":    func() { p.HasMove() },
				"InCheck":    func() { p.InCheck() },
				"IsLegal":    func() { p.IsLegal(moves[0]) },
				"Make": func() {
					for _, m := range moves {
						p.Make(m, &u)
						p.Unmake(m, &u)
					}
				},
				"MakeNull": func() {
					p.MakeNull(&u)
					p.UnmakeNull(&u)
				},
				"GivesCheck": func() {
					for _, m := range moves {
						p.GivesCheck(m)
					}
				},
			} {
				if n := testing.AllocsPerRun(20, f); n != 0 {
					t.Errorf("%s: %v allocations", name, n)
				}
			}
		})
	}
}

func TestNullMove(t *testing.T) {
	for _, c := range benchPositions {
		p := position(t, c.key, c.fen)
		before := *p
		var u rules.Undo
		p.MakeNull(&u)
		if p.Turn() == before.Turn() || p.Key() == before.Key() {
			t.Errorf("%s: a null move does not pass the turn", c.name)
		}
		fresh, err := p.Rules().Position(p.Setup())
		if err != nil || fresh.Key() != p.Key() {
			t.Errorf("%s: key after a null move differs from a fresh one: %v", c.name, err)
		}
		p.UnmakeNull(&u)
		if *p != before {
			t.Errorf("%s: a null move taken back leaves another position", c.name)
		}
	}
}

func TestKeyAfter(t *testing.T) {
	for _, c := range benchPositions {
		p := position(t, c.key, c.fen)
		if p.Rules().Staged() {
			continue // there is more to a move than its kind tells
		}
		var u rules.Undo
		right, plain := 0, 0
		for _, m := range p.Moves(nil) {
			guess := p.KeyAfter(m)
			p.Make(m, &u)
			if guess == p.Key() {
				right++
			}
			p.Unmake(m, &u)
			switch m.Kind() {
			case rules.Quiet, rules.Capture, rules.Drop:
				plain++
			}
		}
		// Moves that end a right to castle or to let a man in are not foreseen.
		if 4*right < 3*plain {
			t.Errorf("%s: %d keys of %d plain moves guessed", c.name, right, plain)
		}
	}
}
