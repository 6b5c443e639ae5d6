package lichess

import (
	"hoplite/openapi/frames"
	"hoplite/server/live/clock"
)

// Control is a time control as the websocket shows it.
func Control(c clock.Control) frames.Control {
	switch c.Kind {
	case clock.Fischer:
		return frames.Control{Type: "clock", Limit: c.Limit.Milliseconds(), Increment: c.Increment.Milliseconds()}
	case clock.Correspondence:
		return frames.Control{Type: "correspondence", Days: c.Days}
	}
	return frames.Control{Type: "unlimited"}
}
