package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/client"
	"hoplite/openapi"
)

// write sends lines one by one, each flushed.
func write(w http.ResponseWriter, lines ...string) {
	for _, l := range lines {
		io.WriteString(w, l+"\n")
		http.NewResponseController(w).Flush()
	}
}

const full = `{"type":"gameFull","id":"abcd1234","variant":{"key":"spartan","name":"Spartan","short":"Sp"},"speed":"blitz",` +
	`"perf":{"name":"Spartan"},"rated":false,"createdAt":1,"white":{"id":"anna","name":"Anna","title":null},"black":{"aiLevel":3},` +
	`"initialFen":"startpos","state":{"type":"gameState","moves":"","wtime":1,"btime":2,"winc":0,"binc":0,"status":"started"},"new":{"a":[1]}}`

func state(moves, status string) string {
	return fmt.Sprintf(`{"type":"gameState","moves":%q,"wtime":1,"btime":2,"winc":0,"binc":0,"status":%q}`, moves, status)
}

// summary is a line of a game stream in short.
func summary(e client.GameEvent) string {
	switch {
	case e.Full != nil:
		return "full " + e.Full.ID
	case e.State != nil:
		return string(e.State.Status) + " " + e.State.Moves
	case e.Chat != nil:
		return e.Chat.Username + ": " + e.Chat.Text
	case e.Gone != nil:
		return fmt.Sprint("gone ", e.Gone.Gone)
	}
	return e.Type
}

func gather(t *testing.T, seq iter.Seq2[client.GameEvent, error]) ([]string, error) {
	t.Helper()
	var got []string
	for e, err := range seq {
		if err != nil {
			return got, err
		}
		got = append(got, summary(e))
	}
	return got, nil
}

func TestGameStream(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/bot/game/stream/abcd1234" {
			http.NotFound(w, r)
			return
		}
		write(w, full, "", state("e2e4", "started"), "", "",
			`{"type":"chatLine","room":"player","username":"Anna","text":"hi"}`,
			`{"type":"opponentGone","gone":true,"claimWinInSeconds":8}`, `{"type":"somethingNew","x":1}`)
		io.WriteString(w, state("e2e4 e7e5", "resign")) // the last line without its break
	})
	got, err := gather(t, c.Bot.Stream(t.Context(), "abcd1234"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"full abcd1234", "started e2e4", "Anna: hi", "gone true", "somethingNew", "resign e2e4 e7e5"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestStreamErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		serve     http.HandlerFunc
		lines     int
		is        func(error) bool
		temporary bool
	}{
		"refused": {
			func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusNotFound)
				io.WriteString(w, `{"error":"No such game"}`)
			}, 0, func(err error) bool { return client.StatusOf(err) == 404 }, false,
		},
		"cut off in a line": {
			func(w http.ResponseWriter, r *http.Request) {
				write(w, full)
				io.WriteString(w, `{"type":"gameState","mov`)
				http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			}, 1, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }, true,
		},
		"silent": {
			func(w http.ResponseWriter, r *http.Request) { write(w, full); <-r.Context().Done() },
			1, func(err error) bool { return errors.Is(err, client.ErrIdle) }, true,
		},
		"no JSON": {
			func(w http.ResponseWriter, r *http.Request) { write(w, full, "<html>") },
			1, func(err error) bool { _, ok := errors.AsType[*client.DecodeError](err); return ok }, false,
		},
		"endless line": {
			func(w http.ResponseWriter, r *http.Request) {
				for r.Context().Err() == nil {
					if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
						return
					}
				}
			}, 0, func(err error) bool { _, ok := errors.AsType[*client.DecodeError](err); return ok }, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, tc.serve, client.IdleTimeout(300*time.Millisecond))
			got, err := gather(t, c.Bot.Stream(t.Context(), "abcd1234"))
			if err == nil || !tc.is(err) || client.Temporary(err) != tc.temporary || len(got) != tc.lines {
				t.Errorf("got %q, then %v (%T, temporary %v)", got, err, err, client.Temporary(err))
			}
		})
	}
}

// TestKeepAlive keeps a stream open by blank lines for longer than it may idle.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		write(w, full)
		for range 10 {
			time.Sleep(50 * time.Millisecond)
			write(w, "")
		}
		write(w, state("", "aborted"))
	}, client.IdleTimeout(250*time.Millisecond))
	got, err := gather(t, c.Bot.Stream(t.Context(), "abcd1234"))
	if err != nil || len(got) != 2 {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestSlowReaderIsNotSilence lets the loop's body take longer than the stream
// may idle.
func TestSlowReaderIsNotSilence(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { write(w, full, state("", "aborted")) },
		client.IdleTimeout(100*time.Millisecond))
	n := 0
	for _, err := range c.Bot.Stream(t.Context(), "abcd1234") {
		if err != nil {
			t.Fatal(err)
		}
		n++
		time.Sleep(250 * time.Millisecond)
	}
	if n != 2 {
		t.Errorf("got %d lines, want 2", n)
	}
}

func TestLeavingTheLoopClosesTheStream(t *testing.T) {
	t.Parallel()
	closed := make(chan struct{})
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(closed)
		write(w, full)
		<-r.Context().Done()
	})
	for _, err := range c.Bot.Stream(t.Context(), "abcd1234") {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	select {
	case <-closed:
	case <-time.After(5 * time.Second):
		t.Error("the connection stays open")
	}
}

func TestReconnect(t *testing.T) {
	t.Parallel()
	var opened atomic.Int32
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch opened.Add(1) {
		case 1:
			write(w, full)
			panic(http.ErrAbortHandler) // lost
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable) // restarting
		case 3:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		case 4:
			write(w, full, state("e2e4", "started")) // ended in order, but the game goes on
		default:
			write(w, full, state("e2e4 e7e5", "mate"))
		}
	})
	b := client.Backoff{First: time.Millisecond, Max: 4 * time.Millisecond}
	open := func(ctx context.Context) iter.Seq2[client.GameEvent, error] { return c.Bot.Stream(ctx, "abcd1234") }
	got, err := gather(t, client.Reconnect(t.Context(), b, slog.New(slog.DiscardHandler), open, client.GameEvent.Final))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"full abcd1234", "full abcd1234", "started e2e4", "full abcd1234", "mate e2e4 e7e5"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if n := opened.Load(); n != 5 {
		t.Errorf("opened %d times, want 5", n)
	}
}

func TestReconnectGivesUpForGood(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	b := client.Backoff{First: time.Millisecond, Max: 4 * time.Millisecond}
	n := 0
	for _, err := range client.Reconnect(t.Context(), b, nil, c.Account.Events, nil) {
		n++
		if client.StatusOf(err) != http.StatusUnauthorized {
			t.Errorf("got %v, want 401", err)
		}
	}
	if n != 1 {
		t.Errorf("got %d values, want the error alone", n)
	}
}

func TestReconnectEndsWithItsContext(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { write(w, `{"type":"x"}`); <-r.Context().Done() })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b := client.Backoff{First: time.Millisecond, Max: 4 * time.Millisecond}
	for e, err := range client.Reconnect(ctx, b, nil, c.Account.Events, nil) {
		if err != nil {
			t.Errorf("got %v, want a silent end", err)
		}
		if e.Type == "x" {
			cancel()
		}
	}
	if ctx.Err() == nil {
		t.Error("the stream ended before its context")
	}
}

func TestChallengeKeptAlive(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("keepAliveStream") != "true" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		write(w, `{"id":"abcd1234","status":"created","challenger":null,"destUser":{"id":"anna","name":"Anna","rating":1500}}`, "", `{"done":"accepted"}`)
	})
	var got []string
	for n, err := range c.Challenges.CreateAndWait(t.Context(), "anna", openapi.ChallengeForm{}) {
		if err != nil {
			t.Fatal(err)
		}
		if n.Challenge != nil {
			got = append(got, n.Challenge.ID)
			continue
		}
		got = append(got, string(n.Done))
	}
	if diff := cmp.Diff([]string{"abcd1234", "accepted"}, got); diff != "" {
		t.Errorf("news (-want +got):\n%s", diff)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		write(w, `{"id":"abcd1234","fen":"x"}`, `{"fen":"y","lm":"e2e4","wc":1,"bc":2}`)
	})
	var got []string
	for e, err := range c.Games.Watch(t.Context(), "abcd1234") {
		if err != nil {
			t.Fatal(err)
		}
		if e.Game != nil {
			got = append(got, "game "+e.Game.ID)
			continue
		}
		got = append(got, "move "+e.Move.Lm)
	}
	if diff := cmp.Diff([]string{"game abcd1234", "move e2e4"}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
