package standing

import (
	"context"
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/rating"
	"hoplite/store"
)

// Records is what the service reads.
type Records interface {
	store.Perfs
	store.PlayedGames
	AccountsByID(ctx context.Context, ids []string) ([]store.Account, error)
	AccountsByPrefix(ctx context.Context, prefix string, limit int) ([]store.Account, error)
	Attempts(ctx context.Context, accountID string, since, before time.Time, limit int) ([]store.PuzzleAttempt, error)
	RelationsOf(ctx context.Context, accountID string, block bool) ([]store.Relation, error)
	FollowsSince(ctx context.Context, accountIDs []string, since time.Time, limit int) ([]store.Relation, error)
}

// Profiles finds visible accounts by name.
type Profiles interface {
	Find(ctx context.Context, name, caller string) (store.Account, error)
}

// Presence knows who is online.
type Presence interface {
	Online(accountID string) bool
}

// Deps is what a Service needs; all fields are required. URL is the public
// address without a final slash.
type Deps struct {
	Store    Records
	Profiles Profiles
	Presence Presence
	Games    *lichess.Games
	URL      string
	Now      func() time.Time
}

// Service answers questions about standings. Its methods may be called from any
// goroutine.
type Service struct{ d Deps }

// New returns a service.
func New(d Deps) *Service { return &Service{d: d} }

// find returns an account whose standing is shown: not that of a closed one.
func (s *Service) find(ctx context.Context, name string) (store.Account, error) {
	a, err := s.d.Profiles.Find(ctx, name, "")
	if err == nil && a.IsClosed() {
		err = fault.NotFound("Not found")
	}
	return a, err
}

func light(a store.Account) openapi.LightUser {
	return openapi.LightUser{ID: a.ID, Name: a.Name, Title: openapi.Title(a.Title)}
}

// perfName is a rating in words, also one against bots and one in puzzles.
func (s *Service) perfName(key string) string {
	if perf, bots := rating.PerfOfKey(key); bots {
		return s.d.Games.PerfName(perf).Name + " against bots"
	}
	if variant, puzzles := strings.CutPrefix(key, store.PuzzleKey("")); puzzles {
		return s.d.Games.VariantName(variant).Name + " puzzles"
	}
	return s.d.Games.PerfName(key).Name
}

// pool is the key under which the account was rated in a game, or would have
// been if the game was not rated.
func pool(a store.Account, g *store.Played) string {
	return rating.Pool(g.Perf, a.Title, g.Opponent.Title)
}
