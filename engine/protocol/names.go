package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hoplite/engine/rules"
)

// findVariant finds a game by any name that programs use for it: the one it is
// offered under, our key, other programs' names, or a name in game records.
func (s *session) findVariant(name string) (*rules.Rules, error) {
	for _, names := range []func(*rules.Rules) []string{
		func(r *rules.Rules) []string { return []string{r.UCIName(), r.Key()} },
		func(r *rules.Rules) []string {
			d := r.Definition()
			return append([]string{d.Programs.XBoard}, d.Programs.Also...)
		},
		func(r *rules.Rules) []string {
			d := r.Definition()
			return append([]string{d.PGNName}, d.PGNAliases...)
		},
	} {
		for _, r := range s.variants.List() {
			if slices.ContainsFunc(names(r), func(n string) bool { return n != "" && strings.EqualFold(n, name) }) {
				return r, nil
			}
		}
	}
	return nil, fmt.Errorf("unknown variant %s", clip(name))
}

// shuffledForm finds the game that is r from a shuffled start: the same men
// and the same usual start position, but more than one start.
func (s *session) shuffledForm(r *rules.Rules) (*rules.Rules, bool) {
	if r.Shuffled() {
		return r, true
	}
	board := func(r *rules.Rules) string { return strings.Fields(r.Definition().Start.FEN + " ")[0] }
	for _, o := range s.variants.List() {
		if o.Shuffled() && board(o) == board(r) && len(o.Definition().Pieces) == len(r.Definition().Pieces) {
			return o, true
		}
	}
	return nil, false
}

// among chooses the game of a dialect that is spoken for some games only: the
// present one if it is one of them, else the first that is.
func (s *session) among(which func(*rules.Rules) bool) error {
	if which(s.rules) {
		return nil
	}
	for _, r := range s.variants.List() {
		if which(r) {
			return s.choose(r)
		}
	}
	return errors.New("no game for this protocol")
}

// offered lists the names of the games that which allows.
func (s *session) offered(which func(*rules.Rules) bool) []string {
	var names []string
	for _, r := range s.variants.List() {
		if which(r) {
			names = append(names, r.UCIName())
		}
	}
	return names
}
