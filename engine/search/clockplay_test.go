package search_test

import (
	"context"
	"testing"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant/varianttest"
)

// Whole games by clocks on which nodes stand for time: none may run out, and
// little may be left over for nothing.
func TestClocksOfWholeGames(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, key string
		rate      uint64 // nodes a second
		time, inc time.Duration
		period    int // moves to a time control, 0 for none
		moves     int // of each side that are played at most
		least     time.Duration
	}{
		{"all moves", "standard", 4000, 20 * time.Second, 0, 0, 50, 12 * time.Second},
		{"with increment", "spartan", 4000, 5 * time.Second, time.Second, 0, 30, 20 * time.Second},
		{"increment alone", "standard", 4000, time.Second, time.Second, 0, 30, 20 * time.Second},
		{"time controls", "seirawan", 4000, 8 * time.Second, 0, 10, 30, 15 * time.Second},
		{"hardly any time", "spartan", 1_000_000, 60 * time.Millisecond, 0, 0, 20, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := varianttest.Rules(t, c.key)
			p, err := r.Start(r.UsualStart())
			if err != nil {
				t.Fatal(err)
			}
			g := rules.NewGame(p)
			e := search.New(r, search.Options{Hash: 4})
			clock := search.Clock{Time: [2]time.Duration{c.time, c.time}, Inc: [2]time.Duration{c.inc, c.inc}}
			var used [2]time.Duration
			for ply := range 2 * c.moves {
				if _, over := g.Outcome(); over || g.CanClaimDraw() {
					t.Logf("over after %d plies", ply)
					return
				}
				us := ply % 2
				if c.period > 0 {
					clock.MovesToGo = c.period - ply/2%c.period
				}
				now := clock
				res := e.Search(context.Background(), g, search.Limits{Clock: &now, NodeRate: c.rate}, nil)
				spent := time.Duration(float64(res.Nodes) / float64(c.rate) * float64(time.Second))
				used[us] += spent
				if clock.Time[us] -= spent; clock.Time[us] < 0 {
					t.Fatalf("ply %d took %v, with %v left before", ply, spent, clock.Time[us]+spent)
				}
				clock.Time[us] += c.inc
				if clock.MovesToGo == 1 {
					clock.Time[us] += c.time
				}
				if err := g.Play(res.Best); err != nil {
					t.Fatal(err)
				}
			}
			if min(used[0], used[1]) < c.least {
				t.Errorf("%v and %v used, want %v", used[0], used[1], c.least)
			}
			t.Logf("%v and %v used, %v and %v left", used[0], used[1], clock.Time[0], clock.Time[1])
		})
	}
}
