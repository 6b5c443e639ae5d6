package play

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/bus"
	"hoplite/server/lichess"
	"hoplite/server/live"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/presence"
	"hoplite/server/stream"
)

var now = time.UnixMilli(1_790_000_000_000)

// stage is one game whose events the test publishes.
type stage struct {
	Live
	bus      *bus.Bus
	snap     *game.Snapshot
	attended []int
	ongoing  []*game.Snapshot
	pending  []openapi.ChallengeEvent
	// meanwhile happens while the beginning of an event stream is put together.
	meanwhile func()
}

func (s *stage) Subscribe(_ context.Context, id string) (*game.Snapshot, *bus.Subscription, error) {
	return s.snap, s.bus.Subscribe(live.GameTopic(id), 32), nil
}

func (s *stage) Attend(_ string, player int) func() {
	s.attended = append(s.attended, player)
	return func() { s.attended = append(s.attended, -1-player) }
}

func (s *stage) Ongoing(context.Context, string) ([]*game.Snapshot, error) {
	if s.meanwhile != nil {
		s.meanwhile()
	}
	return s.ongoing, nil
}

func (s *stage) Pending(context.Context, string) ([]openapi.ChallengeEvent, error) {
	return s.pending, nil
}

func newStage(t *testing.T) (*stage, Handlers) {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{bus: bus.New(), snap: at(3, nil)}
	return s, NewHandlers(Deps{
		Live: s, Challenges: s, Presence: presence.New(), Games: lichess.NewGames(set), Bus: s.bus, Streams: stream.NewHub(),
		Now: func() time.Time { return now },
	})
}

// at is the game at a version.
func at(version uint64, change func(*game.Snapshot)) *game.Snapshot {
	s := &game.Snapshot{
		Setup: &game.Setup{
			ID: "x4Tq9bZe", Variant: "standard", Speed: "blitz", Perf: "blitz", Source: "friend", Created: now,
			Control: clock.NewFischer(5*time.Minute, 0),
			Players: []game.Player{{AccountID: "ann", Name: "Ann"}, {AccountID: "bob", Name: "Bob", Title: "BOT"}},
		},
		Version: version, Status: "started", Winner: -1, At: now,
	}
	if change != nil {
		change(s)
	}
	return s
}

func ended(s *game.Snapshot) { s.Status, s.Winner = "resign", 0 }

// watch returns the lines that a player's stream has after its first.
func watch(t *testing.T, h Handlers, d door, id *api.Identity) []string {
	t.Helper()
	res, err := h.gameStream(api.WithCaller(t.Context(), id), d, "x4Tq9bZeA1b2")
	if err != nil {
		t.Fatal(err)
	}
	return lines(t, res.Visit)
}

func lines(t *testing.T, visit func(http.ResponseWriter) error) []string {
	t.Helper()
	rec := httptest.NewRecorder()
	if err := visit(rec); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(rec.Body.String(), "\n"), "\n")
}

// TestLinesOfAGame publishes while the stream opens; the test publishes the
// end of the game last, so that the stream closes by itself.
func TestLinesOfAGame(t *testing.T) {
	t.Parallel()
	claim := now.Add(10 * time.Second)
	say := func(version uint64, room string) game.Event {
		return game.Event{Version: version, Kind: game.EventChat, Snapshot: at(version, nil), Chat: &game.ChatLine{Room: room, Username: "Eve", Text: "hi"}}
	}
	gone := func(player int, gone bool) game.Event {
		n := &game.GoneNotice{Player: player, Gone: gone}
		if gone {
			n.ClaimAt = claim
		}
		return game.Event{Version: 3, Kind: game.EventGone, Snapshot: at(3, nil), Gone: n}
	}
	state := func(version uint64, change func(*game.Snapshot)) game.Event {
		return game.Event{Version: version, Kind: game.EventState, Snapshot: at(version, change)}
	}
	events := []game.Event{
		state(2, nil), say(3, game.RoomPlayer), // in the first line already
		gone(1, true), gone(0, true), gone(0, false), gone(1, false),
		say(4, game.RoomPlayer), say(5, game.RoomSpectator), state(6, nil), state(7, ended), state(8, nil),
	}
	ann := &api.Identity{AccountID: "ann", Name: "Ann", TokenID: "t1"}
	bob := &api.Identity{AccountID: "bob", Name: "Bob", Title: "BOT", TokenID: "t2"}
	for _, test := range []struct {
		name string
		door door
		who  *api.Identity
		want []string
	}{
		{"a person", boardDoor, ann, []string{
			`"type":"gameFull"`,
			`{"claimWinInSeconds":10,"gone":true,"type":"opponentGone"}`, `{"gone":false,"type":"opponentGone"}`,
			`"room":"player"`, `"version":6`, `"status":"resign"`,
		}},
		{"a bot", botDoor, bob, []string{
			`"type":"gameFull"`,
			`{"claimWinInSeconds":10,"gone":true,"type":"opponentGone"}`, `{"gone":false,"type":"opponentGone"}`,
			`"room":"player"`, `"room":"spectator"`, `"version":6`, `"status":"resign"`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, h := newStage(t)
			id := test.who
			res, err := h.gameStream(api.WithCaller(t.Context(), id), test.door, "x4Tq9bZe")
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				s.bus.Publish(live.GameTopic("x4Tq9bZe"), e)
			}
			got := lines(t, res.Visit)
			if len(got) != len(test.want) {
				t.Fatalf("got\n%s\nwant %d lines", strings.Join(got, "\n"), len(test.want))
			}
			for i, part := range test.want {
				if !strings.Contains(got[i], part) {
					t.Errorf("line %d is %s, want %s in it", i, got[i], part)
				}
			}
			if len(s.attended) != 2 || s.attended[0] != -1-s.attended[1] {
				t.Errorf("attended %v, want to come and go", s.attended)
			}
		})
	}
}

func TestOpponentIsAwayAtTheStart(t *testing.T) {
	t.Parallel()
	s, h := newStage(t)
	s.snap = at(3, func(s *game.Snapshot) { s.Gone[1] = game.GoneState{Gone: true, ClaimAt: now.Add(-time.Second)} })
	res, err := h.gameStream(api.WithCaller(t.Context(), &api.Identity{AccountID: "ann"}), boardDoor, "x4Tq9bZe")
	if err != nil {
		t.Fatal(err)
	}
	s.bus.Close()
	if got := lines(t, res.Visit); len(got) != 2 || got[1] != `{"claimWinInSeconds":0,"gone":true,"type":"opponentGone"}` {
		t.Errorf("lines %v", got)
	}
}

func TestFinishedGameIsOneLine(t *testing.T) {
	t.Parallel()
	s, h := newStage(t)
	s.snap = at(9, ended)
	got := watch(t, h, boardDoor, &api.Identity{AccountID: "ann"})
	if len(got) != 1 || !strings.Contains(got[0], `"status":"resign"`) {
		t.Errorf("lines %v", got)
	}
}

// TestSlowReaderLosesItsStream: the stream ends when its buffer overflows,
// with what was in it.
func TestSlowReaderLosesItsStream(t *testing.T) {
	t.Parallel()
	s, h := newStage(t)
	res, err := h.gameStream(api.WithCaller(t.Context(), &api.Identity{AccountID: "ann"}), boardDoor, "x4Tq9bZe")
	if err != nil {
		t.Fatal(err)
	}
	for v := uint64(4); v < 100; v++ {
		s.bus.Publish(live.GameTopic("x4Tq9bZe"), game.Event{Version: v, Kind: game.EventState, Snapshot: at(v, nil)})
	}
	if got := lines(t, res.Visit); len(got) != 33 {
		t.Errorf("%d lines, want the first and a buffer of 32", len(got))
	}
}

// TestEventsAreToldOnce: what begins while the stream is opened is both in
// its beginning and among its events.
func TestEventsAreToldOnce(t *testing.T) {
	t.Parallel()
	s, h := newStage(t)
	topic := live.UserTopic("ann")
	challenge := openapi.ChallengeEvent{Type: "challenge", Challenge: openapi.Challenge{ID: "c1c1c1c1"}}
	s.meanwhile = func() {
		s.bus.Publish(topic, live.GameStart{Snapshot: s.snap})
		s.bus.Publish(topic, challenge)
		s.ongoing, s.pending = []*game.Snapshot{s.snap}, []openapi.ChallengeEvent{challenge}
		s.bus.Publish(topic, live.GameFinish{Snapshot: at(9, ended)})
		s.bus.Publish(topic, openapi.ChallengeCanceledEvent{Type: "challengeCanceled", Challenge: challenge.Challenge})
		// As when the node of the game dies: what happened lately is told again.
		s.bus.Publish(topic, live.GameStart{Snapshot: at(9, ended)})
		s.bus.Publish(topic, live.GameFinish{Snapshot: at(9, ended)})
		s.bus.Close()
	}
	res, err := h.APIStreamEvent(api.WithCaller(t.Context(), &api.Identity{AccountID: "ann"}), api.APIStreamEventRequestObject{})
	if err != nil {
		t.Fatal(err)
	}
	got := lines(t, res.VisitAPIStreamEventResponse)
	want := []string{`"type":"gameStart"`, `"type":"challenge"`, `"type":"gameFinish"`, `"type":"challengeCanceled"`}
	if len(got) != len(want) {
		t.Fatalf("got\n%s", strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("line %d is %s, want %s", i, got[i], want[i])
		}
	}
}
