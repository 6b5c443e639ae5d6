package puzzle

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"hoplite/engine/variant"
	"hoplite/server/fault"
	"hoplite/store"
)

// Records is what the service reads and writes.
type Records interface {
	store.Puzzles
	store.Perfs
	store.Meta
	InTx(ctx context.Context, f func(store.Store) error) error
}

// Deps are what the service works with. Now and Log have defaults.
type Deps struct {
	Store     Records
	Catalogue *variant.Set
	Now       func() time.Time
	Log       *slog.Logger
}

// Service gives out puzzles and judges answers. Its methods may be called from any goroutine.
type Service struct {
	store Records
	set   *variant.Set
	now   func() time.Time
	log   *slog.Logger

	ready chan struct{} // closed once the index was read for the first time

	mu    sync.RWMutex // guards index and the entries in it
	index *index
	days  map[string]daily // by variant

	judges chan struct{} // holds one for each proof that runs
}

// daily is the puzzle of a day, so that it is not searched for each request.
type daily struct {
	day string
	id  string
}

// New returns a service that knows no puzzle until Refresh.
func New(d Deps) *Service {
	s := &Service{
		store: d.Store, set: d.Catalogue, now: d.Now, log: cmp.Or(d.Log, slog.Default()),
		ready: make(chan struct{}), index: &index{}, days: make(map[string]daily), judges: make(chan struct{}, judging),
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// refreshEvery is how long puzzles that another process imported, and ratings that another server
// changed, may go unnoticed.
const refreshEvery = 5 * time.Minute

// Run copies the puzzles that come with the program into the store if it has not seen them, and
// keeps the index up to date until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	for wait := time.Second; ; wait = min(2*wait, time.Minute) {
		err := Install(ctx, s.store, s.now())
		if err == nil {
			err = s.Refresh(ctx)
		}
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return nil
		}
		s.log.Warn("puzzles not loaded", "error", err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := s.Refresh(ctx); err != nil && ctx.Err() == nil {
				s.log.Warn("puzzles not read again", "error", err)
			}
		}
	}
}

// Refresh reads all puzzles from the store.
func (s *Service) Refresh(ctx context.Context) error {
	ix, skipped, err := loadIndex(ctx, s.store, s.set)
	if err != nil {
		return err
	}
	for _, why := range skipped {
		s.log.Warn("puzzle left out", "error", why)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index = ix
	clear(s.days)
	select {
	case <-s.ready:
	default:
		close(s.ready)
	}
	return nil
}

// startPatience is how long a request waits for a server that has just started.
const startPatience = 2 * time.Second

// started waits for the index.
func (s *Service) started(ctx context.Context) error {
	select {
	case <-s.ready:
		return nil
	default:
	}
	timer := time.NewTimer(startPatience)
	defer timer.Stop()
	select {
	case <-s.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		late := fault.Unavailable("The puzzles are being loaded, please try again")
		late.RetryAfter = startPatience
		return late
	}
}

// CountPuzzles returns the number of puzzles by game.
func (s *Service) CountPuzzles(ctx context.Context) (map[string]int, error) {
	if err := s.started(ctx); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	counts := make(map[string]int, len(s.index.byVariant))
	for key, list := range s.index.byVariant {
		counts[key] = len(list)
	}
	return counts, nil
}

func errNone() error { return fault.NotFound("No puzzle found") }

// byID returns a copy of an entry.
func (s *Service) byID(ctx context.Context, id string) (entry, error) {
	if err := s.started(ctx); err != nil {
		return entry{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	e, ok := s.index.byID[id]
	if !ok {
		return entry{}, errNone()
	}
	return *e, nil
}

// today returns the puzzle of the day for a game, "" for any.
func (s *Service) today(ctx context.Context, variantKey string) (entry, error) {
	if err := s.checkVariant(variantKey); err != nil {
		return entry{}, err
	}
	if err := s.started(ctx); err != nil {
		return entry{}, err
	}
	now := s.now()
	day := now.UTC().Format(time.DateOnly)
	s.mu.RLock()
	known, ok := s.days[variantKey]
	s.mu.RUnlock()
	if ok && known.day == day {
		return s.byID(ctx, known.id)
	}
	s.mu.Lock()
	e := s.index.daily(variantKey, now)
	if e == nil {
		s.mu.Unlock()
		return entry{}, errNone()
	}
	found := *e
	s.days[variantKey] = daily{day: day, id: e.puzzle.ID}
	s.mu.Unlock()
	return found, nil
}

func (s *Service) checkVariant(key string) error {
	if key == "" {
		return nil
	}
	if _, ok := s.set.Get(key); !ok {
		return fault.Field("variant", "unknown variant")
	}
	return nil
}

// query is what a caller of Next wants.
type query struct {
	angle, variant, color string
	difficulty            string
}

// difficulties are rating points beside the solver's own rating.
func difficulty(word string) (float64, bool) {
	switch word {
	case "easiest":
		return -600, true
	case "easier":
		return -300, true
	case "", "normal":
		return 0, true
	case "harder":
		return 300, true
	case "hardest":
		return 600, true
	}
	return 0, false
}

// mixed is the angle of clients that want puzzles of all themes.
const mixed = "mix"

// next returns a puzzle for the account ("" for nobody). An account gets the same one for the same
// question until it has solved or failed it.
func (s *Service) next(ctx context.Context, accountID string, q query) (entry, error) {
	w, err := s.wish(q)
	if err != nil {
		return entry{}, err
	}
	if err := s.started(ctx); err != nil {
		return entry{}, err
	}
	if accountID == "" {
		w.rating = func(string) float64 { return store.DefaultRating }
		return s.pick(w)
	}
	// Anything that changes which puzzle would fit is part of the question.
	question := w.variant + "/" + w.theme + "/" + w.color + "/" + q.difficulty
	id, err := s.store.CurrentPuzzle(ctx, accountID, question)
	if err == nil {
		if e, err := s.byID(ctx, id); err == nil {
			return e, nil
		}
	} else if !errors.Is(err, store.ErrNotFound) {
		return entry{}, err
	}
	if w.rating, err = s.ratings(ctx, accountID); err != nil {
		return entry{}, err
	}
	if w.tried, err = s.tried(ctx, accountID); err != nil {
		return entry{}, err
	}
	e, err := s.pick(w)
	if err != nil {
		return entry{}, err
	}
	return e, s.store.SetCurrentPuzzle(ctx, accountID, question, e.puzzle.ID)
}

func (s *Service) wish(q query) (wish, error) {
	w := wish{variant: q.variant, color: q.color}
	if err := s.checkVariant(q.variant); err != nil {
		return wish{}, err
	}
	if _, isVariant := s.set.Get(q.angle); isVariant {
		if q.variant != "" && q.variant != q.angle {
			return wish{}, fault.Field("angle", "names another game than variant")
		}
		w.variant = q.angle
	} else if q.angle != mixed {
		w.theme = q.angle
	}
	var ok bool
	if w.delta, ok = difficulty(q.difficulty); !ok {
		return wish{}, fault.Field("difficulty", "must be easiest, easier, normal, harder or hardest")
	}
	if q.color != "" && q.color != "white" && q.color != "black" {
		return wish{}, fault.Field("color", "must be white or black")
	}
	return w, nil
}

func (s *Service) pick(w wish) (entry, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	e := choose(s.index.pool(w.variant), w, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
	if e == nil {
		return entry{}, errNone()
	}
	return *e, nil
}

// ratings returns the account's rating in the puzzles of each game.
func (s *Service) ratings(ctx context.Context, accountID string) (func(string) float64, error) {
	perfs, err := s.store.PerfsOf(ctx, accountID)
	if err != nil {
		return nil, err
	}
	byKey := make(map[string]float64)
	for _, p := range perfs {
		byKey[p.Key] = p.Rating
	}
	return func(variantKey string) float64 {
		if r, ok := byKey[store.PuzzleKey(variantKey)]; ok {
			return r
		}
		return store.DefaultRating
	}, nil
}

// remembered is how many attempts count as "tried": with more, the oldest may come again.
const remembered = 20_000

func (s *Service) tried(ctx context.Context, accountID string) (map[string]bool, error) {
	attempts, err := s.store.Attempts(ctx, accountID, time.Time{}, time.Time{}, remembered)
	if err != nil {
		return nil, err
	}
	tried := make(map[string]bool, len(attempts))
	for _, a := range attempts {
		tried[a.PuzzleID] = tried[a.PuzzleID] || a.Win
	}
	return tried, nil
}

// rated notes new numbers of a puzzle in the index.
func (s *Service) rated(p store.Puzzle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.index.byID[p.ID]
	if !ok {
		return
	}
	fresh := *old
	fresh.puzzle.Rating, fresh.puzzle.RD, fresh.puzzle.Vol, fresh.puzzle.Plays = p.Rating, p.RD, p.Vol, p.Plays
	s.index.replace(old, &fresh)
}

func (ix *index) replace(old, fresh *entry) {
	ix.byID[fresh.puzzle.ID] = fresh
	for _, list := range [][]*entry{ix.all, ix.byVariant[fresh.puzzle.Variant]} {
		if i := slices.Index(list, old); i >= 0 {
			list[i] = fresh
		}
	}
}
