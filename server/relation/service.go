package relation

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/store"
)

// Bounds of what one account may keep.
const (
	maxFollows = 800
	maxBlocks  = 800
	maxNotes   = 100 // about one account
)

// Records is what the service keeps and reads.
type Records interface {
	store.Relations
	store.Notes
}

// Profiles knows the accounts.
type Profiles interface {
	// Find returns a visible account by name.
	Find(ctx context.Context, name, caller string) (store.Account, error)
	// Profiles returns public profiles in the order of the ids.
	Profiles(ctx context.Context, ids []string) ([]openapi.User, error)
}

// Deps is what a Service needs; all fields are required.
type Deps struct {
	Store    Records
	Profiles Profiles
	// Followable says whether an account lets others follow it.
	Followable func(store.Account) bool
	// Withdraw takes back what waits for an answer between an account and
	// another.
	Withdraw func(ctx context.Context, accountID, otherID string) error
	Now      func() time.Time
}

// Service keeps relations and notes. Its methods may be called from any
// goroutine.
type Service struct{ d Deps }

// New returns a service.
func New(d Deps) *Service { return &Service{d: d} }

// open finds an account that can be dealt with: a closed one cannot.
func (s *Service) open(ctx context.Context, caller, name string) (store.Account, error) {
	a, err := s.d.Profiles.Find(ctx, name, caller)
	if err == nil && a.IsClosed() {
		err = fault.NotFound("Not found")
	}
	return a, err
}

// Follow makes the caller follow an account.
func (s *Service) Follow(ctx context.Context, caller, name string) error {
	a, err := s.open(ctx, caller, name)
	if err != nil {
		return err
	}
	if a.ID == caller {
		return fault.Invalid("You cannot follow yourself")
	}
	mine, theirs, err := s.d.Store.RelationsWith(ctx, caller, []string{a.ID})
	if err != nil {
		return err
	}
	if r, ok := mine[a.ID]; ok && !r.Block {
		return nil
	}
	if theirs[a.ID].Block || !s.d.Followable(a) {
		return fault.Invalid("You cannot follow %s.", a.Name)
	}
	if err := s.room(ctx, caller, false, maxFollows, "follow"); err != nil {
		return err
	}
	return s.d.Store.Relate(ctx, store.Relation{AccountID: caller, OtherID: a.ID, Since: s.d.Now()})
}

// Block makes the caller block an account, whether or not it was followed. The
// challenges that wait between the two are withdrawn.
func (s *Service) Block(ctx context.Context, caller, name string) error {
	a, err := s.open(ctx, caller, name)
	if err != nil {
		return err
	}
	if a.ID == caller {
		return fault.Invalid("You cannot block yourself")
	}
	if err := s.room(ctx, caller, true, maxBlocks, "block"); err != nil {
		return err
	}
	if err := s.d.Store.Relate(ctx, store.Relation{AccountID: caller, OtherID: a.ID, Block: true, Since: s.d.Now()}); err != nil {
		return err
	}
	return s.d.Withdraw(ctx, caller, a.ID)
}

// room refuses one relation too many.
func (s *Service) room(ctx context.Context, caller string, block bool, most int, verb string) error {
	n, err := s.d.Store.CountRelations(ctx, caller, block)
	if err == nil && n >= most {
		err = fault.Invalid("You cannot %s more than %d accounts", verb, most)
	}
	return err
}

// End ends the caller's following, or block, of an account, which may be a
// closed one.
func (s *Service) End(ctx context.Context, caller, name string, block bool) error {
	a, err := s.d.Profiles.Find(ctx, name, caller)
	if err != nil {
		return err
	}
	return s.d.Store.Unrelate(ctx, caller, a.ID, block)
}

// List returns the profiles of those whom the account follows, or blocks.
func (s *Service) List(ctx context.Context, accountID string, block bool) ([]openapi.User, error) {
	relations, err := s.d.Store.RelationsOf(ctx, accountID, block)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(relations))
	for i, r := range relations {
		ids[i] = r.OtherID
	}
	return s.d.Profiles.Profiles(ctx, ids)
}

// Notes returns what the caller wrote down about an account, newest first.
func (s *Service) Notes(ctx context.Context, caller, name string) ([]openapi.Note, error) {
	a, err := s.d.Profiles.Find(ctx, name, caller)
	if err != nil {
		return nil, err
	}
	notes, err := s.d.Store.NotesOf(ctx, caller, a.ID)
	if err != nil {
		return nil, err
	}
	shown := make([]openapi.Note, len(notes))
	for i, n := range notes {
		shown[i] = openapi.Note{From: n.From, To: n.To, Text: n.Text, Date: n.At.UnixMilli()}
	}
	return shown, nil
}

// AddNote writes something down about an account.
func (s *Service) AddNote(ctx context.Context, caller, name, text string) error {
	a, err := s.d.Profiles.Find(ctx, name, caller)
	if err != nil {
		return err
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return fault.Field("text", "must not be empty")
	}
	err = s.d.Store.AddNote(ctx, store.Note{
		ID: rand.Text(), From: caller, To: a.ID, Text: text, At: s.d.Now(),
	}, maxNotes)
	if errors.Is(err, store.ErrConflict) {
		return fault.Invalid("You have %d notes about %s, which is the most", maxNotes, a.Name)
	}
	return err
}
