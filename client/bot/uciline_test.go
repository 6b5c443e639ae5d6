package bot

import (
	"testing"
	"time"
)

func TestUCIGo(t *testing.T) {
	t.Parallel()
	clock := Clock{Limited: true, Mine: time.Minute, Theirs: 30 * time.Second, MyInc: 2 * time.Second, TheirInc: time.Second, SinceReceived: 500 * time.Millisecond}
	for name, tc := range map[string]struct {
		clock Clock
		white bool
		fixed FixedLimits
		want  string
	}{
		"white":            {clock, true, FixedLimits{}, "go wtime 59400 btime 30000 winc 2000 binc 1000"},
		"black":            {clock, false, FixedLimits{}, "go wtime 30000 btime 59400 winc 1000 binc 2000"},
		"no clock":         {Clock{}, true, FixedLimits{}, "go movetime 2000"},
		"no clock, depth":  {Clock{}, true, FixedLimits{Depth: 4}, "go depth 4"},
		"fixed nodes":      {clock, true, FixedLimits{Nodes: 500}, "go wtime 59400 btime 30000 winc 2000 binc 1000 nodes 500"},
		"fixed time":       {clock, true, FixedLimits{MoveTime: Duration(time.Second)}, "go movetime 1000"},
		"time beyond flag": {Clock{Limited: true, Mine: 700 * time.Millisecond}, true, FixedLimits{MoveTime: Duration(time.Second)}, "go movetime 600"},
		"flag about to go": {Clock{Limited: true, Mine: 20 * time.Millisecond}, true, FixedLimits{}, "go wtime 10 btime 1 winc 0 binc 0"},
		"first move":       {Clock{Limited: true, Mine: time.Hour, Theirs: time.Hour, UnstartedMoveLimit: 5 * time.Second}, true, FixedLimits{}, "go wtime 3599900 btime 3600000 winc 0 binc 0 movetime 5000"},
	} {
		if got := uciGo(Turn{Clock: tc.clock}, tc.white, tc.fixed, 100*time.Millisecond); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}
