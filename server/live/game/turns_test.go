package game_test

import (
	"testing"
	"time"

	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

// TestTurnsOfSeveralPlies plays games in which a turn has more than one move.
func TestTurnsOfSeveralPlies(t *testing.T) {
	t.Parallel()
	marseillais := func(su *game.Setup) { su.Variant = "marseillais" }
	for _, tc := range []struct {
		name   string
		change func(*game.Setup)
		script string
	}{
		{"one by one and at once", marseillais, `
			w e2e4
			= turn 1
			b e7e5
			= turn 1
			w d2d4 ! Not your turn
			b d7d5
			= turn 0
			w d2d4,b1c3
			= turn 1
			= rows move move move move move
			= moves e2e4 e7e5 d7d5 d2d4 b1c3
			b a7a6,b7b6,c7c6 ! the turn ends after 2 of 3 moves
			b a7a6,b2b3 ! b2
			= version 5`},
		{"the clocks run when both have had a turn", marseillais, `
			w e2e4
			+9s
			b e7e5
			= running false
			b draw ~ once both sides have moved
			b abort
			= status aborted`},
		{"each ply has its increment and pays for itself", marseillais, `
			w e2e4
			b e7e5,d7d5
			= running true
			+10s
			w d2d4
			= clocks 293 300
			+5s
			= clocks 288 300
			w abort ! can no longer be aborted
			w b1c3
			= clocks 291 300
			+4s
			b a7a6,b7b6
			= clocks 291 302
			= history [5m0s 5m0s 5m0s 4m53s 4m51s 4m59s 5m2s]`},
		{"a takeback goes back to the player's own last move", marseillais, `
			w e2e4
			b e7e5
			b takeback
			w takeback
			= moves e2e4
			= turn 1
			b e7e5,d7d5
			w d2d4
			b takeback
			w takeback
			= moves e2e4 e7e5
			= turn 1
			b c7c5
			w takeback
			b takeback
			= moves
			w takeback ! no move to take back`},
		{"a turn that grows", func(su *game.Setup) { su.Variant = "progressive" }, `
			w e2e4
			b e7e5,d7d5
			w d2d4,b1c3
			= turn 0
			w f1b5
			= turn 1
			= check true`},
		{"an idempotent turn is played once", marseillais, `
			w #1 e2e4
			b #2 e7e5,d7d5
			= version 3
			b #2 e7e5,d7d5
			= version 3`},
		{"time for each of several plies", func(su *game.Setup) {
			su.Variant, su.Control = "marseillais", clock.NewByoyomi(0, 10*time.Second, 2)
		}, `
			w e2e4
			b e7e5,d7d5
			+9s
			w d2d4
			= clocks 10 10
			+11s
			w b1c3
			= clocks 10 10
			= periods 0 1`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			su := setup()
			tc.change(su)
			newTable(t, su).run(tc.script)
		})
	}
}
