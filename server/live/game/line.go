package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// Declared is a declaration of the side to move after so many plies.
type Declared struct {
	Ply   int
	Claim rules.Claim
}

// DeclaredWords writes declarations as words for the store.
func DeclaredWords(list []Declared) []string {
	var words []string
	for _, d := range list {
		words = append(words, strconv.Itoa(d.Ply)+":"+strings.ReplaceAll(string(d.Claim), " ", "-"))
	}
	return words
}

// ParseDeclared reads what DeclaredWords wrote.
func ParseDeclared(words []string) ([]Declared, error) {
	var list []Declared
	for _, w := range words {
		ply, claim, found := strings.Cut(w, ":")
		n, err := strconv.Atoi(ply)
		if err != nil || !found {
			return nil, fmt.Errorf("declaration %q cannot be read", w)
		}
		list = append(list, Declared{Ply: n, Claim: rules.Claim(strings.ReplaceAll(claim, "-", " "))})
	}
	return list, nil
}

// Line follows the moves and declarations of a game on a board of its own. It
// belongs to one goroutine.
type Line struct {
	game     *rules.Game
	moves    []string
	declared []Declared
}

// NewLine returns the line of a game that has only begun.
func NewLine(start *rules.Position) *Line { return &Line{game: rules.NewGame(start)} }

// Position is where the line has come to. It must not be changed; it changes
// with the line.
func (l *Line) Position() *rules.Position { return l.game.Position() }

// Start is where the line began. It must not be changed.
func (l *Line) Start() *rules.Position { return l.game.Start() }

// Game is the game so far. It must not be changed.
func (l *Line) Game() *rules.Game { return l.game }

// Follow brings the line to a state. What differs is taken back first; then
// ply is called for each move that is new, with the position before it.
func (l *Line) Follow(moves []string, declared []Declared, ply func(i int, before *rules.Position, m rules.Move)) error {
	same := 0
	for same < len(moves) && same < len(l.moves) && moves[same] == l.moves[same] {
		same++
	}
	n := 0
	for n < len(declared) && n < len(l.declared) && declared[n] == l.declared[n] && declared[n].Ply <= same {
		n++
	}
	if n < len(l.declared) {
		same = min(same, l.declared[n].Ply)
	}
	if n < len(declared) {
		same = min(same, declared[n].Ply)
	}
	l.rewind(same, n)
	for {
		for ; n < len(declared) && declared[n].Ply == len(l.moves); n++ {
			if err := l.game.Declare(declared[n].Claim); err != nil {
				return err
			}
			l.declared = append(l.declared, declared[n])
		}
		i := len(l.moves)
		if i == len(moves) {
			return nil
		}
		m, err := notation.ParseMove(l.game.Position(), moves[i])
		if err != nil {
			return fmt.Errorf("ply %d, %s: %w", i+1, moves[i], err)
		}
		if ply != nil {
			ply(i, l.game.Position(), m)
		}
		if err := l.game.Play(m); err != nil {
			return fmt.Errorf("ply %d, %s: %w", i+1, moves[i], err)
		}
		l.moves = append(l.moves, moves[i])
	}
}

// rewind takes back until so many moves and declarations are left.
func (l *Line) rewind(moves, declared int) {
	for len(l.moves) > moves || len(l.declared) > declared {
		undone := l.game.Moves()
		last := undone[len(undone)-1]
		l.game.Undo()
		if last.Kind() == rules.Declare {
			l.declared = l.declared[:len(l.declared)-1]
		} else {
			l.moves = l.moves[:len(l.moves)-1]
		}
	}
	l.moves, l.declared = slices.Clip(l.moves), slices.Clip(l.declared)
}
