package puzzle

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/store"
)

// entry is a puzzle as it is shown and chosen. What does not change with play is computed once.
type entry struct {
	puzzle   store.Puzzle // rating and plays as of the last look at the store, or the last answer here
	rules    *rules.Rules
	lastMove string
	san      string // of the opponent's move that opens the puzzle
	fen      string // after it: what the solver meets
	color    string // the solver's
}

// index holds all puzzles for choosing. It is replaced, never changed, except for the entries of
// puzzles that were just rated, which Service.rated replaces under its lock.
type index struct {
	byID      map[string]*entry
	byVariant map[string][]*entry // in order of id
	all       []*entry            // in order of id
}

// loadIndex reads all puzzles. Those that the rules do not understand are left out and returned as
// errors: a puzzle of a game that this server does not have, for example.
func loadIndex(ctx context.Context, s store.Puzzles, set *variant.Set) (*index, []error, error) {
	ix := &index{byID: make(map[string]*entry), byVariant: make(map[string][]*entry)}
	var skipped []error
	for p, err := range store.Each(math.MaxInt, func(last store.Puzzle, limit int) ([]store.Puzzle, error) {
		return s.Puzzles(ctx, store.PuzzleFilter{AfterID: last.ID, Limit: limit})
	}) {
		if err != nil {
			return nil, nil, err
		}
		e, err := newEntry(set, p)
		if err != nil {
			skipped = append(skipped, err)
			continue
		}
		ix.byID[p.ID] = e
		ix.all = append(ix.all, e)
		ix.byVariant[p.Variant] = append(ix.byVariant[p.Variant], e)
	}
	return ix, skipped, nil
}

func newEntry(set *variant.Set, p store.Puzzle) (*entry, error) {
	r, ok := set.Get(p.Variant)
	if !ok {
		return nil, fmt.Errorf("puzzle %s: no game %q", p.ID, p.Variant)
	}
	if len(p.Moves) < 2 {
		return nil, fmt.Errorf("puzzle %s: no solution", p.ID)
	}
	pos, err := notation.ParseFEN(r, p.FEN)
	if err != nil {
		return nil, fmt.Errorf("puzzle %s: %w", p.ID, err)
	}
	m, err := notation.ParseMove(pos, p.Moves[0])
	if err != nil {
		return nil, fmt.Errorf("puzzle %s: %w", p.ID, err)
	}
	e := &entry{puzzle: p, rules: r, lastMove: notation.FormatMove(pos, m), san: notation.SAN(pos, m)}
	if err := pos.Play(m); err != nil {
		return nil, fmt.Errorf("puzzle %s: %w", p.ID, err)
	}
	e.fen = notation.FEN(pos)
	e.color = colorOf(pos.Turn())
	return e, nil
}

func colorOf(s rules.Side) string {
	if s == 0 {
		return "white"
	}
	return "black"
}

// pool returns the puzzles of a game, or all for "".
func (ix *index) pool(variantKey string) []*entry {
	if variantKey == "" {
		return ix.all
	}
	return ix.byVariant[variantKey]
}

// daily returns the puzzle of a day: the one whose hash with the date is highest, among those of
// usual difficulty if there are any. So all servers agree without asking each other, and a few new
// puzzles rarely change the day's.
func (ix *index) daily(variantKey string, day time.Time) *entry {
	pool := ix.pool(variantKey)
	usual := slices.DeleteFunc(slices.Clone(pool), func(e *entry) bool {
		return e.puzzle.Rating < 1000 || e.puzzle.Rating > 2000
	})
	if len(usual) > 0 {
		pool = usual
	}
	if len(pool) == 0 {
		return nil
	}
	date := day.UTC().Format(time.DateOnly)
	return slices.MaxFunc(pool, func(a, b *entry) int {
		return cmp.Compare(dayHash(date, a.puzzle.ID), dayHash(date, b.puzzle.ID))
	})
}

func dayHash(date, id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	h.Write([]byte(date))
	// FNV mixes its last bytes badly; the multiplication spreads them (Fibonacci hashing).
	x := h.Sum64()
	x ^= x >> 32
	return x * 0x9E3779B97F4A7C15
}
