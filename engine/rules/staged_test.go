package rules_test

import (
	"testing"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// TestStagedAsPlain plays games of the plain mechanisms step by step, too: both ways must count the same leaves and give
// the same keys.
func TestStagedAsPlain(t *testing.T) {
	for _, d := range variant.All() {
		plain, err := rules.Compile(d)
		if err != nil {
			t.Fatal(err)
		}
		if plain.Staged() {
			continue
		}
		t.Run(d.Key, func(t *testing.T) {
			staged, err := rules.CompileStaged(d)
			if err != nil {
				t.Fatal(err)
			}
			number := plain.UsualStart()
			p, err := plain.Start(number)
			if err != nil {
				t.Fatal(err)
			}
			q, err := staged.Start(number)
			if err != nil {
				t.Fatal(err)
			}
			state := uint64(7)
			for ply := range 120 {
				if got, want := rules.Perft(q, 2), rules.Perft(p, 2); got != want {
					t.Fatalf("ply %d: %d leaves played in stages, %d plainly", ply, got, want)
				}
				if q.Key() != p.Key() {
					t.Fatalf("ply %d: the keys differ", ply)
				}
				moves := p.Moves(nil)
				if len(moves) == 0 {
					break
				}
				state = state*6364136223846793005 + 1442695040888963407
				m := moves[int(state>>33)%len(moves)]
				if err := p.Play(m); err != nil {
					t.Fatal(err)
				}
				if err := q.Play(m); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
