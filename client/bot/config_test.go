package bot_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"hoplite/client/bot"
)

// TestExampleShowsTheDefaults keeps the documented configuration complete and
// true: it reads as the defaults, and every key of the defaults stands in it.
func TestExampleShowsTheDefaults(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "examples", "bot.yml")
	got, err := bot.LoadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	empty := cmp.FilterValues(func(a, b []string) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore())
	if diff := cmp.Diff(bot.DefaultConfig(), got, empty); diff != "" {
		t.Errorf("example (-defaults +example):\n%s", diff)
	}
	if err := got.Validate(); err != nil {
		t.Errorf("the example is refused: %v", err)
	}
}

func TestConfigRoundTrip(t *testing.T) {
	t.Parallel()
	want := bot.DefaultConfig()
	want.Engine.Protocol, want.Engine.Command = bot.ProtocolUCI, []string{"prog", "--x"}
	want.Engine.Options = map[string]string{"Hash": "16"}
	want.Engine.Limits.Nodes = 1000
	raw, err := yaml.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := bot.ParseConfig(raw)
	if err != nil {
		t.Fatal(err)
	}
	empty := cmp.FilterValues(func(a, b []string) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore())
	emptyMap := cmp.FilterValues(func(a, b map[string]string) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore())
	if diff := cmp.Diff(want, got, empty, emptyMap); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
}

func TestConfigErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ yaml, want string }{
		"misspelt key":       {"challenges: {concurency: 3}", "concurency"},
		"no duration":        {"abort_after: soon", `duration "soon"`},
		"level":              {"engine: {level: 9}", "engine.level"},
		"protocol":           {"engine: {protocol: xboard}", "engine.protocol"},
		"no command":         {"engine: {protocol: uci}", "engine.command"},
		"needless command":   {"engine: {command: [stockfish]}", "engine.command"},
		"line break":         {"engine: {protocol: uci, command: [x], options: {Hash: \"1\\nquit\"}}", "line break"},
		"no game at once":    {"challenges: {concurrency: 0}", "concurrency"},
		"mode":               {"challenges: {modes: [fun]}", "fun"},
		"no mode":            {"challenges: {modes: []}", "modes"},
		"nobody":             {"challenges: {people: false, bots: false}", "neither"},
		"bounds":             {"challenges: {min_limit: 5m, max_limit: 1m}", "min_limit"},
		"resign when ahead":  {"resign: {score: 100}", "resign"},
		"pace":               {"pace: {least: 5s, most: 1s}", "pace"},
		"long greeting":      {"chat: {greeting: " + strings.Repeat("x", 141) + "}", "140"},
		"negative takebacks": {"takebacks: -1", "takebacks"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := bot.ParseConfig([]byte(tc.yaml))
			if err == nil {
				err = c.Validate()
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error about %s", err, tc.want)
			}
		})
	}
}

func TestDurationsOfConfig(t *testing.T) {
	t.Parallel()
	c, err := bot.ParseConfig([]byte("abort_after: 90\npace: {least: 0.5, most: 1m30s}"))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.AbortAfter.D().String() + " " + c.Pace.Least.D().String() + " " + c.Pace.Most.D().String(); got != "1m30s 500ms 1m30s" {
		t.Errorf("got %s", got)
	}
}
