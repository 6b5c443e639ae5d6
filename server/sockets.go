package server

import (
	"context"
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/api"
	"hoplite/server/challenge"
	"hoplite/server/fault"
	"hoplite/server/limits"
	"hoplite/server/lobby"
	"hoplite/server/ws"
)

// seekers is the lobby as the sockets know it.
type seekers struct{ *lobby.Service }

func (s seekers) Ask(ctx context.Context, accountID string, f frames.Seek) (ws.Wait, error) {
	wait, err := s.Service.Ask(ctx, accountID, f)
	return ws.Wait(wait), err
}

// challengers are the challenges as the sockets know them.
type challengers struct {
	*challenge.Service
	rematches *challenge.Rematches
}

func (c challengers) Open(ctx context.Context, accountID string) ([]openapi.Challenge, error) {
	return c.Shown(ctx, accountID)
}

func (c challengers) OfferRematch(ctx context.Context, by *api.Identity, gameID string) (string, bool, error) {
	r, err := c.rematches.Offer(ctx, challenge.Player{ID: by.AccountID, Bot: by.IsBot()}, gameID)
	return r.GameID, r.Started, err
}

func (c challengers) RefuseRematch(ctx context.Context, by *api.Identity, gameID string) (bool, error) {
	return c.rematches.Refuse(ctx, challenge.Player{ID: by.AccountID, Bot: by.IsBot()}, gameID)
}

func (c challengers) Challenge(ctx context.Context, by *api.Identity, f frames.Challenge) (string, bool, func(context.Context), error) {
	return c.Invite(ctx, challenge.Player{ID: by.AccountID, Bot: by.IsBot()}, f)
}

func (c challengers) Answer(ctx context.Context, by *api.Identity, f frames.Answer) (bool, error) {
	return c.Reply(ctx, challenge.Player{ID: by.AccountID, Bot: by.IsBot()}, f)
}

func (c challengers) Cancel(ctx context.Context, by *api.Identity, id string) error {
	return c.TakeBack(ctx, challenge.Player{ID: by.AccountID, Bot: by.IsBot()}, id)
}

// admitSocket counts the sockets of an address.
func (s *Server) admitSocket(c echo.Context) (leave func(), err error) {
	r := c.Request()
	rule := limits.Sockets()
	mode := s.mode
	if mode == limits.Relaxed && forwarded(r) {
		mode = limits.Strict // as for requests
	}
	if !rule.Holds(mode) || fromInside(r.Context()) {
		return func() {}, nil
	}
	leave, ok := s.limiter.Enter(rule, limits.Subject(api.ClientOf(r.Context()).IP))
	if !ok {
		return nil, fault.Limited(rule.Name, time.Minute, fmt.Sprintf(rule.Text, rule.Burst))
	}
	return leave, nil
}
