package match_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/match"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

func standard(t *testing.T) *rules.Rules {
	t.Helper()
	return game(t, "standard")
}

func TestParseContestant(t *testing.T) {
	t.Parallel()
	usual := match.Limits{Nodes: 7}
	for text, want := range map[string]struct {
		name    string
		limits  match.Limits
		clocked bool
	}{
		"name=a":                                {"a", usual, false},
		"option.Hash=4,option.Skill Level=3":    {"hoplite", usual, false},
		"cmd=/usr/bin/thing -x,nodes=5,depth=3": {"thing", match.Limits{Nodes: 5, Depth: 3}, false},
		"cmd=thing,tc=40/60+0.5,name=b":         {"b", match.Limits{Clock: time.Minute, Inc: 500 * time.Millisecond, Moves: 40}, false},
		"cmd=thing,proto=cecp,cpu=50ms":         {"thing", match.Limits{CPU: 50 * time.Millisecond}, true},
		`"name=a, b",movetime=1s`:               {"a, b", match.Limits{MoveTime: time.Second}, false},
	} {
		c, err := match.ParseContestant(text, standard(t), usual, nil)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if c.Name != want.name || c.Limits != want.limits || c.Clocked != want.clocked || c.Open == nil {
			t.Errorf("%q: got %+v", text, c)
		}
	}
}

func TestBadContestants(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"name":                               "no key=value",
		"speed=3":                            "speed: unknown",
		"proto=uci":                          "cmd is missing",
		"cmd=x,proto=own":                    "takes no cmd",
		"cmd=x,proto=fax":                    "there are own, uci",
		"option.Hash=big":                    "invalid syntax",
		"option.Style=1":                     "there are Hash",
		"option.Weights=/nowhere":            "no such file",
		"option.Network=/nowhere":            "no such file",
		"option.Network=spec.go":             "begins with",
		"nodes=many":                         "nodes: ",
		"cmd=x,tc=0":                         "seconds",
		"cmd=x,tc=a/3":                       "no number of moves",
		"cmd=x,proto=cecp,nodes=5":           "CECP has no limit of nodes",
		"cmd=x,proto=cecp,movetime=1500ms":   "whole seconds",
		"cmd=x,proto=cecp,movetime=notatime": "movetime: ",
	} {
		if _, err := match.ParseContestant(text, standard(t), match.Limits{CPU: 1}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestMatchesWithoutSense(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*match.Match){
		"no games":     func(m *match.Match) { m.Games = 0 },
		"no limits":    func(m *match.Match) { m.Contestants[1].Limits = match.Limits{} },
		"two times":    func(m *match.Match) { m.Contestants[0].Limits = match.Limits{CPU: 1, MoveTime: 1} },
		"nodes by cpu": func(m *match.Match) { m.Contestants[0].Limits = match.Limits{CPU: 1, Nodes: 1} },
		"negative":     func(m *match.Match) { m.Contestants[0].Limits = match.Limits{CPU: -1} },
		"sprt":         func(m *match.Match) { m.SPRT = &match.SPRT{} },
		"no program":   func(m *match.Match) { m.Contestants[1] = contestant(t, m, "cmd=/nowhere/to/be/found") },
		"no engine":    func(m *match.Match) { m.Contestants[1] = contestant(t, m, "cmd=/bin/true") },
	} {
		m := newMatch(t, "standard", "name=other,nodes=1")
		spoil(m)
		if _, err := m.Run(t.Context()); err == nil {
			t.Errorf("%s: it was played", name)
		}
	}
}

func contestant(t *testing.T, m *match.Match, text string) match.Contestant {
	t.Helper()
	c, err := match.ParseContestant(text, m.Rules, match.Limits{Nodes: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestReadOpenings(t *testing.T) {
	t.Parallel()
	const text = `# two openings and a position

moves e2e4 e7e5
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves d2d4
4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
`
	list, err := match.ReadOpenings(standard(t), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range list {
		got = append(got, notation.Placement(g.Position()))
	}
	want := []string{"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR", "4k3/8/8/8/8/8/4P3/4K3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"":                              "none",
		"moves e2e4\nmoves e2e5":        "line 2: move 1",
		"nonsense":                      "line 1",
		"4k3/8/8/8/8/8/8/4K3 w - - 0 1": "the game is over",
	} {
		if _, err := match.ReadOpenings(standard(t), strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// Random openings depend on the seed and the number alone.
func TestRandomOpenings(t *testing.T) {
	t.Parallel()
	o := match.Openings{Rules: standard(t), Plies: 6, Seed: 4, Balance: 100}
	seen := map[string]bool{}
	for pair := range 8 {
		a, err := o.Game(t.Context(), pair)
		if err != nil {
			t.Fatal(err)
		}
		b, err := o.Game(t.Context(), pair)
		if err != nil {
			t.Fatal(err)
		}
		if notation.FEN(a.Position()) != notation.FEN(b.Position()) {
			t.Errorf("pair %d has two openings", pair)
		}
		if len(a.Moves()) != 6 {
			t.Errorf("pair %d begins with %d moves", pair, len(a.Moves()))
		}
		seen[notation.FEN(a.Position())] = true
	}
	if len(seen) < 7 {
		t.Errorf("%d openings for 8 pairs", len(seen))
	}
}
