package export

import (
	"context"

	"hoplite/server/live/game"
	"hoplite/store"
)

// EachPGN calls f with every game of an account as PGN, oldest first, until f returns an error. Of running games it
// shows what everybody may see.
func (h Handlers) EachPGN(ctx context.Context, accountID string, f func(gameID, pgn string) error) error {
	filter := store.GameFilter{AccountID: accountID, Ongoing: true, Finished: true, Ascending: true, Limit: pageSize}
	o := options{moves: true, tags: true, clocks: true, evals: true}
	for g, err := range h.pages(ctx, filter, 0) {
		if err != nil {
			return err
		}
		p, err := h.replay(ctx, g, o)
		if err != nil {
			return err
		}
		if err := f(g.ID, h.pgn(p, o)); err != nil {
			return err
		}
	}
	return nil
}

// ChatLog returns the lines of one room of a game, oldest first.
func (h Handlers) ChatLog(ctx context.Context, gameID, room string) ([]game.ChatLine, error) {
	return h.d.Live.ChatLog(ctx, gameID, room)
}
