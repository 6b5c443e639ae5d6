// Package challenge holds the invitations to a game: their life from creation
// to a game or an end without one, and the requests that move them.
package challenge

import (
	"context"
	"errors"
	"hash/maphash"
	"log/slog"
	"sync"
	"time"

	"hoplite/openapi"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/limits"
	"hoplite/server/live/game"
	"hoplite/server/pairing"
	"hoplite/store"
)

// How long a challenge lives.
const (
	// SeenLife is for challenges with a clock: they end when nobody has kept
	// them alive for so long.
	SeenLife = 20 * time.Second
	// SlowLife is for challenges without a clock.
	SlowLife = 14 * 24 * time.Hour
	// OpenLife is for open challenges that name no end.
	OpenLife = 24 * time.Hour
	// MaxOngoing is how many games an account may be playing when it asks for
	// another one.
	MaxOngoing = 1000
)

// Live is what the service needs of the games being played.
type Live interface {
	Act(ctx context.Context, gameID string, a game.Action) (game.Ack, error)
	Snapshot(ctx context.Context, gameID string) (*game.Snapshot, error)
}

// Presence says who is online.
type Presence interface {
	Online(accountID string) bool
}

// Store is what the service keeps and reads.
type Store interface {
	store.Challenges
	AccountByID(ctx context.Context, id string) (store.Account, error)
	Perf(ctx context.Context, accountID, key string) (store.Perf, error)
	CountOngoing(ctx context.Context, accountID string) (int, error)
	Blocked(ctx context.Context, a, b string) (bool, error)
	RelationsWith(ctx context.Context, accountID string, others []string) (mine, theirs map[string]store.Relation, err error)
	// GamesOfPrograms returns when games against programs were made.
	GamesOfPrograms(ctx context.Context, accountID string, engine bool, since time.Time, limit int) ([]time.Time, error)
}

// Deps is what a Service needs; all fields are required.
type Deps struct {
	Store    Store
	Live     Live
	Maker    *pairing.Maker
	Games    *lichess.Games
	Bus      *bus.Bus
	Presence Presence
	// Settings are an account's preferences.
	Settings func(store.Account) openapi.Preferences
	URL      string // of the server as people see it, without a final slash
	// BotLimits holds bots to so many games against programs a day.
	BotLimits bool
	Now       func() time.Time
	Log       *slog.Logger
}

// Service moves challenges through their states. A challenge changes its
// state in the store by compare-and-set, so of two callers one wins; the lock
// of its id lets the loser see how the winner ended.
type Service struct {
	Deps
	seed  maphash.Seed
	locks [64]sync.Mutex
	wake  chan struct{} // a challenge with a clock was made
}

// NewService returns a service. Run keeps its challenges from living too long.
func NewService(d Deps) *Service {
	return &Service{Deps: d, seed: maphash.MakeSeed(), wake: make(chan struct{}, 1)}
}

// lock takes the lock of one challenge.
func (s *Service) lock(id string) (unlock func()) {
	mu := &s.locks[maphash.String(s.seed, id)%uint64(len(s.locks))]
	mu.Lock()
	return mu.Unlock
}

// Topic is the bus topic that carries the [openapi.ChallengeOutcome] of a
// challenge.
func Topic(id string) string { return "challenge/" + id }

// Player is who makes or answers a challenge.
type Player struct {
	ID  string
	Bot bool
}

// Create invites dest to a game on the terms. name is dest's as it was asked
// for.
func (s *Service) Create(ctx context.Context, by Player, name, dest string, t pairing.Terms) (store.Challenge, error) {
	if by.ID == dest {
		return store.Challenge{}, fault.NotFound("You cannot challenge yourself")
	}
	to, err := s.Store.AccountByID(ctx, dest)
	if isUnknown(to, err) {
		return store.Challenge{}, fault.Invalid("No such user: %s", name)
	}
	if err != nil {
		return store.Challenge{}, err
	}
	if err := s.checkBots(by, to, t); err != nil {
		return store.Challenge{}, err
	}
	if err := s.checkWelcome(ctx, by.ID, to, t); err != nil {
		return store.Challenge{}, err
	}
	if other := otherBot(by, to); other != "" {
		if err := s.checkBotDay(ctx, limits.BotVsBot(), false, by, other); err != nil {
			return store.Challenge{}, err
		}
	}
	if err := s.checkLoad(ctx, by.ID); err != nil {
		return store.Challenge{}, err
	}
	c := s.record(t)
	c.ChallengerID, c.DestID = by.ID, to.ID
	if !c.HasClock {
		c.Expires = c.Created.Add(SlowLife)
	}
	return c, s.insert(ctx, &c)
}

// checkBots refuses what programs cannot play.
func (s *Service) checkBots(by Player, to store.Account, t pairing.Terms) error {
	if (by.Bot || to.IsBot()) && !lichess.BotSpeed(t.Control) {
		return fault.Field("clock.limit", "Invalid speed")
	}
	if to.IsBot() && len(t.Rules) > 0 {
		return fault.Field("rules", "Bots take challenges without rules only")
	}
	return nil
}

func (s *Service) checkLoad(ctx context.Context, accountID string) error {
	n, err := s.Store.CountOngoing(ctx, accountID)
	if err == nil && n >= MaxOngoing {
		return fault.Invalid("Challenge not created")
	}
	return err
}

// record turns terms into a challenge without players.
func (s *Service) record(t pairing.Terms) store.Challenge {
	now := s.Now().UTC().Truncate(time.Millisecond)
	c := t.Control.Terms()
	return store.Challenge{
		Status: store.ChallengeCreated, Variant: t.Start.Variant, InitialFEN: t.Start.FEN, StartNumber: t.Start.Number,
		Rated: t.Rated, Color: t.Color, FinalColor: pairing.FinalColor(t.Color),
		Limit: c.Limit, Increment: c.Increment, Delay: c.Delay, Byoyomi: c.Byoyomi, Periods: c.Periods, Days: c.Days,
		HasClock: c.HasClock,
		Rules:    t.Rules, Message: t.Message, Created: now, Seen: now,
	}
}

// insert stores the challenge under a new id.
func (s *Service) insert(ctx context.Context, c *store.Challenge) error {
	for {
		c.ID = lichess.NewID()
		err := s.Store.CreateChallenge(ctx, *c)
		if errors.Is(err, store.ErrConflict) {
			continue
		}
		if err == nil && c.Expires.IsZero() {
			s.stir()
		}
		return err
	}
}

// CreateOpen makes a challenge that two others, or the two users named, may
// join. by is empty for a caller without an account.
func (s *Service) CreateOpen(ctx context.Context, by Player, t pairing.Terms, name string, users []string, expires time.Time) (store.Challenge, error) {
	c := s.record(t)
	c.ChallengerID, c.Open, c.OpenUsers, c.Name = by.ID, true, users, name
	c.Expires = c.Created.Add(OpenLife)
	if !expires.IsZero() {
		c.Expires = expires
	}
	return c, s.insert(ctx, &c)
}

// Announce tells the players of a new challenge. It is apart from [Create]
// so that the caller can listen for the answer first.
func (s *Service) Announce(ctx context.Context, c store.Challenge) {
	s.tell(ctx, kindCreated, c)
}

// Decline ends the challenge for a reason in any letter case.
func (s *Service) Decline(ctx context.Context, by Player, id, reason string) error {
	defer s.lock(id)()
	c, err := s.load(ctx, id)
	if err != nil {
		return err
	}
	if c.DestID != by.ID || c.Open {
		return errNoChallenge()
	}
	return s.decline(ctx, c, declineKey(reason))
}

func (s *Service) decline(ctx context.Context, c store.Challenge, reason string) error {
	declined := store.ChallengeDeclined
	return s.end(ctx, c, kindDeclined, store.ChallengeChange{Status: &declined, DeclineReason: &reason})
}

// Cancel withdraws the challenge, or declines it if by is its target. It
// returns false if the challenge has become a game: what then happens to it
// is up to the caller.
func (s *Service) Cancel(ctx context.Context, by Player, id string) (done bool, err error) {
	defer s.lock(id)()
	c, err := s.load(ctx, id)
	if err != nil {
		return false, err
	}
	mine, theirs := c.ChallengerID == by.ID, c.DestID == by.ID && !c.Open
	if c.Status == store.ChallengeAccepted {
		return false, nil
	}
	switch {
	case mine:
		canceled := store.ChallengeCanceled
		return true, s.end(ctx, c, kindCanceled, store.ChallengeChange{Status: &canceled})
	case theirs:
		return true, s.decline(ctx, c, reasonGeneric)
	}
	return false, errNoChallenge()
}

// end takes a challenge out of play without a game and tells everybody.
func (s *Service) end(ctx context.Context, c store.Challenge, kind eventKind, change store.ChallengeChange) error {
	c, err := s.Store.ChangeChallenge(ctx, c.ID, []string{store.ChallengeCreated}, change)
	if errors.Is(err, store.ErrConflict) {
		return errNoChallenge()
	}
	if err != nil {
		return err
	}
	s.tell(ctx, kind, c)
	return nil
}

// Ping keeps a challenge with a clock alive.
func (s *Service) Ping(ctx context.Context, id string) error {
	now := s.Now()
	_, err := s.Store.ChangeChallenge(ctx, id, []string{store.ChallengeCreated}, store.ChallengeChange{Seen: &now})
	s.stir()
	return err
}

// Show returns one of the caller's challenges, whatever its state.
func (s *Service) Show(ctx context.Context, by Player, id string) (store.Challenge, error) {
	c, err := s.load(ctx, id)
	if err != nil {
		return c, err
	}
	if c.ChallengerID != by.ID && c.DestID != by.ID && !c.Open {
		return store.Challenge{}, errNoChallenge()
	}
	if c.Status == store.ChallengeCreated && s.dead(c) {
		c.Status = store.ChallengeOffline
	}
	return c, nil
}

// List returns the challenges that wait for an answer of the account, and
// those that it has made. Open ones belong to nobody and are not in it.
func (s *Service) List(ctx context.Context, accountID string) (in, out []store.Challenge, err error) {
	in, out, err = s.Store.ChallengesOf(ctx, accountID)
	return s.alive(in), s.alive(out), err
}

func (s *Service) alive(all []store.Challenge) []store.Challenge {
	var list []store.Challenge
	for _, c := range all {
		if !c.Open && !s.dead(c) {
			list = append(list, c)
		}
	}
	return list
}

func (s *Service) load(ctx context.Context, id string) (store.Challenge, error) {
	c, err := s.Store.ChallengeByID(ctx, lichess.GameID(id))
	if errors.Is(err, store.ErrNotFound) {
		return c, errNoChallenge()
	}
	return c, err
}

// playable says why a challenge cannot become a game any more.
func (s *Service) playable(ctx context.Context, c *store.Challenge) error {
	switch c.Status {
	case store.ChallengeCanceled:
		return fault.Invalid("This challenge was canceled")
	case store.ChallengeDeclined:
		return fault.Invalid("This challenge was declined")
	case store.ChallengeCreated:
		if !s.dead(*c) {
			return nil
		}
		offline := store.ChallengeOffline
		if err := s.end(ctx, *c, kindCanceled, store.ChallengeChange{Status: &offline}); err != nil {
			return err
		}
	}
	return errNoChallenge()
}

// dead says whether the challenge has lived its time.
func (s *Service) dead(c store.Challenge) bool {
	now := s.Now()
	if c.Expires.IsZero() {
		return now.Sub(c.Seen) >= SeenLife
	}
	return !now.Before(c.Expires)
}

// isUnknown says whether looking an account up gave nobody to play with.
func isUnknown(a store.Account, err error) bool {
	return errors.Is(err, store.ErrNotFound) || err == nil && (a.IsClosed() || a.Hidden)
}

func errNoChallenge() error { return fault.NotFound("No such challenge") }
