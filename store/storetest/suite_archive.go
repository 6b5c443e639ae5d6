package storetest

import (
	"fmt"
	"testing"

	"hoplite/store"
)

func testImports(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	for i := range 4 {
		g := NewGame(fmt.Sprint("g", i), minutes(i), "", "")
		commit(t, s, Begin(g))
		by := "a"
		if i == 3 {
			by = ""
		}
		must(t, s.CreateImport(ctx, store.Import{GameID: g.ID, AccountID: by, Hash: fmt.Sprint("h", i), Date: "2020.??.??", Created: minutes(i)}))
	}
	want(t, s.CreateImport(ctx, store.Import{GameID: "g0", Hash: "other"}), store.ErrConflict)
	want(t, s.CreateImport(ctx, store.Import{GameID: "gx", Hash: "h1"}), store.ErrConflict)
	got, err := s.ImportByHash(ctx, "h2")
	must(t, err)
	same(t, "import", got, store.Import{GameID: "g2", AccountID: "a", Hash: "h2", Date: "2020.??.??", Created: minutes(2)})
	_, err = s.ImportByHash(ctx, "nothing")
	want(t, err, store.ErrNotFound)
	game := func(i store.Import) string { return i.GameID }
	list, err := s.ImportsOf(ctx, store.ArchiveFilter{AccountID: "a", Limit: 2})
	must(t, err)
	same(t, "newest", ids(list, game), []string{"g2", "g1"})
	list, err = s.ImportsOf(ctx, store.ArchiveFilter{AccountID: "a", Limit: 2, After: &store.GameCursor{Created: minutes(1), ID: "g1"}})
	must(t, err)
	same(t, "the rest", ids(list, game), []string{"g0"})
	list, err = s.ImportsOf(ctx, store.ArchiveFilter{Limit: 9})
	must(t, err)
	same(t, "of nobody", len(list), 0)
	list, err = s.Imports(ctx, []string{"g3", "nosuch"})
	must(t, err)
	same(t, "by game", ids(list, game), []string{"g3"})
	_, imports, err := s.CountArchive(ctx, "a")
	must(t, err)
	same(t, "number", imports, 3)
}

func testBookmarks(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	for i := range 4 {
		commit(t, s, Begin(NewGame(fmt.Sprint("g", i), minutes(i), "b", "")))
	}
	for i, id := range []string{"g2", "g0", "g3"} {
		must(t, s.SetBookmark(ctx, store.Bookmark{AccountID: "a", GameID: id, Created: minutes(i)}, true))
	}
	must(t, s.SetBookmark(ctx, store.Bookmark{AccountID: "a", GameID: "g2", Created: minutes(9)}, true)) // stays as it was
	game := func(b store.Bookmark) string { return b.GameID }
	page := func(f store.ArchiveFilter) []string {
		t.Helper()
		f.AccountID = "a"
		list, err := s.Bookmarks(ctx, f)
		must(t, err)
		return ids(list, game)
	}
	same(t, "newest", page(store.ArchiveFilter{Limit: 9}), []string{"g3", "g0", "g2"})
	same(t, "oldest", page(store.ArchiveFilter{Limit: 2, Ascending: true}), []string{"g2", "g0"})
	same(t, "after", page(store.ArchiveFilter{Limit: 9, Ascending: true, After: &store.GameCursor{Created: minutes(0), ID: "g2"}}), []string{"g0", "g3"})
	same(t, "since", page(store.ArchiveFilter{Limit: 9, Since: minutes(1)}), []string{"g3", "g0"})
	same(t, "until", page(store.ArchiveFilter{Limit: 9, Until: minutes(1)}), []string{"g0", "g2"})
	marked, err := s.Bookmarked(ctx, "a", []string{"g0", "g1", "nosuch"})
	must(t, err)
	same(t, "marked", marked, map[string]bool{"g0": true})
	must(t, s.SetBookmark(ctx, store.Bookmark{AccountID: "a", GameID: "g0"}, false))
	must(t, s.SetBookmark(ctx, store.Bookmark{AccountID: "a", GameID: "g0"}, false))
	same(t, "without", page(store.ArchiveFilter{Limit: 9}), []string{"g3", "g2"})
	bookmarks, _, err := s.CountArchive(ctx, "a")
	must(t, err)
	same(t, "number", bookmarks, 2)
	want(t, s.SetBookmark(ctx, store.Bookmark{AccountID: "a", GameID: "nosuch", Created: now}, true), store.ErrInvalid)
	want(t, s.SetBookmark(ctx, store.Bookmark{AccountID: "nobody", GameID: "g1", Created: now}, true), store.ErrInvalid)
}

func testLiveGames(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	add := func(id string, white, black int, change func(*store.Game)) *store.Game {
		g := NewGame(id, now, "a", "b")
		g.Players[0].Rating, g.Players[1].Rating = white, black
		g.Deadline = minutes(5)
		if change != nil {
			change(g)
		}
		commit(t, s, Begin(g))
		if id != "unmoved" {
			step := Move(g, "e2e4", "")
			step.State.Deadline = minutes(5)
			commit(t, s, step)
		}
		return g
	}
	add("weak", 1200, 1300, nil)
	add("strong", 2000, 2100, nil)
	add("middle", 1900, 1000, nil)
	add("unmoved", 2500, 2500, nil)
	over := add("over", 2600, 2600, nil)
	commit(t, s, Finish(over, store.StatusResign, 0))
	add("bot", 1500, 1600, func(g *store.Game) { g.Players[1].Title = "BOT" })
	add("engine", 1500, 0, func(g *store.Game) { g.Players[1] = store.GamePlayer{AILevel: 3} })
	add("days", 2400, 2400, func(g *store.Game) { g.HasClock, g.Days = false, 3 })
	add("blitz", 1000, 1000, func(g *store.Game) { g.Variant, g.Perf = "standard", "blitz" })
	list, err := s.LiveGames(ctx, 2)
	must(t, err)
	same(t, "two of each", gameIDs(list), []string{"strong", "bot", "middle", "blitz", "engine"})
	same(t, "players", list[0].Players[1].Rating, 2100)
	list, err = s.LiveGames(ctx, 9)
	must(t, err)
	same(t, "all", gameIDs(list), []string{"strong", "bot", "middle", "weak", "blitz", "engine"})
}
