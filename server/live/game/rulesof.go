package game

import (
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/fault"
)

// Catalogue finds the rules of a variant.
type Catalogue interface {
	Get(key string) (*rules.Rules, bool)
}

// FromPosition is the variant key of the usual game from another start
// position. It is a word of the Lichess API; the catalogue does not have it.
const FromPosition = "fromPosition"

// fromPositionRules are the rules under FromPosition: those in which king and
// rook may start castling from any file.
const fromPositionRules = "chess960"

// RulesOf returns the rules behind a variant key of the API. Every key of the
// catalogue stands for itself.
func RulesOf(c Catalogue, variant string) (*rules.Rules, error) {
	key := variant
	if variant == FromPosition {
		key = fromPositionRules
	}
	r, ok := c.Get(key)
	if !ok {
		return nil, fault.Field("variant", "Unknown variant")
	}
	return r, nil
}

// StartOf returns the start position of a game on its rules: the one of fen,
// or if that is empty the numbered start.
func StartOf(r *rules.Rules, fen string, number int) (*rules.Position, error) {
	if fen == "" {
		p, err := r.Start(number)
		if err != nil {
			return nil, fault.Invalid("Unknown start position %d", number).Because(err)
		}
		return p, nil
	}
	p, err := notation.ParseFEN(r, fen)
	if err != nil {
		return nil, fault.Field("fen", "Invalid FEN: "+err.Error())
	}
	return p, nil
}
