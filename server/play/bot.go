package play

import (
	"context"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/live/game"
)

// BotGameStream streams a game to a bot.
func (h Handlers) BotGameStream(ctx context.Context, r api.BotGameStreamRequestObject) (api.BotGameStreamResponseObject, error) {
	return h.gameStream(ctx, botDoor, r.GameID)
}

// BotGameMove plays a move.
func (h Handlers) BotGameMove(ctx context.Context, r api.BotGameMoveRequestObject) (api.BotGameMoveResponseObject, error) {
	ok, err := h.act(ctx, botDoor, r.GameID, r.Params.IdempotencyKey,
		game.Action{Kind: game.Move, Move: r.Move, OfferDraw: r.Params.OfferingDraw.Or(false)})
	return api.BotGameMove200JSONResponse{DoneJSONResponse: ok}, err
}

// BotGameChatGet lists what the players said.
func (h Handlers) BotGameChatGet(ctx context.Context, r api.BotGameChatGetRequestObject) (api.BotGameChatGetResponseObject, error) {
	lines, err := h.chat(ctx, botDoor, r.GameID)
	return api.BotGameChatGet200JSONResponse(lines), err
}

// BotGameChat says something.
func (h Handlers) BotGameChat(ctx context.Context, r api.BotGameChatRequestObject) (api.BotGameChatResponseObject, error) {
	a, err := chatAction((*openapi.ChatForm)(r.JSONBody))
	if err != nil {
		return nil, err
	}
	ok, err := h.act(ctx, botDoor, r.GameID, r.Params.IdempotencyKey, a)
	return api.BotGameChat200JSONResponse{DoneJSONResponse: ok}, err
}

// BotGameAbort aborts the game.
func (h Handlers) BotGameAbort(ctx context.Context, r api.BotGameAbortRequestObject) (api.BotGameAbortResponseObject, error) {
	ok, err := h.act(ctx, botDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: game.Abort})
	return api.BotGameAbort200JSONResponse{DoneJSONResponse: ok}, err
}

// BotGameResign resigns, or aborts while that is possible.
func (h Handlers) BotGameResign(ctx context.Context, r api.BotGameResignRequestObject) (api.BotGameResignResponseObject, error) {
	ok, err := h.act(ctx, botDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: game.Resign})
	return api.BotGameResign200JSONResponse{DoneJSONResponse: ok}, err
}

// BotGameClaimVictory claims the win when the opponent has left.
func (h Handlers) BotGameClaimVictory(ctx context.Context, r api.BotGameClaimVictoryRequestObject) (api.BotGameClaimVictoryResponseObject, error) {
	ok, err := h.act(ctx, botDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: game.ClaimVictory})
	return api.BotGameClaimVictory200JSONResponse{DoneJSONResponse: ok}, err
}

// BotGameClaimDraw claims a draw when the opponent has left.
func (h Handlers) BotGameClaimDraw(ctx context.Context, r api.BotGameClaimDrawRequestObject) (api.BotGameClaimDrawResponseObject, error) {
	ok, err := h.act(ctx, botDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: game.ClaimDraw})
	return api.BotGameClaimDraw200JSONResponse{DoneJSONResponse: ok}, err
}

// BotGameClaim declares something that the game's rules allow.
func (h Handlers) BotGameClaim(ctx context.Context, r api.BotGameClaimRequestObject) (api.BotGameClaimResponseObject, error) {
	ok, err := h.act(ctx, botDoor, r.GameID, r.Params.IdempotencyKey, declaration(r.Claim))
	return api.BotGameClaim200JSONResponse{DoneJSONResponse: ok}, err
}

// BotGameDraw offers, accepts or declines a draw.
func (h Handlers) BotGameDraw(ctx context.Context, r api.BotGameDrawRequestObject) (api.BotGameDrawResponseObject, error) {
	ok, err := h.act(ctx, botDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: drawKind(r.Accept)})
	return api.BotGameDraw200JSONResponse{DoneJSONResponse: ok}, err
}

// BotGameTakeback proposes, accepts or declines a takeback.
func (h Handlers) BotGameTakeback(ctx context.Context, r api.BotGameTakebackRequestObject) (api.BotGameTakebackResponseObject, error) {
	ok, err := h.act(ctx, botDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: takebackKind(r.Accept)})
	return api.BotGameTakeback200JSONResponse{DoneJSONResponse: ok}, err
}
