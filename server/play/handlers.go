// Package play is the Bot and Board API: what happens to the caller, the
// stream of a game, and the actions in it.
package play

import (
	"context"
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/game"
	"hoplite/server/stream"
)

// Live is what the handlers need of the games being played.
type Live interface {
	Act(ctx context.Context, gameID string, a game.Action) (game.Ack, error)
	Snapshot(ctx context.Context, gameID string) (*game.Snapshot, error)
	Subscribe(ctx context.Context, gameID string) (*game.Snapshot, *bus.Subscription, error)
	Ongoing(ctx context.Context, accountID string) ([]*game.Snapshot, error)
	Attend(gameID string, player int) (leave func())
}

// Challenges lists the challenges that wait for an account's answer.
type Challenges interface {
	Pending(ctx context.Context, accountID string) ([]openapi.ChallengeEvent, error)
}

// Presence notes who is online.
type Presence interface {
	Enter(accountID string) (leave func())
}

// Deps is what the handlers need; all fields are required.
type Deps struct {
	Live       Live
	Challenges Challenges
	Presence   Presence
	Blocks     lichess.Relations
	Games      *lichess.Games
	Bus        *bus.Bus
	Streams    *stream.Hub
	Now        func() time.Time
}

// Handlers answer the operations of the Bot and Board APIs.
type Handlers struct{ d *Deps }

// NewHandlers returns the handlers.
func NewHandlers(d Deps) Handlers { return Handlers{d: &d} }

// door is one of the two APIs.
type door uint8

const (
	botDoor door = iota
	boardDoor
)

// enter checks, in Lichess's order, whether the caller may use the game
// through the door: the game is the caller's, the account is of the right
// kind, and so is the game.
func (d door) enter(id *api.Identity, s *game.Snapshot) (player int, err error) {
	player = s.PlayerOf(id.AccountID)
	switch {
	case player < 0:
		return player, fault.NotFound("Not your game")
	case d == botDoor && !id.IsBot():
		return player, fault.Invalid("This endpoint can only be used with a Bot account.")
	case d == boardDoor && id.IsBot():
		return player, fault.Forbidden("This API endpoint is not for Bot accounts.")
	case d == botDoor && !lichess.BotPlayable(s.Control, s.Source):
		return player, fault.Invalid("This game cannot be played with the Bot API.")
	case d == boardDoor && !lichess.BoardPlayable(s.Control, s.Source):
		return player, fault.Invalid("This game cannot be played with the Board API.")
	}
	return player, nil
}

// act checks the door and does one action of the caller. key makes it
// idempotent if it is not empty.
func (h Handlers) act(ctx context.Context, d door, gameID, key string, a game.Action) (api.DoneJSONResponse, error) {
	gameID = lichess.GameID(gameID)
	snap, err := h.d.Live.Snapshot(ctx, gameID)
	if err != nil {
		return api.DoneJSONResponse{}, err
	}
	id := api.Caller(ctx)
	if a.Player, err = d.enter(id, snap); err != nil {
		return api.DoneJSONResponse{}, err
	}
	if a.Kind == game.Chat && !id.IsBot() {
		if err := lichess.MayWrite(ctx, h.d.Blocks, id.AccountID, snap); err != nil {
			return api.DoneJSONResponse{}, err
		}
	}
	a.ID, a.Username = key, id.Name
	ack, err := h.d.Live.Act(ctx, gameID, a)
	return api.DoneJSONResponse{Ok: true, Note: ack.Note}, err
}

// chat returns the players' room of a game of the caller.
func (h Handlers) chat(ctx context.Context, d door, gameID string) ([]openapi.ChatMessage, error) {
	snap, err := h.d.Live.Snapshot(ctx, lichess.GameID(gameID))
	if err != nil {
		return nil, err
	}
	player, err := d.enter(api.Caller(ctx), snap)
	if err != nil {
		return nil, err
	}
	return lichess.ChatMessages(snap.ChatFor(player, game.RoomPlayer)), nil
}

// berserk refuses: only arena games know it.
func (h Handlers) berserk(ctx context.Context, d door, gameID string) error {
	snap, err := h.d.Live.Snapshot(ctx, lichess.GameID(gameID))
	if err != nil {
		return err
	}
	if _, err := d.enter(api.Caller(ctx), snap); err != nil {
		return err
	}
	return fault.Invalid("This game is not played in an arena")
}

// yes reads the flag in the path of an offer: what is no yes is a no.
func yes(flag string) bool {
	v, ok := openapi.ParseFlag(flag)
	return ok && v
}

func drawKind(accept string) game.ActionKind {
	if yes(accept) {
		return game.DrawYes
	}
	return game.DrawNo
}

func takebackKind(accept string) game.ActionKind {
	if yes(accept) {
		return game.TakebackYes
	}
	return game.TakebackNo
}

// declaration is the action of a claim in a path, where hyphens stand for
// blanks.
func declaration(claim string) game.Action {
	return game.Action{Kind: game.Declare, Claim: strings.ReplaceAll(claim, "-", " ")}
}

// chatAction is the action of a chat form.
func chatAction(form *openapi.ChatForm) (game.Action, error) {
	if form == nil || form.Text == "" {
		return game.Action{}, fault.Field("text", "must have 1 to 140 characters")
	}
	return game.Action{Kind: game.Chat, Room: string(form.Room), Text: form.Text}, nil
}
