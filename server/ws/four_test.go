package ws_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"hoplite/engine/enginetest/testgame"
	"hoplite/engine/variant"
	"hoplite/engine/view"
	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/servertest"
	"hoplite/store"
)

// four is a server with a game of four, which no challenge makes yet: it is stored like one that was made before.
func four(t *testing.T) (*servertest.Server, []*servertest.User, string) {
	t.Helper()
	set, err := variant.Compile(append(variant.All(), testgame.Four()))
	if err != nil {
		t.Fatal(err)
	}
	s := servertest.Start(t, servertest.Games(set))
	key := testgame.Four().Key
	created := time.Now().UTC().Truncate(time.Millisecond)
	g := &store.Game{
		ID: "four4our", Variant: key, Speed: "rapid", Perf: key, Source: "friend", HasClock: true, Limit: 10 * time.Minute,
		Increment: 5 * time.Second, Created: created, GameState: store.GameState{
			Status: store.StatusStarted, Winner: -1, Deadline: created.Add(time.Hour), LastMove: created,
			Clocks: []time.Duration{10 * time.Minute, 10 * time.Minute, 10 * time.Minute, 10 * time.Minute},
		},
	}
	var users []*servertest.User
	for _, name := range []string{"Rita", "Boris", "Yara", "Gustav"} {
		users = append(users, s.SignUp(t, name))
		g.Players = append(g.Players, store.GamePlayer{AccountID: strings.ToLower(name), Name: name, Rating: 1500})
	}
	if _, err := s.Store.CommitSteps(t.Context(), []store.Step{{New: g}}, nil); err != nil {
		t.Fatal(err)
	}
	return s, users, g.ID
}

// TestFourPlayers plays a game of four over the HTTP API and sockets: every player and a spectator are told the same, in
// the forms of the spec; who resigns is out, and the end ranks all.
func TestFourPlayers(t *testing.T) {
	t.Parallel()
	s, users, id := four(t)
	streams := make([]*servertest.Stream, len(users))
	sockets := make([]*socket, len(users)+1)
	sockets[len(users)], _ = dial(t, s, nil)
	for i, u := range users {
		streams[i] = u.Stream(t, "/api/board/game/stream/"+id)
		sockets[i] = as(t, s, u)
		var full openapi.GameFull
		streams[i].NextType(t, "gameFull", &full)
		if len(full.Seats) != 4 || full.Seats[3].Name != "Gustav" || len(full.State.Seats) != 4 {
			t.Errorf("gameFull has seats %+v", full.Seats)
		}
	}
	for i, c := range sockets {
		c.do("sub", frames.Sub{Topic: "game", Game: id})
		var g frames.Game
		c.want("game", &g)
		var sc view.Scene
		if err := json.Unmarshal(g.Scene, &sc); err != nil {
			t.Fatal(err)
		}
		if moves := len(sc.Moves); (moves > 0) != (i == 0) || len(sc.Men) != 12 || len(g.Players) != 4 || len(g.Clock.Left) != 4 {
			t.Errorf("viewer %d has %d moves in %+v", i, moves, g)
		}
	}
	users[1].Post(t, "/api/board/game/"+id+"/move/a5c4", nil).Want(t, http.StatusBadRequest)
	next := func(do func()) (state openapi.GameState, event frames.Event) {
		t.Helper()
		do()
		for _, st := range streams {
			streamed := openapi.GameState{}
			st.NextType(t, "gameState", &streamed)
			if state.Type != "" && streamed.Moves != state.Moves {
				t.Errorf("players are told %q and %q", streamed.Moves, state.Moves)
			}
			state = streamed
		}
		for _, c := range sockets {
			event = frames.Event{}
			c.want("event", &event)
		}
		return state, event
	}
	for i, move := range []string{"c1d3", "a5c4", "e7d5", "g3e4"} {
		state, event := next(func() { users[i].Post(t, "/api/board/game/"+id+"/move/"+move, nil).Want(t, http.StatusOK) })
		if event.Ply == nil || event.Ply.Move != move || *event.Seat != i || strings.Fields(state.Moves)[i] != move {
			t.Errorf("event %+v after %s", event, move)
		}
	}
	for i, seat := range []int{2, 0, 3} {
		state, event := next(func() { users[seat].Post(t, "/api/board/game/"+id+"/resign", nil).Want(t, http.StatusOK) })
		if event.Kind != frames.KindRetire || len(event.Out) != i+1 || !state.Seats[seat].Out {
			t.Errorf("event %+v, seats %+v after seat %d left", event, state.Seats, seat)
		}
		if over := i == 2; over != (state.Status != openapi.GameStatusNameStarted) || over != (len(event.Places) == 4) {
			t.Errorf("status %s with %d out", state.Status, i+1)
		}
	}
	req := users[0].Request(t, http.MethodGet, "/game/export/"+id, "", nil)
	req.Header.Set("Accept", "application/json")
	var out openapi.Game
	users[0].Do(t, req).Want(t, http.StatusOK).JSON(t, &out)
	if len(out.Seats) != 4 || out.Seats[1].Place != 1 || out.Seats[1].Points == nil || out.Reason != "lastAlive" {
		t.Errorf("exported as %+v", out)
	}
	users[0].Get(t, "/game/export/"+id).Want(t, http.StatusOK)
	watch := s.Anonymous().Stream(t, "/api/stream/game/"+id)
	var first openapi.WatchGame
	watch.Next(t, &first)
	if len(first.Seats) != 4 {
		t.Errorf("spectators see %+v", first)
	}
	for range watch.Lines { // each is held against the spec
	}
}
