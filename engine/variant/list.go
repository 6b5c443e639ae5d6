// Package variant is the catalogue of games: one definition a file, beside its rule sheet and its test data.
package variant

import (
	"fmt"

	"hoplite/engine/rules"
)

// All returns the definitions of all games, in the order of the catalogue. Each call returns fresh values.
func All() []*rules.Definition {
	return []*rules.Definition{
		Standard(),
		Chess960(),
		Antichess(),
		Crazyhouse(),
		Hostage(),
		ThreeCheck(),
		KingOfTheHill(),
		JesonMor(),
		RacingKings(),
		Horde(),
		LosAlamos(),
		Marseillais(),
		Progressive(),
		Raumschach(),
		Glinski(),
		Shafran(),
		Tamerlane(),
		Spartan(),
		Spartan28(),
		Legan(),
		Seirawan(),
		Shatranj(),
		Byzantine(),
		Xiangqi(),
		Janggi(),
		Shogi(),
		ToriShogi(),
	}
}

// Set is the compiled catalogue. It never changes and is safe to share.
type Set struct {
	list  []*rules.Rules
	byKey map[string]*rules.Rules
}

// Catalogue compiles all games.
func Catalogue() (*Set, error) { return Compile(All()) }

// Compile compiles the definitions given into a set.
func Compile(defs []*rules.Definition) (*Set, error) {
	s := &Set{byKey: make(map[string]*rules.Rules, len(defs))}
	for _, d := range defs {
		r, err := rules.Compile(d)
		if err != nil {
			return nil, fmt.Errorf("variant %s: %w", d.Key, err)
		}
		if s.byKey[d.Key] != nil {
			return nil, fmt.Errorf("variant %s: defined twice", d.Key)
		}
		s.byKey[d.Key] = r
		s.list = append(s.list, r)
	}
	return s, nil
}

// Get returns the rules of the game with the given key.
func (s *Set) Get(key string) (*rules.Rules, bool) {
	r, ok := s.byKey[key]
	return r, ok
}

// List returns all games in the order of the catalogue. The slice must not be changed.
func (s *Set) List() []*rules.Rules { return s.list }
