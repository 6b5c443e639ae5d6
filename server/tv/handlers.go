package tv

import (
	"context"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/lichess"
	"hoplite/server/stream"
)

// Handlers answer the operations of TV.
type Handlers struct{ tv *Service }

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service) Handlers { return Handlers{s} }

// TvChannels shows what is on.
func (h Handlers) TvChannels(ctx context.Context, _ api.TvChannelsRequestObject) (api.TvChannelsResponseObject, error) {
	first, _, err := h.tv.featured(ctx)
	if err != nil {
		return nil, err
	}
	channels := make(openapi.TvChannels, len(first))
	for channel, g := range first {
		seat := strongest(g.Players)
		p := g.Players[seat]
		channels[channel] = openapi.TvGame{User: lightUser(p), Rating: p.Rating, GameID: g.ID, Color: lichess.Color(seat)}
	}
	return api.TvChannels200JSONResponse(channels), nil
}

// TvFeed shows the best game of all.
func (h Handlers) TvFeed(ctx context.Context, _ api.TvFeedRequestObject) (api.TvFeedResponseObject, error) {
	return h.feed(ctx, Best)
}

// TvChannelFeed shows the best game of a channel.
func (h Handlers) TvChannelFeed(ctx context.Context, r api.TvChannelFeedRequestObject) (api.TvChannelFeedResponseObject, error) {
	return h.feed(ctx, r.Channel)
}

func (h Handlers) feed(ctx context.Context, channel string) (stream.Response, error) {
	if _, err := h.tv.Games(ctx, channel); err != nil {
		return stream.Response{}, err
	}
	id := api.Caller(ctx)
	return stream.New(ctx, h.tv.Streams, stream.OwnerOf(id), "", func(ctx context.Context, w *stream.Writer) error {
		f := &feed{tv: h.tv, channel: channel}
		defer f.leave()
		return f.run(ctx, w)
	}), nil
}
