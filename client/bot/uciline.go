package bot

import (
	"strconv"
	"strings"
	"time"
)

// uciGo writes the command that starts a search.
func uciGo(t Turn, white bool, fixed FixedLimits, overhead time.Duration) string {
	ms := func(d time.Duration) string {
		return strconv.FormatInt(max(d.Milliseconds(), 1), 10)
	}
	parts := []string{"go"}
	c := t.Clock
	if c.Limited && fixed.MoveTime == 0 {
		mine := max(c.Mine-c.SinceReceived-overhead, 10*time.Millisecond)
		w, b, wi, bi := mine, c.Theirs, c.MyInc, c.TheirInc
		if !white {
			w, b, wi, bi = b, w, bi, wi
		}
		parts = append(parts, "wtime", ms(w), "btime", ms(b),
			"winc", strconv.FormatInt(wi.Milliseconds(), 10), "binc", strconv.FormatInt(bi.Milliseconds(), 10))
	}
	move := fixed.MoveTime.D()
	if !c.Limited && move == 0 && fixed.Nodes == 0 && fixed.Depth == 0 {
		move = defaultMoveTime
	}
	if c.UnstartedMoveLimit > 0 && (move == 0 || move > c.UnstartedMoveLimit) {
		move = c.UnstartedMoveLimit
	}
	if move > 0 {
		if c.Limited {
			move = min(move, max(c.Mine-c.SinceReceived-overhead, 10*time.Millisecond))
		}
		parts = append(parts, "movetime", ms(move))
	}
	if fixed.Nodes > 0 {
		parts = append(parts, "nodes", strconv.FormatUint(fixed.Nodes, 10))
	}
	if fixed.Depth > 0 {
		parts = append(parts, "depth", strconv.Itoa(fixed.Depth))
	}
	return strings.Join(parts, " ")
}
