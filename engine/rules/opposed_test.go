package rules_test

import (
	"strings"
	"testing"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// moves lists the legal moves of a position as text.
func movesOf(p *rules.Position) string {
	var list []string
	for _, m := range p.Moves(nil) {
		list = append(list, notation.FormatMove(p, m))
	}
	return strings.Join(list, " ")
}

func TestRoyalFacing(t *testing.T) {
	for _, c := range []struct{ name, fen, want string }{
		{"the line is closed", "3k4/8/8/8/8/8/8/4K3 b - - 0 1", "d8c7 d8d7 d8c8"},
		{"a man between is pinned", "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", "e1d1 e1f1 e1d2 e1e2 e1f2"},
		{"a position that begins so must end it", "3k4/8/8/8/8/8/8/3K3N w - - 0 1", "d1c1 d1e1 d1c2 d1e2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := bare(c.fen)
			d.Royal = rules.RoyalFacing
			if got := movesOf(played(t, d, "").Position()); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// passing is chess with passes and points.
func passing(fen string) *rules.Definition {
	d := bare(fen)
	d.Royal = rules.RoyalBikjang
	d.Ends = []rules.EndRule{{Kind: rules.EndPasses}, {Kind: rules.EndMate}, {Kind: rules.EndNoMove},
		{Kind: rules.EndClock, Plies: 100, ByPoints: true}}
	d.Points = &rules.PointsRule{Men: map[string]float64{"Q": 9, "R": 5}, Handicap: []float64{0, 1.5}}
	return d
}

func TestBikjang(t *testing.T) {
	for _, c := range []struct{ name, fen, moves, legal, want string }{
		{"a pass where nothing else is possible", "k7/8/1Q6/8/8/8/8/7K b - - 0 1", "", "a8a8", "none"},
		{"no pass in check", "k7/8/8/8/8/8/8/R6K b - - 0 1", "", "a8b7 a8b8", "none"},
		{"facing allows to step aside or to pass", "4k3/3p1p2/8/8/8/8/8/3K3R w - - 0 1", "d1e1", "e8d8 e8f8 e8e8", "none"},
		{"a pass that leaves them facing", "4k3/3p1p2/8/8/8/8/8/3K3R w - - 0 1", "d1e1 e8e8", "", "1-0 points"},
		{"even in check", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "e8e8", "", "0-1 points"},
		{"two passes", "k7/8/8/8/8/8/8/1R2K3 w - - 0 1", "b1b2 a8a8 e1e1", "", "1-0 points"},
		{"a move between two passes", "k7/8/8/8/8/8/8/1R2K2R w - - 0 1", "e1e1 a8a7 e1e1", "a7a6 a7a8 a7a7", "none"},
		{"points after a hundred plies", "k7/8/8/8/8/8/8/1R2K2R w - - 99 80", "h1h2", "a8a7 a8a8", "1-0 points"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := played(t, passing(c.fen), c.moves)
			if got := movesOf(g.Position()); got != c.legal {
				t.Errorf("moves %s, want %s", got, c.legal)
			}
			if got := ended(g); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestPassIsPartOfThePosition compares a position before and after both sides could move again.
func TestPassIsPartOfThePosition(t *testing.T) {
	g := played(t, passing("k7/8/8/8/8/8/8/1R2K2R w - - 0 1"), "h1h2 a8a7 h2h1 a7a8 h1h2 a8a7 h2h1 a7a8")
	if n := g.Repetitions(); n != 3 {
		t.Errorf("%d repetitions", n)
	}
	if p := g.Position(); p.JustPassed() || p.Points(0) != 10 || p.Points(1) != 1.5 {
		t.Errorf("passed %t, points %v and %v", p.JustPassed(), p.Points(0), p.Points(1))
	}
	g = played(t, passing("k7/8/8/8/8/8/8/1R2K2R w - - 0 1"), "e1d1 a8a7 d1e1 a7a8 h1g1 a8a8 g1h1")
	if n := g.Repetitions(); n != 1 {
		t.Errorf("%d repetitions with a pass on the way", n)
	}
	p := g.Position()
	var u rules.Undo
	before := notation.FEN(p)
	key := p.Key()
	p.MakeNull(&u)
	if p.JustPassed() {
		t.Error("a null move counts as a pass")
	}
	p.UnmakeNull(&u)
	if notation.FEN(p) != before || p.Key() != key {
		t.Error("a null move leaves something behind")
	}
}

// TestSpareChecks plays checks beyond the number that the clock counts.
func TestSpareChecks(t *testing.T) {
	for spare, want := range map[int]string{0: "1/2-1/2 clock", 2: "none", 3: "none", 4: "1/2-1/2 clock"} {
		d := bare("7k/8/8/8/8/8/8/R6K w - - 0 1")
		d.Ends = append(d.Ends, rules.EndRule{Kind: rules.EndClock, Plies: 8, SpareChecks: spare})
		if got := ended(played(t, d, "a1a8 h8h7 a8a7 h7h8 a7a8 h8h7 a8a7 h7h8")); got != want {
			t.Errorf("%d checks counted: got %s, want %s", spare, got, want)
		}
	}
	d := bare("7k/8/8/8/8/8/6n1/R6K w - - 0 1")
	d.Ends = append(d.Ends, rules.EndRule{Kind: rules.EndClock, Plies: 4, SpareChecks: 1})
	if got := ended(played(t, d, "a1a8 h8h7 a8a7 h7h8 h1g2 h8g8 g2h1 g8h8 h1g1")); got != "1/2-1/2 clock" {
		t.Errorf("a capture does not start the count of checks again: %s", got)
	}
}

func TestChoice(t *testing.T) {
	d := bare("1nb1k3/8/8/8/8/8/8/1NB1K3 w - - 0 1")
	d.Start.Choice = &rules.ChoiceRule{Cells: []string{"b1 c1", "c8 b8"},
		Placements: []rules.Placement{{Name: "knight first", Men: "NB"}, {Name: "bishop first", Men: "BN"}}}
	d.Start.Choice.Cells[1] = "b8 c8"
	r, err := rules.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	if r.Starts() != 4 || r.Shuffled() || r.UsualStart() != 0 {
		t.Errorf("%d starts, shuffled %t, usually %d", r.Starts(), r.Shuffled(), r.UsualStart())
	}
	for n, want := range []struct{ fen, name string }{
		{"1nb1k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "White: knight first, Black: knight first"},
		{"1nb1k3/8/8/8/8/8/8/1BN1K3 w - - 0 1", "White: bishop first, Black: knight first"},
		{"1bn1k3/8/8/8/8/8/8/1NB1K3 w - - 0 1", "White: knight first, Black: bishop first"},
		{"1bn1k3/8/8/8/8/8/8/1BN1K3 w - - 0 1", "White: bishop first, Black: bishop first"},
	} {
		p, err := r.Start(n)
		if err != nil {
			t.Fatal(err)
		}
		if got := notation.FEN(p); got != want.fen || r.StartName(n) != want.name {
			t.Errorf("start %d is %s, %s", n, got, r.StartName(n))
		}
	}
	if _, err := r.Start(4); err == nil {
		t.Error("there is a start 4")
	}
	if r.StartName(4) != "" || r.StartName(-1) != "" {
		t.Error("starts that do not exist have names")
	}
}

func TestEastRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(d *rules.Definition)
		want string
	}{
		{"hexagons", func(d *rules.Definition) {
			d.Royal, d.Board.Shape, d.Board.Files, d.Board.Ranks = rules.RoyalFacing, "hex91", 0, 0
		}, "rectangle"},
		{"points of unknown men", func(d *rules.Definition) { d.Points = &rules.PointsRule{Men: map[string]float64{"X": 1}} }, "unknown man"},
		{"handicap", func(d *rules.Definition) { d.Points = &rules.PointsRule{Handicap: []float64{1}} }, "handicap"},
		{"clock by points", func(d *rules.Definition) {
			d.Ends = []rules.EndRule{{Kind: rules.EndClock, Plies: 9, ByPoints: true}}
		}, "points"},
		{"repetition by points", func(d *rules.Definition) { d.Repeat = rules.RepeatRule{Draw: 3, Loser: rules.RepeatPoints} }, "points"},
		{"passes without passing", func(d *rules.Definition) { d.Ends = []rules.EndRule{{Kind: rules.EndPasses}} }, "passes"},
		{"chase by unknown men", func(d *rules.Definition) {
			d.Repeat = rules.RepeatRule{Draw: 3, Perpetual: rules.PerpetualChase, Chase: rules.ChaseRule{Idle: "X"}}
		}, "unknown man"},
		{"chase of unknown worth", func(d *rules.Definition) {
			d.Repeat = rules.RepeatRule{Draw: 3, Perpetual: rules.PerpetualChase, Chase: rules.ChaseRule{Greater: map[string]string{"X": "K"}}}
		}, "unknown man"},
		{"chase in no region", func(d *rules.Definition) {
			d.Repeat = rules.RepeatRule{Draw: 3, Perpetual: rules.PerpetualChase, Chase: rules.ChaseRule{SafeIn: map[string]string{"P": "sea"}}}
		}, "sea"},
		{"choice for one side", func(d *rules.Definition) {
			d.Start.Choice = &rules.ChoiceRule{Cells: []string{"a1"}, Placements: []rules.Placement{{Men: "R"}}}
		}, "sides"},
		{"choice of too many", func(d *rules.Definition) {
			d.Start.Choice = &rules.ChoiceRule{Cells: []string{"a1", "a8"}, Placements: []rules.Placement{{Name: "two", Men: "RR"}}}
		}, "2 men for 1 cells"},
		{"choice of unknown men", func(d *rules.Definition) {
			d.Start.Choice = &rules.ChoiceRule{Cells: []string{"a1", "a8"}, Placements: []rules.Placement{{Name: "x", Men: "X"}}}
		}, "puts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := bare("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
			c.edit(d)
			if _, err := rules.Compile(d); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one with %q", err, c.want)
			}
		})
	}
}
