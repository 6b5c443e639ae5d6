package play_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hoplite/openapi"
	"hoplite/server/servertest"
)

// terms are those of a challenge with a clock that no test runs down.
func terms(more ...string) url.Values {
	form := url.Values{"clock.limit": {"600"}, "clock.increment": {"5"}, "color": {"white"}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

func challenge(t *testing.T, from, to *servertest.User, form url.Values) openapi.Challenge {
	t.Helper()
	var c openapi.Challenge
	from.Post(t, "/api/challenge/"+to.Name, form).Want(t, http.StatusOK).JSON(t, &c)
	return c
}

// begin starts a game in which the first user is White.
func begin(t *testing.T, white, black *servertest.User, form url.Values) string {
	t.Helper()
	c := challenge(t, white, black, form)
	black.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusOK)
	return c.ID
}

// api is the prefix of one of the two ways to play.
const (
	board = "/api/board/game/"
	bot   = "/api/bot/game/"
)

func move(t *testing.T, u *servertest.User, prefix, id, uci string) {
	t.Helper()
	u.Post(t, prefix+id+"/move/"+uci, nil).Want(t, http.StatusOK)
}

// nextState returns the next state of a game's stream.
func nextState(t *testing.T, sees *servertest.Stream) (state openapi.GameState) {
	t.Helper()
	sees.NextType(t, "gameState", &state)
	return state
}

// refused checks an error answer.
func refused(t *testing.T, a *servertest.Answer, status int, text string) {
	t.Helper()
	a.Want(t, status)
	if got := a.Error(t); !strings.Contains(got, text) {
		t.Errorf("error %q, want %q in it", got, text)
	}
}

// playLine plays moves by turns, White first.
func playLine(t *testing.T, white, black *servertest.User, id, moves string) {
	t.Helper()
	for i, uci := range strings.Fields(moves) {
		move(t, []*servertest.User{white, black}[i%2], board, id, uci)
	}
}

// TestSpartanGame: two people meet and play to mate, and both hear everything.
func TestSpartanGame(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	annHears, bobHears := ann.Stream(t, "/api/stream/event"), bob.Stream(t, "/api/stream/event")

	c := challenge(t, ann, bob, terms("variant", "spartan", "rated", "true"))
	for who, hears := range map[string]*servertest.Stream{"challenger": annHears, "target": bobHears} {
		var ev openapi.ChallengeEvent
		hears.NextType(t, "challenge", &ev)
		if ev.Challenge.ID != c.ID || ev.Compat.Bot || !ev.Compat.Board {
			t.Errorf("%s hears of %+v", who, ev)
		}
	}
	bob.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusOK)
	var start openapi.GameStartEvent
	annHears.NextType(t, "gameStart", &start)
	if g := start.Game; g.ID != c.ID || g.Color != "white" || !g.IsMyTurn || g.Opponent.Username != "Bob" || g.Variant.Key != "spartan" {
		t.Errorf("White's gameStart %+v", g)
	}
	bobHears.NextType(t, "gameStart", &start)
	if g := start.Game; g.ID != c.ID || g.Color != "black" || g.IsMyTurn {
		t.Errorf("Black's gameStart %+v", g)
	}

	annSees, bobSees := ann.Stream(t, board+"stream/"+c.ID), bob.Stream(t, board+"stream/"+c.ID)
	var full openapi.GameFull
	for _, sees := range []*servertest.Stream{annSees, bobSees} {
		sees.Next(t, &full)
		if full.Type != "gameFull" || full.InitialFen != "startpos" || full.White.Name != "Ann" || full.State.Moves != "" {
			t.Errorf("gameFull %+v", full)
		}
	}
	version := full.State.Version
	played := ""
	for i, uci := range []string{"f2f3", "g8f6", "g2g4", "f6h4"} {
		move(t, []*servertest.User{ann, bob}[i%2], board, c.ID, uci)
		played = strings.TrimSpace(played + " " + uci)
		for _, sees := range []*servertest.Stream{annSees, bobSees} {
			var state openapi.GameState
			sees.Next(t, &state)
			if state.Type != "gameState" || state.Moves != played || state.Version <= version {
				t.Fatalf("state %+v after %s, want a version above %d", state, played, version)
			}
			full.State = state
		}
		version = full.State.Version
	}
	if st := full.State; st.Status != "mate" || st.Winner != "black" {
		t.Errorf("final state %+v", st)
	}
	annSees.End(t)
	bobSees.End(t)
	var finish openapi.GameFinishEvent
	annHears.NextType(t, "gameFinish", &finish)
	if g := finish.Game; g.Winner != "black" || g.RatingDiff == nil || *g.RatingDiff >= 0 || g.Status.Name != "mate" {
		t.Errorf("gameFinish %+v", g)
	}
	bobHears.NextType(t, "gameFinish", &finish)
	if g := finish.Game; g.RatingDiff == nil || *g.RatingDiff <= 0 {
		t.Errorf("gameFinish %+v", g)
	}

	var playing openapi.NowPlaying
	ann.Get(t, "/api/account/playing").Want(t, http.StatusOK).JSON(t, &playing)
	if len(playing.NowPlaying) != 0 {
		t.Errorf("a finished game is still played: %+v", playing)
	}
	pgn := string(s.Anonymous().Get(t, "/game/export/"+c.ID).Want(t, http.StatusOK).Body)
	if !strings.Contains(pgn, "2... Wh4# {") || !strings.HasSuffix(pgn, " 0-1\n\n\n") || !strings.Contains(pgn, `[Result "0-1"]`) {
		t.Errorf("PGN:\n%s", pgn)
	}
	// The stream of a finished game is its first line only.
	again := ann.Stream(t, board+"stream/"+c.ID)
	again.Next(t, &full)
	if full.State.Status != "mate" || full.State.Moves != played {
		t.Errorf("gameFull of the finished game: %+v", full)
	}
	again.End(t)
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, eve := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.SignUp(t, "Eve")
	robot := s.SignUpBot(t, "Robot")
	id := begin(t, ann, bob, terms())

	refused(t, ann.Post(t, board+"nosuch00/move/e2e4", nil), http.StatusNotFound, "No such game")
	refused(t, eve.Post(t, board+id+"/move/e2e4", nil), http.StatusNotFound, "Not your game")
	refused(t, eve.Get(t, board+"stream/"+id), http.StatusNotFound, "Not your game")
	refused(t, eve.Get(t, board+id+"/chat"), http.StatusNotFound, "Not your game")
	refused(t, bob.Post(t, board+id+"/move/e7e5", nil), http.StatusBadRequest, "Not your turn, or game already over")
	for _, uci := range []string{"None", "0000", "e7e8Q", "e2e4Q", "xyz", "e2e4e5", "%20"} {
		refused(t, ann.Post(t, board+id+"/move/"+uci, nil), http.StatusBadRequest, "Invalid UCI")
	}
	for _, uci := range []string{"e2e5", "e1e2", "e7e5", "e2e4q", "a1h1"} {
		a := ann.Post(t, board+id+"/move/"+uci, nil).Want(t, http.StatusBadRequest)
		if a.Error(t) == "" {
			t.Errorf("illegal move %s: no sentence", uci)
		}
	}
	refused(t, ann.Post(t, bot+id+"/move/e2e4", nil), http.StatusBadRequest, "Bot account")
	refused(t, ann.Get(t, bot+"stream/"+id), http.StatusBadRequest, "Bot account")
	refused(t, ann.Post(t, board+id+"/berserk", nil), http.StatusBadRequest, "arena")
	refused(t, ann.Post(t, board+id+"/claim-victory", nil), http.StatusBadRequest, "You cannot claim the win on this game")
	refused(t, ann.Post(t, board+id+"/claim-draw", nil), http.StatusBadRequest, "You cannot claim draw on this game")

	var full openapi.GameFull
	sees := ann.Stream(t, board+"stream/"+id)
	sees.Next(t, &full)
	if full.State.Moves != "" {
		t.Errorf("a refused move was played: %s", full.State.Moves)
	}

	withBot := begin(t, ann, robot, terms())
	refused(t, robot.Post(t, board+withBot+"/move/e7e5", nil), http.StatusForbidden, "This API endpoint is not for Bot accounts.")
	refused(t, robot.Post(t, "/api/board/seek", url.Values{"time": {"10"}, "increment": {"0"}}), http.StatusForbidden, "not for Bot accounts")

	playLine(t, ann, bob, id, "e2e4 e7e5")
	refused(t, ann.Post(t, board+id+"/abort", nil), http.StatusBadRequest, "This game can no longer be aborted")
	bob.Post(t, board+id+"/resign", nil).Want(t, http.StatusOK)
	refused(t, bob.Post(t, board+id+"/resign", nil), http.StatusBadRequest, "This game cannot be resigned")
	refused(t, ann.Post(t, board+id+"/move/g1f3", nil), http.StatusBadRequest, "Not your turn, or game already over")
	ann.Post(t, board+id+"/chat", url.Values{"room": {"player"}, "text": {"good game"}}).Want(t, http.StatusOK)

	// Resigning a game that has hardly begun aborts it.
	early := begin(t, ann, bob, terms())
	ann.Post(t, board+early+"/resign", nil).Want(t, http.StatusOK)
	var g openapi.Game
	u := ann.Request(t, http.MethodGet, "/game/export/"+early, "", nil)
	u.Header.Set("Accept", "application/json")
	ann.Do(t, u).Want(t, http.StatusOK).JSON(t, &g)
	if g.Status != "aborted" || g.Winner != "" {
		t.Errorf("game resigned at the start: status %s, winner %q", g.Status, g.Winner)
	}
}

func TestBoardSpeeds(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	for _, test := range []struct {
		limit, increment string
		ok               bool
	}{{"180", "0", true}, {"120", "0", false}, {"0", "1", false}} {
		id := begin(t, ann, bob, terms("clock.limit", test.limit, "clock.increment", test.increment))
		a := ann.Post(t, board+id+"/move/e2e4", nil)
		if test.ok {
			a.Want(t, http.StatusOK)
		} else {
			refused(t, a, http.StatusBadRequest, "This game cannot be played with the Board API.")
		}
		ann.Post(t, "/api/challenge/"+id+"/cancel", nil).Want(t, http.StatusOK) // aborts
	}
}

// TestCastling: both forms are read everywhere, one is written.
func TestCastling(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	const usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	const shuffled = "rkbbnnqr/pppppppp/8/8/8/8/PPPPPPPP/RKBBNNQR w KQkq - 0 1"
	for _, test := range []struct {
		name, variant, fen, line, castles, want, initial string
	}{
		{"chess, two squares", "standard", "", "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5", "e1g1", "e1g1", "startpos"},
		{"chess, onto the rook", "standard", "", "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5", "e1h1", "e1g1", "startpos"},
		{"shuffled, usual array", "chess960", usual, "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5", "e1g1", "e1h1", usual},
		{"shuffled, onto the rook", "chess960", shuffled, "c2c3 c7c6 d1c2 d8c7 d2d3 d7d6 c1e3 c8e6", "b1a1", "b1a1", shuffled},
		{"a position", "fromPosition", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", "", "e1c1", "e1a1",
			"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"},
		{"a usual start as a position", "fromPosition", usual, "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5", "e1g1", "e1h1", usual},
	} {
		t.Run(test.name, func(t *testing.T) {
			form := terms("variant", test.variant)
			if test.fen != "" {
				form.Set("fen", test.fen)
			}
			id := begin(t, ann, bob, form)
			sees := bob.Stream(t, board+"stream/"+id)
			var full openapi.GameFull
			sees.Next(t, &full)
			if full.InitialFen != test.initial || string(full.Variant.Key) != test.variant {
				t.Errorf("variant %s, initialFen %s; want %s, %s", full.Variant.Key, full.InitialFen, test.variant, test.initial)
			}
			playLine(t, ann, bob, id, test.line)
			move(t, ann, board, id, test.castles)
			want := strings.TrimSpace(test.line + " " + test.want)
			var state openapi.GameState
			for state.Moves != want {
				state = nextState(t, sees)
				if len(state.Moves) > len(want) || len(state.Moves) == len(want) && state.Moves != want {
					t.Fatalf("moves %q, want %q", state.Moves, want)
				}
			}
			// The same form in the full state.
			again := ann.Stream(t, board+"stream/"+id)
			again.Next(t, &full)
			if full.State.Moves != want {
				t.Errorf("gameFull has %q, want %q", full.State.Moves, want)
			}
			ann.Post(t, board+id+"/resign", nil).Want(t, http.StatusOK)
		})
	}
}

// TestGating: an S-chess piece comes in behind a move, and the log says so.
func TestGating(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := begin(t, ann, bob, terms("variant", "seirawan"))
	sees := bob.Stream(t, board+"stream/"+id)
	playLine(t, ann, bob, id, "b1c3h g8f6e")
	refused(t, ann.Post(t, board+id+"/move/g1f3h", nil), http.StatusBadRequest, "") // the hawk is on the board
	move(t, ann, board, id, "g1f3e")
	var state openapi.GameState
	for state.Moves != "b1c3h g8f6e g1f3e" {
		state = nextState(t, sees)
	}
	var playing openapi.NowPlaying
	bob.Get(t, "/api/account/playing").Want(t, http.StatusOK).JSON(t, &playing)
	if fen := playing.NowPlaying[0].Fen; !strings.HasPrefix(fen, "rnbqkber/pppppppp/5n2/8/8/2N2N2/PPPPPPPP/RHBQKBER[h] b KQ") {
		t.Errorf("position %s", fen)
	}
	bob.Post(t, board+id+"/resign", nil).Want(t, http.StatusOK)
	pgn := string(bob.Get(t, "/game/export/"+id+"?clocks=false").Want(t, http.StatusOK).Body)
	if !strings.Contains(pgn, "1. Nc3/H Nf6/E 2. Nf3/E 1-0") || !strings.Contains(pgn, `[Variant "S-chess"]`) {
		t.Errorf("PGN:\n%s", pgn)
	}
}

// TestAcceptOnce: of many accepts at once one makes the game.
func TestAcceptOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	hears := bob.Stream(t, "/api/stream/event")
	c := challenge(t, ann, bob, terms())
	answers := make([]*servertest.Answer, 8)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() { answers[i] = bob.Post(t, "/api/challenge/"+c.ID+"/accept", nil) })
	}
	wg.Wait()
	count := map[int]int{}
	for _, a := range answers {
		count[a.Status]++
	}
	if want := map[int]int{200: 1, 404: 7}; !maps.Equal(count, want) {
		t.Errorf("answers %v, want %v", count, want)
	}
	refused(t, bob.Post(t, "/api/challenge/"+c.ID+"/decline", nil), http.StatusNotFound, "No such challenge")
	hears.NextType(t, "gameStart", nil)
	ann.Post(t, "/api/challenge/"+c.ID+"/cancel", nil).Want(t, http.StatusOK) // aborts the game
	var finish openapi.GameFinishEvent
	hears.NextType(t, "gameFinish", &finish) // and no second gameStart before it
	if finish.Game.Status.Name != "aborted" {
		t.Errorf("gameFinish %+v", finish.Game)
	}
}

// TestReconnect: what was missed is in the first line, the newer stream ends
// the older one, and others are left alone.
func TestReconnect(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := begin(t, ann, bob, terms())
	first, other := ann.Stream(t, board+"stream/"+id), bob.Stream(t, board+"stream/"+id)
	first.Next(t, nil)
	other.Next(t, nil)
	first.Close()
	playLine(t, ann, bob, id, "e2e4 e7e5")
	bob.Post(t, board+id+"/draw/yes", nil).Want(t, http.StatusOK)
	second := ann.Stream(t, board+"stream/"+id)
	var full openapi.GameFull
	second.Next(t, &full)
	if full.State.Moves != "e2e4 e7e5" || !full.State.Bdraw || full.State.Wdraw {
		t.Errorf("state after the reconnect: %+v", full.State)
	}
	third := ann.Stream(t, board+"stream/"+id)
	third.Next(t, nil)
	second.End(t)
	move(t, ann, board, id, "g1f3")
	var state openapi.GameState
	state = nextState(t, third)
	if state.Moves != "e2e4 e7e5 g1f3" || state.Bdraw {
		t.Errorf("state %+v; a move answers the offer", state)
	}
	for state.Moves = ""; state.Moves != "e2e4 e7e5 g1f3"; {
		state = nextState(t, other)
	}

	events := ann.Stream(t, "/api/stream/event")
	var start openapi.GameStartEvent
	events.Next(t, &start)
	if start.Type != "gameStart" || start.Game.ID != id || start.Game.LastMove != "g1f3" {
		t.Errorf("the event stream begins with %+v", start)
	}
	newer := ann.Stream(t, "/api/stream/event")
	newer.Next(t, nil)
	events.End(t)
}

// TestEventStreamBegins with the running games and then the challenges.
func TestEventStreamBegins(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	games := []string{begin(t, ann, bob, terms()), begin(t, ann, bob, terms("clock.limit", "180"))}
	pending := challenge(t, ann, bob, terms("variant", "spartan"))
	challenge(t, bob, ann, terms()) // one of his own is none to answer
	events := bob.Stream(t, "/api/stream/event")
	var got []string
	for range 3 {
		var ev struct {
			Type            string
			Game, Challenge struct{ ID string }
		}
		events.Next(t, &ev)
		got = append(got, ev.Type+" "+ev.Game.ID+ev.Challenge.ID)
	}
	slices.Sort(games)
	slices.Sort(got[:2])
	want := []string{"gameStart " + games[0], "gameStart " + games[1], "challenge " + pending.ID}
	if !slices.Equal(got, want) {
		t.Errorf("stream begins with %v, want %v", got, want)
	}
	next := challenge(t, ann, bob, terms())
	var ev openapi.ChallengeEvent
	events.Next(t, &ev)
	if ev.Challenge.ID != next.ID {
		t.Errorf("next event %+v, want challenge %s", ev, next.ID)
	}
}

func TestOffersAndChat(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, robot := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.SignUpBot(t, "Robot")
	id := begin(t, ann, bob, terms())
	sees := bob.Stream(t, board+"stream/"+id)
	sees.Next(t, nil)

	say := func(u *servertest.User, prefix, id, room, text string) *servertest.Answer {
		return u.Post(t, prefix+id+"/chat", url.Values{"room": {room}, "text": {text}})
	}
	say(ann, board, id, "player", "hi <there>").Want(t, http.StatusOK)
	say(ann, board, id, "spectator", "hello all").Want(t, http.StatusOK)
	say(ann, board, id, "kitchen", "hello").Want(t, http.StatusBadRequest)
	say(ann, board, id, "player", strings.Repeat("x", 141)).Want(t, http.StatusBadRequest)
	var line openapi.ChatLine
	sees.Next(t, &line)
	if line.Type != "chatLine" || line.Room != "player" || line.Username != "Ann" || line.Text != "hi <there>" {
		t.Errorf("chat line %+v", line)
	}
	var lines []openapi.ChatMessage
	bob.Get(t, board+id+"/chat").Want(t, http.StatusOK).JSON(t, &lines)
	if len(lines) != 1 || lines[0].User != "Ann" {
		t.Errorf("player chat %+v", lines)
	}
	s.Anonymous().Get(t, "/api/game/"+id+"/chat").Want(t, http.StatusOK).JSON(t, &lines)
	if len(lines) != 1 || lines[0].Text != "hello all" {
		t.Errorf("spectator chat %+v", lines)
	}

	playLine(t, ann, bob, id, "e2e4 e7e5 g1f3")
	var state openapi.GameState
	for range 3 {
		state = openapi.GameState{}
		sees.Next(t, &state) // spectators' lines are not for people who play
	}
	if state.Moves != "e2e4 e7e5 g1f3" {
		t.Fatalf("state %+v", state)
	}
	// A takeback: one ply if it is the other's turn.
	ann.Post(t, board+id+"/takeback/yes", nil).Want(t, http.StatusOK)
	state = nextState(t, sees)
	if !state.Wtakeback {
		t.Errorf("state %+v, want a proposal", state)
	}
	bob.Post(t, board+id+"/takeback/1", nil).Want(t, http.StatusOK)
	state = nextState(t, sees)
	if state.Moves != "e2e4 e7e5" || state.Wtakeback {
		t.Errorf("state %+v after the takeback", state)
	}
	// A draw offered with a move and accepted with one, which is not played.
	ann.Post(t, board+id+"/move/g1f3?offeringDraw=true", nil).Want(t, http.StatusOK)
	state = nextState(t, sees)
	if !state.Wdraw || state.Moves != "e2e4 e7e5 g1f3" {
		t.Errorf("state %+v, want an offer", state)
	}
	bob.Post(t, board+id+"/move/b8c6?offeringDraw=True", nil).Want(t, http.StatusOK)
	state = nextState(t, sees)
	if state.Status != "draw" || state.Winner != "" || state.Moves != "e2e4 e7e5 g1f3" {
		t.Errorf("final state %+v", state)
	}
	sees.End(t)

	// Bots hear the spectators too. A declined offer is gone.
	id = begin(t, ann, robot, terms())
	hears := robot.Stream(t, bot+"stream/"+id)
	hears.Next(t, nil)
	say(ann, board, id, "spectator", "watch this").Want(t, http.StatusOK)
	hears.Next(t, &line)
	if line.Room != "spectator" {
		t.Errorf("the bot hears %+v", line)
	}
	move(t, ann, board, id, "e2e4")
	move(t, robot, bot, id, "e7e5")
	robot.Post(t, bot+id+"/draw/true", nil).Want(t, http.StatusOK)
	ann.Post(t, board+id+"/draw/no", nil).Want(t, http.StatusOK)
	for range 4 {
		state = nextState(t, hears)
	}
	if state.Bdraw || state.Status != "started" {
		t.Errorf("state after the decline %+v", state)
	}
	var ok openapi.Ok
	ann.Post(t, board+id+"/draw/no", nil).Want(t, http.StatusOK).JSON(t, &ok)
	if ok.Note == "" {
		t.Error("declining nothing says nothing about it")
	}
}

// TestIdempotencyKey: an action with a key acts once.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := begin(t, ann, bob, terms())
	send := func(key string) *servertest.Answer {
		r := ann.Request(t, http.MethodPost, board+id+"/move/e2e4", "", nil)
		if key != "" {
			r.Header.Set("Idempotency-Key", key)
		}
		return ann.Do(t, r)
	}
	send("one").Want(t, http.StatusOK)
	send("one").Want(t, http.StatusOK)
	refused(t, send(""), http.StatusBadRequest, "Not your turn, or game already over")
	refused(t, send("two"), http.StatusBadRequest, "Not your turn, or game already over")
	var full openapi.GameFull
	ann.Stream(t, board+"stream/"+id).Next(t, &full)
	if full.State.Moves != "e2e4" {
		t.Errorf("moves %q", full.State.Moves)
	}
}

// TestRevocation: a revoked token closes its streams, and only its.
func TestRevocation(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := begin(t, ann, bob, terms())
	events, game := ann.Stream(t, "/api/stream/event"), ann.Stream(t, board+"stream/"+id)
	other := bob.Stream(t, board+"stream/"+id)
	events.Next(t, nil)
	game.Next(t, nil)
	other.Next(t, nil)
	ann.Do(t, ann.Request(t, http.MethodDelete, "/api/token", "", nil)).Want(t, http.StatusNoContent)
	events.End(t)
	game.End(t)
	ann.Get(t, "/api/account/playing").Want(t, http.StatusUnauthorized)
	bob.Post(t, board+id+"/abort", nil).Want(t, http.StatusOK)
	state := nextState(t, other)
	if state.Status != "aborted" {
		t.Errorf("state %+v", state)
	}
}

// TestShutdown: streams end cleanly when the server stops.
func TestShutdown(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := begin(t, ann, bob, terms())
	events, game := ann.Stream(t, "/api/stream/event"), ann.Stream(t, board+"stream/"+id)
	events.Next(t, nil)
	game.Next(t, nil)
	begun := time.Now()
	s.Stop()
	events.End(t)
	game.End(t)
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("stopping took %v", took)
	}
}

func TestSeeks(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	events := ann.Stream(t, "/api/stream/event")
	form := url.Values{"time": {"15"}, "increment": {"10"}, "rated": {"true"}, "variant": {"spartan"}, "color": {"black"}}
	seek := func(u *servertest.User, form url.Values) *servertest.Stream {
		return u.OpenStream(t, u.Request(t, http.MethodPost, "/api/board/seek", "application/x-www-form-urlencoded", strings.NewReader(form.Encode())))
	}
	first := seek(ann, form)
	a := ann.Post(t, "/api/board/seek", form).Want(t, http.StatusTooManyRequests)
	if a.Header.Get("Retry-After") == "" {
		t.Error("429 without Retry-After")
	}
	form.Set("color", "random")
	second := seek(bob, form)
	first.End(t)
	second.End(t)
	var start openapi.GameStartEvent
	events.NextType(t, "gameStart", &start)
	if g := start.Game; g.Color != "black" || !g.Rated || g.Source != "lobby" || g.Variant.Key != "spartan" || g.Compat.Bot {
		t.Errorf("gameStart %+v", g)
	}

	// A closed seek is taken back.
	first = seek(ann, form)
	first.Close()
	deadline := time.Now().Add(10 * time.Second)
	for ; ; time.Sleep(20 * time.Millisecond) {
		r := ann.Post(t, "/api/board/seek", url.Values{"days": {"2"}})
		if r.Want(t, http.StatusOK); strings.Contains(string(r.Body), `"id"`) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no correspondence seek")
		}
	}
	refused(t, ann.Post(t, "/api/board/seek", url.Values{"time": {"5"}, "increment": {"0"}}), http.StatusBadRequest, "Invalid time control")
	bob.Post(t, "/api/board/seek", url.Values{"days": {"2"}}).Want(t, http.StatusOK)
	events.NextType(t, "gameStart", &start)
	if g := start.Game; g.Speed != "correspondence" || g.SecondsLeft == nil || *g.SecondsLeft < 2*24*3600-60 {
		t.Errorf("gameStart %+v", g)
	}
}

// TestBlankLines: the first line of a game's stream is no blank one, and
// blank lines follow within the times that lichess-bot allows.
func TestBlankLines(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := begin(t, ann, bob, terms())
	var wg sync.WaitGroup
	for path, firstIsBlank := range map[string]bool{"/api/stream/event": false, board + "stream/" + id: false} {
		wg.Go(func() {
			res, err := (&http.Client{}).Do(ann.Request(t, http.MethodGet, path, "", nil))
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			lines := make(chan string, 16)
			go readLines(res, lines)
			for i := range 3 {
				select {
				case line := <-lines:
					if blank := line == "\n"; blank != (i > 0 || firstIsBlank) {
						t.Errorf("%s: line %d is %q", path, i, line)
					} else if !blank && !json.Valid([]byte(line)) {
						t.Errorf("%s: line %d is %q", path, i, line)
					}
				case <-time.After(8 * time.Second):
					t.Errorf("%s: nothing for 8 s", path)
					return
				}
			}
		})
	}
	wg.Wait()
}

func readLines(res *http.Response, lines chan<- string) {
	defer close(lines)
	var line strings.Builder
	b := make([]byte, 1)
	for {
		if _, err := res.Body.Read(b); err != nil {
			return
		}
		line.WriteByte(b[0])
		if b[0] == '\n' {
			lines <- line.String()
			line.Reset()
		}
	}
}
