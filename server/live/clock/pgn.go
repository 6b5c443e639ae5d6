package clock

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// PGN returns the control as the TimeControl tag of a record has it, for which
// a period is a control of one move in so many seconds. PGN knows no delay; a d
// before it is the custom.
func (c Control) PGN() string {
	switch c.Kind {
	case Fischer:
		return fmt.Sprintf("%d+%d", c.Limit/time.Second, c.Increment/time.Second)
	case Delay:
		return fmt.Sprintf("%dd%d", c.Limit/time.Second, c.Delay/time.Second)
	case Byoyomi:
		periods := strings.Repeat(fmt.Sprintf(":1/%d", c.Period/time.Second), c.Periods)
		if c.Limit == 0 {
			return periods[1:]
		}
		return fmt.Sprintf("%d%s", c.Limit/time.Second, periods)
	}
	return "-"
}

// ReadPGN reads a TimeControl tag as far as it is a clock that a game here may
// have. Everything else is no clock: the zero Control.
func ReadPGN(tag string) Control {
	c, ok := readPGN(strings.TrimSpace(tag))
	if !ok || c.Validate() != nil {
		return Control{}
	}
	return c
}

func readPGN(tag string) (Control, bool) {
	if limit, delay, found := strings.Cut(tag, "d"); found {
		l, ok1 := pgnSeconds(limit)
		d, ok2 := pgnSeconds(delay)
		return NewDelay(l, d), ok1 && ok2
	}
	if strings.Contains(tag, "/") {
		return readPeriods(strings.Split(tag, ":"))
	}
	limit, increment, found := strings.Cut(tag, "+")
	if !found {
		increment = "0"
	}
	l, ok1 := pgnSeconds(limit)
	i, ok2 := pgnSeconds(increment)
	return NewFischer(l, i), ok1 && ok2
}

// readPeriods reads fields of which the first may be a limit and the others are
// periods of the same length.
func readPeriods(fields []string) (Control, bool) {
	var limit time.Duration
	if !strings.Contains(fields[0], "/") {
		l, ok := pgnSeconds(fields[0])
		if !ok {
			return Control{}, false
		}
		limit, fields = l, fields[1:]
	}
	for _, f := range fields {
		if f != fields[0] {
			return Control{}, false
		}
	}
	length, found := strings.CutPrefix(fields[0], "1/")
	period, ok := pgnSeconds(length)
	return NewByoyomi(limit, period, len(fields)), found && ok
}

func pgnSeconds(text string) (time.Duration, bool) {
	n, err := strconv.ParseUint(text, 10, 31)
	return time.Duration(n) * time.Second, err == nil
}

// Unread returns what a clock has on it that showed so much of main time or of
// a period after each of one side's moves. In the periods it shows a whole one
// after every move; how many were used up it does not tell, so all are counted.
func (c Control) Unread(shown []time.Duration) []time.Duration {
	if c.Kind != Byoyomi {
		return shown
	}
	// The main time lasts to the last move after which no whole period was shown.
	last := len(shown) - 1
	for last >= 0 && shown[last] == c.Period {
		last--
	}
	left := make([]time.Duration, len(shown))
	main := c.Limit
	for i, s := range shown {
		if i > last || s > main {
			main = 0
			left[i] = max(0, c.periods()-c.Period+min(s, c.Period))
			continue
		}
		main = s
		left[i] = c.periods() + s
	}
	return left
}
