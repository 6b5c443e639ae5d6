package foreign

import (
	"slices"
	"strings"
	"unicode"

	"hoplite/engine/rules"
)

const (
	// UsualGame is the UCI name of the game that a program without the option
	// for variants plays.
	UsualGame = "chess"
	// normalGame is how CECP calls it, as the word that no command needs.
	normalGame = "normal"
)

// names lists what a game may be called by programs, the likeliest first.
func names(r *rules.Rules) []string {
	d := r.Definition()
	list := []string{d.UCIName, d.UCIShuffled, d.Programs.XBoard, d.Key, d.PGNName}
	list = append(append(list, d.Programs.Also...), d.PGNAliases...)
	return slices.DeleteFunc(list, func(n string) bool { return n == "" })
}

// nameAmong finds the name that a program gives to a game among those that it
// lists. Spelling counts for little: case, blanks and hyphens differ.
func nameAmong(r *rules.Rules, offered []string) (string, bool) {
	for _, name := range names(r) {
		for _, o := range offered {
			if plain(o) == plain(name) {
				return o, true
			}
		}
	}
	return "", false
}

// plain strips a name of what is spelt in several ways.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, name)
}
