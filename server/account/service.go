package account

import (
	"context"
	"errors"
	"strings"
	"time"

	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/game"
	"hoplite/store"
)

// Records is what the service reads and writes.
type Records interface {
	store.Accounts
	store.Perfs
	CountOngoing(ctx context.Context, accountID string) (int, error)
	CountArchive(ctx context.Context, accountID string) (bookmarks, imports int, err error)
	RelationsWith(ctx context.Context, accountID string, others []string) (mine, theirs map[string]store.Relation, err error)
	InTx(ctx context.Context, f func(store.Store) error) error
}

// Games knows what is being played.
type Games interface {
	Ongoing(ctx context.Context, accountID string) ([]*game.Snapshot, error)
}

// Presence knows who has a stream or socket open.
type Presence interface {
	Online(accountID string) bool
	OnlineIDs() []string
	// Signal grades an account's connection from 1 to 4; 0 if nobody knows.
	Signal(accountID string) int
}

// Identities caches who is calling, and must hear when a title changes.
type Identities interface {
	Forget(accountID string)
}

// Deps are what the service works with. URL is the public address without a final slash; Now has a
// default.
type Deps struct {
	Store      Records
	Games      Games
	Presence   Presence
	Identities Identities
	URL        string
	Now        func() time.Time
}

// Service answers questions about accounts. Its methods may be called from any goroutine.
type Service struct {
	store      Records
	games      Games
	presence   Presence
	identities Identities
	url        string
	now        func() time.Time
}

// New returns a service.
func New(d Deps) *Service {
	s := &Service{
		store: d.Store, games: d.Games, presence: d.Presence, identities: d.Identities,
		url: strings.TrimSuffix(d.URL, "/"), now: d.Now,
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

const (
	maxUsers   = 300 // profiles in one request
	maxStatus  = 100 // users in one request for status
	maxRanked  = 1000
	defaultBot = 100 // bots listed if the caller names no number
)

// idsOf reads a list of names, separated by commas or line ends: at most max different ones, in
// order, without those that nobody can have.
func idsOf(list string, max int) []string {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' })
	seen := make(map[string]bool, min(len(names), max))
	ids := make([]string, 0, min(len(names), max))
	for _, name := range names {
		id, ok := lichess.AccountID(strings.TrimSpace(name))
		if !ok || seen[id] {
			continue
		}
		if len(ids) == max {
			break
		}
		seen[id] = true
		ids = append(ids, id)
	}
	return ids
}

func errNotFound() error { return fault.NotFound("Not found") }

// Find returns a visible account by name; a hidden one is found only by itself, by the id of caller.
func (s *Service) Find(ctx context.Context, name, caller string) (store.Account, error) {
	id, ok := lichess.AccountID(name)
	if !ok {
		return store.Account{}, errNotFound()
	}
	a, err := s.store.AccountByID(ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && a.Hidden && a.ID != caller {
		return store.Account{}, errNotFound()
	}
	return a, err
}

// MakeBot gives the account the title BOT for good. It must not have played; a bot stays one.
func (s *Service) MakeBot(ctx context.Context, accountID string) error {
	err := s.store.MakeBot(ctx, accountID)
	if errors.Is(err, store.ErrConflict) {
		return fault.Invalid("The account has already played games. Please make a new one for the bot.")
	}
	if err != nil {
		return err
	}
	s.identities.Forget(accountID)
	return nil
}

// SetKid turns kid mode on or off.
func (s *Service) SetKid(ctx context.Context, accountID string, on bool) error {
	return s.store.UpdateAccount(ctx, accountID, store.AccountChange{Kid: &on})
}
