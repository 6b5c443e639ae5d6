package export

import (
	"context"

	"hoplite/server/api"
	"hoplite/store"
)

// Channels are those of TV.
type Channels interface {
	// Games returns the running games on a channel, the best first.
	Games(ctx context.Context, channel string) ([]store.Game, error)
}

// tvGames is how many games of a channel come if the caller does not say.
const tvGames = 10

// TvChannelGames exports the games that run on a channel of TV.
func (h Handlers) TvChannelGames(ctx context.Context, r api.TvChannelGamesRequestObject) (api.TvChannelGamesResponseObject, error) {
	games, err := h.d.Channels.Games(ctx, r.Channel)
	if err != nil {
		return nil, err
	}
	p := r.Params
	most := tvGames
	if p.Nb > 0 {
		most = p.Nb
	}
	return h.list(ctx, each(games[:min(len(games), most)]), options{
		moves: p.Moves.Or(true), pgnInJSON: p.PgnInJSON.Or(false), tags: p.Tags.Or(true), clocks: p.Clocks.Or(false),
	})
}
