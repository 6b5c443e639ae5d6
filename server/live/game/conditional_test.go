package game_test

import (
	"strings"
	"testing"

	"hoplite/engine/enginetest/testgame"
	"hoplite/engine/variant"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

// TestConditional plays what was foreseen.
func TestConditional(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, variant, fen, script string
	}{
		{"an answer comes with the move", "standard", "", `
			w e2e4
			w plan e7e5 g1f3 b8c6 f1b5 / c7c5 g1f3
			= plans e7e5 g1f3 b8c6 f1b5 / c7c5 g1f3
			= rows move conditional
			+5h
			b e7e5
			= moves e2e4 e7e5 g1f3
			= turn 1
			= rows move conditional move move
			= plans b8c6 f1b5
			= deadline 172800
			b #once b8c6
			b #once b8c6
			= moves e2e4 e7e5 g1f3 b8c6 f1b5
			= plans none
			= version 6`},
		{"another move ends them all", "standard", "", `
			w e2e4
			w plan e7e5 g1f3 b8c6 f1b5 / c7c5 g1f3
			b c7c5
			= moves e2e4 c7c5 g1f3
			= plans none
			b d7d6
			= turn 0
			= moves e2e4 c7c5 g1f3 d7d6`},
		{"a move of one's own takes part", "standard", "", `
			w e2e4
			w plan e7e5 g1f3 / e7e5 g1f3 g8f6 f3e5
			b e7e5
			= plans g8f6 f3e5
			b b8c6
			= plans none
			= turn 0`},
		{"they are replaced and withdrawn", "standard", "", `
			w e2e4
			w plan e7e5 g1f3
			w plan e7e5 g1f3 ~ already
			w plan e7e5 d2d4
			w plan
			= plans none
			b e7e5
			= turn 0`},
		{"a mate ends the game", "standard", "", `
			w f2f3
			b e7e5
			b plan g2g4 d8h4
			w g2g4
			= result mate 1 mate
			= rows move move conditional move move
			= plans none
			b plan a2a3 a7a6 ! already over`},
		{"a takeback ends them", "standard", "", `
			w e2e4
			w plan e7e5 g1f3
			w takeback
			b takeback
			= plans none`},
		{"an offer does not stop them", "standard", "", `
			w e2e4
			b e7e5
			b plan g1f3 b8c6
			w g1f3 draw
			= moves e2e4 e7e5 g1f3 b8c6
			= offer none`},
		{"drops", "crazyhouse", "4k3/8/8/8/8/8/4P3/4K3[Nn] w - - 0 1", `
			w plan e8d8 N@f6 ! It is your turn
			w N@e5
			w plan N@e8 e5c6 ! illegal move N@e8
			w plan N@d4 e5c6
			b N@d4
			= moves N@e5 N@d4 e5c6`},
		{"castling in both forms", "standard", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", `
			b plan e1g1 e8a8
			= plans e1h1 e8a8
			w e1h1
			= moves e1h1 e8a8`},
		{"turns of several plies", "marseillais", "", `
			w e2e4
			w plan e7e5 d7d5 e4d5 ! must end with the end of your turn
			w plan e7e5 d7d5 e4d5 g1f3
			b e7e5
			= plans d7d5 e4d5 g1f3
			b d7d5
			= moves e2e4 e7e5 d7d5 e4d5 g1f3
			= turn 1`},
		{"what is refused", "standard", "", `
			w plan e2e4 e7e5 ! It is your turn
			b plan e2e4 e7e5
			w e2e4
			= moves e2e4 e7e5
			b plan e2e4 e7e5 ! Line 1: illegal move e2e4
			b plan g1f3 ! Line 1: must end with a move of yours
			b plan g1f3 b8c6 / g1f3 g8f6 ! Line 2: b8c6 and g8f6 answer the same moves
			b plan g1f3 None ! illegal move None
			b plan d1h5 a7a6 h5f7 e8e5 ! illegal move e8e5
			b plan f1c4 a7a6 d1h5 a6a5 h5f7 e8e7 ! the game would be over before e8e7
			x plan g1f3 b8c6 ! Not your game
			= plans none`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			su := setup()
			su.Variant, su.InitialFEN, su.Control = tc.variant, tc.fen, clock.NewCorrespondence(2)
			if su.Variant == "standard" && su.InitialFEN != "" {
				su.Variant = "fromPosition"
			}
			newTable(t, su).run(tc.script)
		})
	}
}

// TestConditionalEvents holds that the mover sees two states, and no row of the plan tells anybody.
func TestConditionalEvents(t *testing.T) {
	t.Parallel()
	su := setup()
	su.Control = clock.Control{}
	g := newTable(t, su)
	g.run("w e2e4")
	st, err := g.state.Apply(game.Action{Kind: game.SetConditional, Player: 0, Lines: []string{"e7e5 g1f3"}}, g.now)
	if err != nil {
		t.Fatal(err)
	}
	events, _ := g.state.Release(st, g.now, game.PerPlayer[*int]{})
	if len(events) != 1 || events[0].Kind != game.EventPrivate {
		t.Fatalf("events %+v", events)
	}
	if st, err = g.state.Apply(game.Action{Kind: game.Move, Player: 1, Move: "e7e5"}, g.now); err != nil {
		t.Fatal(err)
	}
	events, snap := g.state.Release(st, g.now, game.PerPlayer[*int]{})
	if len(events) != 2 || events[0].Partial || events[0].Player != 1 || events[1].Player != 0 || snap.Turn != 1 || st.Version != 3 {
		t.Fatalf("events %+v of version %d, turn %d", events, st.Version, snap.Turn)
	}
}

// TestConditionalWhere refuses them where they make no sense.
func TestConditionalWhere(t *testing.T) {
	t.Parallel()
	newTable(t, setup()).run(`b plan e2e4 e7e5 ! games without a clock`)

	four := fourTable(t, func(su *game.Setup) { su.Control = clock.Control{} })
	four.run(`b plan c1d3 a5c4 ! two players who see everything`)

	set, err := variant.Compile(append(variant.All(), testgame.Dark()))
	if err != nil {
		t.Fatal(err)
	}
	su := setup()
	su.Variant, su.Control = testgame.Dark().Key, clock.Control{}
	su.Seed = strings.Repeat("5a", 32)
	r, _ := set.Get(su.Variant)
	s, err := game.New(su, r)
	if err != nil {
		t.Fatal(err)
	}
	fog := &table{t: t, setup: su, rules: r, state: s, now: su.Created}
	fog.run(`b plan a2a3 a5a4 ! two players who see everything`)

	su = setup()
	su.Control = clock.Control{}
	many := newTable(t, su)
	if _, err := many.do(game.Action{Kind: game.SetConditional, Player: 1, Lines: make([]string, 41)}); err == nil || !strings.Contains(err.Error(), "at most 40") {
		t.Errorf("41 lines: %v", err)
	}
	long := strings.TrimSpace(strings.Repeat("g1f3 g8f6 f3g1 f6g8 ", 16))
	if _, err := many.do(game.Action{Kind: game.SetConditional, Player: 1, Lines: []string{long}}); err == nil || !strings.Contains(err.Error(), "2 to 60") {
		t.Errorf("64 plies: %v", err)
	}
}
