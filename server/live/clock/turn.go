package clock

import "time"

// What a side has on its clock is one duration, the time after which its flag
// falls if it does not move: with periods those that it has not begun are in
// it. So a clock is a single number in the log and in the store, and how much
// of it is main time, and how many periods are left, follows from the control.

// periods is the time of all periods together.
func (c Control) periods() time.Duration { return time.Duration(c.Periods) * c.Period }

// Initial returns what the clocks show at the start.
func (c Control) Initial() time.Duration {
	if c.Kind == Byoyomi {
		return c.Limit
	}
	return c.Start()
}

// Left returns what is left of a clock after thinking for so long without
// moving. It is never negative.
func (c Control) Left(left, thought time.Duration) time.Duration {
	return max(0, left-max(0, thought-c.Delay))
}

// Moved returns what is left of a clock after a move that took so long. Every
// move is paid and rewarded by itself, also where a turn has several: it gets
// the increment, or its own delay, or, in the periods, the whole of the period
// in which it ended.
func (c Control) Moved(left, thought time.Duration) time.Duration {
	left = c.Left(left, thought)
	if c.Kind == Byoyomi && left <= c.periods() && c.Period > 0 {
		return (left + c.Period - 1) / c.Period * c.Period
	}
	return left + c.Increment
}

// Patience returns how long a side with so much on its clock may think before
// its flag falls.
func (c Control) Patience(left time.Duration) time.Duration { return left + c.Delay }

// Reading is what a clock shows.
type Reading struct {
	// Left is the time on the face: main time, or what is left of the period.
	Left time.Duration
	// Periods is how many periods begin after it, 0 without byoyomi.
	Periods int
}

// Read returns what a clock with so much on it shows.
func (c Control) Read(left time.Duration) Reading {
	all := c.periods()
	switch {
	case c.Kind != Byoyomi || c.Period <= 0:
		return Reading{Left: left}
	case left > all:
		return Reading{Left: left - all, Periods: c.Periods}
	case left <= 0:
		return Reading{}
	}
	after := int((left - 1) / c.Period)
	return Reading{Left: left - time.Duration(after)*c.Period, Periods: after}
}
