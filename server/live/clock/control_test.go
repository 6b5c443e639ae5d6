package clock

import (
	"errors"
	"testing"
	"time"
)

func fischer(limit, inc int) Control {
	return NewFischer(time.Duration(limit)*time.Second, time.Duration(inc)*time.Second)
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		c     Control
		field string // "" if allowed
	}{
		{"unlimited", Control{}, ""},
		{"quarter", fischer(15, 0), ""},
		{"half", fischer(30, 0), ""},
		{"three quarters", fischer(45, 0), ""},
		{"one and a half", fischer(90, 0), ""},
		{"two and a half", fischer(150, 0), "clock.limit"},
		{"three hours", fischer(10800, 180), ""},
		{"more than three hours", fischer(10860, 0), "clock.limit"},
		{"negative", fischer(-60, 0), "clock.limit"},
		{"ten seconds", fischer(10, 0), "clock.limit"},
		{"increment only", fischer(0, 1), ""},
		{"nothing", fischer(0, 0), "clock"},
		{"increment too long", fischer(60, 181), "clock.increment"},
		{"increment negative", fischer(60, -1), "clock.increment"},
		{"half a second", NewFischer(time.Minute, time.Second/2), "clock.increment"},
		{"days", NewCorrespondence(14), ""},
		{"four days", NewCorrespondence(4), "days"},
		{"no days", NewCorrespondence(0), "days"},
		{"unknown kind", Control{Kind: 99}, "clock"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := tc.c.Validate()
			got := ""
			if ce, ok := errors.AsType[*ControlError](err); ok {
				got = ce.Field
			} else if err != nil {
				t.Fatalf("error %v is not a *ControlError", err)
			}
			if got != tc.field {
				t.Errorf("complaint about %q, want %q", got, tc.field)
			}
		})
	}
}

func TestSpeedAndShow(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		c     Control
		speed Speed
		show  string
		start time.Duration
	}{
		{fischer(15, 0), UltraBullet, "¼+0", 15 * time.Second},
		{fischer(30, 0), Bullet, "½+0", 30 * time.Second},
		{fischer(45, 0), Bullet, "¾+0", 45 * time.Second},
		{fischer(0, 1), Bullet, "0+1", 3 * time.Second},
		{fischer(0, 10), Blitz, "0+10", 10 * time.Second},
		{fischer(90, 0), Bullet, "1.5+0", 90 * time.Second},
		{fischer(120, 1), Bullet, "2+1", 2 * time.Minute},
		{fischer(180, 0), Blitz, "3+0", 3 * time.Minute},
		{fischer(300, 2), Blitz, "5+2", 5 * time.Minute},
		{fischer(300, 5), Rapid, "5+5", 5 * time.Minute},
		{fischer(1500, 0), Classical, "25+0", 25 * time.Minute},
		{fischer(10800, 180), Classical, "180+180", 3 * time.Hour},
		{fischer(10800, 270), CorrespondenceSpeed, "180+270", 3 * time.Hour},
		{NewCorrespondence(1), CorrespondenceSpeed, "1 day", 0},
		{NewCorrespondence(3), CorrespondenceSpeed, "3 days", 0},
		{Control{}, CorrespondenceSpeed, "∞", 0},
	} {
		t.Run(tc.show, func(t *testing.T) {
			if got := tc.c.Speed(); got != tc.speed {
				t.Errorf("speed %s, want %s", got, tc.speed)
			}
			if got := tc.c.Show(); got != tc.show {
				t.Errorf("shown as %q", got)
			}
			if got := tc.c.Start(); got != tc.start {
				t.Errorf("starts with %v, want %v", got, tc.start)
			}
		})
	}
}

func TestPerMove(t *testing.T) {
	t.Parallel()
	if got := NewCorrespondence(2).PerMove(); got != 48*time.Hour {
		t.Errorf("two days are %v", got)
	}
	if got := fischer(60, 0).PerMove(); got != 0 {
		t.Errorf("a clock gives %v for each move", got)
	}
}

func TestSpeedsAreOrdered(t *testing.T) {
	t.Parallel()
	order := []Speed{UltraBullet, Bullet, Blitz, Rapid, Classical, CorrespondenceSpeed}
	for i, a := range order {
		for j, b := range order {
			if got, want := a.Compare(b) < 0, i < j; got != want {
				t.Errorf("%s before %s: %v", a, b, got)
			}
		}
	}
}
