package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// Declared is what happened between the moves, after so many plies: a
// declaration of the side to move, or that a player left a game of more than
// two.
type Declared struct {
	Ply   int
	Claim rules.Claim
	Left  int // one more than the seat of the player; 0 for a declaration
}

// leaves is what stands for a declaration where a player left.
const leaves = "left-"

// DeclaredWords writes declarations as words for the store.
func DeclaredWords(list []Declared) []string {
	var words []string
	for _, d := range list {
		what := strings.ReplaceAll(string(d.Claim), " ", "-")
		if d.Left > 0 {
			what = leaves + strconv.Itoa(d.Left)
		}
		words = append(words, strconv.Itoa(d.Ply)+":"+what)
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
		d := Declared{Ply: n, Claim: rules.Claim(strings.ReplaceAll(claim, "-", " "))}
		if seat, left := strings.CutPrefix(claim, leaves); left {
			d.Claim = ""
			if d.Left, err = strconv.Atoi(seat); err != nil {
				return nil, fmt.Errorf("declaration %q cannot be read", w)
			}
		}
		list = append(list, d)
	}
	return list, nil
}

// DeclaredBefore are the declarations that come before so many plies.
func DeclaredBefore(list []Declared, plies int) []Declared {
	n := 0
	for n < len(list) && list[n].Ply < plies {
		n++
	}
	return list[:n]
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
			d := declared[n]
			var err error
			if d.Left > 0 {
				err = l.game.Retire(rules.Side(d.Left - 1))
			} else {
				err = l.game.Declare(d.Claim)
			}
			if err != nil {
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
		if !last.Kind().IsMove() {
			l.declared = l.declared[:len(l.declared)-1]
		} else {
			l.moves = l.moves[:len(l.moves)-1]
		}
	}
	l.moves, l.declared = slices.Clip(l.moves), slices.Clip(l.declared)
}
