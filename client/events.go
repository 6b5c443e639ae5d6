package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"hoplite/openapi"
)

// Event is a line of the event stream. Events of a type that this client does
// not know have neither Game nor Challenge.
type Event struct {
	Type      string             `json:"type"`
	Game      *openapi.GameInfo  `json:"game"`
	Challenge *openapi.Challenge `json:"challenge"`
	Compat    openapi.Compat     `json:"compat"`
}

// The event types.
const (
	EventGameStart         = "gameStart"
	EventGameFinish        = "gameFinish"
	EventChallenge         = "challenge"
	EventChallengeCanceled = "challengeCanceled"
	EventChallengeDeclined = "challengeDeclined"
)

// Events yields what happens to the account, beginning with its running games
// and the challenges that wait for its answer. An account has one such stream;
// opening a second ends the first.
func (s *AccountService) Events(ctx context.Context) iter.Seq2[Event, error] {
	return stream[Event](ctx, s.c, call{method: http.MethodGet, path: "/api/stream/event"})
}

// GameEvent is a line of a game stream; exactly one of the pointers is set, or
// none for a type that this client does not know.
type GameEvent struct {
	Type  string
	Full  *openapi.GameFull
	State *openapi.GameState // also set with Full, to its state
	Chat  *openapi.ChatLine
	Gone  *openapi.OpponentGone
}

// The types of game events.
const (
	GameEventFull  = "gameFull"
	GameEventState = "gameState"
	GameEventChat  = "chatLine"
	GameEventGone  = "opponentGone"
)

// UnmarshalJSON reads any line of a game stream.
func (e *GameEvent) UnmarshalJSON(data []byte) error {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	*e = GameEvent{Type: head.Type}
	switch head.Type {
	case GameEventFull:
		e.Full = new(openapi.GameFull)
		e.State = &e.Full.State
		return json.Unmarshal(data, e.Full)
	case GameEventState:
		e.State = new(openapi.GameState)
		return json.Unmarshal(data, e.State)
	case GameEventChat:
		e.Chat = new(openapi.ChatLine)
		return json.Unmarshal(data, e.Chat)
	case GameEventGone:
		e.Gone = new(openapi.OpponentGone)
		return json.Unmarshal(data, e.Gone)
	}
	return nil
}

// Final reports whether the event tells that the game is over.
func (e GameEvent) Final() bool { return e.State != nil && !Ongoing(e.State.Status) }

// Ongoing reports whether a game with this status is still played.
func Ongoing(status openapi.GameStatusName) bool {
	return status == openapi.GameStatusNameCreated || status == openapi.GameStatusNameStarted
}
