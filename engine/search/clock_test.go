package search

import (
	"testing"
	"time"
)

func TestClockPlan(t *testing.T) {
	t.Parallel()
	const s = time.Second
	cases := []struct {
		name           string
		clock          Clock
		side, move     int
		softLo, softHi time.Duration
		hardHi         time.Duration
	}{
		{"one minute", Clock{Time: [2]time.Duration{60 * s, 1 * s}}, 0, 1, 800 * time.Millisecond, 1000 * time.Millisecond, 6 * s},
		{"the other side's clock", Clock{Time: [2]time.Duration{60 * s, 1 * s}}, 1, 1, 10 * time.Millisecond, 20 * time.Millisecond, 200 * time.Millisecond},
		{"increment is used", Clock{Time: [2]time.Duration{60 * s, 60 * s}, Inc: [2]time.Duration{10 * s, 10 * s}}, 0, 1, 5 * s, 8 * s, 24 * s},
		{"more per move late in the game", Clock{Time: [2]time.Duration{60 * s, 60 * s}}, 0, 60, 1700 * time.Millisecond, 1900 * time.Millisecond, 12 * s},
		{"last move before the control", Clock{Time: [2]time.Duration{10 * s, 10 * s}, MovesToGo: 1}, 0, 40, 4 * s, 6 * s, 9500 * time.Millisecond},
		{"overhead larger than the clock", Clock{Time: [2]time.Duration{20 * time.Millisecond, s}, Overhead: 100 * time.Millisecond}, 0, 30, 1, 2 * time.Millisecond, 2 * time.Millisecond},
		{"no time left", Clock{}, 0, 30, 1, 2 * time.Millisecond, 2 * time.Millisecond},
		{"byoyomi is spent when the clock is out", Clock{Byoyomi: 10 * s, Overhead: 100 * time.Millisecond}, 0, 30, 1, 2 * time.Millisecond, 9902 * time.Millisecond},
		{"negative clock", Clock{Time: [2]time.Duration{-s, s}}, 0, 30, 1, 2 * time.Millisecond, 2 * time.Millisecond},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := c.clock.plan(c.side, c.move)
			if b.soft < c.softLo || b.soft > c.softHi {
				t.Errorf("soft limit %v, want %v to %v", b.soft, c.softLo, c.softHi)
			}
			if b.hard > c.hardHi || b.hard < b.soft {
				t.Errorf("hard limit %v, want between soft %v and %v", b.hard, b.soft, c.hardHi)
			}
		})
	}
}

// A player who always uses the whole hard limit must not lose on time.
func TestClockNeverRunsOut(t *testing.T) {
	t.Parallel()
	for _, mtg := range []int{0, 1, 2, 5, 40} {
		c := Clock{Time: [2]time.Duration{5 * time.Second, 5 * time.Second}, MovesToGo: mtg, Overhead: 20 * time.Millisecond}
		for move := 1; move <= 60; move++ {
			b := c.plan(0, move)
			if b.hard+c.Overhead > c.Time[0] && c.Time[0] > 2*c.Overhead {
				t.Fatalf("%d to go, move %d: hard limit %v and overhead with %v left", mtg, move, b.hard, c.Time[0])
			}
			c.Time[0] -= b.hard
			if c.MovesToGo > 0 {
				if c.MovesToGo--; c.MovesToGo == 0 {
					break
				}
			}
		}
	}
}

func TestPaceStops(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	cases := []struct {
		name string
		its  []iteration
		want bool
	}{
		{"before the soft limit", []iteration{{elapsed: 10 * ms}, {elapsed: 30 * ms}}, false},
		{"after the soft limit", []iteration{{elapsed: 10 * ms}, {elapsed: 101 * ms}}, true},
		{"a changed move gets more", []iteration{{elapsed: 40 * ms}, {elapsed: 120 * ms, changed: true}}, false},
		{"a fallen score gets more", []iteration{{elapsed: 60 * ms, score: 80}, {elapsed: 150 * ms, score: 0}}, false},
		{"one legal move", []iteration{{elapsed: 10 * ms, single: true}, {elapsed: 35 * ms, single: true}}, true},
		{"one move has all the nodes", []iteration{{elapsed: 20 * ms, share: 0.95}, {elapsed: 55 * ms, share: 0.95}}, true},
		{"the next would not finish half", []iteration{{elapsed: 10 * ms}, {elapsed: 95 * ms, changed: true}, {elapsed: 99 * ms}, {elapsed: 110 * ms, changed: true}}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := pace{budget: budget{soft: 100 * ms, hard: 500 * ms}}
			got := false
			for _, it := range c.its {
				got = p.enough(it)
			}
			if got != c.want {
				t.Errorf("stop is %v, want %v", got, c.want)
			}
		})
	}
	p := pace{budget: budget{soft: 400 * ms, hard: 410 * ms}}
	p.enough(iteration{elapsed: 40 * ms})
	p.enough(iteration{elapsed: 120 * ms})
	if !p.enough(iteration{elapsed: 350 * ms}) {
		t.Error("an iteration was started that cannot finish half before the hard limit")
	}
}

func TestByoyomiIsSpentInFull(t *testing.T) {
	t.Parallel()
	c := Clock{Byoyomi: 10 * time.Second}
	p := pace{budget: c.plan(0, 30)}
	if p.enough(iteration{elapsed: time.Second, share: 0.95}) || p.enough(iteration{elapsed: 9 * time.Second, share: 0.95}) {
		t.Error("the search stops while it has time that it cannot keep")
	}
	if !p.enough(iteration{elapsed: 9100 * time.Millisecond, single: true}) {
		t.Error("the search goes on with one legal move")
	}
}
