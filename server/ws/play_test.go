package ws_test

import (
	"encoding/json"
	"testing"

	"hoplite/engine/view"
	"hoplite/openapi/frames"
	"hoplite/server/servertest"
)

// TestGame plays over two sockets with a spectator, and looks at what each of them is told.
func TestGame(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	p := play(t, s, nil)
	white, black := as(t, s, p.white), as(t, s, p.black)
	watcher, hello := dial(t, s, nil)
	if hello.Protocol != frames.Protocol || hello.Account != nil || hello.Limits.Message != frames.MaxMessage {
		t.Errorf("hello %+v", hello)
	}
	for i, c := range []*socket{white, black, watcher} {
		c.do("sub", p.sub())
		var g frames.Game
		c.want("game", &g)
		var sc view.Scene
		if err := json.Unmarshal(g.Scene, &sc); err != nil {
			t.Fatal(err)
		}
		seat := -1
		if g.Seat != nil {
			seat = *g.Seat
		}
		wantSeat, wantMoves := []int{0, 1, -1}[i], []int{20, 0, 0}[i]
		if seat != wantSeat || len(sc.Moves) != wantMoves || g.Game != p.game || len(sc.Men) != 32 {
			t.Errorf("viewer %d: seat %d with %d moves, want %d with %d", i, seat, len(sc.Moves), wantSeat, wantMoves)
		}
	}
	ack := white.do("move", frames.Move{Game: p.game, Move: "e2e4"})
	if ack.Version == nil || *ack.Version != 1 {
		t.Errorf("version %v, want 1", ack.Version)
	}
	for i, c := range []*socket{black, watcher} {
		var e frames.Event
		c.want("event", &e)
		var sc view.Scene
		if err := json.Unmarshal(e.Scene, &sc); err != nil {
			t.Fatal(err)
		}
		if e.Kind != frames.KindMove || e.Ply == nil || e.Ply.SAN != "e4" || e.Clock == nil || sc.Turn != 1 {
			t.Errorf("event %+v", e)
		}
		if want := []int{20, 0}[i]; len(sc.Moves) != want {
			t.Errorf("viewer %d sees %d moves, want %d", i, len(sc.Moves), want)
		}
	}
	black.do("chat", frames.Chat{Game: p.game, Text: "hello"})
	watcher.refused("chat", frames.Chat{Game: p.game, Text: "me too"}, frames.CodeUnauthenticated)
	black.do("resign", frames.Resign{Game: p.game})
	for i, kind := range []string{frames.KindSkip, frames.KindEnd} {
		var e frames.Event
		watcher.want("event", &e)
		if e.Kind != kind || e.Version != uint64(i+2) {
			t.Errorf("the spectator gets %s as version %d, want %s as %d", e.Kind, e.Version, kind, i+2)
		}
	}
	for i, kind := range []string{frames.KindMove, frames.KindChat, frames.KindEnd} {
		var e frames.Event
		white.want("event", &e)
		if e.Kind != kind || e.Version != uint64(i+1) {
			t.Errorf("the player gets %s as version %d, want %s as %d", e.Kind, e.Version, kind, i+1)
		}
	}
}

// TestBareGame follows a game with and without scenes side by side.
func TestBareGame(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	p := play(t, s, nil)
	sub := p.sub()
	sub.Bare = true
	bare, full := as(t, s, p.white), as(t, s, p.black)
	bare.do("sub", sub)
	var g frames.Game
	bare.want("game", &g)
	if g.Scene != nil || g.Seat == nil || *g.Seat != 0 {
		t.Errorf("the bare game is %+v", g)
	}
	bare.do("move", frames.Move{Game: p.game, Move: "e2e4"}) // nobody needs a scene
	full.do("sub", p.sub())
	full.want("game", &g)
	scene := func(data json.RawMessage) (sc view.Scene) {
		t.Helper()
		if err := json.Unmarshal(data, &sc); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		return sc
	}
	if sc := scene(g.Scene); sc.Men["e4"] != "0P" || len(sc.Moves) != 20 {
		t.Errorf("the game joined later has the scene %+v", sc)
	}
	full.do("move", frames.Move{Game: p.game, Move: "e7e5"})
	var e frames.Event
	full.want("event", &e)
	if sc := scene(e.Scene); sc.Men["e5"] != "1P" || sc.Turn != 0 {
		t.Errorf("the full event has the scene %+v", sc)
	}
	for i, san := range []string{"e4", "e5"} {
		e = frames.Event{}
		bare.want("event", &e)
		if e.Scene != nil || e.Ply == nil || e.Ply.SAN != san || e.Version != uint64(i+1) {
			t.Errorf("bare event %d is %+v", i+1, e)
		}
	}
	again := since(p.game, 0)
	again.Bare = true
	bare.do("sub", again)
	for range 2 {
		e = frames.Event{}
		bare.want("event", &e)
		if e.Scene != nil {
			t.Errorf("a bare event of the past has a scene: %s", e.Scene)
		}
	}
}
