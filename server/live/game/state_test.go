package game_test

import (
	"testing"
	"time"

	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

func TestScripts(t *testing.T) {
	t.Parallel()
	const opening = "w e2e4\nb e7e5\n"
	correspondence := func(su *game.Setup) { su.Control = clock.NewCorrespondence(3) }
	unlimited := func(su *game.Setup) { su.Control = clock.Control{} }
	rule := func(rules ...string) func(*game.Setup) { return func(su *game.Setup) { su.Rules = rules } }
	from := func(fen string) func(*game.Setup) {
		return func(su *game.Setup) { su.Variant, su.InitialFEN = "fromPosition", fen }
	}
	bot := func(su *game.Setup) { su.Players[1].Title = "BOT" }
	ai := func(su *game.Setup) { su.Players[1].AILevel = 3 }
	const shuffle = `
		w g1f3
		b g8f6
		w f3g1
		b f6g8
		w g1f3
		b g8f6
		w f3g1
		b f6g8
		`
	for _, tc := range []struct {
		name   string
		change func(*game.Setup)
		script string
	}{
		{"mate is one final state", nil, `
			w f2f3
			b e7e5
			w g2g4
			b d8h4
			= result mate 1 mate
			= rows move move move move
			= check true
			w a2a3 ! Not your turn, or game already over
			b resign ! This game cannot be resigned
			w abort ! This game can no longer be aborted
			b draw ! already over`},
		{"turns and bad moves", nil, `
			b e7e5 ! Not your turn, or game already over
			w e2e5 ! Illegal move e2e5
			w None ! Invalid UCI: None
			w 0000 ! 0000
			w e7e8Q ! e7e8Q
			x e2e4 ! Not your game
			s e2e4 ! Not your game
			= version 0
			w e2e4
			w d2d4 ! Not your turn, or game already over
			= version 1`},
		{"castling is read in both forms", from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), `
			w e1g1
			b e8a8
			= moves e1h1 e8a8`},
		{"two-square castling in the usual game", nil, `
			w e2e4
			b e7e5
			w g1f3
			b g8f6
			w f1e2
			b f8e7
			w e1h1
			b e8g8
			= moves e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8`},
		{"no clock runs until both have moved", nil, `
			+20s
			= clocks 300 300
			w e2e4
			= running false
			+50s
			b e7e5
			= running true
			= clocks 300 300
			+10s
			= clocks 290 300
			w g1f3
			= clocks 293 300
			+2500ms
			b b8c6
			= clocks 293 300.5
			= history [5m0s 5m0s 4m53s 5m0.5s]`},
		{"flag", nil, opening + `
			+299999ms
			s timeout ! not up
			+1ms
			w g1f3 ! Not your turn, or game already over
			s timeout
			= result outoftime 1 flag
			= clocks 0 300
			s timeout ! already over`},
		{"flag against a lone king is a draw", from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), `
			w e2e4
			b e8e7
			+301s
			s timeout
			= result outoftime -1 flag`},
		{"a move in the last millisecond counts", nil, opening + `
			+299999ms
			w g1f3
			= clocks 3.001 300`},
		{"no first move", nil, `
			= deadline 900
			w e2e4
			+899s
			s timeout ! not up
			+1s
			s timeout
			= result aborted -1 noStart`},
		{"strangers wait a minute", func(su *game.Setup) { su.Source = "lobby" }, `
			= deadline 60
			+60s
			w e2e4 ! Not your turn, or game already over
			s timeout
			= result aborted -1 noStart`},
		{"no first move, no abort", rule(game.RuleNoAbort), `
			w abort ! This game can no longer be aborted
			+900s
			s timeout
			= result aborted -1 noStart`},
		{"correspondence", correspondence, `
			= deadline 259200
			w e2e4
			+48h
			= clocks 259200 86400
			b e7e5
			= deadline 259200
			+72h
			s timeout
			= result outoftime 1 flag`},
		{"correspondence without a first move", correspondence, `
			w e2e4
			+72h
			s timeout
			= result aborted -1 noStart`},
		{"unlimited", unlimited, opening + `
			= deadline none
			= clocks 2147483.647 2147483.647
			+100000h
			s timeout ! not up
			w g1f3
			s start ! no clock
			w give 15 ! no clock`},
		{"abort and resign", nil, `
			w e2e4
			b resign
			= result aborted -1 aborted`},
		{"resign", nil, opening + `
			w abort ! This game can no longer be aborted
			w resign
			= result resign 1 resign`},
		{"resign out of turn", nil, opening + `
			b resign
			= result resign 0 resign`},
		{"a game that cannot be aborted can be resigned", rule(game.RuleNoAbort), `
			w abort ! This game can no longer be aborted
			w resign
			= result resign 1 resign`},
		{"draw by agreement", nil, opening + `
			w draw
			= offer w
			= chat p lichess: White offers draw
			w draw ~ already
			b draw
			= result draw -1 agreed
			= offer none`},
		{"no draw before both have moved", nil, `
			w draw ~ both sides
			w e2e4
			b draw ~ both sides
			b nodraw ~ no draw offer`},
		{"an offer lives until the other side moves", nil, opening + `
			w draw
			w g1f3
			= offer w
			b b8c6
			= offer none
			w draw ~ not long ago`},
		{"an offer may be declined", nil, opening + `
			w draw
			w nodraw ~ no draw offer
			b nodraw
			= offer none
			= chat p lichess: White offers draw | p lichess: Black declines draw`},
		{"twenty plies between offers", nil, opening + `
			w draw
			b nodraw
			w g1f3
			b g8f6
			w f3g1
			b f6g8
			w b1c3
			b b8c6
			w c3b1
			b c6b8
			w a2a3
			b a7a6
			w b2b3
			b b7b6
			w c2c3
			b c7c6
			w d2d3
			b d7d6
			w h2h3
			b h7h6
			w f2f3
			w draw ~ not long ago
			b f7f6
			w draw
			= offer w`},
		{"offer with a move", nil, opening + `
			w g1f3 draw
			= offer w
			b b8c6 draw
			= result draw -1 agreed
			= moves e2e4 e7e5 g1f3`},
		{"offers cross", nil, opening + `
			w draw
			b draw
			= result draw -1 agreed`},
		{"an offer with an illegal move is not made", nil, opening + `
			w g1g3 draw ! Illegal move
			= offer none
			= version 2`},
		{"an illegal move does not accept either", nil, opening + `
			b draw
			w g1g3 draw ! Illegal move
			= status started`},
		{"the offer that a first move carries is ignored", nil, `
			w e2e4 draw
			= offer none`},
		{"no early draw", rule(game.RuleNoEarlyDraw), opening + `
			w draw ~ before move 30`},
		{"the engine takes no offers", ai, opening + `
			w draw ~ engine`},
		{"third repetition is claimed by the player to move", nil, shuffle + `
			= status started
			b draw
			= offer b
			w draw
			= result draw -1 agreed`},
		{"claim of repetition", nil, shuffle + `
			b draw? ! You cannot claim draw on this game
			w draw?
			= result draw -1 repetition`},
		{"draw yes claims a repetition", nil, shuffle + `
			w draw
			= result draw -1 repetition`},
		{"an offer with a move claims a repetition", nil, shuffle + `
			w e2e4 draw
			= result draw -1 repetition`},
		{"a game with a bot ends at the third repetition", bot, shuffle + `
			= result draw -1 repetition`},
		{"a game with the engine too", ai, shuffle + `
			= result draw -1 repetition`},
		{"fifth repetition", nil, shuffle + shuffle + `
			= result draw -1 repetition`},
		{"a game that repeats automatically", func(su *game.Setup) { su.Variant = "seirawan" }, `
			w b1c3
			b b8c6
			w c3b1
			b c6b8
			w b1c3
			b b8c6
			w c3b1
			b c6b8
			w b1c3
			b b8c6
			= result draw -1 repetition`},
		{"takeback of one ply", nil, opening + `
			+10s
			w g1f3
			+5s
			w takeback
			= takeback w
			= chat p lichess: Takeback sent
			w takeback ~ already
			b takeback
			= moves e2e4 e7e5
			= last e7e5
			= turn 0
			= takeback none
			= clocks 300 300
			= history [5m0s 5m0s]
			= rows move move move takebackOffer chat takeback chat`},
		{"takeback of two plies", nil, opening + `
			w takeback
			b takeback
			= moves
			= running false
			= deadline 900
			w d2d4
			= moves d2d4`},
		{"takeback clears a draw offer", nil, opening + `
			w draw
			w takeback
			b takeback
			= offer none`},
		{"takeback is declined or withdrawn", nil, opening + `
			w takeback
			b notakeback
			= takeback none
			b notakeback ~ no takeback
			b takeback
			b notakeback
			= takeback none
			= chat p lichess: Takeback sent | p lichess: Takeback declined | p lichess: Takeback sent | p lichess: Takeback cancelled`},
		{"a move ends the proposal", nil, opening + `
			b takeback
			w g1f3
			= takeback none
			b notakeback ~ no takeback`},
		{"nothing to take back", nil, `
			w takeback ! no move to take back
			w e2e4
			b takeback ! no move to take back`},
		{"the engine agrees to takebacks", ai, opening + `
			w g1f3
			w takeback
			= moves e2e4 e7e5`},
		{"a mate after a takeback", nil, `
			w f2f3
			b e7e5
			w g2g4
			b h7h6
			b takeback
			w takeback
			b d8h4
			= result mate 1 mate
			= moves f2f3 e7e5 g2g4 d8h4`},
		{"claim of a win", nil, opening + `
			b leave 20s
			= gone b
			w win? ! You cannot claim the win on this game
			w draw? ! You cannot claim draw on this game
			+20s
			b win? ! You cannot claim the win on this game
			w win?
			= result timeout 0 left
			= gone none`},
		{"claim of a draw", nil, opening + `
			b leave 20s
			+20s
			w draw?
			= result draw -1 left`},
		{"back in time", nil, opening + `
			b leave 20s
			+19s
			b back
			+10s
			w win? ! You cannot claim the win on this game
			= gone none
			= version 2`},
		{"no claim in slow games", correspondence, opening + `
			b leave
			+1000s
			w win? ! You cannot claim the win on this game`},
		{"no claim where agreed", rule(game.RuleNoClaimWin), opening + `
			b leave 20s
			+60s
			w win? ! You cannot claim the win on this game`},
		{"no claim while abortable", nil, `
			w e2e4
			b leave 20s
			+60s
			w win? ! You cannot claim the win on this game
			w abort
			= result aborted -1 aborted`},
		{"chat", nil, `
			w say hello
			b whisper to those who watch
			s whisper thanks
			s say no ! Not your game
			w say ! between 1 and 140
			w abort
			b say bye
			= chat p Anna: hello | s Bert: to those who watch | s Sam: thanks | p Bert: bye`},
		{"time for the opponent", nil, opening + `
			+10s
			b give 15
			= clocks 305 300
			w give 60
			= clocks 305 360
			w give 4 ! between 5 and 60
			w give 61 ! between 5 and 60
			w resign
			w give 15 ! already over`},
		{"no time where agreed", rule(game.RuleNoGiveTime), `
			w give 15 ! no extra time`},
		{"clocks that start at once", nil, `
			s start
			= running true
			+10s
			= clocks 290 300
			w e2e4
			= clocks 293 300
			s start ~ running
			+301s
			s timeout
			= result outoftime 0 flag`},
		{"rematch", nil, `
			s rematch abcdefg2 ! not over
			w abort
			s rematch ! No rematch
			s rematch abcdefg2
			s rematch abcdefg3 ~ already
			= rematch abcdefg2`},
		{"the same action twice", nil, `
			w #1 e2e4
			w #1 e2e4
			b #1 e7e5
			= version 2
			b #1 e7e5
			w #2 draw
			w #2 draw
			w #2 resign
			= rows move move drawOffer chat`},
		{"spectators have ids of their own", nil, `
			s #1 whisper one
			s #1 whisper one
			w #1 whisper two
			= rows chat chat`},
		{"ids that cannot be stored", nil, "w #a\x00b e2e4 ! Invalid action id"},
		{"stalemate is a draw", from("7k/5Q2/8/8/8/8/8/K7 w - - 0 1"), `
			w f7f6
			b h8h7
			w f6f7
			b h7h8
			w f7g6
			= result stalemate -1 noMove`},
		{"a dead position is a draw", from("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"), `
			w e1e2
			= result draw -1 material`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			su := setup()
			if tc.change != nil {
				tc.change(su)
			}
			newTable(t, su).run(tc.script)
		})
	}
}

// The next turn begins with the release, not with the arrival of the move.
func TestNobodyPaysForTheDisk(t *testing.T) {
	t.Parallel()
	g := newTable(t, setup())
	g.run("w e2e4\nb e7e5\n+10s")
	st, err := g.state.Apply(game.Action{Kind: game.Move, Player: 0, Move: "g1f3"}, g.now)
	if err != nil {
		t.Fatal(err)
	}
	released := g.now.Add(4 * time.Second) // a slow disk
	_, snap := g.state.Release(st, released, game.PerPlayer[*int]{})
	g.rows = append(g.rows, st.Rows...)
	if got := snap.ClocksAt(released); got[0].Left != 293*time.Second || got[1].Left != 300*time.Second {
		t.Errorf("clocks at the release: %v", got)
	}
	// A reply that arrived before the release costs nothing either.
	g.now = released.Add(-time.Second)
	g.run("b b8c6\n= clocks 293 303")
}

func TestReleaseShowsRatings(t *testing.T) {
	t.Parallel()
	g := newTable(t, setup())
	g.run("w e2e4\nb e7e5")
	st, err := g.state.Apply(game.Action{Kind: game.Resign, Player: 0}, g.now)
	if err != nil {
		t.Fatal(err)
	}
	up, down := 7, -7
	events, snap := g.state.Release(st, g.now, game.PerPlayer[*int]{&down, &up})
	for _, s := range []*game.Snapshot{snap, events[0].Snapshot, g.state.Snapshot()} {
		if s.RatingDiff[0] == nil || *s.RatingDiff[0] != -7 || *s.RatingDiff[1] != 7 {
			t.Errorf("rating differences %v", s.RatingDiff)
		}
	}
}

func TestLongestGame(t *testing.T) {
	t.Parallel()
	g := newTable(t, setup())
	longGame(t, g, game.MaxPlies)
	s := g.state.Snapshot()
	if len(s.Moves) != game.MaxPlies || s.Status != game.StatusDraw || s.Reason != game.ReasonMaxPlies {
		t.Fatalf("%d plies, %s, %s", len(s.Moves), s.Status, s.Reason)
	}
	g.replays()
}
