package rules_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"hoplite/engine/board"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// TestCompileRefuses changes one fact of a good definition at a time.
func TestCompileRefuses(t *testing.T) {
	if _, err := rules.Compile(variant.Standard()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		edit func(d *rules.Definition)
		want string
	}{
		{"no key", func(d *rules.Definition) { d.Key = "" }, "without key"},
		{"one side", func(d *rules.Definition) { d.Sides = d.Sides[:1] }, "1 sides"},
		{"shape", func(d *rules.Definition) { d.Board.Shape = "torus" }, "torus"},
		{"size", func(d *rules.Definition) { d.Board.Files = 99 }, "99 files"},
		{"no men", func(d *rules.Definition) { d.Pieces = nil }, "0 types"},
		{"letter", func(d *rules.Definition) { d.Pieces[1].Letter = "q" }, "one capital"},
		{"letter twice", func(d *rules.Definition) { d.Pieces[1].Letter = "K" }, "two types"},
		{"army", func(d *rules.Definition) { d.Sides[0].Army = "KX" }, "unknown man"},
		{"betza", func(d *rules.Definition) { d.Pieces[1].Betza = "?" }, "betza"},
		{"grasshopper", func(d *rules.Definition) { d.Pieces[1].Betza = "gQ" }, "not supported"},
		{"region", func(d *rules.Definition) { d.Pieces[1].Within = "palace" }, "unknown region"},
		{"promotion", func(d *rules.Definition) { d.Pieces[5].Promotion.To = "X" }, "unknown man"},
		{"promotion zones", func(d *rules.Definition) { d.Pieces[5].Promotion.Cells = []string{"a8"} }, "zones of 1 sides"},
		{"promotion cell", func(d *rules.Definition) { d.Pieces[5].Promotion.Cells = []string{"a8", "a9"} }, `unknown cell "a9"`},
		{"barred sides", func(d *rules.Definition) { d.Pieces[5].BarredCells = []string{"a8"} }, "barred cells for 1 sides"},
		{"barred cell", func(d *rules.Definition) { d.Pieces[5].BarredCells = []string{"i9", ""} }, `unknown cell "i9"`},
		{"blocker", func(d *rules.Definition) { d.Blocker = &rules.BlockerRule{Man: "X"} }, "unknown blocker"},
		{"blocker in an army", func(d *rules.Definition) { d.Blocker = &rules.BlockerRule{Man: "Q"} }, "the letter *"},
		{"blocker beside check", func(d *rules.Definition) {
			d.Pieces = append(d.Pieces, rules.PieceDef{Letter: "*", Name: "Duck"})
			d.Blocker = &rules.BlockerRule{Man: "*"}
		}, "game without check"},
		{"neutral man without blocker", func(d *rules.Definition) {
			d.Pieces = append(d.Pieces, rules.PieceDef{Letter: "*", Name: "Duck"})
		}, "the letter *"},
		{"no explosion", func(d *rules.Definition) { d.Royal = rules.RoyalExplodable }, "need explosions"},
		{"explosion", func(d *rules.Definition) { d.Explosion = &rules.ExplosionRule{Reach: "?"} }, "reach of explosions"},
		{"explosion of kings", func(d *rules.Definition) { d.Explosion = &rules.ExplosionRule{Reach: "K", Spared: "P"} }, "explosions that reach K"},
		{"explosion spares", func(d *rules.Definition) { d.Explosion = &rules.ExplosionRule{Reach: "K", Spared: "X"} }, "unknown man"},
		{"high board", func(d *rules.Definition) { d.Board.Files, d.Board.Ranks = 1, 200 }, "200 ranks"},
		{"lame slide off the way", func(d *rules.Definition) { d.Pieces[1].Betza = "mnW" }, "0 cells on its way"},
		{"arrays unlike", func(d *rules.Definition) {
			d.Start.Arrays = &rules.ArrayRule{Men: "RNBQKBNR", Unlike: "RNB"}
		}, "unlike one of 3"},
		{"two fields in one place", func(d *rules.Definition) {
			d.Series = &rules.SeriesRule{First: 1, Then: 2, Check: rules.CheckEndsTurn}
			d.EnPassant = rules.EnPassantSeveral
			d.CheckSeries = &rules.CheckSeriesRule{Men: "Q"}
		}, "its own tailPart already"},
		{"explosion too wide", func(d *rules.Definition) { d.Explosion = &rules.ExplosionRule{Reach: "QNCZ", Spared: "K"} }, "explosions that reach 3"},
		{"filter", func(d *rules.Definition) { d.Filters = []rules.Filter{"no-fun"} }, "unknown filter"},
		{"checks", func(d *rules.Definition) { d.Ends[0] = rules.EndRule{Kind: rules.EndChecks} }, "win by 0 checks"},
		{"goal", func(d *rules.Definition) { d.Ends[0] = rules.EndRule{Kind: rules.EndGoal} }, "without cells"},
		{"goal cell", func(d *rules.Definition) {
			d.Ends[0] = rules.EndRule{Kind: rules.EndGoal, Goal: rules.GoalRule{Cells: "e9", Men: "K", Kind: rules.GoalReach}}
		}, `unknown cell "e9"`},
		{"goal kind", func(d *rules.Definition) {
			d.Ends[0] = rules.EndRule{Kind: rules.EndGoal, Goal: rules.GoalRule{Cells: "e4", Men: "K"}}
		}, "unknown kind of goal"},
		{"goal man", func(d *rules.Definition) {
			d.Ends[0] = rules.EndRule{Kind: rules.EndGoal, Goal: rules.GoalRule{Cells: "e4", Men: "X", Kind: rules.GoalHold}}
		}, "unknown man"},
		{"extinct", func(d *rules.Definition) { d.Ends[0] = rules.EndRule{Kind: rules.EndExtinct} }, "either loses or wins"},
		{"unable", func(d *rules.Definition) { d.FlagFall.Unable = &rules.UnableRule{Pair: "X"} }, "unknown man"},
		{"royal", func(d *rules.Definition) { d.Royal = "crowned" }, "royal rule"},
		{"castling cell", func(d *rules.Definition) { d.Castling.Wings[0].KingTo = "z9" }, "unknown cell"},
		{"castling man", func(d *rules.Definition) { d.Castling.Wings[0].Rook = "X" }, "unknown men"},
		{"castling queen", func(d *rules.Definition) { d.Castling.Wings[0].King = "Q" }, "not royal"},
		{"ep", func(d *rules.Definition) { d.EnPassant = "sometimes" }, "en passant"},
		{"hand", func(d *rules.Definition) { d.Gate = &rules.GateRule{Hand: "X"} }, "in hand"},
		{"facing", func(d *rules.Definition) { d.Facing = "X" }, "unknown man"},
		{"citadel", func(d *rules.Definition) { d.Citadels = []rules.Citadel{{Cell: "e4"}} }, "no extra cell"},
		{"citadel side", func(d *rules.Definition) {
			d.Board.Extra = []board.ExtraCell{{Name: "i1", Neighbours: []string{"h1"}, File: 8}}
			d.Citadels = []rules.Citadel{{Cell: "i1", Side: 2}}
		}, "citadel of side 2"},
		{"citadel keeper", func(d *rules.Definition) {
			d.Board.Extra = []board.ExtraCell{{Name: "i1", Neighbours: []string{"h1"}, File: 8}}
			d.Citadels = []rules.Citadel{{Cell: "i1", Keepers: "X"}}
		}, "unknown man"},
		{"exchange", func(d *rules.Definition) { d.Swap = &rules.SwapRule{Man: "Q"} }, "no royal man"},
		{"lives", func(d *rules.Definition) {
			d.Lives = &rules.LivesRule{First: "P", Second: "X", Third: "P", Home: []string{"e3", "e6"}}
		}, "unknown man"},
		{"lives of a side", func(d *rules.Definition) { d.Lives = &rules.LivesRule{First: "P", Second: "P", Third: "P"} }, "homes for 0 sides"},
		{"lives' home", func(d *rules.Definition) {
			d.Lives = &rules.LivesRule{First: "P", Second: "N", Third: "B", Home: []string{"e3", "z6"}}
		}, "unknown cell"},
		{"first cells", func(d *rules.Definition) { d.Pieces[5].InitialCells = []string{"e2"} }, "first cells for 1 sides"},
		{"first cell", func(d *rules.Definition) { d.Pieces[5].InitialCells = []string{"e2", "z7"} }, `unknown cell "z7"`},
		{"end", func(d *rules.Definition) { d.Ends[0].Kind = "sunset" }, "end test"},
		{"bare", func(d *rules.Definition) { d.Ends[0] = rules.EndRule{Kind: rules.EndBare, Bare: "sad"} }, `unknown rule "sad"`},
		{"counting without a count", func(d *rules.Definition) { d.Ends[3] = rules.EndRule{Kind: rules.EndCounting} }, "nothing is counted"},
		{"count without a letter", func(d *rules.Definition) {
			d.Count = &rules.CountRule{Declared: &rules.DeclaredCount{Limit: 64}}
		}, "needs a letter"},
		{"counts of one letter", func(d *rules.Definition) {
			d.Count = &rules.CountRule{Declared: &rules.DeclaredCount{Letter: "B", Limit: 64},
				Lone: &rules.LoneCount{Letter: "B", Limits: []rules.CountLimit{{Moves: 9}}}}
		}, "a letter of its own"},
		{"limit", func(d *rules.Definition) {
			d.Count = &rules.CountRule{Lone: &rules.LoneCount{Limits: []rules.CountLimit{{Man: "X", Moves: 9}}}}
		}, `9 moves against "X"`},
		{"leap beside castling", func(d *rules.Definition) { d.Privilege = &rules.PrivilegeRule{} }, "no common form"},
		{"leap of a stranger", func(d *rules.Definition) {
			d.Castling, d.Privilege = nil, &rules.PrivilegeRule{Leaps: []rules.LeapRule{{Man: "X", Betza: "D"}}}
		}, `unknown man "X"`},
		{"leap that slides", func(d *rules.Definition) {
			d.Castling, d.Privilege = nil, &rules.PrivilegeRule{Leaps: []rules.LeapRule{{Man: "K", Betza: "R"}}}
		}, "is none"},
		{"debt of a man that promotes", func(d *rules.Definition) { d.Debt = &rules.DebtRule{Man: "P"} }, "promotes otherwise"},
		{"debt without a crowned man", func(d *rules.Definition) {
			d.Pieces[5].Promotion = nil
			d.Debt = &rules.DebtRule{Man: "P", Crowned: []string{"N"}, Files: []int{0, 0, 0, 1, 0, 0, 0, 0}}
		}, "a debt of 1 steps"},
		{"own move of a man that promotes", func(d *rules.Definition) {
			d.SelfPromotion = &rules.SelfPromotionRule{Man: "P", To: "N", Cells: []string{"e5", "e4"}}
		}, `a promotion of "P" to "N"`},
		{"own move to a slider", func(d *rules.Definition) {
			d.Pieces[5].Promotion = nil
			d.SelfPromotion = &rules.SelfPromotionRule{Man: "P", To: "Q", Cells: []string{"e5", "e4"}}
		}, "Queen slides"},
		{"series of strangers", func(d *rules.Definition) { d.CheckSeries = &rules.CheckSeriesRule{Men: "X"} }, `unknown man "X"`},
		{"ban of strangers", func(d *rules.Definition) { d.NoMateBy = "X" }, `unknown man "X"`},
		{"clock", func(d *rules.Definition) { d.Ends[3].Plies = 0 }, "0 plies"},
		{"material", func(d *rules.Definition) { d.Ends[2].Material.Single = "X" }, "unknown man"},
		{"generator", func(d *rules.Definition) { d.Start.Generator = "dice" }, "generator"},
		{"arrays", func(d *rules.Definition) { d.Start.Arrays = &rules.ArrayRule{Men: "RKR"} }, "arrays of 3 men on 8 files"},
		{"arrays with a stranger", func(d *rules.Definition) { d.Start.Arrays = &rules.ArrayRule{Men: "RNBXKBNR"} }, "unknown man"},
		{"arrays with a single", func(d *rules.Definition) {
			d.Start.Arrays = &rules.ArrayRule{Men: "RNBQKBNR", Between: "K"}
		}, "a pair of letters"},
		{"no arrays", func(d *rules.Definition) {
			d.Start.Arrays = &rules.ArrayRule{Men: "RNBQKBNR", Coloured: []string{"RR", "BB", "NN", "RB", "BN", "NR"}}
		}, "no array"},
		{"start", func(d *rules.Definition) { d.Start.FEN = "8/8" }, "2 ranks"},
		{"start number", func(d *rules.Definition) { d.Start.Usual = 5 }, "start position 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := variant.Standard()
			c.edit(d)
			if _, err := rules.Compile(d); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %q", err, c.want)
			}
		})
	}
}

// TestOtherBoards compiles games that are not in the catalogue, to hold the core to what it promises: other sizes,
// limited slides and riders, with and without the index of lines that boards of up to 64 cells have.
func TestOtherBoards(t *testing.T) {
	for _, c := range []struct {
		name         string
		files, ranks int
		start        string
	}{
		{"10 by 9", 10, 9, "rnbqkqbnrr/pppppppppp/10/10/10/10/10/PPPPPPPPPP/RNBQKQBNRR w - - 0 1"},
		{"8 by 8", 8, 8, "rnbqkqbr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKQBR w - - 0 1"},
		{"12 by 5", 12, 5, "rnbqkqbnrrqq/pppppppppppp/12/PPPPPPPPPPPP/RNBQKQBNRRQQ w - - 0 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := variant.Standard()
			d.Board = rules.BoardRule{Shape: board.Rect, Files: c.files, Ranks: c.ranks}
			d.Castling = nil
			d.Start.FEN = c.start
			d.Pieces[1].Betza = "R3NN"   // up to three cells along lines, or knight leaps in one direction
			d.Pieces[3].Betza = "mB2cBW" // slides that move and take at different lengths
			r, err := rules.Compile(d)
			if err != nil {
				t.Fatal(err)
			}
			p, err := r.Start(0)
			if err != nil {
				t.Fatal(err)
			}
			compareWithTrial(t, p, 300)
		})
	}
}

// compareWithTrial plays on and compares at each ply the moves found by suspicion with those found by trying.
func compareWithTrial(t *testing.T, p *rules.Position, plies int) {
	t.Helper()
	start := *p
	room := make([]rules.Move, 0, 512)
	var u rules.Undo
	for ply := range plies {
		moves := p.Moves(room)
		tried := p.MovesByTrial(nil)
		if !slices.Equal(moves, tried) || p.CountMoves() != len(moves) {
			t.Fatalf("ply %d: %d moves by suspicion, %d by trial, %d counted", ply, len(moves), len(tried), p.CountMoves())
		}
		if len(moves) == 0 {
			*p = start
			continue
		}
		before := *p
		for _, m := range moves {
			p.Make(m, &u)
			p.Unmake(m, &u)
			if *p != before {
				t.Fatalf("ply %d: a move taken back leaves another position", ply)
			}
		}
		p.Make(moves[(ply*7919+13)%len(moves)], &u)
	}
}

func TestStartError(t *testing.T) {
	r, err := rules.Compile(variant.Standard())
	if err != nil {
		t.Fatal(err)
	}
	var e *rules.StartError
	if _, err := r.Start(1); !errors.As(err, &e) || e.Number != 1 {
		t.Errorf("got %v", err)
	}
}

// TestSetupErrorListsAll proves that every reason is reported, not the first only.
func TestSetupErrorListsAll(t *testing.T) {
	r, err := rules.Compile(variant.Standard())
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.ParseSetup("4k2P/8/8/8/8/8/8/p7 w KQ - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Position(s)
	var e *rules.SetupError
	if !errors.As(err, &e) || len(e.Reasons) != 5 {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"pawn on a1", "pawn on h8", "no king", "O-O", "O-O-O"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %q is missing", err, want)
		}
	}
}

func TestIllegalMove(t *testing.T) {
	p := position(t, "standard", "")
	at := func(name string) rules.Cell {
		c, ok := p.Rules().Board().ParseCell(name)
		if !ok {
			t.Fatal(name)
		}
		return c
	}
	before := *p
	for _, c := range []struct{ from, to, want string }{
		{"e4", "e5", "no man on e4"},
		{"e7", "e5", "turn of White"},
		{"a1", "a3", "rook on a1 cannot go to a3"},
	} {
		err := p.Play(rules.NewMove(rules.Quiet, at(c.from), at(c.to), 0, 0))
		var e *rules.IllegalMoveError
		if !errors.As(err, &e) || !strings.Contains(e.Reason, c.want) {
			t.Errorf("%s%s: got %v, want %q", c.from, c.to, err, c.want)
		}
	}
	if err := p.Play(0); err == nil {
		t.Error("no move at all was played")
	}
	if err := p.Play(^rules.Move(0)); err == nil {
		t.Error("a move of ones was played")
	}
	if *p != before {
		t.Error("a refused move changed the position")
	}
	q := position(t, "standard", "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")
	if err := q.Play(rules.NewMove(rules.Quiet, at("a1"), at("a2"), 0, 0)); err == nil || !strings.Contains(err.Error(), "does not answer the check") {
		t.Errorf("got %v", err)
	}
	q = position(t, "standard", "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1")
	if err := q.Play(rules.NewMove(rules.Quiet, at("e2"), at("c3"), 0, 0)); err == nil || !strings.Contains(err.Error(), "leaves the king in check") {
		t.Errorf("got %v", err)
	}
}

func TestAttacked(t *testing.T) {
	p := position(t, "spartan", "4k2k/8/8/8/3l4/2P5/8/4K2R w - - 0 1")
	b := p.Rules().Board()
	for _, c := range []struct {
		cell string
		by   rules.Side
		want bool
	}{
		{"b2", 1, true},  // by leap over c3
		{"c3", 1, true},  // one step
		{"c4", 1, false}, // sideways never takes
		{"h8", 0, true},
		{"e8", 0, false},
		{"b4", 0, true},
		{"c4", 0, false},
	} {
		at, _ := b.ParseCell(c.cell)
		if got := p.Attacked(at, c.by); got != c.want {
			t.Errorf("%s by side %d: got %t", c.cell, c.by, got)
		}
	}
}
