package catalogue

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/live/game"
)

// Puzzles counts the puzzles of each game.
type Puzzles interface {
	CountPuzzles(ctx context.Context) (map[string]int, error)
}

// countsStale is how long a number of puzzles is shown without counting again.
const countsStale = time.Minute

// Service answers from bytes that are made once: the definitions do not change, and the only number
// that does, that of the puzzles, moves rarely.
type Service struct {
	set     *variant.Set
	puzzles Puzzles
	now     func() time.Time
	log     *slog.Logger
	details []openapi.VariantDetail // without the numbers of puzzles

	mu    sync.Mutex // one counts at a time
	shown atomic.Pointer[rendered]
}

// rendered are the answers as they are sent.
type rendered struct {
	counted time.Time
	list    []byte
	byKey   map[string][]byte
}

// New describes every game of the set.
func New(set *variant.Set, p Puzzles, now func() time.Time, log *slog.Logger) (*Service, error) {
	s := &Service{set: set, puzzles: p, now: now, log: log}
	common := map[string]bool{}
	for _, d := range variant.All() {
		common[d.Key] = true
	}
	for _, r := range set.List() {
		d, err := describe(r)
		if err != nil {
			return nil, err
		}
		if !common[d.Key] {
			// A client with a rules core of its own learns the game from here.
			if d.Definition, err = definition(r); err != nil {
				return nil, err
			}
		}
		s.details = append(s.details, d)
	}
	first, err := s.render(nil, time.Time{})
	if err != nil {
		return nil, err
	}
	s.shown.Store(first)
	return s, nil
}

func (s *Service) render(counts map[string]int, counted time.Time) (*rendered, error) {
	out := &rendered{counted: counted, byKey: make(map[string][]byte, len(s.details))}
	list := make([]openapi.VariantSummary, 0, len(s.details))
	for _, d := range s.details {
		d.Puzzles = counts[d.Key]
		text, err := encode(d)
		if err != nil {
			return nil, err
		}
		out.byKey[d.Key] = text
		list = append(list, summary(d))
	}
	var err error
	out.list, err = encode(list)
	return out, err
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// current returns the answers, with the puzzles counted again if that was long ago. While one
// request counts, the others are answered with the number before. The texts do not need the store:
// without it the old numbers serve.
func (s *Service) current(ctx context.Context) *rendered {
	shown := s.shown.Load()
	now := s.now()
	if now.Sub(shown.counted) < countsStale || !s.mu.TryLock() {
		return shown
	}
	defer s.mu.Unlock()
	if shown = s.shown.Load(); now.Sub(shown.counted) < countsStale {
		return shown
	}
	counts, err := s.puzzles.CountPuzzles(ctx)
	if err != nil {
		s.log.Warn("puzzles not counted", "error", err)
		return shown
	}
	next, err := s.render(counts, now)
	if err != nil {
		s.log.Error("games not described", "error", err)
		return shown
	}
	s.shown.Store(next)
	return next
}

// detail returns all about one game, also under a key that only stands for its rules.
func (s *Service) detail(ctx context.Context, key string) ([]byte, error) {
	r, err := game.RulesOf(s.set, key)
	if err != nil {
		return nil, fault.NotFound("No such variant")
	}
	return s.current(ctx).byKey[r.Key()], nil
}
