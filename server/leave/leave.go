// Package leave lets people go: it closes accounts, ends what they have open, and hands their data out.
package leave

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/store"
)

// Identities knows who may get in.
type Identities interface {
	// Confirm checks the password of an account, and the code of its second factor.
	Confirm(ctx context.Context, accountID, password, code string) error
	// Close ends sessions and tokens, for good if ban is set.
	Close(ctx context.Context, accountID, by string, ban bool, note string) error
	// Expel ends the streams of a closed account on this node.
	Expel(accountID string)
}

// Withdrawer takes back what an account offers: its challenges, its seeks. What is gone already is no error.
type Withdrawer interface {
	WithdrawAll(ctx context.Context, accountID string) error
}

// Games ends games.
type Games interface {
	Ongoing(ctx context.Context, accountID string) ([]*game.Snapshot, error)
	Act(ctx context.Context, gameID string, a game.Action) (game.Ack, error)
	Ready() <-chan struct{}
}

// Deps is what the service works with. Now and Log have defaults.
type Deps struct {
	Store      store.Store
	Identities Identities
	Offers     []Withdrawer
	Games      Games
	Records    Records
	Now        func() time.Time
	Log        *slog.Logger
}

// Service closes accounts.
type Service struct {
	Deps
	since time.Time // accounts that were closed before it have nothing open
}

const (
	lookEvery = 2 * time.Second
	// overlap looks a little further back than the look before: clocks of several machines differ.
	overlap   = 30 * time.Second
	closedMax = 500
)

// New returns a service. Run it: it ends what accounts have open that others closed, such as the command line.
func New(ctx context.Context, d Deps) (*Service, error) {
	s := &Service{Deps: d}
	s.Log = cmp.Or(s.Log, slog.Default())
	if s.Now == nil {
		s.Now = time.Now
	}
	beat, err := s.Store.LastBeat(ctx)
	if err != nil {
		return nil, err
	}
	// Whatever was closed while a server was alive to see it, has been seen, but for what its death interrupted.
	if !beat.IsZero() {
		s.since = beat.Add(-overlap)
	}
	return s, nil
}

// Close closes an account and ends what it has open. The account is closed even if an error says that not everything
// could be ended at once: Run tries again.
func (s *Service) Close(ctx context.Context, accountID, by string, ban bool, note string) error {
	if err := s.Identities.Close(ctx, accountID, by, ban, note); err != nil {
		return err
	}
	if err := s.end(ctx, accountID); err != nil {
		s.Log.Warn("a closed account still has something open", "account", accountID, "error", err)
	}
	return nil
}

// end ends streams, offers and games of a closed account. Doing it again does no harm.
func (s *Service) end(ctx context.Context, accountID string) error {
	s.Identities.Expel(accountID)
	errs := make([]error, 0, len(s.Offers)+1)
	for _, o := range s.Offers {
		errs = append(errs, o.WithdrawAll(ctx, accountID))
	}
	return errors.Join(append(errs, s.endGames(ctx, accountID))...)
}

// endGames resigns the account's games; those that have hardly begun are aborted by it.
func (s *Service) endGames(ctx context.Context, accountID string) error {
	games, err := s.Games.Ongoing(ctx, accountID)
	if err != nil {
		return err
	}
	var errs []error
	for _, g := range games {
		for seat, p := range g.Players {
			if p.AccountID != accountID {
				continue
			}
			_, err := s.Games.Act(ctx, g.ID, game.Action{Kind: game.Resign, Player: seat})
			if k := fault.KindOf(err); err != nil && k != fault.KindInvalid && k != fault.KindNotFound {
				errs = append(errs, err) // what is invalid is over already
			}
		}
	}
	return errors.Join(errs...)
}

// Run looks for closed accounts until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	select {
	case <-s.Games.Ready():
	case <-ctx.Done():
		return nil
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := s.look(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("closed accounts not looked after", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// look ends what recently closed accounts have open. What fails is tried again at the next look.
func (s *Service) look(ctx context.Context) error {
	began := s.Now()
	for from := s.since; ; {
		accounts, err := s.Store.AccountsClosedSince(ctx, from, closedMax)
		if err != nil {
			return err
		}
		for _, a := range accounts {
			if err := s.end(ctx, a.ID); err != nil {
				return err
			}
		}
		if len(accounts) < closedMax {
			break
		}
		next := accounts[len(accounts)-1].Closed
		if !next.After(from) {
			next = from.Add(time.Millisecond)
		}
		from = next
	}
	s.since = began.Add(-overlap)
	return nil
}
