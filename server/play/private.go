package play

import (
	"context"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/game"
)

// What a player does in a game for itself alone, through either door.

// GameChatMute hides from the caller what others write in a game.
func (h Handlers) GameChatMute(ctx context.Context, r api.GameChatMuteRequestObject) (api.GameChatMuteResponseObject, error) {
	ok, err := h.actAlone(ctx, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: game.Mute, On: r.Params.V.Or(true)})
	return api.GameChatMute200JSONResponse{DoneJSONResponse: ok}, err
}

// GameConditional lists the caller's conditional moves.
func (h Handlers) GameConditional(ctx context.Context, r api.GameConditionalRequestObject) (api.GameConditionalResponseObject, error) {
	snap, err := h.d.Live.Snapshot(ctx, lichess.GameID(r.GameID))
	if err != nil {
		return nil, err
	}
	player := snap.PlayerOf(api.Caller(ctx).AccountID)
	if player < 0 {
		return nil, errNotYours()
	}
	list := openapi.ConditionalMoves{Lines: []string{}}
	if player < len(snap.Conditional) {
		list.Lines = append(list.Lines, snap.Conditional[player]...)
	}
	return api.GameConditional200JSONResponse(list), nil
}

// GameConditionalSet replaces the caller's conditional moves.
func (h Handlers) GameConditionalSet(ctx context.Context, r api.GameConditionalSetRequestObject) (api.GameConditionalSetResponseObject, error) {
	a := game.Action{Kind: game.SetConditional}
	if r.Body != nil {
		a.Lines = r.Body.Lines
	}
	ok, err := h.actAlone(ctx, r.GameID, r.Params.IdempotencyKey, a)
	return api.GameConditionalSet200JSONResponse{DoneJSONResponse: ok}, err
}

// actAlone does an action of a player of the game, whatever its account.
func (h Handlers) actAlone(ctx context.Context, gameID, key string, a game.Action) (api.DoneJSONResponse, error) {
	gameID = lichess.GameID(gameID)
	snap, err := h.d.Live.Snapshot(ctx, gameID)
	if err != nil {
		return api.DoneJSONResponse{}, err
	}
	if a.Player = snap.PlayerOf(api.Caller(ctx).AccountID); a.Player < 0 {
		return api.DoneJSONResponse{}, errNotYours()
	}
	a.ID = key
	ack, err := h.d.Live.Act(ctx, gameID, a)
	return api.DoneJSONResponse{Ok: true, Note: ack.Note}, err
}

func errNotYours() error { return fault.NotFound("Not your game") }
