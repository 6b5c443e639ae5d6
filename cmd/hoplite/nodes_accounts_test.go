package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hoplite/client"
)

// heldWithin bounds how long a credential can be used after it was revoked at a node that the others cannot hear: ten
// seconds, and some for a busy machine.
const heldWithin = 40 * time.Second

// TestRevokedWithoutNATS revokes a token at one node while nothing goes between them. The other looks it up by itself.
func TestRevokedWithoutNATS(t *testing.T) {
	n := startNodes(t, 2)
	if n == nil {
		return
	}
	p := n.list()
	anna := signUp(t, p[0], "Anna")
	wantCode(t, "account", 200)(get(p[1], anna, "/api/account"))
	events := openFeed(t, p[1], http.MethodGet, anna, "/api/stream/event", nil)
	socket, err := clientAt(t, p[1], anna).Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	lost := make(chan error, 1)
	go func() {
		for _, err := range socket.Events(context.WithoutCancel(t.Context())) {
			if err != nil {
				lost <- err
			}
		}
	}()
	n.mute()
	wantCode(t, "revoke", 204)(send(p[0], http.MethodDelete, anna, "", "/api/token", nil))
	events.endsWithin(heldWithin)
	select {
	case err := <-lost:
		if !errors.Is(err, client.ErrRevoked) {
			t.Errorf("the socket ended with %v", err)
		}
	case <-time.After(heldWithin):
		t.Error("the socket goes on")
	}
	eventually(t, "the token is refused", heldWithin, func() bool {
		code, _ := get(p[1], anna, "/api/account")
		return code == http.StatusUnauthorized
	})
}

// TestAccountClosedOverNodes closes an account at one node that has something open at every other.
func TestAccountClosedOverNodes(t *testing.T) {
	n := startNodes(t, 3)
	if n == nil {
		return
	}
	p := n.list()
	anna, bert := signUp(t, p[0], "Anna"), signUp(t, p[1], "Bert")
	var session struct{ Session string }
	body := wantCode(t, "log in", 200)(post(p[0], "", "/api/login", url.Values{"username": {"Anna"}, "password": {"correct horse battery"}}))
	if err := json.Unmarshal([]byte(body), &session); err != nil {
		t.Fatal(err)
	}

	var games []string
	form := url.Values{"clock.limit": {"600"}, "clock.increment": {"1"}, "color": {"white"}}
	for i := range 6 { // of several nodes, most likely
		var made struct{ ID string }
		body := wantCode(t, "challenge", 200)(post(p[i%3], bert, "/api/challenge/Anna", form))
		if err := json.Unmarshal([]byte(body), &made); err != nil {
			t.Fatal(err)
		}
		wantCode(t, "accept", 200)(post(p[(i+1)%3], anna, "/api/challenge/"+made.ID+"/accept", nil))
		for ply, move := range []string{"e2e4", "e7e5"} {
			wantCode(t, move, 200)(post(p[i%3], []string{bert, anna}[ply], "/api/board/game/"+made.ID+"/move/"+move, nil))
		}
		games = append(games, made.ID)
	}
	wantCode(t, "challenge that waits", 200)(post(p[2], anna, "/api/challenge/Bert", form))
	theirs := openFeed(t, p[1], http.MethodGet, anna, "/api/stream/event", nil)
	watched := openFeed(t, p[2], http.MethodGet, bert, "/api/board/game/stream/"+games[0], nil)
	seek := openFeed(t, p[0], http.MethodPost, anna, "/api/board/seek", url.Values{"time": {"15"}, "increment": {"3"}})

	wantCode(t, "close", 200)(post(p[1], session.Session, "/api/account/close", url.Values{"password": {"correct horse battery"}}))
	theirs.ends()
	seek.ends()
	watched.want("gameFull")
	watched.want("gameState")
	watched.ends()
	for _, at := range p {
		eventually(t, "nobody gets in", 5*time.Second, func() bool {
			byToken, _ := get(at, anna, "/api/account")
			bySession, _ := get(at, session.Session, "/api/account")
			return byToken == http.StatusUnauthorized && bySession == http.StatusUnauthorized
		})
		for _, id := range games {
			eventually(t, "the game is over", 10*time.Second, func() bool {
				code, body := get(at, "", "/game/export/"+id+"?literate=false")
				return code == http.StatusOK && strings.Contains(body, `[Result "1-0"]`)
			})
		}
		body := wantCode(t, "challenges", 200)(get(at, bert, "/api/challenge"))
		if !strings.Contains(body, `"in":[]`) {
			t.Errorf("a challenge of nobody waits: %s", body)
		}
	}
}
