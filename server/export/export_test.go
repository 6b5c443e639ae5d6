package export_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/bus"
	"hoplite/server/export"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/stream"
	"hoplite/store"
)

// archive is a store and a set of running games.
type archive struct {
	store.Archive              // calling it is a failure
	games         []store.Game // newest first
	filters       []store.GameFilter
	running       []*game.Snapshot
	bus           *bus.Bus
}

func (a *archive) AnalysesOf(context.Context, []string) ([]store.Analysis, error) { return nil, nil }

func (a *archive) AccountByID(_ context.Context, id string) (store.Account, error) {
	if id == "ann" || id == "bob" {
		return store.Account{ID: id}, nil
	}
	return store.Account{}, store.ErrNotFound
}

func (a *archive) GameByID(_ context.Context, id string) (store.Game, error) {
	for _, g := range a.games {
		if g.ID == id {
			return g, nil
		}
	}
	return store.Game{}, store.ErrNotFound
}

func (a *archive) GamesByID(ctx context.Context, ids []string) ([]store.Game, error) {
	var found []store.Game
	for _, g := range a.games {
		if slices.Contains(ids, g.ID) {
			found = append(found, g)
		}
	}
	return found, nil
}

func (a *archive) Games(_ context.Context, f store.GameFilter) ([]store.Game, error) {
	a.filters = append(a.filters, f)
	if f.Analysed != nil && *f.Analysed {
		return nil, nil // the engine has looked at none
	}
	from := 0
	if f.After != nil {
		from = 1 + slices.IndexFunc(a.games, func(g store.Game) bool { return g.ID == f.After.ID })
	}
	return a.games[from:min(len(a.games), from+f.Limit)], nil
}

func (a *archive) CurrentGame(context.Context, string) (store.Game, error) {
	if len(a.games) == 0 {
		return store.Game{}, store.ErrNotFound
	}
	return a.games[0], nil
}

func (a *archive) Subscribe(_ context.Context, id string) (*game.Snapshot, *bus.Subscription, error) {
	for _, s := range a.running {
		if s.ID == id {
			return s, a.bus.Subscribe(id, 16), nil
		}
	}
	return nil, nil, fault.NotFound("No such game")
}

func (a *archive) Ongoing(context.Context, string) ([]*game.Snapshot, error) { return a.running, nil }

func (a *archive) Snapshot(_ context.Context, id string) (*game.Snapshot, error) {
	for _, s := range a.running {
		if s.ID == id {
			return s, nil
		}
	}
	return nil, fault.NotFound("No such game")
}

func (a *archive) ChatLog(_ context.Context, _, room string) ([]game.ChatLine, error) {
	return []game.ChatLine{{Room: room, Username: "Eve", Text: "well played"}}, nil
}

func newHandlers(t *testing.T, a *archive) export.Handlers {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	a.bus = bus.New()
	return export.NewHandlers(export.Deps{
		Store: a, Live: a, Games: lichess.NewGames(set), Bus: a.bus, Streams: stream.NewHub(), URL: "https://hoplite.example",
		Now: func() time.Time { return created },
	})
}

var created = time.UnixMilli(1_790_000_000_000).UTC() // 2026-09-21 14:13:20

// finished is a rated chess game won by mate; change may make it another one.
func finished(change func(*store.Game)) store.Game {
	up, down := 12, -9
	g := store.Game{
		ID: "x4Tq9bZe", Variant: "standard", Speed: "blitz", Perf: "blitz", Rated: true, Source: "friend",
		Players: []store.GamePlayer{
			{AccountID: "ann", Name: "Ann", Rating: 1500, Provisional: true, RatingDiff: &down},
			{AccountID: "bob", Name: "Bob", Title: "BOT", Rating: 1612, RatingDiff: &up},
		},
		Limit: 5 * time.Minute, Increment: 3 * time.Second, HasClock: true, Created: created,
		GameState: store.GameState{
			Status: store.StatusMate, Winner: 1, Plies: 4, Moves: "f2f3 e7e5 g2g4 d8h4",
			ClockHistory: []time.Duration{300 * time.Second, 300 * time.Second, 298510 * time.Millisecond, 297 * time.Second},
			LastMove:     created.Add(10 * time.Second),
		},
	}
	if change != nil {
		change(&g)
	}
	return g
}

// accepting is a request that asks for a content type, by a caller.
func accepting(accept, caller string) context.Context {
	ctx := api.WithClient(context.Background(), api.Client{Accept: accept})
	return api.WithCaller(ctx, &api.Identity{AccountID: caller, Anonymous: caller == ""})
}

func body(t *testing.T, visit func(*httptest.ResponseRecorder) error) (string, string) {
	t.Helper()
	rec := httptest.NewRecorder()
	if err := visit(rec); err != nil {
		t.Fatal(err)
	}
	return rec.Body.String(), rec.Header().Get("Content-Type")
}

func one(t *testing.T, h export.Handlers, ctx context.Context, id string, p openapi.GamePgnParams) (string, string) {
	t.Helper()
	res, err := h.GamePgn(ctx, api.GamePgnRequestObject{GameID: id, Params: p})
	if err != nil {
		t.Fatal(err)
	}
	return body(t, func(rec *httptest.ResponseRecorder) error { return res.VisitGamePgnResponse(rec) })
}

func TestPGN(t *testing.T) {
	t.Parallel()
	const head = `[Event "rated blitz game"]
[Site "https://hoplite.example/x4Tq9bZe"]
[Date "2026.09.21"]
[Round "-"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]
[GameId "x4Tq9bZe"]
[UTCDate "2026.09.21"]
[UTCTime "14:13:20"]
[WhiteElo "1500"]
[BlackElo "1612"]
[WhiteRatingDiff "-9"]
[BlackRatingDiff "+12"]
[BlackTitle "BOT"]
[Variant "Standard"]
[TimeControl "300+3"]
[ECO "?"]
[Termination "Normal"]

`
	for _, test := range []struct {
		name   string
		change func(*store.Game)
		params openapi.GamePgnParams
		want   string
	}{
		{"with clocks", nil, openapi.GamePgnParams{}, head +
			"1. f3 { [%clk 0:05:00] } 1... e5 { [%clk 0:05:00] } 2. g4 { [%clk 0:04:59] } 2... Qh4# { [%clk 0:04:57] } 0-1\n\n\n"},
		{"without clocks", nil, openapi.GamePgnParams{Clocks: "false"}, head + "1. f3 e5 2. g4 Qh4# 0-1\n\n\n"},
		{"without tags", nil, openapi.GamePgnParams{Clocks: "false", Tags: "False"}, "1. f3 e5 2. g4 Qh4# 0-1\n\n\n"},
		{"without moves", nil, openapi.GamePgnParams{Moves: "false"}, head + "0-1\n\n\n"},
		{"running against the engine, by days", func(g *store.Game) {
			g.Status, g.Winner, g.Rated, g.HasClock, g.Limit, g.Increment, g.Days = store.StatusStarted, -1, false, false, 0, 0, 3
			g.Speed, g.Perf, g.Moves = "correspondence", "correspondence", "f2f3 e7e5"
			g.Players = []store.GamePlayer{{AccountID: "ai3", Name: "ai3", AILevel: 3}, {AccountID: "ann", Name: "Ann", Rating: 1500}}
		}, openapi.GamePgnParams{}, `[Event "casual correspondence game"]
[Site "https://hoplite.example/x4Tq9bZe"]
[Date "2026.09.21"]
[Round "-"]
[White "lichess AI level 3"]
[Black "Ann"]
[Result "*"]
[GameId "x4Tq9bZe"]
[UTCDate "2026.09.21"]
[UTCTime "14:13:20"]
[WhiteElo "?"]
[BlackElo "1500"]
[Variant "Standard"]
[TimeControl "-"]
[ECO "?"]
[Termination "Unterminated"]

1. f3 e5 *


`},
		{"from a position in which Black begins", func(g *store.Game) {
			g.Variant, g.InitialFEN, g.Rated, g.HasClock = "fromPosition", "4k3/8/8/8/8/8/8/R3K3 b Q - 0 7", false, false
			g.Moves, g.Status, g.Winner = "e8e7 e1a1 e7e6", store.StatusDraw, -1
			g.Players[0].RatingDiff, g.Players[1].RatingDiff = nil, nil
		}, openapi.GamePgnParams{Tags: "true"}, `[Event "casual blitz game"]
[Site "https://hoplite.example/x4Tq9bZe"]
[Date "2026.09.21"]
[Round "-"]
[White "Ann"]
[Black "Bob"]
[Result "1/2-1/2"]
[GameId "x4Tq9bZe"]
[UTCDate "2026.09.21"]
[UTCTime "14:13:20"]
[WhiteElo "1500"]
[BlackElo "1612"]
[BlackTitle "BOT"]
[Variant "From Position"]
[TimeControl "-"]
[ECO "?"]
[Termination "Normal"]
[FEN "4k3/8/8/8/8/8/8/R3K3 b Q - 0 7"]
[SetUp "1"]

7... Ke7 8. O-O-O Ke6 1/2-1/2


`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newHandlers(t, &archive{games: []store.Game{finished(test.change)}})
			got, contentType := one(t, h, accepting("*/*", ""), "x4Tq9bZe", test.params)
			if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if contentType != "application/x-chess-pgn" {
				t.Errorf("content type %s", contentType)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	h := newHandlers(t, &archive{games: []store.Game{finished(nil)}})
	got, contentType := one(t, h, accepting("text/html, application/json", "ann"), "x4Tq9bZe", openapi.GamePgnParams{})
	want := `{"clock":{"increment":3,"initial":300,"totalTime":420},"clocks":[30000,30000,29851,29700],` +
		`"createdAt":1790000000000,"fullId":"` + lichess.FullID("x4Tq9bZe", 0) + `","id":"x4Tq9bZe","lastMoveAt":1790000010000,` +
		`"moves":"f3 e5 g4 Qh4#","perf":"blitz","players":{"black":{"rating":1612,"ratingDiff":12,"user":{"id":"bob","name":"Bob",` +
		`"title":"BOT"}},"white":{"provisional":true,"rating":1500,"ratingDiff":-9,"user":{"id":"ann","name":"Ann"}}},` +
		`"rated":true,"source":"friend","speed":"blitz","status":"mate","variant":"standard","winner":"black"}` + "\n"
	if got != want || contentType != "application/json" {
		t.Errorf("%s\ngot  %s\nwant %s", contentType, got, want)
	}
	for _, test := range []struct {
		name   string
		params openapi.GamePgnParams
		has    string
		hasNot string
	}{
		{"no moves", openapi.GamePgnParams{Moves: "false"}, `"clocks"`, `"moves"`},
		{"no clocks", openapi.GamePgnParams{Clocks: "false"}, `"moves"`, `"clocks"`},
		{"PGN inside", openapi.GamePgnParams{PgnInJSON: "true", Clocks: "false"}, `\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\n"`, `%clk`},
	} {
		got, _ := one(t, h, accepting("application/json", ""), "x4Tq9bZe", test.params)
		if !strings.Contains(got, test.has) || strings.Contains(got, test.hasNot) || strings.Contains(got, "fullId") {
			t.Errorf("%s: %s", test.name, got)
		}
	}
}

func TestRunningGamesAreDelayed(t *testing.T) {
	t.Parallel()
	moves := strings.Fields("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1")
	for plies, want := range map[int]int{0: 0, 1: 1, 4: 4, 5: 5, 6: 5, 8: 5, 9: 6} {
		h := newHandlers(t, &archive{games: []store.Game{finished(func(g *store.Game) {
			g.Status, g.Winner, g.Moves = store.StatusStarted, -1, strings.Join(moves[:plies], " ")
			g.ClockHistory = slices.Repeat([]time.Duration{time.Minute}, plies)
		})}})
		got, _ := one(t, h, accepting("application/json", "ann"), "x4Tq9bZe", openapi.GamePgnParams{})
		var g openapi.Game
		if err := json.Unmarshal([]byte(got), &g); err != nil {
			t.Fatal(err)
		}
		if n := len(strings.Fields(*g.Moves)); n != want || len(g.Clocks) != want {
			t.Errorf("of %d plies %d are shown and %d clocks, want %d", plies, n, len(g.Clocks), want)
		}
	}
}

func TestUnknownGames(t *testing.T) {
	t.Parallel()
	h := newHandlers(t, &archive{})
	_, err := h.GamePgn(accepting("", ""), api.GamePgnRequestObject{GameID: "nosuch00"})
	if fault.KindOf(err) != fault.KindNotFound || err.Error() != "No such game" {
		t.Errorf("unknown game: %v", err)
	}
	_, err = h.APIUserCurrentGame(accepting("", ""), api.APIUserCurrentGameRequestObject{Username: "Ann"})
	if fault.KindOf(err) != fault.KindNotFound {
		t.Errorf("no game played: %v", err)
	}
	_, err = h.APIUserCurrentGame(accepting("", ""), api.APIUserCurrentGameRequestObject{Username: "nobody"})
	if fault.KindOf(err) != fault.KindNotFound {
		t.Errorf("unknown user: %v", err)
	}
	_, err = h.APIGamesUser(accepting("", ""), api.APIGamesUserRequestObject{Username: "ann", Params: openapi.APIGamesUserParams{Vs: "nobody"}})
	if fault.KindOf(err) != fault.KindNotFound {
		t.Errorf("unknown opponent: %v", err)
	}
	_, err = h.APIGamesUser(accepting("", ""), api.APIGamesUserRequestObject{Username: "ann", Params: openapi.APIGamesUserParams{PerfType: "blitz,tempo"}})
	if fault.KindOf(err) != fault.KindInvalid {
		t.Errorf("unknown perf: %v", err)
	}
}

// many is an archive of n games, newest first.
func many(n int) *archive {
	a := &archive{}
	for i := range n {
		a.games = append(a.games, finished(func(g *store.Game) {
			g.ID, g.Created = fmt.Sprintf("game%04d", n-i), created.Add(time.Duration(n-i)*time.Second)
		}))
	}
	return a
}

func userGames(t *testing.T, h export.Handlers, accept string, p openapi.APIGamesUserParams) string {
	t.Helper()
	res, err := h.APIGamesUser(accepting(accept, ""), api.APIGamesUserRequestObject{Username: "ANN", Params: p})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := body(t, func(rec *httptest.ResponseRecorder) error { return res.VisitAPIGamesUserResponse(rec) })
	return got
}

func TestGamesOfUser(t *testing.T) {
	t.Parallel()
	a := many(120)
	h := newHandlers(t, a)

	lines := strings.Split(strings.TrimSuffix(userGames(t, h, "application/x-ndjson", openapi.APIGamesUserParams{}), "\n"), "\n")
	if len(lines) != 120 || len(a.filters) != 3 {
		t.Fatalf("%d lines in %d pages, want 120 in 3", len(lines), len(a.filters))
	}
	seen := map[string]bool{}
	for _, line := range lines {
		var g openapi.Game
		if err := json.Unmarshal([]byte(line), &g); err != nil || seen[g.ID] || len(g.Clocks) > 0 {
			t.Fatalf("line %q: %v", line, err)
		}
		seen[g.ID] = true
	}

	pgn := userGames(t, h, "application/x-chess-pgn", openapi.APIGamesUserParams{Max: 3})
	if games := strings.Split(pgn, "\n\n\n"); len(games) != 4 || games[3] != "" || !strings.HasPrefix(games[2], "[Event ") {
		t.Errorf("3 games as PGN: %q", pgn)
	}
	if strings.Contains(pgn, "\n\n\n\n") || strings.Contains(pgn, "%clk") {
		t.Errorf("too many blank lines, or clocks that nobody asked for: %q", pgn)
	}

	a.filters = nil
	yes := true
	player := 1
	userGames(t, h, "", openapi.APIGamesUserParams{
		Since: 1_700_000_000_000, Until: 1_800_000_000_000, Vs: "Bob", Rated: "True", PerfType: "blitz, spartan", Color: "black",
		Ongoing: "true", Finished: "false", Sort: "dateAsc", Max: 1,
	})
	f := a.filters[0]
	if f.AccountID != "ann" || f.Vs != "bob" || *f.Rated != yes || *f.Player != player || !f.Ongoing || f.Finished || !f.Ascending ||
		!slices.Equal(f.Perfs, []string{"blitz", "spartan"}) || f.Since.UnixMilli() != 1_700_000_000_000 || f.Until.UnixMilli() != 1_800_000_000_000 {
		t.Errorf("filter %+v", f)
	}

	for _, p := range []openapi.APIGamesUserParams{{Analysed: "true"}, {Finished: "false"}} {
		if got := userGames(t, h, "application/x-ndjson", p); got != "" {
			t.Errorf("%+v gave %q, want nothing", p, got)
		}
	}
	last := userGames(t, h, "application/x-ndjson", openapi.APIGamesUserParams{LastFen: "1", Max: 1})
	if !strings.Contains(last, `"lastFen":"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3","lastMove":"d8h4"`) {
		t.Errorf("last position: %s", last)
	}
}

func TestGamesByIDs(t *testing.T) {
	t.Parallel()
	h := newHandlers(t, many(5))
	for _, test := range []struct{ ids, want string }{
		{"game0001, game0004\nnosuch00\r\ngame0002XXXX", "game0004 game0002 game0001"},
		{"", ""},
		{strings.Repeat("nosuch00,", 300) + "game0001", ""}, // the 301st is not looked at
	} {
		res, err := h.GamesExportIds(accepting("application/x-ndjson", ""), api.GamesExportIdsRequestObject{Body: &test.ids})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := body(t, func(rec *httptest.ResponseRecorder) error { return res.VisitGamesExportIdsResponse(rec) })
		var ids []string
		for line := range strings.Lines(got) {
			var g openapi.Game
			if err := json.Unmarshal([]byte(line), &g); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, g.ID)
		}
		if strings.Join(ids, " ") != test.want {
			t.Errorf("%.40q gave %v, want %s", test.ids, ids, test.want)
		}
	}
}

func running(id string, moves ...string) *game.Snapshot {
	movers := make([]uint8, len(moves))
	for i := range movers {
		movers[i] = uint8(i % 2)
	}
	return &game.Snapshot{
		Setup: &game.Setup{
			ID: id, Variant: "standard", Speed: "blitz", Perf: "blitz", Source: "friend", Created: created,
			Control: clock.NewFischer(5*time.Minute, 0),
			Players: []game.Player{{AccountID: "ann", Name: "Ann"}, {AccountID: "bob", Name: "Bob"}},
		},
		StartFEN: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FEN: "x", Moves: moves, Movers: movers, Turn: len(moves) % 2,
		Status: "started", Winner: -1, ClockHistory: slices.Repeat([]time.Duration{4 * time.Minute}, len(moves)), At: created,
	}
}

func TestPlaying(t *testing.T) {
	t.Parallel()
	a := &archive{}
	for i := range 60 {
		a.running = append(a.running, running(fmt.Sprintf("game%04d", i)))
	}
	h := newHandlers(t, a)
	for nb, want := range map[int]int{0: 50, 9: 9, 50: 50} {
		res, err := h.APIAccountPlaying(accepting("", "ann"), api.APIAccountPlayingRequestObject{Params: openapi.APIAccountPlayingParams{Nb: nb}})
		if err != nil {
			t.Fatal(err)
		}
		list := openapi.NowPlaying(res.(api.APIAccountPlaying200JSONResponse))
		if len(list.NowPlaying) != want || list.NbMyTurn != 60 || list.NowPlaying[0].GameID != "game0000" {
			t.Errorf("nb %d: %d games, %d my turn, want %d and 60", nb, len(list.NowPlaying), list.NbMyTurn, want)
		}
	}
}

func TestSpectatorChat(t *testing.T) {
	t.Parallel()
	h := newHandlers(t, &archive{})
	res, err := h.GameChatGet(accepting("", ""), api.GameChatGetRequestObject{GameID: "x4Tq9bZeA1b2"})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := body(t, func(rec *httptest.ResponseRecorder) error { return res.VisitGameChatGetResponse(rec) })
	if got != `[{"text":"well played","user":"Eve"}]`+"\n" {
		t.Errorf("chat %s", got)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	s := running("x4Tq9bZe", strings.Fields("e2e4 e7e5 g1f3 b8c6")...)
	a := &archive{running: []*game.Snapshot{s}}
	h := newHandlers(t, a)
	res, err := h.StreamGame(accepting("", ""), api.StreamGameRequestObject{ID: "x4Tq9bZe"})
	if err != nil {
		t.Fatal(err)
	}
	then := func(change func(*game.Snapshot), moves ...string) {
		next := running("x4Tq9bZe", moves...)
		if change != nil {
			change(next)
		}
		a.bus.Publish("x4Tq9bZe", game.Event{Kind: game.EventState, Snapshot: next})
	}
	then(nil, strings.Fields("e2e4 e7e5 g1f3 b8c6 f1b5")...)
	a.bus.Publish("x4Tq9bZe", game.Event{Kind: game.EventChat, Chat: &game.ChatLine{Text: "psst"}, Snapshot: s})
	then(nil, strings.Fields("e2e4 e7e5 g1f3")...)           // a takeback of what was shown
	then(nil, strings.Fields("e2e4 c7c5 g1f3 d7d6 d2d4")...) // another line
	then(func(s *game.Snapshot) { s.Status, s.Winner = "resign", 0 }, strings.Fields("e2e4 c7c5 g1f3 d7d6 d2d4")...)
	got, _ := body(t, func(rec *httptest.ResponseRecorder) error { return res.VisitStreamGameResponse(rec) })

	var lines []string
	for line := range strings.Lines(got) {
		var v struct {
			ID, Lm, Winner, LastMove string
			Turns                    int
			Wc, Bc                   *int
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if v.ID != "" {
			lines = append(lines, fmt.Sprintf("game after %d plies, last %q, winner %q", v.Turns, v.LastMove, v.Winner))
		} else {
			lines = append(lines, fmt.Sprintf("%q %d %d", v.Lm, *v.Wc, *v.Bc))
		}
	}
	want := []string{
		`game after 1 plies, last "e2e4", winner ""`,
		`"" 300 300`, `"e2e4" 240 300`,
		`"e7e5" 240 240`,
		`"" 300 300`,
		`"e2e4" 240 300`, `"c7c5" 240 240`,
		`"g1f3" 240 240`, `"d7d6" 240 240`, `"d2d4" 240 240`,
		`game after 5 plies, last "d2d4", winner "white"`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}
