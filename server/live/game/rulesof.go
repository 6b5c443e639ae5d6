package game

import (
	"encoding/hex"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/fault"
	"hoplite/server/live/clock"
)

// Catalogue finds the rules of a variant.
type Catalogue interface {
	// Get returns the rules behind a variant key of the API.
	Get(key string) (*rules.Rules, bool)
	// Base returns the game to which the key belongs.
	Base(key string) (*rules.Rules, bool)
}

// RulesOf returns the rules behind a variant key of the API.
func RulesOf(c Catalogue, variant string) (*rules.Rules, error) {
	r, ok := c.Get(variant)
	if !ok {
		return nil, fault.Field("variant", "Unknown variant")
	}
	return r, nil
}

// PerfKey returns under which key a game is rated: by its speed where the game
// is rated so, and else by the key of the variant, at every speed.
func PerfKey(c Catalogue, variant string, s clock.Speed) string {
	if r, ok := c.Base(variant); ok {
		if lichess := r.Definition().Lichess; lichess != nil && lichess.BySpeed {
			return string(s)
		}
	}
	return variant
}

// Start returns the position that the game begins with.
func (s *Setup) Start(r *rules.Rules) (*rules.Position, error) {
	if !r.Chance() || s.InitialFEN != "" {
		return StartOf(r, s.InitialFEN, s.StartNumber)
	}
	var seed rules.Seed
	if n, err := hex.Decode(seed[:], []byte(s.Seed)); err != nil || n != len(seed) || len(s.Seed) != 2*len(seed) {
		return nil, fault.Invalid("The seed of the game is missing or damaged")
	}
	return r.StartBy(seed)
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
