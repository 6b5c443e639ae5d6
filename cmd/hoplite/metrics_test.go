package main

import (
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// sample is one line of what Prometheus reads.
	sample = regexp.MustCompile(`(?m)^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$`)
	label  = regexp.MustCompile(`(\w+)="`)
	// series are the metrics that a query names, with what it asks of their labels.
	series   = regexp.MustCompile(`\b((?:hoplite|go|process)_\w+)(?:\{([^}]*)\})?`)
	matcher  = regexp.MustCompile(`(\w+)(?:=~|!~|!=|=)"`)
	grouping = regexp.MustCompile(`by \(([^)]*)\)`)
	legend   = regexp.MustCompile(`\{\{(\w+)\}\}`)
)

// scrape returns the labels of every metric, and its values by the labels.
func scrape(t *testing.T, r *running) (labels map[string][]string, values map[string]string) {
	t.Helper()
	_, body := r.ask(t, "GET", r.ops+"/metrics", "", nil)
	labels, values = map[string][]string{}, map[string]string{}
	for _, m := range sample.FindAllStringSubmatch(string(body), -1) {
		values[m[1]+"{"+m[2]+"}"] = m[3]
		have := labels[m[1]]
		for _, l := range label.FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains(have, l[1]) {
				have = append(have, l[1])
			}
		}
		labels[m[1]] = have
	}
	return labels, values
}

// TestMetrics plays a game against the engine, and then holds every query of the dashboard against what the server
// really says.
func TestMetrics(t *testing.T) {
	t.Parallel()
	r := startServe(t, "--bots", "1")
	token := r.signUp(t, "Ann")
	var game struct{ ID string }
	until(t, "the engine plays", func() bool {
		resp, body := r.ask(t, "POST", "/api/challenge/ai", token, url.Values{"level": {"1"}, "color": {"white"}})
		return resp.StatusCode == 201 && json.Unmarshal(body, &game) == nil
	})
	r.must(t, "POST", "/api/board/game/"+game.ID+"/move/e2e4", token, nil, nil)
	r.status(t, "GET", "/api/board/game/"+game.ID+"x<script>/move/e2e4", token, nil)
	r.status(t, "BREW", "/coffee/"+game.ID, token, nil)
	var labels map[string][]string
	var values map[string]string
	until(t, "the engine answers", func() bool {
		labels, values = scrape(t, r)
		return values[`hoplite_game_actions_total{kind="move"}`] == "2" && values["hoplite_house_search_seconds_total{}"] != "0"
	})
	r.must(t, "POST", "/api/board/game/"+game.ID+"/resign", token, nil, nil)
	labels, values = scrape(t, r)
	for name, want := range map[string]string{
		`hoplite_games_started_total{variant="standard"}`:                                                      "1",
		`hoplite_games_ended_total{status="resign"}`:                                                           "1",
		`hoplite_http_requests_total{method="POST",route="/api/board/game/{gameId}/move/{move}",status="200"}`: "1",
		`hoplite_http_requests_total{method="POST",route="/api/bot/game/{gameId}/move/{move}",status="200"}`:   "1", // the engine's
		`hoplite_http_requests_total{method="POST",route="/api/signup",status="201"}`:                          "1",
		`hoplite_http_requests_total{method="other",route="other",status="405"}`:                               "1",
		"hoplite_games_live{}":  "0",
		"hoplite_shards_held{}": "256",
		"hoplite_nodes_alive{}": "1",
	} {
		if values[name] != want {
			t.Errorf("%s is %q, want %q", name, values[name], want)
		}
	}
	for name := range values {
		if strings.Contains(name, game.ID) || strings.Contains(name, "script") || strings.Contains(strings.ToLower(name), "ann\"") {
			t.Errorf("a label holds what somebody sent: %s", name)
		}
	}
	if len(values) > 3000 {
		t.Errorf("%d series after one game", len(values))
	}

	text, err := os.ReadFile("../../deploy/grafana/hoplite.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	queries := 0
	for _, p := range board.Panels {
		for _, q := range p.Targets {
			queries++
			names := series.FindAllStringSubmatch(q.Expr, -1)
			if len(names) == 0 {
				t.Errorf("%s: no metric in %s", p.Title, q.Expr)
			}
			for _, m := range names {
				have, ok := labels[m[1]]
				if !ok {
					t.Errorf("%s: the server has no %s", p.Title, m[1])
					continue
				}
				asked := []string{}
				for _, l := range matcher.FindAllStringSubmatch(m[2], -1) {
					asked = append(asked, l[1])
				}
				for _, g := range grouping.FindAllStringSubmatch(q.Expr, -1) {
					asked = append(asked, strings.FieldsFunc(g[1], func(c rune) bool { return c == ',' || c == ' ' })...)
				}
				for _, l := range legend.FindAllStringSubmatch(q.LegendFormat, -1) {
					asked = append(asked, l[1])
				}
				for _, l := range asked {
					// The instance is Prometheus's own label.
					if l != "instance" && !slices.Contains(have, l) {
						t.Errorf("%s: %s has no label %s", p.Title, m[1], l)
					}
				}
			}
		}
	}
	if queries < 30 {
		t.Errorf("only %d queries on the dashboard", queries)
	}
}
