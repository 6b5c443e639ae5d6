package protocol

import (
	"strings"

	"hoplite/engine/rules"
)

// uciName is the name under which a game is offered.
func uciName(r *rules.Rules) string {
	if n := r.Definition().UCIName; n != "" {
		return n
	}
	return r.Key()
}

// findVariant finds a game by any name that interfaces use for it: the UCI
// name, our key, or a name in game records.
func (s *session) findVariant(name string) (*rules.Rules, bool) {
	for _, r := range s.opts.Variants.List() {
		if strings.EqualFold(uciName(r), name) || strings.EqualFold(r.Key(), name) {
			return r, true
		}
	}
	for _, r := range s.opts.Variants.List() {
		d := r.Definition()
		for _, alias := range append([]string{d.PGNName}, d.PGNAliases...) {
			if alias != "" && strings.EqualFold(alias, name) {
				return r, true
			}
		}
	}
	return nil, false
}

// shuffledForm finds the game that is r from a shuffled start: the same men
// and the same usual start position, but more than one start.
func (s *session) shuffledForm(r *rules.Rules) (*rules.Rules, bool) {
	if r.Shuffled() {
		return r, true
	}
	board := func(r *rules.Rules) string { return strings.Fields(r.Definition().Start.FEN + " ")[0] }
	for _, o := range s.opts.Variants.List() {
		if o.Shuffled() && board(o) == board(r) && len(o.Definition().Pieces) == len(r.Definition().Pieces) {
			return o, true
		}
	}
	return nil, false
}

// standardNumber is the number of the usual start position.
func standardNumber(r *rules.Rules) int { return r.Definition().Start.Usual }
