package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// feed collects the types of the lines of a stream, with the ids in them.
type feed struct {
	t     testing.TB
	lines chan string // "gameStart abcdefgh"; closed at the end of the stream
}

func openFeed(t testing.TB, p *process, method, token, path string, form url.Values) *feed {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", path, answer.Status)
	}
	f := &feed{t: t, lines: make(chan string, 100)}
	go func() {
		defer close(f.lines)
		defer answer.Body.Close()
		for decoder := json.NewDecoder(answer.Body); ; {
			var ev struct {
				Type            string
				Game, Challenge struct{ ID string }
			}
			if decoder.Decode(&ev) != nil {
				return // the end, however it came
			}
			f.lines <- ev.Type + " " + ev.Game.ID + ev.Challenge.ID
		}
	}()
	return f
}

// want waits for a line of this type and returns the id in it.
func (f *feed) want(kind string) (id string) {
	f.t.Helper()
	for {
		select {
		case line, ok := <-f.lines:
			if !ok {
				f.t.Fatalf("the stream ended before %s", kind)
			}
			got, id, _ := strings.Cut(line, " ")
			if got == kind {
				return id
			}
			f.t.Fatalf("got %s, want %s", line, kind)
		case <-time.After(10 * time.Second):
			f.t.Fatalf("no %s", kind)
		}
	}
}

// ends waits for the end of the stream.
func (f *feed) ends() {
	f.t.Helper()
	f.endsWithin(10 * time.Second)
}

func (f *feed) endsWithin(patience time.Duration) {
	f.t.Helper()
	for deadline := time.After(patience); ; {
		select {
		case _, ok := <-f.lines:
			if !ok {
				return
			}
		case <-deadline:
			f.t.Fatal("the stream does not end")
		}
	}
}

func wantCode(t testing.TB, what string, want int) func(code int, body string) string {
	return func(code int, body string) string {
		t.Helper()
		if code != want {
			t.Fatalf("%s: %d %s, want %d", what, code, body, want)
		}
		return body
	}
}

// eventually repeats a question until its answer is right.
func eventually(t testing.TB, what string, within time.Duration, right func() bool) {
	t.Helper()
	for deadline := time.Now().Add(within); !right(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, within)
		}
	}
}

// TestNodesTakeAnyRequest sends what belongs together to different nodes.
func TestNodesTakeAnyRequest(t *testing.T) {
	n := startNodes(t, 3)
	if n == nil {
		return
	}
	p := n.list()
	anna, bert := signUp(t, p[0], "Anna"), signUp(t, p[1], "Bert")

	events := openFeed(t, p[2], http.MethodGet, anna, "/api/stream/event", nil)
	for _, at := range p {
		eventually(t, "Anna is online", 5*time.Second, func() bool {
			_, body := get(at, "", "/api/users/status?ids=anna")
			return strings.Contains(body, `"online":true`)
		})
	}

	// A challenge, from node to node.
	form := url.Values{"clock.limit": {"300"}, "clock.increment": {"3"}, "color": {"white"}}
	var made struct{ ID string }
	body := wantCode(t, "challenge", 200)(post(p[1], bert, "/api/challenge/Anna", form))
	if err := json.Unmarshal([]byte(body), &made); err != nil {
		t.Fatal(err)
	}
	if id := events.want("challenge"); id != made.ID {
		t.Errorf("challenge %s was told of, %s was made", id, made.ID)
	}
	wantCode(t, "accept", 200)(post(p[0], anna, "/api/challenge/"+made.ID+"/accept", nil))
	if id := events.want("gameStart"); id != made.ID {
		t.Errorf("game %s begins, want %s", id, made.ID)
	}
	watched := openFeed(t, p[2], http.MethodGet, anna, "/api/board/game/stream/"+made.ID, nil)
	watched.want("gameFull")
	for i, move := range []string{"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"} {
		wantCode(t, move, 200)(post(p[i%3], []string{bert, anna}[i%2], "/api/board/game/"+made.ID+"/move/"+move, nil))
		watched.want("gameState")
	}
	wantCode(t, "chat", 200)(post(p[1], bert, "/api/board/game/"+made.ID+"/chat", url.Values{"room": {"player"}, "text": {"hello"}}))
	watched.want("chatLine")
	wantCode(t, "not one's turn", 400)(post(p[0], anna, "/api/board/game/"+made.ID+"/move/h7h6", nil))
	wantCode(t, "resign", 200)(post(p[1], anna, "/api/board/game/"+made.ID+"/resign", nil))
	watched.want("gameState")
	watched.ends()
	events.want("gameFinish")

	// Two seeks at different nodes find each other, wherever the book is.
	for i := range p {
		seek := url.Values{"time": {"10"}, "increment": {"0"}}
		waiting := openFeed(t, p[i], http.MethodPost, bert, "/api/board/seek", seek)
		found := openFeed(t, p[(i+1)%3], http.MethodPost, anna, "/api/board/seek", seek)
		found.ends()
		waiting.ends()
		id := events.want("gameStart")
		wantCode(t, "abort", 200)(post(p[i], bert, "/api/board/game/"+id+"/abort", nil))
		events.want("gameFinish")
	}

	// A token that is revoked at one node is refused by all, and its stream ends.
	for _, at := range p {
		wantCode(t, "account", 200)(get(at, anna, "/api/account"))
	}
	wantCode(t, "revoke", 204)(send(p[0], http.MethodDelete, anna, "", "/api/token", nil))
	for _, at := range p {
		eventually(t, "the token is refused", 2*time.Second, func() bool {
			code, _ := get(at, anna, "/api/account")
			return code == http.StatusUnauthorized
		})
	}
	events.ends()
}
