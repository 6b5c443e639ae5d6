// Package lichess holds the words that all endpoints of the Lichess-compatible
// API share: how variants, perfs, players, clocks and running games are named
// and shown, and where a game from a given position begins. It knows no
// storage and no transport.
package lichess

import (
	"errors"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// The variant keys that Lichess's API gives a meaning of their own. All other
// keys are just games.
const (
	Standard     = "standard"
	Chess960     = "chess960"
	FromPosition = "fromPosition"
)

// Catalogue looks up the rules of a game by its key.
type Catalogue interface {
	Get(key string) (*rules.Rules, bool)
}

// Games answers what Lichess's vocabulary says about the games of a catalogue.
// It is safe for use by several goroutines.
type Games struct {
	catalogue Catalogue
}

// NewGames returns the vocabulary of the catalogue's games.
func NewGames(c Catalogue) *Games { return &Games{catalogue: c} }

// RulesKey is the key of the rules by which a variant is played. A chess game
// from a given position castles from any files, as Chess960 does.
func RulesKey(variant string) string {
	if variant == FromPosition {
		return Chess960
	}
	return variant
}

// Rules returns the rules of a variant.
func (g *Games) Rules(variant string) (*rules.Rules, bool) {
	return g.catalogue.Get(RulesKey(variant))
}

// KingRook says whether a variant writes castling as king takes rook: where
// games start from many positions, no other form is unambiguous.
func (g *Games) KingRook(variant string) bool {
	r, ok := g.Rules(variant)
	return ok && r.Shuffled()
}

// FEN writes a position, given in our own form, in Lichess's: castling rights
// of shuffled games as X-FEN.
func (g *Games) FEN(variant, fen string) string {
	r, ok := g.Rules(variant)
	if !ok || !r.Shuffled() {
		return fen
	}
	p, err := notation.ParseFEN(r, fen)
	if err != nil {
		return fen
	}
	return notation.XFEN(p)
}

// Start is where a game begins. FEN is empty for the game's one usual start;
// shuffled games always have it.
type Start struct {
	Variant string
	FEN     string
	Number  int
	// Custom marks a position that somebody made up: such games are casual.
	Custom bool
}

// Errors of [Games.Start].
var (
	ErrUnknownVariant = errors.New("unknown variant")
	ErrNoPosition     = errors.New("fromPosition needs a fen")
	ErrNotAStart      = errors.New("the fen is not a start position of the game")
	ErrOver           = errors.New("the game would be over at once")
)

// Start works out where a game of the variant from the given fen (empty: the
// usual start) begins. Where the game has many starts and no fen chooses,
// pick(n) gives a number below n. Standard with a position of its own becomes
// fromPosition; Chess960 takes its own starts only; every other game keeps its
// key. Errors are those above, or say what is wrong with the fen.
func (g *Games) Start(variant, fen string, pick func(n int) int) (Start, error) {
	r, ok := g.Rules(variant)
	if !ok {
		return Start{}, ErrUnknownVariant
	}
	if fen == "" {
		return usualStart(r, variant, pick)
	}
	if variant == Standard {
		if std, ok := g.catalogue.Get(Standard); ok && startNumber(std, fen) == 0 {
			return Start{Variant: Standard}, nil
		}
		variant = FromPosition
		if r, ok = g.Rules(variant); !ok {
			return Start{}, ErrUnknownVariant
		}
	}
	p, err := notation.ParseFEN(r, fen)
	if err != nil {
		return Start{}, err
	}
	if _, over := p.Outcome(); over || !p.HasMove() {
		return Start{}, ErrOver
	}
	if variant != FromPosition {
		if n := startNumber(r, fen); n >= 0 {
			s := Start{Variant: variant, Number: n}
			if r.Starts() > 1 {
				s.FEN = notation.XFEN(p)
			}
			return s, nil
		}
		if r.Shuffled() {
			return Start{}, ErrNotAStart
		}
	}
	return Start{Variant: variant, FEN: notation.XFEN(p), Custom: true}, nil
}

func usualStart(r *rules.Rules, variant string, pick func(n int) int) (Start, error) {
	if variant == FromPosition {
		return Start{}, ErrNoPosition
	}
	s := Start{Variant: variant}
	if r.Shuffled() {
		s.Number = pick(r.Starts())
		p, err := r.Start(s.Number)
		if err != nil {
			return Start{}, err
		}
		s.FEN = notation.XFEN(p)
	}
	return s, nil
}

// startNumber finds the start position that fen is, or -1. Positions compare
// by what they write, with the counters: a start is a start, not a position
// that looks like one at move 20.
func startNumber(r *rules.Rules, fen string) int {
	p, err := notation.ParseFEN(r, fen)
	if err != nil {
		return -1
	}
	want := notation.FEN(p)
	for n := range r.Starts() {
		if start, err := r.Start(n); err == nil && start.Key() == p.Key() && notation.FEN(start) == want {
			return n
		}
	}
	return -1
}
