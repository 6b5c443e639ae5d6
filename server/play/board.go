package play

import (
	"context"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/live/game"
)

// BoardGameStream streams a game to a person.
func (h Handlers) BoardGameStream(ctx context.Context, r api.BoardGameStreamRequestObject) (api.BoardGameStreamResponseObject, error) {
	return h.gameStream(ctx, boardDoor, r.GameID)
}

// BoardGameMove plays a move.
func (h Handlers) BoardGameMove(ctx context.Context, r api.BoardGameMoveRequestObject) (api.BoardGameMoveResponseObject, error) {
	ok, err := h.act(ctx, boardDoor, r.GameID, r.Params.IdempotencyKey,
		game.Action{Kind: game.Move, Move: r.Move, OfferDraw: r.Params.OfferingDraw.Or(false)})
	return api.BoardGameMove200JSONResponse{DoneJSONResponse: ok}, err
}

// BoardGameChatGet lists what the players said.
func (h Handlers) BoardGameChatGet(ctx context.Context, r api.BoardGameChatGetRequestObject) (api.BoardGameChatGetResponseObject, error) {
	lines, err := h.chat(ctx, boardDoor, r.GameID)
	return api.BoardGameChatGet200JSONResponse(lines), err
}

// BoardGameChatPost says something.
func (h Handlers) BoardGameChatPost(ctx context.Context, r api.BoardGameChatPostRequestObject) (api.BoardGameChatPostResponseObject, error) {
	a, err := chatAction((*openapi.ChatForm)(r.JSONBody))
	if err != nil {
		return nil, err
	}
	ok, err := h.act(ctx, boardDoor, r.GameID, r.Params.IdempotencyKey, a)
	return api.BoardGameChatPost200JSONResponse{DoneJSONResponse: ok}, err
}

// BoardGameAbort aborts the game.
func (h Handlers) BoardGameAbort(ctx context.Context, r api.BoardGameAbortRequestObject) (api.BoardGameAbortResponseObject, error) {
	ok, err := h.act(ctx, boardDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: game.Abort})
	return api.BoardGameAbort200JSONResponse{DoneJSONResponse: ok}, err
}

// BoardGameResign resigns, or aborts while that is possible.
func (h Handlers) BoardGameResign(ctx context.Context, r api.BoardGameResignRequestObject) (api.BoardGameResignResponseObject, error) {
	ok, err := h.act(ctx, boardDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: game.Resign})
	return api.BoardGameResign200JSONResponse{DoneJSONResponse: ok}, err
}

// BoardGameClaimVictory claims the win when the opponent has left.
func (h Handlers) BoardGameClaimVictory(ctx context.Context, r api.BoardGameClaimVictoryRequestObject) (api.BoardGameClaimVictoryResponseObject, error) {
	ok, err := h.act(ctx, boardDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: game.ClaimVictory})
	return api.BoardGameClaimVictory200JSONResponse{DoneJSONResponse: ok}, err
}

// BoardGameClaimDraw claims a draw when the opponent has left.
func (h Handlers) BoardGameClaimDraw(ctx context.Context, r api.BoardGameClaimDrawRequestObject) (api.BoardGameClaimDrawResponseObject, error) {
	ok, err := h.act(ctx, boardDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: game.ClaimDraw})
	return api.BoardGameClaimDraw200JSONResponse{DoneJSONResponse: ok}, err
}

// BoardGameClaim declares something that the game's rules allow.
func (h Handlers) BoardGameClaim(ctx context.Context, r api.BoardGameClaimRequestObject) (api.BoardGameClaimResponseObject, error) {
	ok, err := h.act(ctx, boardDoor, r.GameID, r.Params.IdempotencyKey, declaration(r.Claim))
	return api.BoardGameClaim200JSONResponse{DoneJSONResponse: ok}, err
}

// BoardGameDraw offers, accepts or declines a draw.
func (h Handlers) BoardGameDraw(ctx context.Context, r api.BoardGameDrawRequestObject) (api.BoardGameDrawResponseObject, error) {
	ok, err := h.act(ctx, boardDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: drawKind(r.Accept)})
	return api.BoardGameDraw200JSONResponse{DoneJSONResponse: ok}, err
}

// BoardGameTakeback proposes, accepts or declines a takeback.
func (h Handlers) BoardGameTakeback(ctx context.Context, r api.BoardGameTakebackRequestObject) (api.BoardGameTakebackResponseObject, error) {
	ok, err := h.act(ctx, boardDoor, r.GameID, r.Params.IdempotencyKey, game.Action{Kind: takebackKind(r.Accept)})
	return api.BoardGameTakeback200JSONResponse{DoneJSONResponse: ok}, err
}

// BoardGameBerserk refuses: no game of ours is played in an arena.
func (h Handlers) BoardGameBerserk(ctx context.Context, r api.BoardGameBerserkRequestObject) (api.BoardGameBerserkResponseObject, error) {
	return nil, h.berserk(ctx, boardDoor, r.GameID)
}
