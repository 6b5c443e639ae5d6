package foreign_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/foreign"
	"hoplite/engine/search"
)

func TestParseOption(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]*foreign.Option{
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
		got, ok := foreign.ParseOption(line)
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

func TestParseInfo(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]foreign.Answer{
		"info depth 12 seldepth 18 multipv 1 score cp -31 nodes 1234 nps 5 time 40 pv e2e4 score cp 99": {Depth: 12, Nodes: 1234, Time: 40 * time.Millisecond, Score: &search.Score{CP: -31}},
		"info depth 5 score mate 3 nodes 9":      {Depth: 5, Nodes: 9, Score: &search.Score{Mate: 3}},
		"info depth 5 score mate -2":             {Depth: 5, Score: &search.Score{Mate: -2}},
		"info depth 0 score mate 0":              {Score: &search.Score{CP: -30_000}},
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
		var got foreign.Answer
		foreign.ParseInfo(line, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
}

// TestInfo reads the lines of a search of two variations.
func TestInfo(t *testing.T) {
	t.Parallel()
	var i foreign.Info
	for _, tc := range []struct {
		line string
		want foreign.Info
	}{
		{"info depth 7 multipv 2 score cp -5 upperbound nodes 70 pv e2e4 P@e5 ", foreign.Info{
			Depth: 7, Nodes: 70, Line: 2, Score: &search.Score{CP: -5}, Bound: true, PV: []string{"e2e4", "P@e5"},
		}},
		{"info time 9 score mate -2 pv", foreign.Info{
			Depth: 7, Nodes: 70, Time: 9 * time.Millisecond, Line: 1, Score: &search.Score{Mate: -2}, PV: []string{},
		}},
		{"info depth 8 currmove d2d4", foreign.Info{Depth: 8, Nodes: 70, Time: 9 * time.Millisecond, Line: 1}},
	} {
		if !i.Read(tc.line) {
			t.Errorf("%q is not read", tc.line)
		}
		if diff := cmp.Diff(tc.want, i); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tc.line, diff)
		}
	}
	if i.Read("bestmove e2e4") || i.Read("") || i.Read("information") {
		t.Error("what is no information is read as some")
	}
}

func TestParseBestMove(t *testing.T) {
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
		got, ok := foreign.ParseBestMove(line)
		if !ok {
			got = "no"
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
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
		if move, ok := foreign.ParseBestMove(line); ok {
			kinds++
			if strings.ContainsAny(move, " \t\n") || move != "" && words[1] != move {
				t.Errorf("move %q is not the second word of %q", move, line)
			}
		}
		if o, ok := foreign.ParseOption(line); ok {
			kinds++
			if o.Name == "" || o.Type == "" || strings.ContainsAny(o.Name, "\r\n") {
				t.Errorf("option %+v of %q", o, line)
			}
		}
		var c foreign.Answer
		foreign.ParseInfo(line, &c)
		if c != (foreign.Answer{}) {
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
