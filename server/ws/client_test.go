package ws_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi/frames"
	"hoplite/server/servertest"
)

// connect opens the Go client's socket for a user.
func connect(t *testing.T, s *servertest.Server, u *servertest.User, transport *http.Transport) *client.Socket {
	t.Helper()
	if transport == nil {
		transport = &http.Transport{}
	}
	c, err := client.New(client.BaseURL(s.URL), client.Token(u.Token), client.HTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	socket, err := c.Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	return socket
}

// TestClient seeks, plays and asks for a rematch with the Go client, while both connections are cut again and again.
func TestClient(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := newUser(t, s), newUser(t, s)
	cut := newCutter()
	a, b := connect(t, s, ann, cut.transport()), connect(t, s, bob, cut.transport())
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()

	limit, increment := 180, 2
	first, err := a.Seek(ctx, frames.Seek{Limit: &limit, Increment: &increment, Color: "white"})
	if err != nil || first.Seek == "" || first.Started {
		t.Fatalf("first seek: %+v, %v", first, err)
	}
	made, err := b.Join(ctx, frames.Join{Seek: first.Seek})
	if err != nil || !made.Started || made.Game == "" {
		t.Fatalf("join: %+v, %v", made, err)
	}
	id := made.Game

	stop := make(chan struct{})
	go cut.often(stop, 30*time.Millisecond)
	watch := make(chan uint64, 1000)
	go func() {
		defer close(watch)
		for u, err := range b.Game(ctx, id) {
			switch {
			case err != nil:
				t.Errorf("watching: %v", err)
				return
			case u.Game != nil:
				watch <- u.Game.Version
			case u.Event != nil:
				watch <- u.Event.Version
				if u.Event.Kind == frames.KindEnd {
					return
				}
			}
		}
	}()
	moves := []string{"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"}
	for i, m := range moves {
		ack, err := []*client.Socket{a, b}[i%2].Move(ctx, frames.Move{Game: id, Move: m})
		if err != nil || ack.Version == nil || *ack.Version != uint64(i+1) {
			t.Fatalf("move %d: %+v, %v", i+1, ack, err)
		}
	}
	if _, err := b.Resign(ctx, frames.Resign{Game: id}); err != nil {
		t.Fatal(err)
	}
	close(stop)
	var known uint64
	begun := false
	for v := range watch {
		if begun && v != known+1 {
			t.Errorf("version %d after %d", v, known)
		}
		known, begun = v, true
	}
	if want := uint64(len(moves) + 1); known != want {
		t.Errorf("the last version seen is %d, want %d", known, want)
	}
	offer, err := a.Rematch(ctx, frames.Rematch{Game: id, Accept: true})
	if err != nil || offer.Started || offer.Game == "" {
		t.Fatalf("offer: %+v, %v", offer, err)
	}
	again, err := a.Rematch(ctx, frames.Rematch{Game: id, Accept: true})
	if err != nil || again.Game != offer.Game {
		t.Errorf("the same offer again: %+v, %v", again, err)
	}
	taken, err := b.Rematch(ctx, frames.Rematch{Game: id, Accept: true})
	if err != nil || !taken.Started || taken.Game != offer.Game {
		t.Fatalf("taken: %+v, %v", taken, err)
	}
	late, err := a.Rematch(ctx, frames.Rematch{Game: id, Accept: true})
	if err != nil || !late.Started || late.Game != offer.Game {
		t.Errorf("once more: %+v, %v", late, err)
	}
	_, err = a.Move(ctx, frames.Move{Game: id, Move: "e2e4"})
	var refused *client.FrameError
	if !errors.As(err, &refused) || refused.Code != frames.CodeInvalid || refused.Type != "move" {
		t.Errorf("a move after the end: %v", err)
	}
	for _, err := range a.Game(ctx, "nogame01") {
		if !errors.As(err, &refused) || refused.Code != frames.CodeNotFound {
			t.Errorf("an unknown game: %v", err)
		}
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := a.Resign(ctx, frames.Resign{Game: id}); !errors.Is(err, client.ErrSocketClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// TestClientLearnsOfRevocation shows that a client does not come back with a token that is gone.
func TestClientLearnsOfRevocation(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	c, err := client.New(client.BaseURL(s.URL), client.Token("lip_0123456789abcdefghijABCDEFGHIJ01"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Socket(t.Context())
	var refused *client.FrameError
	if !errors.As(err, &refused) || refused.Code != frames.CodeUnauthenticated {
		t.Errorf("a wrong token: %v", err)
	}
}
