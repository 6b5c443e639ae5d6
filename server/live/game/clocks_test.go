package game_test

import (
	"strings"
	"testing"
	"time"

	"hoplite/engine/notation"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

// TestClocks plays scripts on the clocks that have more than an increment.
func TestClocks(t *testing.T) {
	t.Parallel()
	const opening = "w e2e4\nb e7e5\n"
	for _, tc := range []struct {
		name    string
		control clock.Control
		script  string
	}{
		{"delay", clock.NewDelay(time.Minute, 5*time.Second), opening + `
			= deadline 65
			+5s
			= clocks 60 60
			+2s
			= clocks 58 60
			= deadline 58
			w g1f3
			= clocks 58 60
			+4s
			b b8c6
			= clocks 58 60
			= history [1m0s 1m0s 58s 1m0s]
			+62999ms
			w f1c4
			= clocks 0.001 60
			+64s
			b g8f6
			= clocks 0.001 1
			+5s
			s timeout ! not up
			+1ms
			w d2d3 ! Not your turn, or game already over
			s timeout
			= result outoftime 1 flag
			= clocks 0 1`},
		{"byoyomi", clock.NewByoyomi(time.Minute, 30*time.Second, 2), opening + `
			= clocks 60 60
			= periods 2 2
			= deadline 120
			+50s
			w g1f3
			= clocks 10 60
			= periods 2 2
			b b8c6
			+10s
			= clocks 30 60
			= periods 1 2
			+29s
			= clocks 1 60
			w f1c4
			= clocks 30 60
			= periods 1 2
			b g8f6
			= deadline 60
			+30s
			= clocks 30 60
			= periods 0 2
			w d2d3
			= clocks 30 60
			b d7d6
			+29999ms
			= clocks 0.001 60
			w a2a3
			= clocks 30 60
			= periods 0 2
			b a7a6
			+30s
			s timeout
			= result outoftime 1 flag
			= clocks 0 60
			= periods 0 2`},
		{"periods alone", clock.NewByoyomi(0, 10*time.Second, 1), opening + `
			= clocks 10 10
			= periods 0 0
			+9s
			w g1f3
			= clocks 10 10
			+10s
			s timeout
			= result outoftime 0 flag`},
		{"time given to a side in its periods", clock.NewByoyomi(0, 10*time.Second, 3), opening + `
			= periods 2 2
			+15s
			= clocks 5 10
			= periods 1 2
			b give 12
			= clocks 7 10
			= periods 2 2`},
		{"a takeback gives back what was used", clock.NewByoyomi(0, 10*time.Second, 3), opening + `
			+12s
			w g1f3
			= periods 1 2
			+3s
			w takeback
			b takeback
			= moves e2e4 e7e5
			= clocks 10 10
			= periods 2 2`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			su := setup()
			su.Control = tc.control
			newTable(t, su).run(tc.script)
		})
	}
}

// TestDeclarations are those of a game whose only one is the draw by
// repetition.
func TestDeclarations(t *testing.T) {
	t.Parallel()
	newTable(t, setup()).run(`
		= claims none
		w declare claim draw ! cannot declare "claim draw" now
		w g1f3
		b g8f6
		w f3g1
		b f6g8
		w g1f3
		b g8f6
		w f3g1
		b f6g8
		= claims claim draw
		b declare claim draw ! Not your turn
		w declare claim win ! cannot declare "claim win" now
		w declare ! cannot declare "" now
		w declare claim draw
		= result draw -1 repetition
		= claims none
		w declare claim draw ! already over`)
}

// TestCounts declares a count, which is part of the position and of the log.
func TestCounts(t *testing.T) {
	t.Parallel()
	su := setup()
	su.Variant, su.InitialFEN = "makruk", "8/8/3k3n/8/8/3K4/8/R7 w - - 0 1"
	newTable(t, su).run(`
		= claims count start
		b declare count start ! Not your turn
		w declare count stop ! cannot declare
		w declare count start
		= turn 0
		= fen 8/8/3k3n/8/8/3K4/8/R7 w - - 0 1 wB0/64
		= claims count stop
		w a1a2
		= claims claim draw
		= fen 8/8/3k3n/8/8/3K4/R7/8 b - - 1 1 wB1/64
		w takeback
		b takeback
		= fen 8/8/3k3n/8/8/3K4/8/R7 w - - 0 1 wB0/64
		w declare count stop
		= fen 8/8/3k3n/8/8/3K4/8/R7 w - - 0 1
		w #again declare count start
		w #again declare count start
		= rows declare move takebackOffer chat takeback chat declare declare
		w a1a2
		b declare claim draw
		= result draw -1 counting`)
	newTable(t, su).run(`
		w declare count start
		w a1a2
		b h6g4
		w a2a1
		b takeback
		w takeback
		= moves a1a2
		= fen 8/8/3k3n/8/8/3K4/R7/8 b - - 1 1 wB1/64`)
}

// TestCountsAreBounded begins and ends counts on one turn, each of which is kept, until there have been enough.
func TestCountsAreBounded(t *testing.T) {
	t.Parallel()
	su := setup()
	su.Variant, su.InitialFEN = "makruk", "8/8/3k3n/8/8/3K4/8/R7 w - - 0 1"
	newTable(t, su).run(strings.Repeat(`
		w declare count start
		w declare count stop`, 4) + `
		w declare count start ! enough counts
		w a1a2
		b h6g4
		w declare count start`)
}

// TestLineFollowsDeclarations brings a line to states with and without them, as
// a reader of a game does that is taken back.
func TestLineFollowsDeclarations(t *testing.T) {
	t.Parallel()
	su := setup()
	su.Variant, su.InitialFEN = "makruk", "8/8/3k3n/8/8/3K4/8/R7 w - - 0 1"
	g := newTable(t, su)
	start, err := su.Start(g.rules)
	if err != nil {
		t.Fatal(err)
	}
	line := game.NewLine(start)
	for _, step := range []string{
		"w declare count start", "w a1a2", "b h6g4", "w a2a1", "b takeback", "w takeback", "b h6g8", "w declare count stop",
		"w declare count start", "w a2a3", "w takeback", "b takeback", "w a2b2",
	} {
		g.run(step)
		snap := g.state.Snapshot()
		words := game.DeclaredWords(snap.Declared)
		declared, err := game.ParseDeclared(words)
		if err == nil {
			err = line.Follow(snap.Moves, declared, nil)
		}
		if got := notation.FEN(line.Position()); err != nil || got != snap.FEN {
			t.Fatalf("after %q, with %v: %s, %v, want %s", step, words, got, err, snap.FEN)
		}
	}
}
