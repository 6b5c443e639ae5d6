package clock

import (
	"errors"
	"testing"
	"time"
)

// TestTurns plays a series of moves on one clock.
func TestTurns(t *testing.T) {
	t.Parallel()
	const s = time.Second
	type turn struct {
		thought time.Duration
		after   Reading       // the move
		flag    time.Duration // how long the next one may take
	}
	for _, tc := range []struct {
		name  string
		c     Control
		start Reading
		flag  time.Duration
		turns []turn
	}{
		{"no increment", NewFischer(60*s, 0), Reading{60 * s, 0}, 60 * s, []turn{
			{10 * s, Reading{50 * s, 0}, 50 * s}, {50 * s, Reading{0, 0}, 0}}},
		{"increment", NewFischer(60*s, 5*s), Reading{60 * s, 0}, 60 * s, []turn{
			{10 * s, Reading{55 * s, 0}, 55 * s}, {2 * s, Reading{58 * s, 0}, 58 * s}}},
		{"delay", NewDelay(60*s, 5*s), Reading{60 * s, 0}, 65 * s, []turn{
			{3 * s, Reading{60 * s, 0}, 65 * s}, {5 * s, Reading{60 * s, 0}, 65 * s},
			{6 * s, Reading{59 * s, 0}, 64 * s}, {64 * s, Reading{0, 0}, 5 * s}}},
		{"main time stays", NewByoyomi(60*s, 30*s, 3), Reading{60 * s, 3}, 150 * s, []turn{
			{10 * s, Reading{50 * s, 3}, 140 * s}, {49 * s, Reading{1 * s, 3}, 91 * s}}},
		{"into the first period", NewByoyomi(60*s, 30*s, 3), Reading{60 * s, 3}, 150 * s, []turn{
			{61 * s, Reading{30 * s, 2}, 90 * s}, {29 * s, Reading{30 * s, 2}, 90 * s}}},
		{"main time to the last", NewByoyomi(60*s, 30*s, 3), Reading{60 * s, 3}, 150 * s, []turn{
			{60 * s, Reading{30 * s, 2}, 90 * s}}},
		{"period after period", NewByoyomi(0, 30*s, 3), Reading{30 * s, 2}, 90 * s, []turn{
			{31 * s, Reading{30 * s, 1}, 60 * s}, {30 * s, Reading{30 * s, 0}, 30 * s},
			{29999 * time.Millisecond, Reading{30 * s, 0}, 30 * s}, {30 * s, Reading{0, 0}, 0}}},
		{"two periods at once", NewByoyomi(0, 30*s, 3), Reading{30 * s, 2}, 90 * s, []turn{
			{75 * s, Reading{30 * s, 0}, 30 * s}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			left := tc.c.Start()
			if got := tc.c.Read(left); got != tc.start || tc.c.Patience(left) != tc.flag {
				t.Errorf("starts with %v, flag after %v", got, tc.c.Patience(left))
			}
			for i, turn := range tc.turns {
				left = tc.c.Moved(left, turn.thought)
				if got := tc.c.Read(left); got != turn.after || tc.c.Patience(left) != turn.flag {
					t.Errorf("move %d: %v, flag after %v, want %v and %v", i+1, got, tc.c.Patience(left), turn.after, turn.flag)
				}
			}
		})
	}
}

// TestLeft reads clocks while a side thinks.
func TestLeft(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, tc := range []struct {
		c       Control
		thought time.Duration
		want    Reading
	}{
		{NewFischer(60*s, 5*s), 20 * s, Reading{40 * s, 0}},
		{NewFischer(60*s, 5*s), 61 * s, Reading{}},
		{NewDelay(60*s, 5*s), 4 * s, Reading{60 * s, 0}},
		{NewDelay(60*s, 5*s), 7 * s, Reading{58 * s, 0}},
		{NewDelay(60*s, 5*s), 66 * s, Reading{}},
		{NewByoyomi(60*s, 30*s, 2), 59 * s, Reading{1 * s, 2}},
		{NewByoyomi(60*s, 30*s, 2), 60 * s, Reading{30 * s, 1}},
		{NewByoyomi(60*s, 30*s, 2), 89 * s, Reading{1 * s, 1}},
		{NewByoyomi(60*s, 30*s, 2), 90 * s, Reading{30 * s, 0}},
		{NewByoyomi(60*s, 30*s, 2), 119 * s, Reading{1 * s, 0}},
		{NewByoyomi(60*s, 30*s, 2), 120 * s, Reading{}},
	} {
		if got := tc.c.Read(tc.c.Left(tc.c.Start(), tc.thought)); got != tc.want {
			t.Errorf("%s after %v: %v, want %v", tc.c, tc.thought, got, tc.want)
		}
	}
}

func TestForm(t *testing.T) {
	t.Parallel()
	const s = time.Second
	n := func(i int) *int { return &i }
	for _, tc := range []struct {
		name  string
		form  Form
		want  Control
		field string // "" if allowed
	}{
		{"nothing", Form{}, Control{}, ""},
		{"increment", Form{Limit: n(60), Increment: n(2)}, NewFischer(60*s, 2*s), ""},
		{"delay", Form{Limit: n(60), Delay: 3}, NewDelay(60*s, 3*s), ""},
		{"delay and no increment", Form{Limit: n(60), Increment: n(0), Delay: 3}, NewDelay(60*s, 3*s), ""},
		{"one period", Form{Limit: n(0), Byoyomi: 10}, NewByoyomi(0, 10*s, 1), ""},
		{"periods", Form{Limit: n(600), Increment: n(0), Byoyomi: 30, Periods: 3}, NewByoyomi(600*s, 30*s, 3), ""},
		{"days", Form{Days: 3}, NewCorrespondence(3), ""},
		{"a clock before days", Form{Limit: n(60), Increment: n(0), Days: 3}, NewFischer(60*s, 0), ""},
		{"delay with increment", Form{Limit: n(60), Increment: n(1), Delay: 3}, Control{}, "clock.delay"},
		{"byoyomi with increment", Form{Limit: n(60), Increment: n(1), Byoyomi: 3}, Control{}, "clock.byoyomi"},
		{"delay with byoyomi", Form{Limit: n(60), Delay: 3, Byoyomi: 3}, Control{}, "clock.byoyomi"},
		{"periods of nothing", Form{Limit: n(60), Increment: n(0), Periods: 3}, Control{}, "clock.periods"},
		{"delay without a limit", Form{Delay: 3}, Control{}, "clock.limit"},
		{"byoyomi without a limit", Form{Byoyomi: 3, Days: 1}, Control{}, "clock.limit"},
		{"delay with no time", Form{Limit: n(0), Delay: 3}, Control{}, "clock.limit"},
		{"negative delay", Form{Limit: n(60), Delay: -1}, Control{}, "clock.delay"},
		{"long delay", Form{Limit: n(60), Delay: 181}, Control{}, "clock.delay"},
		{"long period", Form{Limit: n(60), Byoyomi: 181}, Control{}, "clock.byoyomi"},
		{"many periods", Form{Limit: n(60), Byoyomi: 10, Periods: 11}, Control{}, "clock.periods"},
		{"negative periods", Form{Limit: n(60), Byoyomi: 10, Periods: -1}, Control{}, "clock.periods"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := tc.form.Control()
			field := ""
			if ce, ok := errors.AsType[*ControlError](err); ok {
				field = ce.Field
			} else if err != nil {
				t.Fatalf("error %v is not a *ControlError", err)
			}
			if field != tc.field || field == "" && got != tc.want {
				t.Errorf("%+v, complaint about %q", got, field)
			}
			if field == "" && got.Terms().Control() != got {
				t.Errorf("%+v comes back as %+v", got, got.Terms().Control())
			}
		})
	}
}

func TestShowOtherClocks(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		c     Control
		show  string
		speed Speed
	}{
		{NewDelay(5*time.Minute, 3*time.Second), "5 d3", Blitz},
		{NewByoyomi(10*time.Minute, 30*time.Second, 3), "10+3×30", Rapid},
		{NewByoyomi(0, 10*time.Second, 1), "0+1×10", Blitz},
	} {
		if tc.c.Show() != tc.show || tc.c.Speed() != tc.speed {
			t.Errorf("%+v is shown as %q and %s", tc.c, tc.c.Show(), tc.c.Speed())
		}
	}
}
