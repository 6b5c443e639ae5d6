package ws_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"reflect"
	"sync"
	"testing"
	"time"

	"hoplite/engine/view"
	"hoplite/openapi/frames"
	"hoplite/server/servertest"
	"hoplite/store/storetest"
)

// cutter knows the connections of clients and cuts them.
type cutter struct {
	mu    sync.Mutex
	conns []net.Conn
}

func newCutter() *cutter { return new(cutter) }

func (c *cutter) transport() *http.Transport {
	var d net.Dialer
	return &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := d.DialContext(ctx, network, addr)
		if err == nil {
			c.mu.Lock()
			c.conns = append(c.conns, conn)
			c.mu.Unlock()
		}
		return conn, err
	}}
}

// often cuts one connection after another until stop is closed.
func (c *cutter) often(stop <-chan struct{}, pause time.Duration) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(pause):
		}
		c.mu.Lock()
		for _, conn := range c.conns {
			_ = conn.Close()
		}
		c.conns = nil
		c.mu.Unlock()
		pause *= 2 // or nobody would ever get through
	}
}

// viewer collects the events of a game.
type viewer struct {
	t       *testing.T
	s       *servertest.Server
	user    *servertest.User // nil for a spectator
	game    string
	seat    int
	socket  *socket
	version uint64
	begun   bool
	events  []map[string]any
	scene   view.Scene
}

func (v *viewer) open() {
	if v.user == nil {
		v.socket, _ = dial(v.t, v.s, nil)
	} else {
		v.socket = as(v.t, v.s, v.user)
	}
	if !v.begun {
		v.begun = true
		v.socket.do("sub", frames.Sub{Topic: "game", Game: v.game})
		var g frames.Game
		v.socket.want("game", &g)
		v.version = g.Version
		v.look(g.Scene)
		return
	}
	v.socket.do("sub", since(v.game, v.version))
}

// cut loses the connection without a word and comes back.
func (v *viewer) cut() {
	_ = v.socket.NetConn().Close()
	v.open()
}

func (v *viewer) look(data json.RawMessage) {
	if len(data) == 0 {
		return
	}
	v.scene = view.Scene{}
	if err := json.Unmarshal(data, &v.scene); err != nil {
		v.t.Fatal(err)
	}
}

// reach reads until a version, and is cut on the way now and then.
func (v *viewer) reach(version uint64, cut func() bool) {
	v.t.Helper()
	for v.version < version {
		if cut() {
			v.cut()
		}
		var e frames.Event
		f := v.socket.want("event", &e)
		if e.Version != v.version+1 {
			v.t.Fatalf("version %d after %d", e.Version, v.version)
		}
		v.version = e.Version
		v.look(e.Scene)
		var all map[string]any
		if err := json.Unmarshal(f.D, &all); err != nil {
			v.t.Fatal(err)
		}
		if clock, ok := all["clock"].(map[string]any); ok {
			// When a turn began is known exactly for the present one only.
			delete(clock, "from")
		}
		v.events = append(v.events, all)
	}
}

// TestCutsAndRepeats plays a game of random moves, offers and chat. Every action is sent several times, the players'
// sockets are cut at random, and so are those of three of the viewers. Each action acts once (G3), and the viewers that
// were cut have the same events as those that were not (G5).
func TestCutsAndRepeats(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		cutsAndRepeats(t, servertest.Start(t, servertest.DSN(dsn)))
	})
}

func cutsAndRepeats(t *testing.T, s *servertest.Server) {
	p := play(t, s, nil)
	seed := rand.Uint64()
	rnd := rand.New(rand.NewPCG(seed, 3))
	t.Logf("seed %d", seed)
	users := []*servertest.User{p.white, p.black, nil}
	var steady, shaken []*viewer
	for seat, u := range users {
		for _, list := range []*[]*viewer{&steady, &shaken} {
			v := &viewer{t: t, s: s, user: u, game: p.game, seat: seat}
			v.open()
			*list = append(*list, v)
		}
	}
	never, sometimes := func() bool { return false }, func() bool { return rnd.IntN(6) == 0 }
	actors := []*socket{as(t, s, p.white), as(t, s, p.black)}
	var version uint64
	act := func(seat int, kind string, d func(key string) any) {
		key := fmt.Sprint("key ", version, kind)
		var first frames.Ack
		for i := range 1 + rnd.IntN(3) {
			if rnd.IntN(5) == 0 {
				actors[seat].last++
				actors[seat].write(kind, actors[seat].last, d(key))
				_ = actors[seat].NetConn().Close() // its answer is lost
				actors[seat] = as(t, s, users[seat])
			}
			ack := actors[seat].do(kind, d(key))
			if i == 0 {
				first = ack
			} else if !reflect.DeepEqual(ack.Version, first.Version) {
				t.Fatalf("%s: version %d at first, then %d", kind, *first.Version, *ack.Version)
			}
		}
		if *first.Version != version+1 {
			t.Fatalf("%s: version %d, want %d", kind, *first.Version, version+1)
		}
		version++
		if kind == "offer" {
			version++ // and the note of it in the chat
		}
	}
	offered := [2]bool{}
	for range 40 {
		turn := steady[0].scene.Turn
		moves := steady[turn].scene.Moves
		if len(moves) == 0 {
			break
		}
		m := moves[rnd.IntN(len(moves))].Text
		act(turn, "move", func(key string) any { return frames.Move{Game: p.game, Move: m, Key: key} })
		for _, v := range steady {
			v.reach(version, never)
		}
		if len(steady[1-turn].scene.Moves) == 0 {
			break // the game is over
		}
		switch n := rnd.IntN(4); {
		case n == 0:
			act(turn, "chat", func(key string) any { return frames.Chat{Game: p.game, Text: "hm " + key, Key: key} })
		case n == 1 && version > 4 && !offered[turn]:
			offered[turn] = true
			act(turn, "offer", func(key string) any {
				return frames.Offer{Game: p.game, Kind: frames.OfferDraw, Accept: true, Key: key}
			})
		}
		for _, v := range shaken {
			if rnd.IntN(3) > 0 { // some fall behind for a while
				v.reach(version, sometimes)
			}
		}
		for _, v := range steady {
			v.reach(version, never)
		}
	}
	for i := range users {
		shaken[i].reach(version, sometimes)
		if len(steady[i].events) != int(version) {
			t.Errorf("viewer %d has %d events, want %d", i, len(steady[i].events), version)
		}
		for k := range steady[i].events {
			if !reflect.DeepEqual(steady[i].events[k], shaken[i].events[k]) {
				t.Fatalf("viewer %d, event %d:\n%v\nafter a cut:\n%v", i, k, steady[i].events[k], shaken[i].events[k])
			}
		}
	}
	if rows, err := s.Store.LogOf(t.Context(), p.game, 0); err != nil || len(rows) != int(version) {
		t.Errorf("%d rows in the log, %v; want %d", len(rows), err, version)
	}
}
