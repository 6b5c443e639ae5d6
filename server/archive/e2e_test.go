package archive_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/server/servertest"
)

// TestImport brings games of several variants and reads them back everywhere.
func TestImport(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann").Client(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, tc := range []struct{ name, pgn, variant, moves, status, winner string }{
		{"chess with clocks", `[White "Anderssen"]
[Black "?"]
[WhiteElo "2600"]
[Date "1851.06.21"]
[TimeControl "300+3"]
[Result "1-0"]

1. e4 { [%clk 0:04:58] } e5 { [%clk 0:04:50] } 2. f4 { [%clk 0:04:40] } 1-0`, "standard", "e4 e5 f4", "resign", "white"},
		{"a mate", "1. f3 e5 2. g4 Qh4# 0-1", "standard", "f3 e5 g4 Qh4#", "mate", "black"},
		{"a draw", "[Variant \"Spartan\"]\n\n1. e4 1/2-1/2", "spartan", "e4", "draw", ""},
		{"nobody knows", "[Variant \"Xiangqi\"]\n\n*", "xiangqi", "", "unknownFinish", ""},
		{"lost on time", "[Variant \"Crazyhouse\"]\n[Termination \"Time forfeit\"]\n\n1. e4 d5 2. exd5 Qxd5 0-1", "crazyhouse", "e4 d5 exd5 Qxd5", "outoftime", "black"},
		{"from a position", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 *", "fromPosition", "e4", "unknownFinish", ""},
	} {
		got, err := ann.Games.Import(ctx, tc.pgn)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if got.URL != s.URL+"/"+got.ID {
			t.Errorf("%s: address %s", tc.name, got.URL)
		}
		again, err := ann.Games.Import(ctx, tc.pgn+"\n\n")
		if err != nil || again.ID != got.ID {
			t.Errorf("%s: the same text became %s, %v", tc.name, again.ID, err)
		}
		game, err := ann.Games.Get(ctx, got.ID, openapi.GamePgnParams{})
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if game.Variant != tc.variant || *game.Moves != tc.moves || string(game.Status) != tc.status || string(game.Winner) != tc.winner ||
			game.Source != "import" || game.Import == nil || game.Rated {
			t.Errorf("%s: %+v", tc.name, game)
		}
		// The game is there for spectators too, over the stream and the socket.
		lines := 0
		for _, err := range ann.Games.Watch(ctx, got.ID) {
			if err != nil {
				t.Errorf("%s: watching: %v", tc.name, err)
			}
			lines++
		}
		if lines < 3 {
			t.Errorf("%s: %d lines to watch", tc.name, lines)
		}
	}
	game, err := ann.Games.Import(ctx, "[White \"Zukertort\"]\n[Date \"1883.05.05\"]\n[TimeControl \"60+0\"]\n\n1. c4 { [%clk 0:00:59] } 1-0")
	if err != nil {
		t.Fatal(err)
	}
	shown, err := ann.Games.Get(ctx, game.ID, openapi.GamePgnParams{})
	if err != nil || shown.Players.White.Name != "Zukertort" || shown.Import.Date != "1883.05.05" || len(shown.Clocks) != 1 || shown.Clocks[0] != 5900 {
		t.Errorf("shown %+v, %v", shown, err)
	}
	for control, want := range map[string]openapi.ExportClock{
		"300d5":         {Initial: 300, Delay: 5, TotalTime: 500},
		"600:1/30:1/30": {Initial: 600, Byoyomi: 30, Periods: 2, TotalTime: 1260},
	} {
		played := "[TimeControl \"" + control + "\"]\n\n1. d4 { [%clk 0:00:59] } d5 { [%clk 0:00:50] } 2. c4 { [%clk 0:00:30] } c6 { [%clk 0:00:40] } 1-0"
		brought, err := s.Anonymous().Client(t).Games.Import(ctx, played)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := ann.Games.Get(ctx, brought.ID, openapi.GamePgnParams{})
		if err != nil || shown.Clock != want || !slices.Equal(shown.Clocks, []int{5900, 5000, 3000, 4000}) {
			t.Errorf("%s: clock %+v, %v, %v", control, shown.Clock, shown.Clocks, err)
		}
		again, err := ann.Games.PGN(ctx, brought.ID, openapi.GamePgnParams{})
		if err != nil || !strings.Contains(again, "[TimeControl \""+control+"\"]") {
			t.Errorf("%s: written as\n%s%v", control, again, err)
		}
	}
	var text bytes.Buffer
	if err := ann.Games.ImportsPGN(ctx, &text); err != nil || strings.Count(text.String(), "\n\n\n") != 7 || !strings.Contains(text.String(), "Zukertort") {
		t.Errorf("imports: %v\n%s", err, text.String())
	}
	var ids []string
	for g, err := range ann.Games.Imports(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, g.ID)
	}
	if len(ids) != 7 || ids[0] != game.ID {
		t.Errorf("imports %v, the last was %s", ids, game.ID)
	}
	me, err := ann.Account.Me(ctx)
	if err != nil || me.Count.All != 0 || me.Count.Import != 7 {
		t.Errorf("imported games count: %+v, %v", me.Count, err)
	}
}

// TestBadImports are refused with what is wrong, and leave nothing.
func TestBadImports(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.SignUp(t, "Ann")
	ann := user.Client(t)
	for text, want := range map[string]string{
		"":                                "pgn",
		"[Variant \"Nonsense\"]\n\n1. e4": "unknown variant",
		"1. e5":                           "move 1",
		"[FEN \"x\"]\n\n1. e4":            "bad start position",
		"1. f3 e5 2. g4 Qh4# 3. a3":       "move 3",
	} {
		_, err := ann.Games.Import(t.Context(), text)
		var refused *client.APIError
		if !errors.As(err, &refused) || refused.Status != http.StatusBadRequest || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	var text bytes.Buffer
	if err := ann.Games.ImportsPGN(t.Context(), &text); err != nil || text.Len() != 0 {
		t.Errorf("imports after refusals: %v\n%s", err, text.String())
	}
	user.Post(t, "/api/import", nil).Want(t, http.StatusBadRequest)
}

// TestBookmarks are set, listed in their order and taken away.
func TestBookmarks(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	user := s.SignUp(t, "Ann")
	ann := user.Client(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var games []string
	for _, first := range []string{"e4", "d4", "c4"} {
		g, err := s.Anonymous().Client(t).Games.Import(ctx, "1. "+first+" 1-0")
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g.ID)
	}
	for _, i := range []int{1, 0} {
		if err := ann.Games.Bookmark(ctx, games[i], true); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond) // so that their times differ
	}
	list := func() (ids []string) {
		t.Helper()
		for g, err := range ann.Games.Bookmarks(ctx, openapi.APIExportBookmarksParams{}) {
			if err != nil {
				t.Fatal(err)
			}
			if !g.Bookmarked {
				t.Errorf("game %s is not marked", g.ID)
			}
			ids = append(ids, g.ID)
		}
		return ids
	}
	if got := list(); len(got) != 2 || got[0] != games[0] || got[1] != games[1] {
		t.Errorf("bookmarks %v of %v", got, games)
	}
	if me, err := s.Anonymous().Client(t).Users.Get(ctx, "Ann", openapi.APIUserParams{}); err != nil || me.Count.Bookmark != 2 || me.Count.Import != 0 {
		t.Errorf("counts %+v, %v", me.Count, err)
	}
	user.Post(t, "/bookmark/"+games[0], nil).Want(t, http.StatusNoContent) // toggles
	if got := list(); len(got) != 1 || got[0] != games[1] {
		t.Errorf("bookmarks %v", got)
	}
	for id, want := range map[string]bool{games[1]: true, games[2]: false} {
		g, err := ann.Games.Get(ctx, id, openapi.GamePgnParams{WithBookmarked: "true"})
		if err != nil || g.Bookmarked != want {
			t.Errorf("game %s bookmarked: %t, %v", id, g.Bookmarked, err)
		}
	}
	user.Post(t, "/bookmark/nogame01?v=true", nil).Want(t, http.StatusNotFound)
	s.Anonymous().Post(t, "/bookmark/"+games[0], nil).Want(t, http.StatusUnauthorized)
}
