package bot

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseUCIOption(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]*uciOption{
		"option name Hash type spin default 16 min 1 max 33554432":              {Name: "Hash", Type: "spin", Default: "16"},
		"option name Clear Hash type button":                                    {Name: "Clear Hash", Type: "button"},
		"option name Style type combo default Normal var Solid var Very Risky":  {Name: "Style", Type: "combo", Default: "Normal", Values: []string{"Solid", "Very Risky"}},
		"option name Debug Log File type string default":                        {Name: "Debug Log File", Type: "string"},
		"option name max depth default var type spin default 3":                 {Name: "max depth default var", Type: "spin", Default: "3"},
		"option name UCI_Variant type combo default chess var chess var atomic": {Name: "UCI_Variant", Type: "combo", Default: "chess", Values: []string{"chess", "atomic"}},
		"option":           nil,
		"option name Hash": nil,
		"option type spin": nil,
		"optional x":       nil,
		"":                 nil,
	} {
		got, ok := parseUCIOption(line)
		if ok != (want != nil) {
			t.Errorf("%q: got %v", line, ok)
			continue
		}
		if want != nil {
			if diff := cmp.Diff(*want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", line, diff)
			}
		}
	}
}

func TestParseUCIInfo(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Choice{
		"info depth 12 seldepth 18 multipv 1 score cp -31 nodes 1234 nps 5 time 40 pv e2e4 score cp 99": {Depth: 12, Nodes: 1234, Time: 40 * time.Millisecond, Score: &Score{CP: -31}},
		"info depth 5 score mate 3 nodes 9":      {Depth: 5, Nodes: 9, Score: &Score{Mate: 3}},
		"info depth 5 score mate -2":             {Depth: 5, Score: &Score{Mate: -2}},
		"info depth 0 score mate 0":              {Score: &Score{CP: -mateCP}},
		"info depth 9 multipv 2 score cp 10":     {Depth: 9},
		"info depth 9 score cp 10 lowerbound":    {Depth: 9},
		"info depth 9 score cp 10 upperbound":    {Depth: 9},
		"info string depth 7 score cp 1":         {},
		"info depth x score cp y nodes -1":       {},
		"info score cp":                          {},
		"info currmove e2e4 currmovenumber 1":    {},
		"bestmove e2e4":                          {},
		"info depth 3 score wdl 1 2 3":           {Depth: 3},
		"info nodes 18446744073709551616 time 5": {Time: 5 * time.Millisecond},
	} {
		var got Choice
		parseUCIInfo(line, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
}

func TestParseUCIBestMove(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"bestmove e2e4 ponder e7e5": "e2e4",
		"bestmove P@e4":             "P@e4",
		"bestmove (none)":           "",
		"bestmove 0000":             "",
		"bestmove":                  "",
		"info string bestmove e2e4": "no",
		"":                          "no",
	} {
		got, ok := parseUCIBestMove(line)
		if !ok {
			got = "no"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

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

// FuzzUCIOutput feeds any text to the parsers: what they return must be one of
// the words of the line, and nothing may be read as two kinds of line.
func FuzzUCIOutput(f *testing.F) {
	for _, seed := range []string{
		"option name Hash type spin default 16 min 1 max 9", "info depth 1 score mate -1 pv e2e4", "bestmove e2e4 ponder e7e5",
		"info score", "option name type type", "bestmove", "info time -5 nodes 7", "info depth 99999999999999999999",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(line)
		kinds := 0
		if move, ok := parseUCIBestMove(line); ok {
			kinds++
			if strings.ContainsAny(move, " \t\n") || move != "" && words[1] != move {
				t.Errorf("move %q is not the second word of %q", move, line)
			}
		}
		if o, ok := parseUCIOption(line); ok {
			kinds++
			if o.Name == "" || o.Type == "" || strings.ContainsAny(o.Name, "\r\n") {
				t.Errorf("option %+v of %q", o, line)
			}
		}
		var c Choice
		parseUCIInfo(line, &c)
		if c != (Choice{}) {
			kinds++
		}
		if c.Depth < 0 || c.Time < 0 || c.Move != "" {
			t.Errorf("info %+v of %q", c, line)
		}
		if kinds > 1 {
			t.Errorf("%q was read as %d kinds of line", line, kinds)
		}
	})
}
