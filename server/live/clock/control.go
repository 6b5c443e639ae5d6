// Package clock holds time controls as plain values: what is allowed, what
// speed it makes, how it is shown. It reads no clock of its own.
package clock

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Kind tells the time controls apart. Delay and byoyomi will be further kinds
// of the same value.
type Kind uint8

// The kinds of time control.
const (
	Unlimited      Kind = iota
	Fischer             // a limit for the game and an increment for each move
	Correspondence      // a number of days for each move
)

// Control is a time control. The zero Control is unlimited. It is comparable.
type Control struct {
	Kind      Kind
	Limit     time.Duration // Fischer: what each side starts with; may be 0
	Increment time.Duration // Fischer: what each move adds
	Days      int           // Correspondence: days for each move
}

// NewFischer returns a control with a limit and an increment.
func NewFischer(limit, increment time.Duration) Control {
	return Control{Kind: Fischer, Limit: limit, Increment: increment}
}

// NewCorrespondence returns a control with days for each move.
func NewCorrespondence(days int) Control {
	return Control{Kind: Correspondence, Days: days}
}

// The bounds of LICHESS_API.md §4.4.
const (
	MaxLimit     = 10800 * time.Second
	MaxIncrement = 180 * time.Second
	// minStart is what a side has at least when its limit is 0.
	minStart = 3 * time.Second
	// estimatedMoves is the length of a game for which the speed is estimated.
	estimatedMoves = 40
	day            = 24 * time.Hour
)

var (
	shortLimits = []time.Duration{0, 15 * time.Second, 30 * time.Second, 45 * time.Second, 60 * time.Second, 90 * time.Second}
	daysAllowed = []int{1, 2, 3, 5, 7, 10, 14}
)

// HasClock reports whether time runs down move by move on a clock that both
// sides watch, as against days or no limit.
func (c Control) HasClock() bool { return c.Kind == Fischer }

// Start returns what each side has at the start: the limit, or with a limit of
// zero the increment and at least three seconds. 0 without a clock.
func (c Control) Start() time.Duration {
	switch {
	case c.Kind != Fischer:
		return 0
	case c.Limit > 0:
		return c.Limit
	default:
		return max(c.Increment, minStart)
	}
}

// PerMove returns the time for each move in a correspondence game, else 0.
func (c Control) PerMove() time.Duration {
	if c.Kind != Correspondence {
		return 0
	}
	return time.Duration(c.Days) * day
}

// Estimate returns how long one side's clock lasts in a game of ordinary
// length. It decides the speed.
func (c Control) Estimate() time.Duration {
	if c.Kind != Fischer {
		return 0
	}
	return c.Limit + estimatedMoves*c.Increment
}

// ControlError says which form field of a time control is wrong.
type ControlError struct {
	Field string // "clock.limit", "clock.increment", "clock" or "days"
	Text  string
}

func (e *ControlError) Error() string { return e.Field + ": " + e.Text }

// Validate checks the control against what challenges, games against the
// engine, open and bulk games allow (LICHESS_API.md §4.4). The error is a
// *ControlError.
func (c Control) Validate() error {
	switch c.Kind {
	case Unlimited:
		return nil
	case Correspondence:
		if !slices.Contains(daysAllowed, c.Days) {
			return &ControlError{"days", "Invalid number of days"}
		}
		return nil
	case Fischer:
		if !ValidLimit(c.Limit) {
			return &ControlError{"clock.limit", "Invalid clock limit"}
		}
		if !ValidIncrement(c.Increment) {
			return &ControlError{"clock.increment", "Invalid clock increment"}
		}
		if c.Estimate() <= 0 {
			return &ControlError{"clock", "Invalid clock"}
		}
		return nil
	}
	return &ControlError{"clock", "Unknown time control"}
}

// ValidLimit reports whether a challenge may start with limit on the clock.
func ValidLimit(limit time.Duration) bool {
	return slices.Contains(shortLimits, limit) || limit > 0 && limit <= MaxLimit && limit%time.Minute == 0
}

// ValidIncrement reports whether a challenge may add inc for each move.
func ValidIncrement(inc time.Duration) bool {
	return inc >= 0 && inc <= MaxIncrement && inc%time.Second == 0
}

// ValidDays reports whether a correspondence game may give days for a move.
func ValidDays(days int) bool { return slices.Contains(daysAllowed, days) }

// Show returns the control as people write it: "5+2", "½+0", "1.5+2", "3 days",
// "1 day", "∞".
func (c Control) Show() string {
	switch c.Kind {
	case Fischer:
		return showMinutes(c.Limit) + "+" + strconv.Itoa(int(c.Increment/time.Second))
	case Correspondence:
		if c.Days == 1 {
			return "1 day"
		}
		return strconv.Itoa(c.Days) + " days"
	}
	return "∞"
}

func showMinutes(d time.Duration) string {
	switch d {
	case 15 * time.Second:
		return "¼"
	case 30 * time.Second:
		return "½"
	case 45 * time.Second:
		return "¾"
	}
	if d%time.Minute == 0 {
		return strconv.Itoa(int(d / time.Minute))
	}
	return strconv.FormatFloat(d.Minutes(), 'f', -1, 64)
}

// String is Show, for logs.
func (c Control) String() string {
	if c.Kind > Correspondence {
		return fmt.Sprintf("control %d", uint8(c.Kind))
	}
	return c.Show()
}
