package game_test

import (
	"strings"
	"testing"
	"time"

	"hoplite/engine/enginetest/testgame"
	"hoplite/engine/variant"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

// fourTable is a game of four.
func fourTable(t *testing.T, change func(*game.Setup)) *table {
	t.Helper()
	set, err := variant.Compile(append(variant.All(), testgame.Four()))
	if err != nil {
		t.Fatal(err)
	}
	su := setup()
	su.Variant = testgame.Four().Key
	su.Players = append(su.Players, game.Player{AccountID: "cleo", Name: "Cleo"}, game.Player{AccountID: "dora", Name: "Dora"})
	if change != nil {
		change(su)
	}
	r, _ := set.Get(su.Variant)
	s, err := game.New(su, r)
	if err != nil {
		t.Fatal(err)
	}
	return &table{t: t, setup: su, rules: r, state: s, now: su.Created}
}

// TestFourPlayers plays scripts in which w, b, y and g are the players in turn.
func TestFourPlayers(t *testing.T) {
	t.Parallel()
	const round = "w c1d3\nb a5c4\ny e7d5\ng g3e4\n"
	for _, tc := range []struct {
		name   string
		change func(*game.Setup)
		script string
	}{
		{"turns go round, and the clocks run after the first", nil, `
			w c1d3
			+9s
			b a5c4
			= turn 2
			b a4b4 ! Not your turn
			g resign
			= status aborted`},
		{"resigning leaves the others playing", nil, round + `
			= running true
			= turn 0
			+10s
			y resign
			= status started
			= out y
			= turn 0
			= clocks 290 300 300 300
			w resign
			= turn 1
			= clocks 290 300 300 300
			w draw ! You are out of this game
			w say well played
			+2s
			b c4b6 ! c4b6
			b a4b4
			= clocks 290 301 300 300
			= turn 3
			g resign
			= result draw -1 lastAlive
			= points 0 0 0 0
			= places 1 1 1 1`},
		{"time over is out", nil, round + `
			+300s
			s timeout
			= out w
			= turn 1
			= clocks 0 300 300 300
			= status started`},
		{"a draw needs everybody who is still in", nil, round + `
			w draw
			b draw
			y draw
			= status started
			g resign
			w takeback ! two players only
			= offer wby
			w d3b4
			b draw
			= offer wb
			y draw
			= result draw -1 agreed
			= places 1 1 1 1`},
		{"captures score and rank", func(su *game.Setup) {
			su.InitialFEN = "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-x,x,1,yK,yN,x,x/x,x,3,x,x/bK,6/7/6,gK/x,x,3,x,x/x,x,rK,rR,1,x,x"
		}, `
			w d1d7
			= out y
			= points 3 0 0 0
			b a5b5
			g g3f3
			= turn 0
			w c1c2
			b b5c4
			g resign
			b win? ! cannot claim
			w resign
			= result variantEnd 0 lastAlive
			= places 1 2 2 2
			= rows move move move move move retire retire`},
		{"days", func(su *game.Setup) { su.Control = clock.NewCorrespondence(1) }, round + `
			+24h
			s timeout
			= out w
			= turn 1
			+23h
			s timeout ! not up`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			fourTable(t, tc.change).run(tc.script)
		})
	}
}

// TestFourNeedFour refuses a game with another number of players.
func TestFourNeedFour(t *testing.T) {
	t.Parallel()
	g := fourTable(t, nil)
	su := *g.setup
	su.Players = su.Players[:3]
	if _, err := game.New(&su, g.rules); err == nil || !strings.Contains(err.Error(), "4 players") {
		t.Errorf("error %v", err)
	}
	su = *g.setup
	su.Created = time.Time{}
	if s, err := game.New(&su, g.rules); err != nil || len(s.Snapshot().Players) != 4 {
		t.Errorf("error %v", err)
	}
}
