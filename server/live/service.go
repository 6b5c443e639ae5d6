// Package live owns the games that are being played: it orders the actions of
// each game, makes them durable, and tells everybody afterwards.
package live

import (
	"context"
	"log/slog"
	"time"

	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/store"
)

// Deps is what a Service needs. All but Now and Log are required.
type Deps struct {
	Store     store.Store
	Catalogue any
	Bus       *bus.Bus
	Now       func() time.Time
	Log       *slog.Logger
}

// GameStart is published on the topic of each player when a game starts.
type GameStart struct{ Snapshot *game.Snapshot }

// GameFinish is published on the topic of each player when a game has ended,
// by an abort too.
type GameFinish struct{ Snapshot *game.Snapshot }

// GameTopic is the bus topic that carries game.Event values of one game.
func GameTopic(gameID string) string { return "game/" + gameID }

// UserTopic is the bus topic of one account.
func UserTopic(accountID string) string { return "user/" + accountID }

// Service is the owner of all live games.
type Service struct{ deps Deps }

// New returns a service; it answers once Run has begun.
func New(d Deps) *Service { return &Service{deps: d} }

// Run serves until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// Create makes the game durable and announces it to both players.
func (s *Service) Create(context.Context, game.Setup) (*game.Snapshot, error) {
	return nil, fault.Unavailable("The games are not open yet")
}

// Act does one action and returns once it is durable.
func (s *Service) Act(context.Context, string, game.Action) (game.Ack, error) {
	return game.Ack{}, fault.NotFound("No such game")
}

// Snapshot returns the last committed state.
func (s *Service) Snapshot(context.Context, string) (*game.Snapshot, error) {
	return nil, fault.NotFound("No such game")
}

// Subscribe returns the state and a subscription to every later event.
func (s *Service) Subscribe(context.Context, string) (*game.Snapshot, *bus.Subscription, error) {
	return nil, nil, fault.NotFound("No such game")
}

// Ongoing returns the account's games that are not over, most urgent first.
func (s *Service) Ongoing(context.Context, string) ([]*game.Snapshot, error) { return nil, nil }

// Attend notes that a player watches its game, until leave is called.
func (s *Service) Attend(string, int) (leave func()) { return func() {} }

// ChatLog returns the lines of one room of a game, oldest first.
func (s *Service) ChatLog(context.Context, string, string) ([]game.ChatLine, error) {
	return nil, nil
}
