package game

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/fault"
)

// Conditional moves are answers that a player gives before the opponent moves,
// in games without a clock. They are lines of plies from the present position,
// the opponent's first. A move that begins none of them ends them all.

// The bounds of a player's conditional moves.
const (
	maxLines     = 40
	maxLinePlies = 60
)

var (
	errClockRuns   = fault.Invalid("Conditional moves are for games without a clock")
	errNoForesight = fault.Invalid("Conditional moves are for games of two players who see everything")
	errOwnTurn     = fault.Invalid("It is your turn: conditional moves wait for the opponent's move")
)

// setConditional replaces the player's conditional moves.
func (s *State) setConditional(a *Action, now time.Time) (*Step, error) {
	c := &s.cur
	switch {
	case c.Over():
		return nil, errOver
	case c.Control.HasClock():
		return nil, errClockRuns
	case len(c.Players) != len(c.Conditional) || s.rules.Hides():
		return nil, errNoForesight
	case len(a.Lines) > 0 && c.Turn == a.Player:
		return nil, errOwnTurn
	case len(a.Lines) > maxLines:
		return nil, fault.Field("lines", "Must be at most 40 lines")
	}
	lines, err := s.readLines(a.Lines, a.Player)
	if err != nil {
		return nil, err
	}
	if slices.Equal(lines, c.Conditional[a.Player]) {
		return s.nothing("These are your conditional moves already")
	}
	return s.one(a, RowConditional, now, &rowData{Lines: lines})
}

// readLines plays every line to its end. The result has the moves as the log
// writes them, and no line twice.
func (s *State) readLines(texts []string, player int) ([]string, error) {
	var lines []string
	answers := make(map[string]string) // by the line before them
	for i, text := range texts {
		line, err := s.readLine(text, player, answers)
		if err != nil {
			return nil, fault.Field("lines", fmt.Sprintf("Line %d: %v", i+1, err))
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

func (s *State) readLine(text string, player int, answers map[string]string) (string, error) {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > maxLinePlies {
		return "", fault.Invalid("must have 2 to 60 moves")
	}
	g := s.game.Clone()
	line, own := "", false
	for _, word := range words {
		if _, over := g.Outcome(); over {
			return "", fault.Invalid("the game would be over before %s", clip(word))
		}
		p := g.Position()
		m, err := notation.ParseMove(p, word)
		var move string
		if err == nil {
			move = notation.FormatMove(p, m)
			own = int(p.Turn()) == player
			err = g.Play(m)
		}
		if err != nil {
			return "", fault.Invalid("illegal move %s: %s", clip(word), reasonOf(err))
		}
		if own {
			if other, known := answers[line]; known && other != move {
				return "", fault.Invalid("%s and %s answer the same moves", other, move)
			}
			answers[line] = move
		}
		line = strings.TrimSpace(line + " " + move)
	}
	_, over := g.Outcome()
	switch {
	case !own:
		return "", fault.Invalid("must end with a move of yours")
	case !over && int(g.Position().Turn()) == player:
		return "", fault.Invalid("must end with the end of your turn")
	}
	return line, nil
}

// foresee lets the conditional moves follow a move that was just played: what
// begins with it goes on.
func (c *Snapshot) foresee(move string) {
	for i, lines := range c.Conditional {
		var left []string // the old lines belong to older snapshots
		for _, line := range lines {
			if first, rest, more := strings.Cut(line, " "); more && first == move {
				left = append(left, rest)
			}
		}
		c.Conditional[i] = left
	}
}

// answer plays what the player to move has said before that it would. It adds
// to the step of the move that it answers, so that both are stored or neither.
func (s *State) answer(st *Step, now time.Time) error {
	c := &s.cur
	for !c.Over() && len(c.Players) == len(c.Conditional) && len(c.Conditional[c.Turn]) > 0 {
		text, _, _ := strings.Cut(c.Conditional[c.Turn][0], " ")
		m, err := notation.ParseMove(s.game.Position(), text)
		if err == nil {
			err = s.play(st, &Action{Player: c.Turn, Move: text}, []rules.Move{m}, now)
		}
		if err != nil {
			// It was played through when it was taken. As no fault it says that the step cannot stand.
			return fmt.Errorf("conditional move %s: %v", text, err)
		}
	}
	return nil
}
