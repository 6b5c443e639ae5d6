package rules_test

import (
	"strings"
	"testing"

	"hoplite/engine/board"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// changed compiles chess with some facts changed.
func changed(t *testing.T, edit func(d *rules.Definition)) *rules.Rules {
	t.Helper()
	d := variant.Standard()
	edit(d)
	r, err := rules.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// gameFrom returns a game from a position after moves.
func gameFrom(t *testing.T, r *rules.Rules, fen string, moves ...string) *rules.Game {
	t.Helper()
	p, err := notation.ParseFEN(r, fen)
	if err != nil {
		t.Fatal(err)
	}
	g := rules.NewGame(p)
	for _, text := range moves {
		m, err := notation.ParseMove(g.Position(), text)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// endOf returns how a game ended, or "".
func endOf(g *rules.Game) string {
	o, over := g.Outcome()
	if !over {
		return ""
	}
	return o.Result() + " " + string(o.Reason)
}

// TestChecksMechanism counts to two instead of three.
func TestChecksMechanism(t *testing.T) {
	r := changed(t, func(d *rules.Definition) {
		d.Ends = append([]rules.EndRule{{Kind: rules.EndChecks, Checks: 2}}, d.Ends...)
	})
	const start = "4k3/8/8/8/8/8/8/R3K3 w - - 2+2 0 1"
	g := gameFrom(t, r, start, "a1a8", "e8e7", "a8a1", "e7e8")
	if got := notation.FEN(g.Position()); got != "4k3/8/8/8/8/8/8/R3K3 w - - 1+2 4 3" || g.Repetitions() != 1 {
		t.Errorf("%s, occurred %d times", got, g.Repetitions())
	}
	if got := notation.XFEN(g.Position()); got != "4k3/8/8/8/8/8/8/R3K3 w - - 4 3 +1+0" {
		t.Errorf("as Lichess writes it: %s", got)
	}
	if p := g.Position(); p.ChecksLeft(0) != 1 || p.ChecksLeft(1) != 2 || r.CountsChecks() != 2 {
		t.Errorf("%d and %d checks left of %d", p.ChecksLeft(0), p.ChecksLeft(1), r.CountsChecks())
	}
	if g := gameFrom(t, r, start, "a1a8", "e8e7", "a8a7"); endOf(g) != "1-0 checks" || len(g.Position().Moves(nil)) != 0 {
		t.Errorf("ended %q with %d moves", endOf(g), len(g.Position().Moves(nil)))
	}
}

func TestGoalMechanism(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		goal      rules.GoalRule
		moves     []string
		want      string
	}{
		{"a man that does not count", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", rules.GoalRule{Kind: rules.GoalReach, Cells: "a8", Men: "K"},
			[]string{"a1a8"}, ""},
		{"one of several men", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", rules.GoalRule{Kind: rules.GoalReach, Cells: "a8 h8", Men: "KR"},
			[]string{"a1a8"}, "1-0 goal"},
		{"held only after the reply", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", rules.GoalRule{Kind: rules.GoalHold, Cells: "h3", Men: "R"},
			[]string{"h1h3"}, ""},
		{"held", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", rules.GoalRule{Kind: rules.GoalHold, Cells: "h3", Men: "R"},
			[]string{"h1h3", "e8e7"}, "1-0 goal"},
		{"held by the second side", "4k3/8/8/8/8/8/8/4K2R b - - 0 1", rules.GoalRule{Kind: rules.GoalHold, Cells: "e7", Men: "K"},
			[]string{"e8e7", "h1h6"}, "0-1 goal"},
		{"race with a reply", "8/4k3/8/8/8/8/4K3/8 w - - 0 1", rules.GoalRule{Kind: rules.GoalRace, Cells: "e3 e6", Men: "K"},
			[]string{"e2e3"}, ""},
		{"race, both arrive", "8/4k3/8/8/8/8/4K3/8 w - - 0 1", rules.GoalRule{Kind: rules.GoalRace, Cells: "e3 e6", Men: "K"},
			[]string{"e2e3", "e7e6"}, "1/2-1/2 goal"},
		{"race, the reply missed", "8/4k3/8/8/8/8/4K3/8 w - - 0 1", rules.GoalRule{Kind: rules.GoalRace, Cells: "e3 e6", Men: "K"},
			[]string{"e2e3", "e7e8"}, "1-0 goal"},
		{"race, no reply", "4k3/8/8/8/8/8/4K3/8 w - - 0 1", rules.GoalRule{Kind: rules.GoalRace, Cells: "e3 e6", Men: "K"},
			[]string{"e2e3"}, "1-0 goal"},
		{"race, the second side first", "8/4k3/8/8/8/8/4K3/8 b - - 0 1", rules.GoalRule{Kind: rules.GoalRace, Cells: "e3 e6", Men: "K"},
			[]string{"e7e6"}, "0-1 goal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := changed(t, func(d *rules.Definition) {
				d.Ends = []rules.EndRule{{Kind: rules.EndGoal, Goal: c.goal}, {Kind: rules.EndMate}, {Kind: rules.EndNoMove}}
			})
			if got := endOf(gameFrom(t, r, c.fen, c.moves...)); got != c.want {
				t.Errorf("ended %q, want %q", got, c.want)
			}
		})
	}
}

func TestExtinctMechanism(t *testing.T) {
	for _, wins := range []bool{false, true} {
		r := changed(t, func(d *rules.Definition) {
			d.Royal = rules.RoyalNone
			for i := range d.Pieces {
				d.Pieces[i].Royal = false
			}
			d.Castling = nil
			d.Start.FEN = strings.Replace(d.Start.FEN, "KQkq", "-", 1)
			d.Ends = []rules.EndRule{{Kind: rules.EndExtinct, Lost: !wins, Won: wins}, {Kind: rules.EndNoMove}}
		})
		want := "1-0 extinct"
		if wins {
			want = "0-1 extinct"
		}
		if got := endOf(gameFrom(t, r, "8/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2")); got != want {
			t.Errorf("winning %t: ended %q", wins, got)
		}
	}
}

// TestBansByTrial plays games of chess with bans and explosions added, on boards with and without lines, and compares
// what the scan finds with what trying finds.
func TestBansByTrial(t *testing.T) {
	explosive := func(d *rules.Definition) {
		d.Royal = rules.RoyalExplodable
		d.Pieces[0].Betza = "mK"
		d.Explosion = &rules.ExplosionRule{Reach: "W", Spared: "PN"}
		d.Ends = append([]rules.EndRule{{Kind: rules.EndRoyal}}, d.Ends...)
	}
	wide := func(d *rules.Definition) {
		d.Board = rules.BoardRule{Shape: board.Rect, Files: 10, Ranks: 8}
		d.Start.FEN = "rnbqkqbnrr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKQBNRR w - - 0 1"
		d.Castling = nil
	}
	for _, c := range []struct {
		name  string
		edits []func(d *rules.Definition)
	}{
		{"must capture", []func(d *rules.Definition){func(d *rules.Definition) { d.Filters = []rules.Filter{rules.MustCapture} }}},
		{"no check", []func(d *rules.Definition){func(d *rules.Definition) { d.Filters = []rules.Filter{rules.NoCheck} }}},
		{"both", []func(d *rules.Definition){func(d *rules.Definition) {
			d.Filters = []rules.Filter{rules.NoCheck, rules.MustCapture}
		}, wide}},
		{"counted checks", []func(d *rules.Definition){func(d *rules.Definition) {
			d.Ends = append([]rules.EndRule{{Kind: rules.EndChecks, Checks: 9}}, d.Ends...)
		}}},
		{"counted checks on a wide board", []func(d *rules.Definition){func(d *rules.Definition) {
			d.Ends = append([]rules.EndRule{{Kind: rules.EndChecks, Checks: 9}}, d.Ends...)
		}, wide}},
		{"explosion along lines", []func(d *rules.Definition){explosive}},
		{"explosion on a wide board", []func(d *rules.Definition){explosive, wide}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := changed(t, func(d *rules.Definition) {
				for _, edit := range c.edits {
					edit(d)
				}
			})
			p, err := r.Start(0)
			if err != nil {
				t.Fatal(err)
			}
			compareWithTrial(t, p, 300)
		})
	}
}

// TestExplosionMechanism uses another reach and other types than atomic chess.
func TestExplosionMechanism(t *testing.T) {
	r := changed(t, func(d *rules.Definition) {
		d.Explosion = &rules.ExplosionRule{Reach: "W", Spared: "KN"}
	})
	g := gameFrom(t, r, "4k3/8/2rnr3/2bqb3/3RB3/8/8/4K3 w - - 0 1", "d4d5")
	if got := notation.FEN(g.Position()); got != "4k3/8/2rnr3/8/4B3/8/8/4K3 b - - 0 1" {
		t.Errorf("after the explosion: %s", got)
	}
}

// TestBlockerMechanism uses a blocker on a small board without kings.
func TestBlockerMechanism(t *testing.T) {
	r, err := rules.Compile(&rules.Definition{
		Key: "stones", Name: "Stones", Board: rules.BoardRule{Shape: board.Rect, Files: 5, Ranks: 4},
		Sides:  []rules.SideDef{{Name: "White", Letter: "w", Heading: 0, Army: "R"}, {Name: "Black", Letter: "b", Heading: 2, Army: "R"}},
		Start:  rules.StartRule{FEN: "r4/5/5/4R w - - 0 1"},
		Pieces: []rules.PieceDef{{Letter: "R", Name: "Rook", Betza: "R", Value: 5}, {Letter: "*", Name: "Stone"}},
		Royal:  rules.RoyalNone, Blocker: &rules.BlockerRule{Man: "*"},
		Ends: []rules.EndRule{{Kind: rules.EndExtinct, Lost: true}, {Kind: rules.EndNoMove, Lost: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	if n := p.CountMoves(); n != 7*18 { // two men leave 18 of 20 cells
		t.Errorf("%d turns", n)
	}
	if n := len(p.Movements(nil)); n != 7 {
		t.Errorf("%d movements", n)
	}
	compareWithTrial(t, p, 100)
	g := gameFrom(t, r, "r4/5/5/4R w - - 0 1", "e1b1,b1b2", "a4c4,c4b4")
	if got := notation.FEN(g.Position()); got != "1*r2/5/5/1R3 w - - 2 2" {
		t.Errorf("after a turn each: %s", got)
	}
	var steps []string
	m := g.Position().Moves(nil)[0]
	for _, step := range g.Position().Path(m) {
		steps = append(steps, r.Board().CellName(step.Cell))
	}
	if len(steps) != 3 {
		t.Errorf("pointed at %v", steps)
	}
	shut := gameFrom(t, r, "r*3/R4/5/5 w - - 0 1")
	if n := shut.Position().CountMoves(); n == 0 {
		t.Error("White can move up and away")
	}
}

// TestUnable judges sides apart.
func TestUnable(t *testing.T) {
	r := changed(t, func(d *rules.Definition) {
		u := &rules.UnableRule{Bare: true, Single: "BQ", Pair: "N", Opposed: "B"}
		d.Ends = []rules.EndRule{{Kind: rules.EndMate}, {Kind: rules.EndNoMove}, {Kind: rules.EndMaterial,
			Material: rules.MaterialRule{Unable: u}}}
		d.FlagFall = rules.FlagRule{Unable: u}
	})
	for _, c := range []struct {
		fen          string
		white, black bool // able
	}{
		{"4k3/8/8/8/8/8/8/3QK3 w - - 0 1", false, false},
		{"4k3/p7/8/8/8/8/8/3QK3 w - - 0 1", true, true},
		{"4k3/8/8/8/8/8/8/3RK3 w - - 0 1", true, false},
		{"4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false, false},
		{"4k3/8/8/8/8/8/8/2NNKN2 w - - 0 1", true, false},
		{"2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false, false},
		{"3bk3/8/8/8/8/8/8/2B1K3 w - - 0 1", true, true},
		{"2bbk3/8/8/8/8/8/8/2B1K3 w - - 0 1", true, true},
	} {
		g := gameFrom(t, r, c.fen)
		if p := g.Position(); p.CanMate(0) != c.white || p.CanMate(1) != c.black {
			t.Errorf("%s: White able %t, Black %t", c.fen, p.CanMate(0), p.CanMate(1))
		}
		if drawn := endOf(g) == "1/2-1/2 material"; drawn != (!c.white && !c.black) {
			t.Errorf("%s: ended %q", c.fen, endOf(g))
		}
	}
}
