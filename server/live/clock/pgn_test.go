package clock_test

import (
	"slices"
	"testing"
	"time"

	"hoplite/server/live/clock"
)

// TestPGN writes every kind of clock into the header of a record and reads it back.
func TestPGN(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		control clock.Control
		want    string
	}{
		{clock.NewFischer(5*time.Minute, 3*time.Second), "300+3"},
		{clock.NewDelay(5*time.Minute, 3*time.Second), "300d3"},
		{clock.NewByoyomi(10*time.Minute, 30*time.Second, 3), "600:1/30:1/30:1/30"},
		{clock.NewByoyomi(0, 30*time.Second, 1), "1/30"},
		{clock.Control{}, "-"},
	} {
		if got := c.control.PGN(); got != c.want {
			t.Errorf("%s is written %s, want %s", c.control, got, c.want)
		}
		if got := clock.ReadPGN(" " + c.want); got != c.control {
			t.Errorf("%s is read as %s, want %s", c.want, got, c.control)
		}
	}
	if got := clock.NewCorrespondence(3).PGN(); got != "-" {
		t.Errorf("days are written %s", got)
	}
	if got, want := clock.ReadPGN("180"), clock.NewFischer(3*time.Minute, 0); got != want {
		t.Errorf("180 is read as %s", got)
	}
}

// TestNoClockInPGN reads tags that are no clock of ours as none.
func TestNoClockInPGN(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{
		"", "?", "-", "*180", "40/7200:3600", "1/30:1/20", "1/", "/30", "d3", "300d", "0d3", "300+", "+3", "-300+3", "7+0", "1e3", "300+3+3", "600:", "600:1/0", "600:1/30:", "99999999999+1",
		"1/30:1/30:1/30:1/30:1/30:1/30:1/30:1/30:1/30:1/30:1/30",
	} {
		if got := clock.ReadPGN(tag); got != (clock.Control{}) {
			t.Errorf("%q is read as %s", tag, got)
		}
	}
}

// TestUnread takes what clocks showed back to what they had.
func TestUnread(t *testing.T) {
	t.Parallel()
	const s = time.Second
	byoyomi := clock.NewByoyomi(time.Minute, 30*s, 3)
	for name, tc := range map[string]struct {
		control     clock.Control
		shown, want []time.Duration
	}{
		"increment":           {clock.NewFischer(time.Minute, 0), []time.Duration{50 * s, 30 * s}, []time.Duration{50 * s, 30 * s}},
		"main time":           {byoyomi, []time.Duration{50 * s, 31 * s, 30 * s, 5 * s}, []time.Duration{140 * s, 121 * s, 120 * s, 95 * s}},
		"into the periods":    {byoyomi, []time.Duration{50 * s, 5 * s, 30 * s, 30 * s}, []time.Duration{140 * s, 95 * s, 90 * s, 90 * s}},
		"within a period":     {byoyomi, []time.Duration{5 * s, 20 * s, 12 * s}, []time.Duration{95 * s, 80 * s, 72 * s}},
		"periods from start":  {clock.NewByoyomi(0, 30*s, 1), []time.Duration{30 * s}, []time.Duration{30 * s}},
		"more than there was": {byoyomi, []time.Duration{time.Hour}, []time.Duration{90 * s}},
		"nothing":             {byoyomi, nil, nil},
	} {
		if got := tc.control.Unread(tc.shown); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
		for i, left := range tc.control.Unread(tc.shown) {
			if got := tc.control.Read(left).Left; got != tc.shown[i] && tc.shown[i] <= time.Minute {
				t.Errorf("%s: shows %s, want %s", name, got, tc.shown[i])
			}
		}
	}
}
