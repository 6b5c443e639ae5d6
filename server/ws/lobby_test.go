package ws_test

import (
	"net/http"
	"testing"
	"time"

	"hoplite/openapi/frames"
	"hoplite/server/servertest"
)

func ptr(n int) *int { return &n }

// TestLobby watches seeks come and go, and takes one.
func TestLobby(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := newUser(t, s), newUser(t, s)
	watcher, _ := dial(t, s, nil)
	watcher.do("sub", frames.Sub{Topic: "lobby"})
	var all frames.Lobby
	watcher.want("lobby", &all)
	if len(all.Seeks) != 0 {
		t.Errorf("%d seeks in an empty lobby", len(all.Seeks))
	}
	a, b := as(t, s, ann), as(t, s, bob)
	a.do("sub", frames.Sub{Topic: "events"})
	a.want("me", nil)
	first := a.do("seek", frames.Seek{Limit: ptr(60), Increment: ptr(0)})
	var added frames.LobbySeek
	watcher.want("seek+", &added)
	if added.ID != first.Seek || added.Speed != "bullet" || added.Player.ID != ann.ID || added.Control.Limit != 60000 {
		t.Errorf("added %+v, want %s", added, first.Seek)
	}
	second := a.do("seek", frames.Seek{Limit: ptr(300), Increment: ptr(3), Color: "black"}) // replaces the first
	var gone frames.SeekGone
	watcher.want("seek-", &gone)
	watcher.want("seek+", &added)
	if gone.ID != first.Seek || added.ID != second.Seek {
		t.Errorf("%s gone and %s added, want %s and %s", gone.ID, added.ID, first.Seek, second.Seek)
	}
	late, _ := dial(t, s, nil)
	late.do("sub", frames.Sub{Topic: "lobby"})
	late.want("lobby", &all)
	if len(all.Seeks) != 1 || all.Seeks[0].ID != second.Seek {
		t.Errorf("the lobby holds %+v", all.Seeks)
	}
	a.refused("join", frames.Join{Seek: second.Seek}, frames.CodeInvalid)
	made := b.do("join", frames.Join{Seek: second.Seek})
	var me frames.Me
	a.want("me", &me)
	if me.Kind != frames.MeGameStart || me.Game == nil || me.Game.ID != made.Game || me.Game.Color != "black" {
		t.Errorf("told %+v, want the start of %s with the black side", me, made.Game)
	}
	watcher.want("seek-", &gone)
	if gone.ID != second.Seek {
		t.Errorf("%s is gone, want %s", gone.ID, second.Seek)
	}
	// A seek with a clock ends with its socket; one by days stays until it is taken back.
	a.do("seek", frames.Seek{Limit: ptr(600), Increment: ptr(0)})
	slow := a.do("seek", frames.Seek{Days: 3})
	watcher.want("seek+", &added)
	watcher.want("seek+", &added)
	_ = a.NetConn().Close()
	watcher.want("seek-", nil)
	a = as(t, s, ann)
	a.do("unseek", frames.Unseek{Seek: slow.Seek})
	watcher.want("seek-", &gone)
	if gone.ID != slow.Seek {
		t.Errorf("%s is gone, want %s", gone.ID, slow.Seek)
	}
	b.refused("unseek", frames.Unseek{Seek: slow.Seek}, frames.CodeNotFound)
}

// TestRematchOverBothDoors offers a rematch over the websocket; the other side sees it in its event stream and takes it
// over HTTP.
func TestRematchOverBothDoors(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	p := play(t, s, nil)
	stream := p.black.Stream(t, "/api/stream/event")
	white := as(t, s, p.white)
	white.do("sub", p.sub())
	white.do("move", frames.Move{Game: p.game, Move: "e2e4"})
	white.refused("rematch", frames.Rematch{Game: p.game, Accept: true}, frames.CodeInvalid)
	p.black.Post(t, "/api/board/game/"+p.game+"/move/e7e5", nil).Want(t, http.StatusOK)
	white.do("resign", frames.Resign{Game: p.game})

	first := white.do("rematch", frames.Rematch{Game: p.game, Accept: true})
	var told struct {
		Challenge struct{ ID, RematchOf, FinalColor string }
	}
	stream.NextType(t, "challenge", &told)
	if told.Challenge.ID != first.Game || told.Challenge.RematchOf != p.game || told.Challenge.FinalColor != "black" {
		t.Errorf("the stream tells of %+v, want %s as a rematch of %s", told.Challenge, first.Game, p.game)
	}
	white.do("rematch", frames.Rematch{Game: p.game})
	stream.NextType(t, "challengeCanceled", &told)
	if told.Challenge.ID != first.Game {
		t.Errorf("canceled %s, want %s", told.Challenge.ID, first.Game)
	}
	if ack := white.do("rematch", frames.Rematch{Game: p.game}); ack.Note == "" {
		t.Error("nothing to withdraw, and no note says so")
	}

	second := white.do("rematch", frames.Rematch{Game: p.game, Accept: true})
	p.black.Post(t, "/api/challenge/"+second.Game+"/accept", nil).Want(t, http.StatusOK)
	for {
		var e frames.Event
		white.want("event", &e)
		if e.Kind == frames.KindRematch {
			if e.Rematch != second.Game {
				t.Errorf("the rematch is %s, want %s", e.Rematch, second.Game)
			}
			break
		}
	}
	var g frames.Game
	white.do("sub", frames.Sub{Topic: "game", Game: second.Game})
	for g.Game != second.Game {
		white.want("game", &g)
	}
	if g.Seat == nil || *g.Seat != 1 || g.RematchOf != p.game {
		t.Errorf("the rematch: seat %v, rematch of %s", g.Seat, g.RematchOf)
	}
}

// TestPresence shows players online and in their game as long as a socket of theirs follows it.
func TestPresence(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	p := play(t, s, map[string]any{"clock.limit": 60})
	white, black := as(t, s, p.white), as(t, s, p.black)
	white.do("sub", p.sub())
	black.do("sub", p.sub())
	white.want("game", nil)
	var status []struct{ Online bool }
	s.Anonymous().Get(t, "/api/users/status?ids="+p.black.ID).Want(t, http.StatusOK).JSON(t, &status)
	if len(status) != 1 || !status[0].Online {
		t.Errorf("status %+v, want online", status)
	}
	_ = black.NetConn().Close()
	var now frames.Now
	white.want("now", &now)
	if len(now.Away) != 1 || now.Away[0].Seat != 1 || now.Away[0].ClaimAt <= time.Now().UnixMilli() {
		t.Errorf("away %+v, want the second player", now.Away)
	}
	as(t, s, p.black).do("sub", since(p.game, 0))
	white.want("now", &now)
	now = frames.Now{}
	var live frames.Live
	white.want("live", &live)
	if _, ok := live.Games[p.game]; !ok || live.Time == 0 {
		t.Errorf("live %+v", live)
	}
}
