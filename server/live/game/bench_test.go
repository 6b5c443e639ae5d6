package game_test

import (
	"testing"
	"time"

	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

// BenchmarkApply is one move through the state machine, without disk and
// audience.
func BenchmarkApply(b *testing.B) {
	for _, variant := range []string{"standard", "spartan"} {
		b.Run(variant, func(b *testing.B) {
			su := setup()
			su.Variant = variant
			su.Control = clock.NewFischer(3*time.Hour, time.Minute)
			line := newTable(b, su)
			longGame(b, line, 80)
			moves, r := line.state.Snapshot().Moves, line.rules
			s, err := game.New(su, r)
			if err != nil {
				b.Fatal(err)
			}
			ply, now := 0, su.Created
			b.ReportAllocs()
			for b.Loop() {
				if ply == len(moves) {
					if s, err = game.New(su, r); err != nil {
						b.Fatal(err)
					}
					ply, now = 0, su.Created
				}
				now = now.Add(time.Second)
				st, err := s.Apply(game.Action{Kind: game.Move, Player: ply % 2, Move: moves[ply]}, now)
				if err != nil {
					b.Fatal(err)
				}
				s.Release(st, now, game.PerPlayer[*int]{})
				ply++
			}
		})
	}
}

// BenchmarkRebuild replays a game of 200 plies from its log.
func BenchmarkRebuild(b *testing.B) {
	g := newTable(b, setup())
	longGame(b, g, 200)
	b.ReportAllocs()
	for b.Loop() {
		s, err := game.Rebuild(g.setup, g.rules, g.rows)
		if err != nil {
			b.Fatal(err)
		}
		if n := len(s.Snapshot().Moves); n != 200 {
			b.Fatalf("%d plies", n)
		}
	}
}
