package puzzle_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"hoplite/engine/notation"
	"hoplite/engine/puzzle"
	"hoplite/engine/rules"
	"hoplite/engine/variant/varianttest"
)

// rookMate is Morphy's problem with a move of the bishop before it.
func rookMate() puzzle.Puzzle {
	return puzzle.Puzzle{ID: "abcde", Variant: "standard", FEN: "k1K5/pp6/1P1b4/8/8/8/8/R7 b - - 0 1",
		Moves: []string{"d6b8", "a1a6", "b7a6", "b6b7"}, Goal: puzzle.Goal{MateIn: 2}, Alts: [][]string{{}, {}}}
}

func TestProve(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		change func(*puzzle.Puzzle)
		want   string // "" if it is proven
	}{
		{"right", func(*puzzle.Puzzle) {}, ""},
		{"without alternatives", func(p *puzzle.Puzzle) { p.Alts = nil }, ""},
		{"another game", func(p *puzzle.Puzzle) { p.Variant = "spartan" }, "is of spartan"},
		{"broken position", func(p *puzzle.Puzzle) { p.FEN = "8/8 w" }, "abcde"},
		{"another spelling of the position", func(p *puzzle.Puzzle) { p.FEN += " " }, "the FEN is written"},
		{"an illegal move", func(p *puzzle.Puzzle) { p.Moves[1] = "a1b8" }, "move 2"},
		{"not the winning move", func(p *puzzle.Puzzle) { p.Moves[1] = "a1a7"; p.Moves[2] = "b8a7"; p.Moves[3] = "b6a7" }, "winning are [a1a6]"},
		{"too long a mate", func(p *puzzle.Puzzle) { p.Moves, p.Goal.MateIn, p.Alts = p.Moves[:2], 1, nil }, "the shortest win takes 0"},
		{"an alternative that does not win", func(p *puzzle.Puzzle) { p.Alts = [][]string{{}, {"a6a1"}} }, "winning are"},
		{"two first moves", func(p *puzzle.Puzzle) { p.Alts = [][]string{{"a1a2"}, {}} }, "several first moves"},
		{"the counter is near its limit", func(p *puzzle.Puzzle) { p.FEN = "k1K5/pp6/1P1b4/8/8/8/8/R7 b - - 95 60" }, "counter"},
		{"a goal unlike the line", func(p *puzzle.Puzzle) { p.Goal.MateIn = 3 }, "mate in 3"},
		{"no moves", func(p *puzzle.Puzzle) { p.Moves = nil }, "do not end"},
	}
	r := varianttest.Rules(t, "standard")
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := rookMate()
			p.Moves = slices.Clone(p.Moves)
			c.change(&p)
			err := puzzle.Prove(r, &p)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("not proven: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestProveAcceptsAnEqualDefence(t *testing.T) {
	t.Parallel()
	// Both replies to the rook's move lose in one.
	p := rookMate()
	p.Moves = []string{"d6b8", "a1a6", "b8c7", "a6a7"}
	if err := puzzle.Prove(varianttest.Rules(t, "standard"), &p); err != nil {
		t.Error(err)
	}
}

// In the mates in three of the pool, the defence is replaced by one that
// loses at once, and the rest of the line by any legal moves.
func TestProveRefusesAWeakDefence(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "spartan")
	list, err := puzzle.Load(puzzle.Data())
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for i := range list {
		p := list[i]
		if p.Goal.MateIn != 3 || p.Variant != r.Key() {
			continue
		}
		pos, _, err := p.Position(r)
		if err != nil {
			t.Fatal(err)
		}
		first, err := notation.ParseMove(pos, p.Moves[1])
		if err != nil || pos.Play(first) != nil {
			t.Fatal(err)
		}
		for _, reply := range pos.Moves(nil) {
			weak := pos.Clone()
			if weak.Play(reply) != nil {
				t.Fatal("illegal move generated")
			}
			if n, err := puzzle.NewProver(r).Shortest(weak, 1); err != nil || n == 0 {
				continue
			}
			moves := append(slices.Clone(p.Moves[:2]), notation.FormatMove(pos, reply))
			for len(moves) < 6 {
				legal := weak.Moves(nil)
				if len(legal) == 0 {
					break
				}
				moves = append(moves, notation.FormatMove(weak, legal[0]))
				if weak.Play(legal[0]) != nil {
					t.Fatal("illegal move generated")
				}
			}
			if len(moves) < 6 {
				continue
			}
			tried++
			p.Moves = moves
			if err := puzzle.Prove(r, &p); err == nil || !strings.Contains(err.Error(), "move 2: the shortest win takes 1 moves") {
				t.Errorf("puzzle %s with %v: %v", p.ID, moves, err)
			}
			break
		}
	}
	if tried == 0 {
		t.Error("no puzzle has a weak defence to try")
	}
}

func TestLongMate(t *testing.T) {
	t.Parallel()
	p := puzzle.Puzzle{ID: "abcdf", Variant: "standard", FEN: "r6k/5prp/5R2/4B3/8/8/7P/7K b - - 0 1", Goal: puzzle.Goal{MateIn: 3},
		Moves: []string{"g7g8", "f6a6", "f7f6", "e5f6", "g8g7", "a6a8"}, Alts: [][]string{{}, {}, {}}}
	if err := puzzle.Prove(varianttest.Rules(t, "standard"), &p); err != nil {
		t.Error(err)
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	two := rookMate()
	// Any of several mates is right at the last move.
	one := puzzle.Puzzle{ID: "abcdg", Variant: "standard", FEN: "7k/5ppp/8/8/8/8/8/RR5K b - - 0 1", Goal: puzzle.Goal{MateIn: 1},
		Moves: []string{"h8g8", "a1a8"}, Alts: [][]string{{"b1b8"}}}
	ladder := puzzle.Puzzle{ID: "abcdi", Variant: "standard", FEN: "7k/R7/8/8/8/8/8/1R4K1 b - - 0 1", Goal: puzzle.Goal{MateIn: 1},
		Moves: []string{"h8g8", "b1b8"}}
	cases := []struct {
		name   string
		p      puzzle.Puzzle
		played []string
		want   puzzle.Verdict
	}{
		{"nothing yet", two, nil, puzzle.Verdict{Win: true}},
		{"right so far", two, []string{"a1a6"}, puzzle.Verdict{Win: true, Reply: "b7a6"}},
		{"solved", two, []string{"a1a6", "b6b7"}, puzzle.Verdict{Win: true, Done: true}},
		{"wrong", two, []string{"a1a2"}, puzzle.Verdict{Done: true, Longer: false}},
		{"wrong at the end", two, []string{"a1a6", "c8d7"}, puzzle.Verdict{Done: true}},
		{"mate by the line", one, []string{"a1a8"}, puzzle.Verdict{Win: true, Done: true}},
		{"mate by another move", one, []string{"b1b8"}, puzzle.Verdict{Win: true, Done: true}},
		{"a longer mate", ladder, []string{"b1b2"}, puzzle.Verdict{Done: true, Longer: true}},
	}
	for _, c := range cases {
		got, err := puzzle.Judge(r, &c.p, c.played)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
	for _, bad := range [][]string{{"a1a9"}, {"a1b8"}, {""}, {"a1a6", "b6b7", "b7b8"}, {"a1a6", "zz"}} {
		_, err := puzzle.Judge(r, &two, bad)
		var moveErr *puzzle.MoveError
		if !asMoveError(err, &moveErr) || moveErr.Index != len(bad)-1 {
			t.Errorf("%v: got %v, want a *MoveError for the last move", bad, err)
		}
	}
	wrong := two
	wrong.Moves = []string{"d6b8", "a1b8"}
	wrong.Goal.MateIn = 1
	if _, err := puzzle.Judge(r, &wrong, []string{"a1a6"}); err == nil {
		t.Error("a puzzle with an illegal line was judged")
	}
}

func asMoveError(err error, target **puzzle.MoveError) bool {
	e, ok := err.(*puzzle.MoveError)
	if ok {
		*target = e
	}
	return ok
}

// An answer off the line that still mates in time gets the best defence.
func TestJudgeFollowsOtherWays(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	// Two rooks mate in two in several ways; such a position is no puzzle
	// that would be mined, but the judge must be fair to every way.
	p := puzzle.Puzzle{ID: "abcdh", Variant: "standard", FEN: "8/7k/8/8/8/8/RR6/6K1 b - - 0 1", Goal: puzzle.Goal{MateIn: 2},
		Moves: []string{"h7h8", "a2a7", "h8g8", "b2b8"}}
	v, err := puzzle.Judge(r, &p, []string{"b2b7"})
	if err != nil || !v.Win || v.Done || v.Reply != "h8g8" {
		t.Fatalf("got %+v, %v", v, err)
	}
	if v, err = puzzle.Judge(r, &p, []string{"b2b7", "a2a8"}); err != nil || !v.Win || !v.Done {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestLoadRefusesBadFiles(t *testing.T) {
	t.Parallel()
	var good bytes.Buffer
	p := rookMate()
	if err := puzzle.Write(&good, []puzzle.Puzzle{p}); err != nil {
		t.Fatal(err)
	}
	line := good.String()
	cases := []struct{ name, data, want string }{
		{"no JSON", "{", "line 1"},
		{"an id of four", strings.Replace(line, "abcde", "abcd", 1), "the id"},
		{"an id with a sign", strings.Replace(line, "abcde", "ab-de", 1), "the id"},
		{"a variant with a path", strings.Replace(line, "standard", "../x", 1), "no variant"},
		{"an odd number of moves", strings.Replace(line, `,"b6b7"`, "", 1), "do not end"},
		{"twice the same id", line + line, "already"},
	}
	for _, c := range cases {
		_, err := puzzle.Load(fstest.MapFS{"x.jsonl": {Data: []byte(c.data)}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
	list, err := puzzle.Load(fstest.MapFS{"x.jsonl": {Data: []byte("\n" + line + "\n")}, "readme.txt": {Data: []byte("x")}})
	if err != nil || len(list) != 1 || list[0].ID != p.ID || !slices.Equal(list[0].Moves, p.Moves) {
		t.Errorf("got %+v, %v", list, err)
	}
}

// pools are what has to be there of each game.
var pools = []struct {
	key   string
	least int
}{{"spartan", 200}, {"seirawan", 100}}

func TestPools(t *testing.T) {
	t.Parallel()
	list, err := puzzle.Load(puzzle.Data())
	if err != nil {
		t.Fatal(err)
	}
	for _, pool := range pools {
		r := varianttest.Rules(t, pool.key)
		var n, ones, first int
		ratings := map[int]int{}
		themes := map[string]int{}
		positions := map[uint64]string{}
		for i := range list {
			p := &list[i]
			if p.Variant != pool.key {
				continue
			}
			pos, _, err := p.Position(r)
			if err != nil {
				t.Fatal(err)
			}
			n++
			if p.Goal.MateIn == 1 {
				ones++
			}
			if p.Goal.MateIn < 1 || p.Goal.MateIn > 3 {
				t.Errorf("puzzle %s: mate in %d", p.ID, p.Goal.MateIn)
			}
			if pos.Turn() == 0 {
				first++
			}
			if p.Rating < 500 || p.Rating > 2700 || p.RD < 100 || p.Vol != 0.09 {
				t.Errorf("puzzle %s: rating %d, deviation %d, volatility %v", p.ID, p.Rating, p.RD, p.Vol)
			}
			ratings[p.Rating/200*200]++
			for _, theme := range p.Themes {
				themes[theme]++
			}
			if other, ok := positions[pos.Key()]; ok {
				t.Errorf("puzzles %s and %s are the same position", other, p.ID)
			}
			positions[pos.Key()] = p.ID
		}
		t.Logf("%s: %d puzzles, %d mates in one, %d solved by the first side, ratings %v, themes %v", pool.key, n, ones, first, ratings, themes)
		if n < pool.least {
			t.Errorf("%s: %d puzzles, want %d", pool.key, n, pool.least)
		}
		if ones*100 > 30*n {
			t.Errorf("%s: %d of %d are mates in one", pool.key, ones, n)
		}
		if first*100 < 38*n || first*100 > 62*n {
			t.Errorf("%s: the first side solves %d of %d", pool.key, first, n)
		}
		common := 0
		for _, count := range themes {
			if count*100 >= 3*n {
				common++
			}
		}
		if common < 8 {
			t.Errorf("%s: only %d themes are common", pool.key, common)
		}
	}
}

func TestPoolsAreProven(t *testing.T) {
	t.Parallel()
	list, err := puzzle.Load(puzzle.Data())
	if err != nil {
		t.Fatal(err)
	}
	games := map[string]*rules.Rules{}
	find := func(key string) (*rules.Rules, bool) {
		if games[key] == nil {
			games[key] = varianttest.Rules(t, key)
		}
		return games[key], true
	}
	proven := 0
	err = puzzle.Verify(context.Background(), find, list, func(p *puzzle.Puzzle, err error) {
		if err != nil {
			t.Error(err)
			return
		}
		proven++
	})
	if err != nil {
		t.Error(err)
	}
	if proven != len(list) {
		t.Errorf("%d of %d puzzles are proven", proven, len(list))
	}
}

func TestVerifyReportsEveryBadPuzzle(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	bad, unknown := rookMate(), rookMate()
	bad.Moves = []string{"d6b8", "a1a2", "b7b6", "a2a7"}
	unknown.Variant = "nosuch"
	list := []puzzle.Puzzle{rookMate(), bad, unknown}
	var failed []bool
	err := puzzle.Verify(context.Background(), func(key string) (*rules.Rules, bool) { return r, key == "standard" }, list,
		func(_ *puzzle.Puzzle, err error) { failed = append(failed, err != nil) })
	if err == nil || !slices.Equal(failed, []bool{false, true, true}) {
		t.Errorf("got %v, failures %v", err, failed)
	}
}
