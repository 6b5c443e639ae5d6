// Package clock holds time controls as plain values: what is allowed, what
// speed it makes, how it is shown. It reads no clock of its own.
package clock

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Kind tells the time controls apart.
type Kind uint8

// The kinds of time control.
const (
	Unlimited      Kind = iota
	Fischer             // a limit for the game and an increment for each move
	Correspondence      // a number of days for each move
	Delay               // a limit for the game, and a delay before it runs down in each move
	Byoyomi             // a limit for the game, then periods: one is used up only by a move that takes all of it
)

// Control is a time control. The zero Control is unlimited. It is comparable.
type Control struct {
	Kind      Kind
	Limit     time.Duration // with a clock: what each side starts with; may be 0
	Increment time.Duration // Fischer: what each move adds
	Delay     time.Duration // Delay: what each move has before the limit runs down
	Period    time.Duration // Byoyomi: the length of a period
	Periods   int           // Byoyomi: how many there are
	Days      int           // Correspondence: days for each move
}

// NewFischer returns a control with a limit and an increment.
func NewFischer(limit, increment time.Duration) Control {
	return Control{Kind: Fischer, Limit: limit, Increment: increment}
}

// NewDelay returns a control with a limit and a delay.
func NewDelay(limit, delay time.Duration) Control {
	return Control{Kind: Delay, Limit: limit, Delay: delay}
}

// NewByoyomi returns a control with a limit and periods after it.
func NewByoyomi(limit, period time.Duration, periods int) Control {
	return Control{Kind: Byoyomi, Limit: limit, Period: period, Periods: periods}
}

// NewCorrespondence returns a control with days for each move.
func NewCorrespondence(days int) Control {
	return Control{Kind: Correspondence, Days: days}
}

// The bounds of LICHESS_API.md §4.4.
const (
	MaxLimit     = 10800 * time.Second
	MaxIncrement = 180 * time.Second // of a delay and of a period too
	// MaxPeriods is the greatest number of periods.
	MaxPeriods = 10
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
func (c Control) HasClock() bool { return c.Kind == Fischer || c.Kind == Delay || c.Kind == Byoyomi }

// Start returns what each side has at the start: the limit, with the periods
// behind it; with a limit of zero and an increment that increment, and at least
// three seconds. 0 without a clock.
func (c Control) Start() time.Duration {
	switch {
	case !c.HasClock():
		return 0
	case c.Kind == Byoyomi:
		return c.Limit + c.periods()
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
// length. It decides the speed. A move is taken to last the whole delay, and
// half a period.
func (c Control) Estimate() time.Duration {
	switch c.Kind {
	case Fischer:
		return c.Limit + estimatedMoves*c.Increment
	case Delay:
		return c.Limit + estimatedMoves*c.Delay
	case Byoyomi:
		return c.Limit + c.periods() + estimatedMoves*c.Period/2
	}
	return 0
}

// ControlError says which form field of a time control is wrong.
type ControlError struct {
	Field string // "clock", "days", or "clock." with limit, increment, delay, byoyomi or periods
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
	}
	switch {
	case !c.HasClock():
		return &ControlError{"clock", "Unknown time control"}
	case !validLimit(c.Limit), c.Kind == Delay && c.Limit == 0:
		return &ControlError{"clock.limit", "Invalid clock limit"}
	case !validIncrement(c.Increment):
		return &ControlError{"clock.increment", "Invalid clock increment"}
	case !validIncrement(c.Delay):
		return &ControlError{"clock.delay", "Invalid clock delay"}
	case !validIncrement(c.Period), c.Kind == Byoyomi && c.Period == 0:
		return &ControlError{"clock.byoyomi", "Invalid length of a period"}
	case c.Periods < 0 || c.Periods > MaxPeriods, c.Kind == Byoyomi && c.Periods == 0:
		return &ControlError{"clock.periods", "Invalid number of periods"}
	case c.Estimate() <= 0:
		return &ControlError{"clock", "Invalid clock"}
	}
	return nil
}

// validLimit reports whether a challenge may start with limit on the clock.
func validLimit(limit time.Duration) bool {
	return slices.Contains(shortLimits, limit) || limit > 0 && limit <= MaxLimit && limit%time.Minute == 0
}

// validIncrement reports whether a challenge may add inc for each move.
func validIncrement(inc time.Duration) bool {
	return inc >= 0 && inc <= MaxIncrement && inc%time.Second == 0
}

// ValidDays reports whether a correspondence game may give days for a move.
func ValidDays(days int) bool { return slices.Contains(daysAllowed, days) }

// Show returns the control as people write it: "5+2", "½+0", "1.5+2", "5 d3"
// for a delay, "10+3×30" for periods, "3 days", "1 day", "∞".
func (c Control) Show() string {
	switch c.Kind {
	case Fischer:
		return showMinutes(c.Limit) + "+" + seconds(c.Increment)
	case Delay:
		return showMinutes(c.Limit) + " d" + seconds(c.Delay)
	case Byoyomi:
		return showMinutes(c.Limit) + "+" + strconv.Itoa(c.Periods) + "×" + seconds(c.Period)
	case Correspondence:
		if c.Days == 1 {
			return "1 day"
		}
		return strconv.Itoa(c.Days) + " days"
	}
	return "∞"
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

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
	if c.Kind > Byoyomi {
		return fmt.Sprintf("control %d", uint8(c.Kind))
	}
	return c.Show()
}
