package bot

import (
	"math/rand/v2"
	"testing"
	"time"

	"hoplite/engine/search"
)

func recordOf(first, step int, scores ...int) *record {
	var r record
	for i, s := range scores {
		r.add(first+i*step, search.Score{CP: s})
	}
	return &r
}

func repeat(n, v int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = v
	}
	return s
}

func TestResign(t *testing.T) {
	t.Parallel()
	lost := recordOf(60, 2, -900, -950, -1200, -901)
	late := situation{Ply: 66, LegalMoves: 20, OpponentRating: 1600, Level: 8}
	with := func(change func(*situation)) situation { s := late; change(&s); return s }
	for name, tc := range map[string]struct {
		rules func(*ResignRules)
		rec   *record
		at    situation
		want  bool
	}{
		"lost":                 {rec: lost, at: late, want: true},
		"turned off":           {rules: func(r *ResignRules) { r.Enabled = false }, rec: lost, at: late},
		"weak level":           {rec: lost, at: with(func(s *situation) { s.Level = 4 })},
		"engine without level": {rec: lost, at: with(func(s *situation) { s.Level = 0 }), want: true},
		"too early":            {rec: lost, at: with(func(s *situation) { s.Ply = 29 })},
		"beginner":             {rec: lost, at: with(func(s *situation) { s.OpponentRating = 900 })},
		"unknown opponent":     {rec: lost, at: with(func(s *situation) { s.OpponentRating = 0 }), want: true},
		"stalemate near":       {rec: lost, at: with(func(s *situation) { s.LegalMoves = 2 })},
		"not long enough":      {rec: recordOf(60, 2, -900, -900, -900), at: late},
		"hope between":         {rec: recordOf(60, 2, -900, -900, -899, -900), at: late},
		"mate seen":            {rec: func() *record { r := recordOf(60, 2, -950, -950, -950); r.add(66, search.Score{Mate: -3}); return r }(), at: late, want: true},
		"winning":              {rec: recordOf(60, 2, 900, 900, 900, 900), at: late},
	} {
		r := DefaultResignRules()
		if tc.rules != nil {
			tc.rules(&r)
		}
		if got := r.resigns(tc.rec, tc.at); got != tc.want {
			t.Errorf("%s: got %v, want %v", name, got, tc.want)
		}
	}
}

func TestDraw(t *testing.T) {
	t.Parallel()
	dead := recordOf(88, 2, repeat(7, 5)...) // plies 88 to 100
	at := situation{Variant: "spartan", Ply: 100, Quiet: 30, LegalMoves: 10}
	with := func(change func(*situation)) situation { s := at; change(&s); return s }
	for name, tc := range map[string]struct {
		rules        func(*DrawRules)
		rec          *record
		at           situation
		fair, accept bool
	}{
		"dead":            {rec: dead, at: at, fair: true, accept: true},
		"never accepts":   {rules: func(r *DrawRules) { r.Accept = false }, rec: dead, at: at, fair: true},
		"too early":       {rec: dead, at: with(func(s *situation) { s.Ply = 79 })},
		"progress":        {rec: dead, at: with(func(s *situation) { s.Quiet = 19 })},
		"progress hidden": {rec: dead, at: with(func(s *situation) { s.Quiet = -1 })},
		"draws are rare":  {rules: func(r *DrawRules) { r.NotVariants = []string{"spartan"} }, rec: dead, at: at},
		"for too short":   {rec: recordOf(92, 2, repeat(5, 0)...), at: at},
		"one swing":       {rec: recordOf(88, 2, 0, 0, 0, 16, 0, 0, 0), at: at},
		"better":          {rec: recordOf(88, 2, repeat(7, 41)...), at: at},
		"a little worse":  {rec: recordOf(88, 2, repeat(7, -100)...), at: at},
		"saved":           {rec: recordOf(88, 2, repeat(7, -500)...), at: at, accept: true},
		"no scores":       {rec: &record{}, at: at},
	} {
		r := DefaultDrawRules()
		if tc.rules != nil {
			tc.rules(&r)
		}
		if got := r.fair(tc.rec, tc.at); got != tc.fair {
			t.Errorf("%s: fair: got %v, want %v", name, got, tc.fair)
		}
		if got := r.accepts(tc.rec, tc.at); got != tc.accept {
			t.Errorf("%s: accepts: got %v, want %v", name, got, tc.accept)
		}
	}
}

func TestTakebackForgetsScores(t *testing.T) {
	t.Parallel()
	r := recordOf(10, 2, 1, 2, 3)
	r.add(12, search.Score{CP: 9})
	if len(r.scores) != 2 || r.scores[1] != 9 {
		t.Errorf("got %v at %v", r.scores, r.plies)
	}
}

func TestPace(t *testing.T) {
	t.Parallel()
	p := Pace{Least: Duration(300 * time.Millisecond), Most: Duration(1500 * time.Millisecond), PeopleOnly: true}
	clock := Clock{Limited: true, Mine: 5 * time.Minute}
	for name, tc := range map[string]struct {
		at          moment
		least, most time.Duration
	}{
		"usual":       {moment{Clock: clock}, 300 * time.Millisecond, 1500 * time.Millisecond},
		"recapture":   {moment{Recapture: true, Clock: clock}, 300 * time.Millisecond, 540 * time.Millisecond},
		"forced":      {moment{Forced: true, Clock: clock}, 300 * time.Millisecond, 540 * time.Millisecond},
		"check":       {moment{Critical: true, Clock: clock}, 900 * time.Millisecond, 1500 * time.Millisecond},
		"bot":         {moment{Bot: true, Clock: clock}, 0, 0},
		"short clock": {moment{Critical: true, Clock: Clock{Limited: true, Mine: 4 * time.Second}}, 0, 100 * time.Millisecond},
		"no clock":    {moment{}, 300 * time.Millisecond, 1500 * time.Millisecond},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			if d := p.delay(tc.at, r); d < tc.least || d > tc.most {
				t.Errorf("%s: got %v, want %v to %v", name, d, tc.least, tc.most)
			}
		}
	}
	if d := (Pace{}).delay(moment{}, rand.New(rand.NewPCG(1, 2))); d != 0 {
		t.Errorf("without a pace: got %v", d)
	}
}
