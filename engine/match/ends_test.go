package match

import (
	"testing"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant/varianttest"
)

// refereed is a referee of a game from a position, whose players saw scores.
func refereed(t *testing.T, key, fen string, moves []string, rule Adjudication, scores [2][]int) *referee {
	t.Helper()
	r := varianttest.Rules(t, key)
	g, err := replay(r, fen, moves)
	if err != nil {
		t.Fatal(err)
	}
	return &referee{game: g, rule: rule, seats: [2]*seat{{scores: scores[0]}, {scores: scores[1]}}}
}

// What ends a game before the rules do.
func TestEndsByTheReferee(t *testing.T) {
	t.Parallel()
	const (
		bare     = "8/8/3k3n/8/8/3K4/8/R7 w - - 0 1"
		through  = "RB2K2BR/GGGG5/SS7/9/9/9/9/9/4k4[PP] w"
		opened   = 4 // moves of the next list
		noWinner = rules.NoWinner
	)
	line := []string{"e2e4", "e7e5", "g1f3", "b8c6"}
	round := []string{"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"}
	resign, draw := Adjudication{ResignScore: 900, ResignMoves: 3}, Adjudication{DrawScore: 10, DrawMoves: 2, DrawFrom: opened}
	for name, c := range map[string]struct {
		key, fen string
		moves    []string
		rule     Adjudication
		scores   [2][]int
		want     end // without a reason: the game goes on
	}{
		"both see the first side win":      {"standard", "", line, resign, [2][]int{{0, 900, 950, 990}, {-900, -1000, -900}}, end{winner: 0, reason: reasonAgreed}},
		"both see the second side win":     {"standard", "", line, resign, [2][]int{{-900, -950, -990}, {900, 1000, 900}}, end{winner: 1, reason: reasonAgreed}},
		"the loser does not see it":        {"standard", "", line, resign, [2][]int{{900, 950, 990}, {-900, -899, -900}}, end{}},
		"not for long enough":              {"standard", "", line, resign, [2][]int{{900, 950}, {-900, -900}}, end{}},
		"both see a draw":                  {"standard", "", line, draw, [2][]int{{99, -10, 10}, {0, 3}}, end{winner: noWinner, reason: reasonLevel}},
		"one sees no draw":                 {"standard", "", line, draw, [2][]int{{-10, 10}, {0, -11}}, end{}},
		"too early for a draw":             {"standard", "", line[:3], draw, [2][]int{{0, 0}, {0, 0}}, end{}},
		"the greatest number of moves":     {"standard", "", line, Adjudication{MaxPlies: 4}, [2][]int{}, end{winner: noWinner, reason: reasonPlies}},
		"one move fewer":                   {"standard", "", line, Adjudication{MaxPlies: 5}, [2][]int{}, end{}},
		"a repetition that may be claimed": {"standard", "", round, Adjudication{}, [2][]int{}, end{winner: noWinner, reason: reasonRepetition}},
		"not repeated often enough":        {"standard", "", round[:6], Adjudication{}, [2][]int{}, end{}},
		"a king that has got through":      {"shogi", through, nil, Adjudication{}, [2][]int{}, end{winner: 0, reason: string(rules.Claimed)}},
		"a count decides nothing yet":      {"makruk", bare, nil, Adjudication{}, [2][]int{{-countBehind}}, end{}},
	} {
		got, over := refereed(t, c.key, c.fen, c.moves, c.rule, c.scores).over()
		if over != (c.want.reason != "") || over && got != c.want {
			t.Errorf("%s: over %v, %+v, want %+v", name, over, got, c.want)
		}
	}
	// A side begins a count if it saw itself behind.
	for score, begun := range map[int]int{-countBehind: 1, -countBehind + 1: 0} {
		r := refereed(t, "makruk", bare, nil, Adjudication{}, [2][]int{{score}})
		if _, over := r.over(); over || len(r.game.Moves()) != begun {
			t.Errorf("at %d: over %v after %v", score, over, texts(r.game))
		}
	}
}

// A clock runs by what moves took, is refilled after so many moves, and its flag
// falls.
func TestClockOfABudget(t *testing.T) {
	t.Parallel()
	const s = time.Second
	limits := Limits{Clock: 10 * s, Inc: s, Moves: 2}
	b, other := budget{limits: limits, left: limits.Clock}, budget{limits: limits, left: 7 * s}
	for i, c := range []struct {
		toGo int
		left time.Duration
		took time.Duration
		flag bool
	}{
		{2, 10 * s, 4 * s, false},
		{1, 7 * s, 2 * s, false},
		{2, 16 * s, 16 * s, false}, // five, the increment, and ten for the next two moves
		{1, s, s + 1, true},
	} {
		asked := b.ask(1, &other)
		want := search.Clock{Time: [2]time.Duration{7 * s, c.left}, Inc: [2]time.Duration{s, s}, MovesToGo: c.toGo}
		if *asked.Clock != want {
			t.Errorf("move %d: asked %+v, want %+v", i+1, *asked.Clock, want)
		}
		if flag := b.settle(asked, 0, spent{wall: c.took}); flag != c.flag {
			t.Errorf("move %d: flag %v", i+1, flag)
		}
	}
}
