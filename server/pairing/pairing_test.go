package pairing_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/pairing"
	"hoplite/store"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	games := lichess.NewGames(set)
	n := func(i int) *int { return &i }
	const position = "1k3k2/8/8/8/8/8/8/1R5K b - - 0 1"
	for _, test := range []struct {
		name  string
		form  pairing.Form
		want  clock.Control
		rated bool
		wrong string // "field: text", or part of it; "" if all is well
	}{
		{"nothing said", pairing.Form{}, clock.Control{}, false, ""},
		{"a clock", pairing.Form{Clock: clock.Form{Limit: n(300), Increment: n(3)}, Rated: true}, clock.NewFischer(5*time.Minute, 3*time.Second), true, ""},
		{"a clock before days", pairing.Form{Clock: clock.Form{Limit: n(0), Increment: n(1), Days: 3}}, clock.NewFischer(0, time.Second), false, ""},
		{"days", pairing.Form{Clock: clock.Form{Days: 14}, Rated: true}, clock.NewCorrespondence(14), true, ""},
		{"four days", pairing.Form{Clock: clock.Form{Days: 4}}, clock.Control{}, false, "days: "},
		{"half a clock", pairing.Form{Clock: clock.Form{Limit: n(300)}}, clock.Control{}, false, "clock.increment: "},
		{"the other half", pairing.Form{Clock: clock.Form{Increment: n(3)}}, clock.Control{}, false, "clock.limit: "},
		{"an odd limit", pairing.Form{Clock: clock.Form{Limit: n(100), Increment: n(0)}}, clock.Control{}, false, "clock.limit: "},
		{"a long increment", pairing.Form{Clock: clock.Form{Limit: n(60), Increment: n(181)}}, clock.Control{}, false, "clock.increment: "},
		{"no time at all", pairing.Form{Clock: clock.Form{Limit: n(0), Increment: n(0)}}, clock.Control{}, false, "Invalid clock"},
		{"a strange color", pairing.Form{Color: "red"}, clock.Control{}, false, "color: "},
		{"rules", pairing.Form{Rules: []string{"noAbort", "noRematch", "noAbort"}}, clock.Control{}, false, ""},
		{"a strange rule", pairing.Form{Rules: []string{"noMoves"}}, clock.Control{}, false, "rules: "},
		{"an unknown game", pairing.Form{Variant: "nonsense"}, clock.Control{}, false, "variant: "},
		{"a broken position", pairing.Form{FEN: "x"}, clock.Control{}, false, "fen: invalidFen"},
		{"a position, rated", pairing.Form{Clock: clock.Form{Limit: n(300), Increment: n(0)}, FEN: "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", Rated: true},
			clock.Control{}, false, "can't be rated"},
		{"a variant's position is casual", pairing.Form{Clock: clock.Form{Limit: n(300), Increment: n(0)}, Variant: "spartan", FEN: position, Rated: true},
			clock.NewFischer(5*time.Minute, 0), false, ""},
		{"a variant without a clock, rated", pairing.Form{Clock: clock.Form{Days: 3}, Variant: "spartan", Rated: true}, clock.Control{}, false, "can't be rated"},
		{"a very fast variant is casual", pairing.Form{Clock: clock.Form{Limit: n(15), Increment: n(0)}, Variant: "spartan", Rated: true},
			clock.NewFischer(15*time.Second, 0), false, ""},
		{"a delay", pairing.Form{Clock: clock.Form{Limit: n(300), Delay: 3}, Rated: true}, clock.NewDelay(5*time.Minute, 3*time.Second), true, ""},
		{"periods", pairing.Form{Clock: clock.Form{Limit: n(600), Byoyomi: 30, Periods: 3}},
			clock.NewByoyomi(10*time.Minute, 30*time.Second, 3), false, ""},
		{"a delay and an increment", pairing.Form{Clock: clock.Form{Limit: n(300), Increment: n(3), Delay: 3}}, clock.Control{}, false, "clock.delay: "},
		{"periods of no length", pairing.Form{Clock: clock.Form{Limit: n(300), Increment: n(3), Periods: 3}}, clock.Control{}, false, "clock.periods: "},
		{"no limit, rated", pairing.Form{Rated: true}, clock.Control{}, false, "can't be rated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			terms, bad := test.form.Terms(games, func(int) int { return 0 })
			got := (&fault.Error{Fields: bad}).Error()
			if len(bad) == 0 {
				got = ""
			}
			if test.wrong == "" && got != "" || !strings.Contains(got, test.wrong) {
				t.Fatalf("complaints %q, want %q", got, test.wrong)
			}
			if test.wrong == "" && (terms.Control != test.want || terms.Rated != test.rated) {
				t.Errorf("%+v rated %t, want %+v rated %t", terms.Control, terms.Rated, test.want, test.rated)
			}
			if len(test.form.Rules) == 3 && !slices.Equal(terms.Rules, []string{"noAbort", "noRematch"}) {
				t.Errorf("rules %v", terms.Rules)
			}
		})
	}
}

// people is a store of accounts and their ratings.
type people map[string]store.Account

func (p people) AccountByID(_ context.Context, id string) (store.Account, error) {
	a, ok := p[id]
	if !ok {
		return a, store.ErrNotFound
	}
	return a, nil
}

func (p people) Perf(_ context.Context, id, key string) (store.Perf, error) {
	perf := store.NewPerf(id, key)
	if key == "spartan" {
		perf.Rating, perf.RD = 1711.6, 80
	}
	return perf, nil
}

// creator takes the setup of the game that it is asked for.
type creator struct{ setup game.Setup }

func (c *creator) Create(_ context.Context, s game.Setup) (*game.Snapshot, error) {
	c.setup = s
	return &game.Snapshot{Setup: &c.setup}, nil
}

func TestMaker(t *testing.T) {
	t.Parallel()
	created := time.UnixMilli(1_790_000_000_000)
	made := &creator{}
	perf := func(variant string, s clock.Speed) string { return variant }
	m := pairing.Maker{Games: made, Perf: perf, Now: func() time.Time { return created }, Accounts: people{
		"ann":  {ID: "ann", Name: "Ann"},
		"bob":  {ID: "bob", Name: "Bob", Title: "BOT"},
		"gone": {ID: "gone", Name: "Gone", Closed: created},
		"ai4":  {ID: "ai4", Name: "ai4", Hidden: true},
		"ai5":  {ID: "ai5", Name: "ai5"}, // a person of that name is no engine
	}}
	start := func(white, black string) error {
		_, err := m.Start(t.Context(), pairing.Order{
			ID: "x4Tq9bZe", Variant: "spartan", Control: clock.NewFischer(time.Minute, 0), Rated: true, Source: "friend",
		}, white, black)
		return err
	}
	if err := start("bob", "ann"); err != nil {
		t.Fatal(err)
	}
	s := made.setup
	if s.ID != "x4Tq9bZe" || s.Speed != "bullet" || s.Perf != "spartan" || !s.Created.Equal(created) || s.Source != "friend" {
		t.Errorf("setup %+v", s)
	}
	want := []game.Player{
		{AccountID: "bob", Name: "Bob", Title: "BOT", Rating: 1712},
		// People are rated apart against bots.
		{AccountID: "ann", Name: "Ann", Rating: 1500, Provisional: true},
	}
	if !slices.Equal(s.Players, want) {
		t.Errorf("players %+v, want %+v", s.Players, want)
	}
	if err := start("ann", "ai5"); err != nil {
		t.Fatal(err)
	}
	if p := made.setup.Players; p[0].Rating != 1712 || p[1].Rating != 1712 {
		t.Errorf("people among themselves: %+v", p)
	}
	if err := start("ai4", "ai5"); err != nil {
		t.Fatal(err)
	}
	if p := made.setup.Players; p[0].AILevel != 4 || p[0].Rating != 0 || p[1].AILevel != 0 {
		t.Errorf("players %+v", p)
	}
	for _, id := range []string{"gone", "nobody"} {
		var refused *fault.Error
		if err := start("ann", id); !errors.As(err, &refused) || refused.Kind != fault.KindInvalid {
			t.Errorf("playing with %s: %v", id, err)
		}
	}
	if _, err := m.Start(t.Context(), pairing.Order{Variant: "standard"}, "ann", "bob"); err != nil || len(made.setup.ID) != 8 {
		t.Errorf("id %q, %v", made.setup.ID, err)
	}
}

func TestEngineAccounts(t *testing.T) {
	t.Parallel()
	for level := 1; level <= 8; level++ {
		a := store.Account{ID: pairing.EngineAccount(level), Hidden: true}
		if got := pairing.EngineLevel(a); got != level {
			t.Errorf("%s has level %d, want %d", a.ID, got, level)
		}
	}
	for _, id := range []string{"ai", "ai0", "ai9", "ai10", "bob"} {
		if got := pairing.EngineLevel(store.Account{ID: id, Hidden: true}); got != 0 {
			t.Errorf("%s has level %d", id, got)
		}
	}
}

func TestFinalColor(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		seen[pairing.FinalColor("random")] = true
	}
	if !seen["white"] || !seen["black"] || len(seen) != 2 {
		t.Errorf("random became %v", seen)
	}
	if pairing.FinalColor("white") != "white" || pairing.FinalColor("black") != "black" {
		t.Error("a chosen color changed")
	}
}
