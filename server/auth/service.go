package auth

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"hoplite/server/bus"
	"hoplite/store"
)

// Mode says who may open an account.
type Mode string

// The modes of sign-up. ByURL is open on loopback, and with a public URL closed until there is an
// administrator.
const (
	ByURL  Mode = ""
	Open   Mode = "open"
	Invite Mode = "invite"
	Closed Mode = "closed"
)

// Config is what an operator decides.
type Config struct {
	Signup Mode
	// Public says that the server has a public URL, HTTPS that it is reached by https there.
	Public, HTTPS bool
	// Secrets signs sessions: one secret or several, newest first, separated by commas. Empty: made
	// at the first start and kept in the store.
	Secrets string
	// URL is where people reach the server, without a final slash.
	URL string
	// OIDC is a provider at which people can log in as well.
	OIDC OIDCConfig
}

// Streams can end what a revoked credential has opened.
type Streams interface {
	// Credentials returns the ids of the tokens and sessions that have something
	// open.
	Credentials() (tokens, sessions []string)
	CloseToken(id string)
	CloseSession(id string)
	CloseAccount(id string)
}

// Deps are what the service works with. Now and Log have defaults.
type Deps struct {
	Store   store.Store
	Bus     *bus.Bus
	Streams Streams
	Mail    Mailer // nil: no mail is sent
	Now     func() time.Time
	Log     *slog.Logger
}

// Service makes accounts, opens sessions, and issues, checks and revokes tokens. Its methods may be
// called from any goroutine. Errors that are the caller's fault are *fault.Error.
type Service struct {
	config  Config
	store   store.Store
	bus     *bus.Bus
	streams Streams
	now     func() time.Time
	log     *slog.Logger

	mail   Mailer
	mails  chan func(context.Context) error
	oidc   *provider // nil: none
	hasher *Hasher
	keys   *keyring
	cache  *cache
	uses   *uses
}

// New reads or makes the secrets that sign sessions. Run the service beside it.
func New(ctx context.Context, c Config, d Deps) (*Service, error) {
	now := d.Now
	if now == nil {
		now = time.Now
	}
	keys, err := newKeyring(ctx, d.Store, c.Secrets, now())
	if err != nil {
		return nil, err
	}
	return &Service{
		config: c, store: d.Store, bus: d.Bus, streams: d.Streams,
		oidc: newProvider(c.OIDC), mail: d.Mail, mails: make(chan func(context.Context) error, mailQueue),
		now: now, log: cmp.Or(d.Log, slog.Default()),
		hasher: NewHasher(), keys: keys, cache: newCache(), uses: newUses(),
	}, nil
}

// topic carries Revoked to every node.
const topic = "auth/revoked"

// Revoked says what is no longer good: a token or a session, or with neither everything that is
// known about the account. Closed asks to end the account's streams as well.
type Revoked struct {
	AccountID string
	TokenID   string
	SessionID string
	Closed    bool
}

// Forget drops what is cached about an account after a change of its title, role or state.
func (s *Service) Forget(accountID string) {
	s.revoke(Revoked{AccountID: accountID})
}

// revoke takes effect here before it returns, and on other nodes by the bus.
func (s *Service) revoke(r Revoked) {
	s.apply(r)
	s.bus.Publish(topic, r)
}

func (s *Service) apply(r Revoked) {
	s.cache.forget(r.AccountID)
	if s.streams == nil {
		return
	}
	if r.TokenID != "" {
		s.streams.CloseToken(r.TokenID)
	}
	if r.SessionID != "" {
		s.streams.CloseSession(r.SessionID)
	}
	if r.Closed {
		s.streams.CloseAccount(r.AccountID)
	}
}

const (
	usesEvery  = 30 * time.Second
	heldEvery  = 10 * time.Second
	sweepEvery = 10 * time.Minute
	sweepChunk = 200
)

// Run listens to revocations elsewhere, notes when tokens were used, and sweeps sessions and codes that
// ran out, until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	sub := s.bus.Subscribe(topic, 1024)
	defer func() { sub.Close() }()
	use := time.NewTicker(usesEvery)
	defer use.Stop()
	sweep := time.NewTicker(sweepEvery)
	defer sweep.Stop()
	held := time.NewTicker(heldEvery)
	defer held.Stop()
	for {
		select {
		case <-ctx.Done():
			s.writeLastUses(ctx)
			return nil
		case ev, ok := <-sub.C:
			if ok {
				if r, isRevoked := ev.(Revoked); isRevoked {
					s.apply(r)
				}
				continue
			}
			if errors.Is(sub.Err(), bus.ErrClosed) {
				s.writeLastUses(ctx)
				return nil
			}
			// Some were missed: trust nothing that was cached.
			sub = s.bus.Subscribe(topic, 1024)
			s.cache.clear()
		case <-use.C:
			s.writeUses(ctx)
		case <-sweep.C:
			s.sweep(ctx)
		case <-held.C:
			s.closeUnheld(ctx)
		}
	}
}

// closeUnheld ends the streams whose token or session is there no more: it ran
// out, or was revoked by another process, or where the bus did not carry it.
func (s *Service) closeUnheld(ctx context.Context) {
	if s.streams == nil {
		return
	}
	tokens, sessions := s.streams.Credentials()
	s.closeGone(ctx, tokens, s.store.HeldTokens, s.streams.CloseToken)
	s.closeGone(ctx, sessions, s.store.HeldSessions, s.streams.CloseSession)
}

func (s *Service) closeGone(
	ctx context.Context, open []string, held func(context.Context, []string, time.Time) ([]string, error), end func(id string),
) {
	if len(open) == 0 {
		return
	}
	good, err := held(ctx, open, s.now())
	if err != nil {
		s.log.Warn("open streams are not checked", "error", err)
		return
	}
	holds := make(map[string]bool, len(good))
	for _, id := range good {
		holds[id] = true
	}
	for _, id := range open {
		if !holds[id] {
			end(id)
		}
	}
}

// writeLastUses writes at the end: the uses are worth a write, but not a wait.
func (s *Service) writeLastUses(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	s.writeUses(ctx)
}

func (s *Service) writeUses(ctx context.Context) {
	tokens, accounts := s.uses.take()
	for id, at := range tokens {
		if err := s.store.UseToken(ctx, id, at); err != nil {
			s.log.Warn("token use not noted", "error", err)
			return
		}
	}
	for id, at := range accounts {
		if err := s.store.UpdateAccount(ctx, id, store.AccountChange{Seen: &at}); err != nil {
			s.log.Warn("account's last visit not noted", "account", id, "error", err)
			return
		}
	}
}

func (s *Service) sweep(ctx context.Context) {
	for what, some := range map[string]func(context.Context, time.Time, int) (int, error){
		"sessions": s.store.SweepSessions, "codes": s.store.SweepAuthCodes,
		"mailed codes": s.store.SweepMailCodes,
	} {
		for {
			n, err := some(ctx, s.now(), sweepChunk)
			if err != nil {
				s.log.Warn("what has expired is not swept", "what", what, "error", err)
				return
			}
			if n < sweepChunk {
				break
			}
		}
	}
}
