// Package external lends the chess programs of others to the clients of an account: it keeps which engines an account
// has, and brings together those who want an analysis and the providers at which the programs run. What is asked and
// what is answered passes through; nothing of it is kept.
package external

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"hoplite/engine/rules"
	"hoplite/openapi"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/stream"
	"hoplite/store"
)

// MaxEngines is how many engines an account may have.
const MaxEngines = 20

const (
	idPrefix     = "eei_"
	idChars      = 12
	secretPrefix = "ees_"
	secretChars  = 16
	// defaultVariant is what a program plays that does not say.
	defaultVariant = "chess"
)

var errNoEngine = fault.NotFound("No such engine")

// Nothing that others hold open, or send, is without bounds. The numbers are those of one node.
const (
	maxWork          = 500
	maxEngineWork    = 8
	maxPolls         = 1000
	maxProviderPolls = 16
	maxLine          = 64 << 10
	maxUpload        = 64 << 20
	// longest is how long work may be answered.
	longest = 10 * time.Minute
	// quiet is how long an engine may say nothing, and parting how long its provider may take to end when it has.
	quiet   = 2 * time.Minute
	parting = 2 * time.Second
	// answerTime is how long those who talk over the bus wait for an answer.
	answerTime = 3 * time.Second
	// tellEvery is how often a client hears at most; what is last is always told.
	tellEvery = 100 * time.Millisecond
)

// Config is how long things may take; zero values stand for the usual times.
type Config struct {
	// Poll is how long a provider waits for work.
	Poll time.Duration
	// Wait is how long work waits for a provider.
	Wait time.Duration
	// Begin is how long a provider may take to begin to answer what it was given.
	Begin time.Duration
}

const (
	usualPoll  = 10 * time.Second
	usualWait  = time.Minute
	usualBegin = 15 * time.Second
)

// Deps is what the service works with; all fields but Shared are required.
type Deps struct {
	Store   store.ExternalEngines
	Games   *lichess.Games
	Bus     *bus.Bus
	Streams *stream.Hub
	// Shared: the bus reaches other nodes.
	Shared bool
	Now    func() time.Time
}

// Service keeps external engines, and brings those together who use them.
type Service struct {
	Deps
	config Config
	work   atomic.Int64 // that is open
	polls  atomic.Int64 // that are open
}

// New returns a service.
func New(c Config, d Deps) *Service {
	c.Poll, c.Wait, c.Begin = cmp.Or(c.Poll, usualPoll), cmp.Or(c.Wait, usualWait), cmp.Or(c.Begin, usualBegin)
	return &Service{Deps: d, config: c}
}

// register gives an account an engine.
func (s *Service) register(ctx context.Context, accountID string, form *openapi.ExternalEngineRegistration) (store.ExternalEngine, error) {
	e, err := s.engine(accountID, form)
	if err != nil {
		return e, err
	}
	e.ID = idPrefix + lichess.RandomText(idChars)
	e.ClientSecret = secretPrefix + lichess.RandomText(secretChars)
	e.Created = s.Now()
	err = s.Store.CreateEngine(ctx, e, MaxEngines)
	if errors.Is(err, store.ErrConflict) {
		return e, fault.Conflict("You have %d external engines already. Please remove one of them.", MaxEngines)
	}
	return e, err
}

// change writes an engine of an account anew.
func (s *Service) change(ctx context.Context, accountID, id string, form *openapi.ExternalEngineRegistration) (store.ExternalEngine, error) {
	e, err := s.engine(accountID, form)
	if err != nil {
		return e, err
	}
	e.ID = id
	e, err = s.Store.UpdateEngine(ctx, e)
	return e, absent(err)
}

// engine is what a form says of one.
func (s *Service) engine(accountID string, form *openapi.ExternalEngineRegistration) (store.ExternalEngine, error) {
	e := store.ExternalEngine{
		AccountID: accountID, Name: strings.TrimSpace(form.Name), Provider: provider(form.ProviderSecret),
		MaxThreads: form.MaxThreads, MaxHash: form.MaxHash, Data: form.ProviderData,
	}
	if e.Name == "" {
		return e, fault.Field("name", "must not be blank")
	}
	names := form.Variants
	if len(names) == 0 {
		names = []string{defaultVariant}
	}
	for _, name := range names {
		r, ok := s.Games.RulesByProgram(name)
		if !ok {
			return e, fault.Field("variants", "unknown variant "+name)
		}
		if err := lichess.Analysable(r); err != nil {
			return e, fault.Field("variants", name+": "+err.Error())
		}
		if name = called(r); !slices.Contains(e.Variants, name) {
			e.Variants = append(e.Variants, name)
		}
	}
	return e, nil
}

// remove takes an engine away from an account.
func (s *Service) remove(ctx context.Context, accountID, id string) error {
	err := s.Store.DeleteEngine(ctx, accountID, id)
	if err == nil {
		s.Bus.Publish(engineTopic(id), Removed{id})
	}
	return absent(err)
}

// called is what programs call a game. One that is another game with its start shuffled has the other's name.
func called(r *rules.Rules) string { return cmp.Or(r.Definition().UCIShuffled, r.UCIName()) }

// own is an engine of an account.
func (s *Service) own(ctx context.Context, accountID, id string) (store.ExternalEngine, error) {
	e, err := s.Store.EngineByID(ctx, id)
	if err == nil && e.AccountID != accountID {
		err = store.ErrNotFound
	}
	return e, absent(err)
}

// absent says that there is no such engine where the store does.
func absent(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return errNoEngine
	}
	return err
}

// provider is what is kept of a provider's secret. The secret is random by its description and has to be found by it,
// so a plain hash must do.
func provider(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }

// shown is the API's form of an engine.
func shown(e store.ExternalEngine) openapi.ExternalEngine {
	return openapi.ExternalEngine{
		ID: e.ID, Name: e.Name, ClientSecret: e.ClientSecret, UserID: e.AccountID, MaxThreads: e.MaxThreads,
		MaxHash: e.MaxHash, Variants: e.Variants, ProviderData: e.Data,
	}
}
