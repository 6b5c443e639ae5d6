package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"hoplite/openapi"
)

// BotService is playing with a bot account.
type BotService struct{ PlayService }

// Upgrade turns the account into a bot account for good. That works only before
// its first game.
func (s *BotService) Upgrade(ctx context.Context) error {
	return s.c.do(ctx, call{method: http.MethodPost, path: "/api/bot/account/upgrade"}, nil)
}

// Online yields at most so many of the bots that are online; 0 leaves the number
// to the server.
func (s *BotService) Online(ctx context.Context, most int) iter.Seq2[openapi.User, error] {
	cl := call{method: http.MethodGet, path: "/api/bot/online"}
	if most > 0 {
		cl.query = url.Values{"nb": {strconv.Itoa(most)}}
	}
	return stream[openapi.User](ctx, s.c, cl)
}
