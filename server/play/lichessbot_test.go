package play_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/openapi"
	"hoplite/server/servertest"
)

// The time limits of lichess-bot: two seconds for an answer, fifteen without a
// line on a stream.
const (
	answerLimit  = 2 * time.Second
	silenceLimit = 15 * time.Second
)

// lichessBot sends what lichess-bot sends, in its way and within its limits.
type lichessBot struct {
	t         *testing.T
	url       string
	token     string
	userAgent string
	client    http.Client
}

func (b *lichessBot) request(ctx context.Context, method, path, contentType, body string) *http.Request {
	b.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, b.url+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+b.token)
	r.Header.Set("User-Agent", b.userAgent)
	r.Header.Set("Accept", "*/*")
	r.Header.Set("Accept-Encoding", "gzip, deflate")
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

// call sends a request and returns status and body. Whatever the status, the
// bot reads the answer as JSON, except of an export.
func (b *lichessBot) call(method, path, contentType, body string) (int, string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), answerLimit)
	defer cancel()
	begun := time.Now()
	res, err := b.client.Do(b.request(ctx, method, path, contentType, body))
	if err != nil {
		b.t.Fatalf("%s %s after %v: %v", method, path, time.Since(begun), err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
	if !strings.HasPrefix(path, "/game/export") && !strings.HasPrefix(path, "/api/bot/online") && !json.Valid(text) {
		b.t.Errorf("%s %s: the answer is no JSON: %q", method, path, text)
	}
	return res.StatusCode, string(text)
}

func (b *lichessBot) ok(method, path, contentType, body string) string {
	b.t.Helper()
	status, text := b.call(method, path, contentType, body)
	if status != http.StatusOK {
		b.t.Fatalf("%s %s: status %d: %s", method, path, status, text)
	}
	return text
}

const formType = "application/x-www-form-urlencoded"

func (b *lichessBot) say(id, room, text string) {
	b.t.Helper()
	b.ok("POST", "/api/bot/game/"+id+"/chat", formType, url.Values{"room": {room}, "text": {text}}.Encode())
}

// lines reads a stream as the bot does. The channel is closed by a clean end.
func (b *lichessBot) lines(path string) <-chan string {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	b.t.Cleanup(cancel)
	res, err := b.client.Do(b.request(ctx, "GET", path, "", ""))
	if err != nil || res.StatusCode != http.StatusOK {
		b.t.Fatalf("GET %s: %v", path, err)
	}
	if res.Header.Get("Content-Encoding") != "" || !slices.Equal(res.TransferEncoding, []string{"chunked"}) {
		b.t.Errorf("GET %s: encoding %q, transfer %v", path, res.Header.Get("Content-Encoding"), res.TransferEncoding)
	}
	out := make(chan string, 64)
	go func() {
		defer res.Body.Close()
		in := bufio.NewReader(res.Body)
		for {
			line, err := in.ReadString('\n')
			if err == io.EOF && line == "" {
				close(out) // a clean end
				return
			}
			if err != nil {
				return // the connection broke: the reader runs into its limit
			}
			out <- strings.TrimSuffix(line, "\n")
		}
	}()
	return out
}

// next returns the next line that is not blank.
func (b *lichessBot) next(lines <-chan string, what string) map[string]any {
	b.t.Helper()
	for {
		select {
		case line, open := <-lines:
			if !open {
				b.t.Fatalf("the stream ended before %s", what)
			}
			if line == "" {
				continue
			}
			var v map[string]any
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				b.t.Fatalf("%s: %v: %s", what, err, line)
			}
			return v
		case <-time.After(silenceLimit):
			b.t.Fatalf("no line for %v before %s", silenceLimit, what)
		}
	}
}

// state returns the next state of a game, over the server's notes in the chat.
func (b *lichessBot) state(lines <-chan string, what string) map[string]any {
	b.t.Helper()
	for {
		v := b.next(lines, what)
		if v["type"] == "chatLine" && v["username"] == "lichess" {
			continue
		}
		if v["type"] != "gameState" {
			b.t.Errorf("%v instead of %s", v, what)
		}
		return v
	}
}

func (b *lichessBot) ended(lines <-chan string) {
	b.t.Helper()
	select {
	case line, open := <-lines:
		if open {
			b.t.Errorf("line %q after the last one", line)
		}
	case <-time.After(silenceLimit):
		b.t.Error("the stream was not closed")
	}
}

// has looks a value up by its path of keys and fails without it.
func has(t *testing.T, v map[string]any, path string) any {
	t.Helper()
	var at any = v
	for key := range strings.SplitSeq(path, ".") {
		m, _ := at.(map[string]any)
		next, found := m[key]
		if !found {
			t.Fatalf("%s is missing in %v", path, v)
		}
		at = next
	}
	return at
}

// TestLichessBotSequence replays a session of lichess-bot: start, a challenge,
// a game, matchmaking.
func TestLichessBotSequence(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, robot := s.SignUp(t, "Ann"), s.SignUpBot(t, "Robot")
	b := &lichessBot{t: t, url: s.URL, token: robot.Token, userAgent: "lichess-bot/2026.8.2.1 user:?"}

	// 1, 2: who am I?
	var tokens map[string]*struct{ Scopes string }
	if err := json.Unmarshal([]byte(b.ok("POST", "/api/token/test", "", b.token)), &tokens); err != nil {
		t.Fatal(err)
	}
	if e := tokens[b.token]; e == nil || !slices.Contains(strings.Split(e.Scopes, ","), "bot:play") {
		t.Fatalf("token test %v", tokens)
	}
	var me struct{ ID, Username, Title string }
	if err := json.Unmarshal([]byte(b.ok("GET", "/api/account", "", "")), &me); err != nil || me.Title != "BOT" || me.Username != "Robot" {
		t.Fatalf("account %+v, %v", me, err)
	}
	b.userAgent = "lichess-bot/2026.8.2.1 user:Robot"

	// 3 to 6: the event stream, a challenge, its acceptance.
	playing := func() string { return b.ok("GET", "/api/account/playing", "", "") }
	if got := strings.TrimSpace(playing()); got != `{"nbMyTurn":0,"nowPlaying":[]}` {
		t.Errorf("playing %s", got)
	}
	events := b.lines("/api/stream/event")
	c := challenge(t, ann, robot, terms("clock.limit", "180", "clock.increment", "2"))
	ev := b.next(events, "the challenge")
	for _, path := range []string{
		"type", "challenge.id", "challenge.rated", "challenge.variant.key", "challenge.perf.name", "challenge.speed",
		"challenge.timeControl.type", "challenge.color", "challenge.finalColor", "challenge.challenger.name", "challenge.destUser.name",
		"compat.bot",
	} {
		has(t, ev, path)
	}
	if has(t, ev, "type") != "challenge" || has(t, ev, "compat.bot") != true {
		t.Errorf("challenge event %v", ev)
	}
	playing()
	b.ok("POST", "/api/challenge/"+c.ID+"/accept", "", "")
	ev = b.next(events, "gameStart")
	if has(t, ev, "type") != "gameStart" || has(t, ev, "game.id") != c.ID || has(t, ev, "game.opponent.username") != "Ann" {
		t.Errorf("gameStart %v", ev)
	}
	if !strings.Contains(playing(), `"gameId":"`+c.ID+`"`) {
		t.Error("the game is not among those being played")
	}

	// 7 to 10: the game.
	stream := b.lines("/api/bot/game/stream/" + c.ID)
	full := b.next(stream, "gameFull")
	if has(t, full, "type") != "gameFull" || has(t, full, "state.status") != "started" || has(t, full, "black.name") != "Robot" ||
		has(t, full, "variant.name") != "Standard" || has(t, full, "initialFen") != "startpos" || has(t, full, "clock.initial") != 180000.0 {
		t.Errorf("gameFull %v", full)
	}
	has(t, full, "createdAt")
	has(t, full, "white.title")
	move(t, ann, board, c.ID, "e2e4")
	state := b.state(stream, "the first move")
	if has(t, state, "moves") != "e2e4" || has(t, state, "wtime") == nil || has(t, state, "binc") != 2000.0 {
		t.Errorf("state %v", state)
	}
	b.say(c.ID, "player", "hi Ann")
	b.say(c.ID, "spectator", "hi all")
	b.ok("POST", "/api/bot/game/"+c.ID+"/move/e7e5?offeringDraw=false", "", "")
	// Sent again after a lost answer, a move is refused and not played twice.
	if status, _ := b.call("POST", "/api/bot/game/"+c.ID+"/move/e7e5?offeringDraw=false", "", ""); status != http.StatusBadRequest {
		t.Errorf("a repeated move: status %d", status)
	}
	for _, want := range []string{"chatLine player", "chatLine spectator", "gameState e2e4 e7e5"} {
		v := b.next(stream, want)
		got := has(t, v, "type").(string) + " "
		if got == "chatLine " {
			got += has(t, v, "room").(string)
		} else {
			got += has(t, v, "moves").(string)
		}
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	ann.Post(t, board+c.ID+"/takeback/yes", nil).Want(t, http.StatusOK)
	if state = b.state(stream, "the takeback"); has(t, state, "wtakeback") != true {
		t.Errorf("state %v", state)
	}
	b.ok("POST", "/api/bot/game/"+c.ID+"/takeback/no", "", "")
	if state = b.state(stream, "its refusal"); state["wtakeback"] != nil {
		t.Errorf("state %v", state)
	}

	// 11 to 13: the end.
	ann.Post(t, board+c.ID+"/resign", nil).Want(t, http.StatusOK)
	if state = b.state(stream, "the end"); has(t, state, "status") != "resign" || has(t, state, "winner") != "black" {
		t.Errorf("state %v", state)
	}
	b.ended(stream)
	b.say(c.ID, "player", "good game")
	b.say(c.ID, "spectator", "bye")
	if pgn := b.ok("GET", "/game/export/"+c.ID, "", ""); !strings.HasPrefix(pgn, `[Event "casual blitz game"]`) || !strings.HasSuffix(pgn, " 0-1\n\n\n") {
		t.Errorf("export %q", pgn)
	}
	if strings.Contains(playing(), c.ID) {
		t.Error("the game is still being played")
	}
	if ev = b.next(events, "gameFinish"); has(t, ev, "type") != "gameFinish" || has(t, ev, "game.id") != c.ID {
		t.Errorf("event %v", ev)
	}

	// Every hour: am I online?
	var status []struct{ Online bool }
	if err := json.Unmarshal([]byte(b.ok("GET", "/api/users/status?ids=robot", "", "")), &status); err != nil || len(status) != 1 || !status[0].Online {
		t.Errorf("status %v, %v", status, err)
	}

	// A challenge that does not suit is declined.
	c = challenge(t, ann, robot, terms())
	b.next(events, "the second challenge")
	b.ok("POST", "/api/challenge/"+c.ID+"/decline", formType, "reason=timeControl")
	ev = b.next(events, "its decline")
	has(t, ev, "challenge.declineReason")
	if has(t, ev, "challenge.declineReasonKey") != "timecontrol" {
		t.Errorf("event %v", ev)
	}

	// Matchmaking.
	if got := b.ok("GET", "/api/bot/online?nb=512", "", ""); !strings.Contains(got, `"Robot"`) || strings.Contains(got, "\n\n") {
		t.Errorf("bots online %q", got)
	}
	b.ok("GET", "/api/user/Ann", "", "")
	var made openapi.Challenge
	text := b.ok("POST", "/api/challenge/Ann", "application/json",
		`{"rated": false, "variant": "chess960", "clock.limit": 300, "clock.increment": 3}`)
	if err := json.Unmarshal([]byte(text), &made); err != nil || len(made.ID) != 8 {
		t.Errorf("challenge %s: %v", text, err)
	}
	b.next(events, "its own challenge")
	b.ok("POST", "/api/challenge/"+made.ID+"/cancel", "", "")
	if ev = b.next(events, "its cancellation"); has(t, ev, "type") != "challengeCanceled" || has(t, ev, "challenge.id") != made.ID {
		t.Errorf("event %v", ev)
	}
	if code, _ := b.call("POST", "/api/challenge/nobody", "application/json", `{"rated": true, "days": 3, "variant": "standard"}`); code != http.StatusBadRequest {
		t.Errorf("challenging nobody: status %d", code)
	}

	// Nothing happens in a new game: the bot aborts it.
	c = challenge(t, ann, robot, terms("clock.limit", "60", "clock.increment", "0"))
	b.next(events, "the third challenge")
	b.ok("POST", "/api/challenge/"+c.ID+"/accept", "", "")
	b.next(events, "its start")
	stream = b.lines("/api/bot/game/stream/" + c.ID)
	b.next(stream, "gameFull")
	b.ok("POST", "/api/bot/game/"+c.ID+"/abort", "", "")
	if state = b.state(stream, "the abort"); has(t, state, "status") != "aborted" {
		t.Errorf("state %v", state)
	}
	b.ended(stream)
}
