package play_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/openapi"
	"hoplite/server/servertest"
)

// TestConditionalMoves are set through the client, played by the server, and told to nobody else.
func TestConditionalMoves(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := begin(t, ann, bob, url.Values{"days": {"3"}, "color": {"white"}})
	c := ann.Client(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	if _, err := c.Games.SetConditional(ctx, id, []string{"e7e5 g1f3"}); err == nil || !strings.Contains(err.Error(), "It is your turn") {
		t.Errorf("at one's own turn: %v", err)
	}
	move(t, ann, board, id, "e2e4")
	if _, err := c.Games.SetConditional(ctx, id, []string{"e7e5 g1f3", "c7c5"}); err == nil || !strings.Contains(err.Error(), "Line 2: must end with a move of yours") {
		t.Errorf("a line without an answer: %v", err)
	}
	if _, err := c.Games.SetConditional(ctx, id, []string{"e7e5 g1f3 b8c6 f1b5", "c7c5 g1f3"}); err != nil {
		t.Fatal(err)
	}
	lines, err := c.Games.Conditional(ctx, id)
	if err != nil || !slices.Equal(lines, []string{"e7e5 g1f3 b8c6 f1b5", "c7c5 g1f3"}) {
		t.Fatalf("lines %q, %v", lines, err)
	}
	if theirs, err := bob.Client(t).Games.Conditional(ctx, id); err != nil || len(theirs) != 0 {
		t.Errorf("the opponent sees %q, %v", theirs, err)
	}
	eve := s.SignUp(t, "Eve").Client(t)
	if _, err := eve.Games.Conditional(ctx, id); err == nil {
		t.Error("a stranger sees the lines of a game")
	}

	sees := bob.Stream(t, board+"stream/"+id)
	sees.Next(t, nil)
	move(t, bob, board, id, "e7e5")
	if got := nextState(t, sees).Moves; got != "e2e4 e7e5" {
		t.Errorf("first state %q", got)
	}
	if got := nextState(t, sees).Moves; got != "e2e4 e7e5 g1f3" {
		t.Errorf("second state %q", got)
	}
	if lines, err = c.Games.Conditional(ctx, id); err != nil || !slices.Equal(lines, []string{"b8c6 f1b5"}) {
		t.Errorf("left are %q, %v", lines, err)
	}
	move(t, bob, board, id, "a7a6")
	if lines, err = c.Games.Conditional(ctx, id); err != nil || len(lines) != 0 {
		t.Errorf("left are %q, %v", lines, err)
	}
	var game openapi.Game
	r := ann.Request(t, http.MethodGet, "/game/export/"+id, "", nil)
	r.Header.Set("Accept", "application/json")
	bob.Post(t, board+id+"/resign", nil).Want(t, http.StatusOK)
	ann.Do(t, r).Want(t, http.StatusOK).JSON(t, &game)
	if game.Moves == nil || *game.Moves != "e4 e5 Nf3 a6" {
		t.Errorf("moves %v", game.Moves)
	}
}

// TestMutedChat: who mutes the chat gets no line of others, by stream or list, until the chat is heard again.
func TestMutedChat(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := begin(t, ann, bob, terms())
	c := ann.Client(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	annSees, bobSees := ann.Stream(t, board+"stream/"+id), bob.Stream(t, board+"stream/"+id)
	annSees.Next(t, nil)
	bobSees.Next(t, nil)
	if _, err := c.Games.MuteChat(ctx, id, true); err != nil {
		t.Fatal(err)
	}
	if ok, err := c.Games.MuteChat(ctx, id, true); err != nil || ok.Note == "" {
		t.Errorf("muting twice: %+v, %v", ok, err)
	}
	say := func(u *servertest.User, text string) {
		t.Helper()
		u.Post(t, board+id+"/chat", url.Values{"room": {"player"}, "text": {text}}).Want(t, http.StatusOK)
	}
	say(bob, "rude words")
	say(ann, "good luck")
	var line openapi.ChatLine
	if annSees.Next(t, &line); line.Text != "good luck" {
		t.Errorf("Ann sees %+v", line)
	}
	if bobSees.Next(t, &line); line.Text != "rude words" {
		t.Errorf("Bob sees %+v", line)
	}
	if lines, err := c.Board.Chat(ctx, id); err != nil || len(lines) != 1 || lines[0].Text != "good luck" {
		t.Errorf("Ann reads %+v, %v", lines, err)
	}
	if _, err := c.Games.MuteChat(ctx, id, false); err != nil {
		t.Fatal(err)
	}
	if lines, err := c.Board.Chat(ctx, id); err != nil || len(lines) != 2 {
		t.Errorf("Ann reads %+v, %v", lines, err)
	}
}

// TestManyStreams: many streams of one game by many tokens all get every state once and in order.
func TestManyStreams(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := begin(t, ann, bob, terms())
	var streams []*servertest.Stream
	for i := range 20 {
		r := []*servertest.User{ann, bob}[i%2].Request(t, http.MethodGet, board+"stream/"+id, "", nil)
		// A second stream of the same program would close the first.
		r.Header.Set("User-Agent", "program "+string(rune('a'+i)))
		sees := []*servertest.User{ann, bob}[i%2].OpenStream(t, r)
		sees.Next(t, nil)
		streams = append(streams, sees)
	}
	playLine(t, ann, bob, id, "e2e4 e7e5 g1f3 b8c6")
	bob.Post(t, board+id+"/resign", nil).Want(t, http.StatusOK)
	want := []string{"e2e4", "e2e4 e7e5", "e2e4 e7e5 g1f3", "e2e4 e7e5 g1f3 b8c6", "e2e4 e7e5 g1f3 b8c6"}
	for i, sees := range streams {
		for n, moves := range want {
			state := nextState(t, sees)
			if state.Moves != moves || (state.Status == "started") != (n < 4) {
				t.Errorf("stream %d, state %d: %q, %s", i, n, state.Moves, state.Status)
			}
		}
		sees.End(t)
	}
}

// TestTakebackRestoresClocks: both sides have what they had.
func TestTakebackRestoresClocks(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := begin(t, ann, bob, terms("clock.increment", "0"))
	playLine(t, ann, bob, id, "e2e4 e7e5")
	time.Sleep(1200 * time.Millisecond)
	sees := bob.Stream(t, board+"stream/"+id)
	sees.Next(t, nil)
	move(t, ann, board, id, "g1f3")
	if state := nextState(t, sees); state.Wtime > 599_000 {
		t.Fatalf("White has %d ms left", state.Wtime)
	}
	ann.Post(t, board+id+"/takeback/yes", nil).Want(t, http.StatusOK)
	bob.Post(t, board+id+"/takeback/yes", nil).Want(t, http.StatusOK)
	nextState(t, sees)
	if state := nextState(t, sees); state.Moves != "e2e4 e7e5" || state.Wtime < 599_500 || state.Btime != 600_000 {
		t.Errorf("after the takeback %+v", state)
	}
}
