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
		Atomic(),
		Crazyhouse(),
		Hostage(),
		ThreeCheck(),
		KingOfTheHill(),
		JesonMor(),
		RacingKings(),
		Horde(),
		LosAlamos(),
		Duck(),
		Marseillais(),
		Progressive(),
		Alice(),
		Raumschach(),
		Friendly(),
		Ultima(),
		Glinski(),
		Shafran(),
		Tamerlane(),
		Spartan(),
		Spartan28(),
		Legan(),
		Capablanca(),
		CapablancaRandom(),
		Grand(),
		Seirawan(),
		Chaturanga(),
		Shatranj(),
		Byzantine(),
		Shatar(),
		Makruk(),
		OukChatrang(),
		Sittuyin(),
		Malay(),
		Xiangqi(),
		Janggi(),
		Shogi(),
		ChuShogi(),
		ToriShogi(),
	}
}

// Set is the compiled catalogue. It never changes and is safe to share.
type Set struct {
	list  []*rules.Rules
	byKey map[string]*rules.Rules
	// aliases are the games behind keys that are none of the catalogue's own.
	aliases map[string]*rules.Rules
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
	return s, s.nameAliases()
}

func (s *Set) nameAliases() error {
	s.aliases = make(map[string]*rules.Rules)
	for _, r := range s.list {
		lichess := r.Definition().Lichess
		if lichess == nil || lichess.FromPosition == nil {
			continue
		}
		a := lichess.FromPosition
		switch {
		case s.byKey[a.Key] != nil || s.aliases[a.Key] != nil:
			return fmt.Errorf("variant %s: its alias %s is taken", r.Key(), a.Key)
		case s.byKey[a.Rules] == nil:
			return fmt.Errorf("variant %s: no game %s for its alias %s", r.Key(), a.Rules, a.Key)
		}
		s.aliases[a.Key] = r
	}
	return nil
}

// Get returns the rules by which a game with the given key is played: those of the game with that key, or those that the
// alias of a game names.
func (s *Set) Get(key string) (*rules.Rules, bool) {
	if game := s.aliases[key]; game != nil {
		key = game.Definition().Lichess.FromPosition.Rules
	}
	r, ok := s.byKey[key]
	return r, ok
}

// Base returns the game to which a key belongs: its own, or the one whose alias it is.
func (s *Set) Base(key string) (*rules.Rules, bool) {
	if game := s.aliases[key]; game != nil {
		return game, true
	}
	r, ok := s.byKey[key]
	return r, ok
}

// List returns all games in the order of the catalogue. The slice must not be changed.
func (s *Set) List() []*rules.Rules { return s.list }
