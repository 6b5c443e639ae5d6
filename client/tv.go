package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"

	"hoplite/openapi"
)

// TVService shows the games that are worth a look.
type TVService struct{ service }

// Channels returns the best game of each channel that has one.
func (s *TVService) Channels(ctx context.Context) (openapi.TvChannels, error) {
	return get[openapi.TvChannels](ctx, s.c, "/api/tv/channels", nil)
}

// Games yields the best games that run on a channel.
func (s *TVService) Games(ctx context.Context, channel string, params openapi.TvChannelGamesParams) iter.Seq2[openapi.Game, error] {
	query, err := formValues(params)
	if err != nil {
		return failed[openapi.Game](err)
	}
	return stream[openapi.Game](ctx, s.c, call{method: http.MethodGet, path: pathf("/api/tv/%s", channel), query: query})
}

// GamesPGN copies the best games that run on a channel as PGN to w.
func (s *TVService) GamesPGN(ctx context.Context, w io.Writer, channel string, params openapi.TvChannelGamesParams) error {
	query, err := formValues(params)
	if err != nil {
		return err
	}
	return s.c.copyTo(ctx, w, call{method: http.MethodGet, path: pathf("/api/tv/%s", channel), query: query, accept: typePGN})
}

// TVEvent is a line of a feed; exactly one pointer is set.
type TVEvent struct {
	Featured *openapi.TvFeatured // another game
	Position *openapi.TvPosition // the next position of the game
}

// UnmarshalJSON tells the two lines apart.
func (e *TVEvent) UnmarshalJSON(data []byte) error {
	var head struct {
		T string `json:"t"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	*e = TVEvent{}
	switch head.T {
	case "featured":
		e.Featured = new(openapi.TvFeatured)
		return json.Unmarshal(data, e.Featured)
	case "fen":
		e.Position = new(openapi.TvPosition)
		return json.Unmarshal(data, e.Position)
	}
	return fmt.Errorf("client: a line of TV of the unknown kind %q", head.T)
}

// Feed yields the best game of all as it is played, and then the next one.
func (s *TVService) Feed(ctx context.Context) iter.Seq2[TVEvent, error] {
	return stream[TVEvent](ctx, s.c, call{method: http.MethodGet, path: "/api/tv/feed"})
}

// ChannelFeed is [TVService.Feed] for one channel.
func (s *TVService) ChannelFeed(ctx context.Context, channel string) iter.Seq2[TVEvent, error] {
	return stream[TVEvent](ctx, s.c, call{method: http.MethodGet, path: pathf("/api/tv/%s/feed", channel)})
}
