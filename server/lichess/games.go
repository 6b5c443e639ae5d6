// Package lichess holds the words that all endpoints of the Lichess-compatible
// API share: how variants, perfs, players, clocks and running games are named
// and shown, and where a game from a given position begins. It knows no
// storage and no transport.
package lichess

import (
	"errors"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

// Catalogue looks up games by their keys.
type Catalogue interface {
	game.Catalogue
	// List returns all games; the first is the one that is meant when nothing
	// is said.
	List() []*rules.Rules
}

// Games answers what Lichess's vocabulary says about the games of a catalogue.
// It is safe for use by several goroutines.
type Games struct {
	catalogue Catalogue
}

// NewGames returns the vocabulary of the catalogue's games.
func NewGames(c Catalogue) *Games { return &Games{catalogue: c} }

// Rules returns the rules by which a variant is played.
func (g *Games) Rules(variant string) (*rules.Rules, bool) { return g.catalogue.Get(variant) }

// Usual is the key of the game that is meant when nothing is said.
func (g *Games) Usual() string { return g.catalogue.List()[0].Key() }

// RulesByProgram returns the rules of the game that chess programs call so over
// UCI, or that has this key.
func (g *Games) RulesByProgram(name string) (*rules.Rules, bool) {
	for _, r := range g.catalogue.List() {
		if r.UCIName() == name {
			return r, true
		}
	}
	return g.Rules(name)
}

// ShuffledForm returns the game that chess programs take for r with its start
// shuffled.
func (g *Games) ShuffledForm(r *rules.Rules) (*rules.Rules, bool) {
	for _, other := range g.catalogue.List() {
		if name := other.Definition().UCIShuffled; name != "" && name == r.UCIName() {
			return other, true
		}
	}
	return nil, false
}

// Perf returns under which key games of a variant are rated at a speed.
func (g *Games) Perf(variant string, s clock.Speed) string {
	return game.PerfKey(g.catalogue, variant, s)
}

// BySpeed says whether games of a variant are rated by their speed.
func (g *Games) BySpeed(variant string) bool {
	r, ok := g.catalogue.Base(variant)
	return ok && r.Definition().Lichess != nil && r.Definition().Lichess.BySpeed
}

// Hides says whether players do not know everything in games of a variant.
func (g *Games) Hides(variant string) bool {
	r, ok := g.Rules(variant)
	return ok && r.Hides()
}

// alias is how a variant is called from a position of somebody's own: nil if
// that changes nothing.
func (g *Games) alias(variant string) *rules.PositionAlias {
	r, ok := g.catalogue.Base(variant)
	if !ok || r.Definition().Lichess == nil {
		return nil
	}
	return r.Definition().Lichess.FromPosition
}

// Anywhere says whether a variant is no game but what one is called from a
// position of somebody's own.
func (g *Games) Anywhere(variant string) bool {
	a := g.alias(variant)
	return a != nil && a.Key == variant
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
	ErrNoPosition     = errors.New("this variant needs a fen")
	ErrNotAStart      = errors.New("the fen is not a start position of the game")
	ErrOver           = errors.New("the game would be over at once")
)

// Start works out where a game of the variant from the given fen (empty: the
// usual start) begins. Where the game has many starts and no fen chooses,
// pick(n) gives a number below n. From a position of somebody's own a game may
// have another name, and Lichess's shuffled game takes its own starts only;
// every other game keeps its key. Errors are those above, or say what is wrong
// with the fen.
func (g *Games) Start(variant, fen string, pick func(n int) int) (Start, error) {
	r, ok := g.Rules(variant)
	if !ok {
		return Start{}, ErrUnknownVariant
	}
	if fen == "" {
		return g.usualStart(r, variant, pick)
	}
	if a := g.alias(variant); a != nil && a.Key != variant {
		if !r.Shuffled() && startNumber(r, fen) == r.UsualStart() {
			return Start{Variant: variant, Number: r.UsualStart()}, nil
		}
		variant = a.Key
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
	if !g.Anywhere(variant) {
		if n := startNumber(r, fen); n >= 0 {
			s := Start{Variant: variant, Number: n}
			if r.Starts() > 1 {
				s.FEN = notation.XFEN(p)
			}
			return s, nil
		}
		if r.Shuffled() && r.Definition().Lichess != nil || r.Chance() {
			return Start{}, ErrNotAStart
		}
	}
	return Start{Variant: variant, FEN: notation.XFEN(p), Custom: true}, nil
}

func (g *Games) usualStart(r *rules.Rules, variant string, pick func(n int) int) (Start, error) {
	if g.Anywhere(variant) {
		return Start{}, ErrNoPosition
	}
	s := Start{Variant: variant, Number: r.UsualStart()}
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
