package lichess

import (
	"hoplite/openapi/frames"
	"hoplite/server/live/clock"
)

// Control is a time control as the websocket shows it.
func Control(c clock.Control) frames.Control {
	switch {
	case c.HasClock():
		return frames.Control{
			Type: "clock", Limit: c.Limit.Milliseconds(), Increment: c.Increment.Milliseconds(),
			Delay: c.Delay.Milliseconds(), Byoyomi: c.Period.Milliseconds(), Periods: c.Periods,
		}
	case c.Kind == clock.Correspondence:
		return frames.Control{Type: "correspondence", Days: c.Days}
	}
	return frames.Control{Type: "unlimited"}
}
