package game_test

import (
	"testing"
	"time"

	"hoplite/server/live/clock"
)

// TestTakebacksGiveTimeBack takes moves back on clocks that have run.
func TestTakebacksGiveTimeBack(t *testing.T) {
	t.Parallel()
	const opening = "w e2e4\nb e7e5\n"
	for _, tc := range []struct {
		name    string
		variant string
		control clock.Control
		script  string
	}{
		{"both sides, two plies", "standard", clock.NewFischer(5*time.Minute, 3*time.Second), opening + `
			+10s
			w g1f3
			+20s
			b b8c6
			= clocks 293 283
			+30s
			w f1b5
			+40s
			b takeback
			w takeback
			= moves e2e4 e7e5 g1f3
			= clocks 293 300
			= running true
			+5s
			b d7d6
			= clocks 293 298
			= history [5m0s 5m0s 4m53s 4m58s]`},
		{"to the start, where no clock runs", "standard", clock.NewFischer(5*time.Minute, 0), opening + `
			+10s
			w takeback
			b takeback
			= moves
			= clocks 300 300
			= running false`},
		{"time that was given stays", "standard", clock.NewFischer(5*time.Minute, 0), opening + `
			+10s
			b give 15
			w g1f3
			= clocks 305 300
			+20s
			w give 30
			w takeback
			b takeback
			= moves e2e4 e7e5
			= clocks 315 330
			+5s
			w g1f3
			+5s
			b b8c6
			= clocks 310 325
			w takeback
			b takeback
			= moves e2e4 e7e5
			= clocks 315 330`},
		{"a gift before a move that stays is in it", "standard", clock.NewFischer(5*time.Minute, 0), opening + `
			b give 15
			+10s
			w g1f3
			= clocks 305 300
			+20s
			b b8c6
			+1s
			w f1c4
			w takeback
			b takeback
			= moves e2e4 e7e5 g1f3 b8c6
			= clocks 305 280`},
		{"turns of several plies", "marseillais", clock.NewFischer(5*time.Minute, 0), `
			w e2e4
			b e7e5
			b d7d5
			+10s
			w g1f3
			= clocks 290 300
			+10s
			w f1c4
			= clocks 280 300
			+5s
			b takeback
			w takeback
			= moves e2e4 e7e5
			= clocks 300 300
			= turn 1`},
		{"a delay", "standard", clock.NewDelay(time.Minute, 2*time.Second), opening + `
			+12s
			w g1f3
			= clocks 50 60
			w takeback
			b takeback
			= clocks 60 60`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			su := setup()
			su.Variant, su.Control = tc.variant, tc.control
			newTable(t, su).run(tc.script)
		})
	}
}
