package export_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hoplite/openapi"
	"hoplite/server/servertest"
)

// TestExportsThroughTheServer plays a game and asks for it in every way.
func TestExportsThroughTheServer(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, nobody := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.Anonymous()
	begin := func(variant string) string {
		var c openapi.Challenge
		ann.Post(t, "/api/challenge/bob", url.Values{
			"clock.limit": {"300"}, "clock.increment": {"0"}, "color": {"white"}, "variant": {variant}, "rated": {"true"},
		}).Want(t, http.StatusOK).JSON(t, &c)
		bob.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusOK)
		return c.ID
	}
	play := func(id, moves string) {
		for i, uci := range strings.Fields(moves) {
			[]*servertest.User{ann, bob}[i%2].Post(t, "/api/board/game/"+id+"/move/"+uci, nil).Want(t, http.StatusOK)
		}
	}
	mated, over := begin("standard"), begin("chess960")
	play(mated, "f2f3 e7e5 g2g4 d8h4")
	play(over, "a2a3 a7a6")
	ann.Post(t, "/api/board/game/"+over+"/resign", nil).Want(t, http.StatusOK)
	running := begin("spartan")
	watches := nobody.Stream(t, "/api/stream/game/"+running)
	play(running, "e2e4 g8f6 d2d4 h7f5 b1c3 a7c5")

	get := func(path, accept string) string {
		r := nobody.Request(t, http.MethodGet, path, "", nil)
		r.Header.Set("Accept", accept)
		return string(nobody.Do(t, r).Want(t, http.StatusOK).Body)
	}
	ids := func(text string) (found []string) {
		for line := range strings.Lines(text) {
			_, after, _ := strings.Cut(line, `"id":"`)
			// The games' ids are those of eight characters, the players' are shorter.
			for len(after) > 8 && after[8] != '"' {
				_, after, _ = strings.Cut(after, `"id":"`)
			}
			found = append(found, after[:min(8, len(after))])
		}
		return found
	}
	const nd = "application/x-ndjson"
	for _, test := range []struct {
		path string
		want []string
	}{
		{"/api/games/user/Ann", []string{over, mated}},
		{"/api/games/user/ann?sort=dateAsc", []string{mated, over}},
		{"/api/games/user/ann?max=1", []string{over}},
		{"/api/games/user/ann?ongoing=true", []string{running, over, mated}},
		{"/api/games/user/ann?ongoing=True&finished=False", []string{running}},
		{"/api/games/user/ann?perfType=blitz", []string{mated}},
		{"/api/games/user/ann?perfType=chess960,spartan&ongoing=true", []string{running, over}},
		{"/api/games/user/ann?color=black", nil},
		{"/api/games/user/bob?color=black&vs=Ann", []string{over, mated}},
		{"/api/games/user/ann?rated=false", nil},
		{"/api/games/user/ann?until=1000000000000", nil},
	} {
		if got := ids(get(test.path, nd)); strings.Join(got, " ") != strings.Join(test.want, " ") {
			t.Errorf("%s: %v, want %v", test.path, got, test.want)
		}
	}
	for path, status := range map[string]int{
		"/api/games/user/nobody":                    http.StatusNotFound,
		"/api/games/user/ann?vs=nobody":             http.StatusNotFound,
		"/api/games/user/ann?since=1790000000":      http.StatusBadRequest, // seconds, not milliseconds
		"/api/games/user/ann?perfType=tempo":        http.StatusBadRequest,
		"/api/user/nobody/current-game":             http.StatusNotFound,
		"/game/export/nosuch00":                     http.StatusNotFound,
		"/api/stream/game/nosuch00":                 http.StatusNotFound,
		"/api/game/nosuch00/chat":                   http.StatusNotFound,
		"/api/games/user/ann?sort=up":               http.StatusBadRequest,
		"/game/export/" + mated + "abcd?tags=false": http.StatusOK,
	} {
		nobody.Get(t, path).Want(t, status)
	}

	// berserk and others send ids without a content type.
	r := nobody.Request(t, http.MethodPost, "/api/games/export/_ids", "", strings.NewReader(mated+","+running+","+over+",nosuch00"))
	r.Header.Set("Accept", nd)
	if got := ids(string(nobody.Do(t, r).Want(t, http.StatusOK).Body)); strings.Join(got, " ") != running+" "+over+" "+mated {
		t.Errorf("by ids: %v", got)
	}
	pgn := get("/api/games/user/ann?moves=true&tags=false", "*/*")
	if games := strings.Split(pgn, "\n\n\n"); len(games) != 3 || !strings.HasSuffix(games[0], "0-1") || games[1] != "1. f3 e5 2. g4 Qh4# 0-1" {
		t.Errorf("PGN list %q", pgn)
	}
	current := get("/api/user/ann/current-game", "application/json")
	if !strings.Contains(current, running) || strings.Count(current, "\n") != 1 || !strings.Contains(current, `"moves":"e4 Wf6 d4 hf5 Nc3"`) {
		t.Errorf("current game %q; five of six plies are shown", current)
	}

	// The spectator: description, start, and the plies that may be seen.
	var first openapi.WatchGame
	watches.Next(t, &first)
	if first.ID != running || first.Turns != 0 || first.Status.Name != "started" {
		t.Errorf("first line %+v", first)
	}
	var seen []string
	for range 4 {
		var m openapi.WatchMove
		watches.Next(t, &m)
		seen = append(seen, m.Lm)
	}
	if strings.Join(seen, " ") != " e2e4 g8f6 d2d4" {
		t.Errorf("a spectator sees %q, want three of six plies", seen)
	}
	bob.Post(t, "/api/board/game/"+running+"/resign", nil).Want(t, http.StatusOK)
	for range 3 {
		watches.Next(t, nil)
	}
	var last openapi.WatchGame
	watches.Next(t, &last)
	if last.ID != running || last.Status.Name != "resign" || last.Winner != "white" || last.Turns != 6 {
		t.Errorf("last line %+v", last)
	}
	watches.End(t)
}
