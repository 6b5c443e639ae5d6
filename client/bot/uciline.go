package bot

import (
	"time"

	"hoplite/engine/foreign"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// leastTime is what a program is told to have when its time is over.
const leastTime = 10 * time.Millisecond

// uciGo writes the command that starts a search.
func uciGo(t Turn, white bool, fixed FixedLimits, overhead time.Duration) string {
	var me rules.Side
	if !white {
		me = 1
	}
	c := t.Clock
	mine := max(c.Mine-c.SinceReceived-overhead, leastTime)
	l := search.Limits{MoveTime: fixed.MoveTime.D(), Nodes: fixed.Nodes, Depth: fixed.Depth}
	switch {
	case c.Limited && l.MoveTime == 0:
		l.Clock = &search.Clock{}
		l.Clock.Time[me], l.Clock.Time[1-me] = mine, c.Theirs
		l.Clock.Inc[me], l.Clock.Inc[1-me] = c.MyInc, c.TheirInc
	case !c.Limited && fixed == (FixedLimits{}):
		l.MoveTime = defaultMoveTime
	}
	if c.UnstartedMoveLimit > 0 && (l.MoveTime == 0 || l.MoveTime > c.UnstartedMoveLimit) {
		l.MoveTime = c.UnstartedMoveLimit
	}
	if c.Limited {
		l.MoveTime = min(l.MoveTime, mine)
	}
	return foreign.GoLine(foreign.ProtocolUCI, me, l)
}
