package ws

import (
	"encoding/json"
	"fmt"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/view"
	"hoplite/openapi/frames"
	"hoplite/server/live/game"
)

// line is the moves of a game with the position after them, and each move in words.
type line struct {
	rules *rules.Rules
	start *rules.Position
	pos   *rules.Position
	plies []frames.Ply
}

func newLine(r *rules.Rules, snap *game.Snapshot) (*line, error) {
	start, err := game.StartOf(r, snap.InitialFEN, snap.StartNumber)
	if err != nil {
		return nil, err
	}
	return &line{rules: r, start: start, pos: start.Clone()}, nil
}

// follow makes the line that of a state. The usual step is one move on.
func (l *line) follow(moves []string) error {
	same := 0
	for same < len(moves) && same < len(l.plies) && moves[same] == l.plies[same].Move {
		same++
	}
	if same < len(l.plies) {
		l.pos = l.start.Clone()
		l.plies = l.plies[:same:same] // earlier frames may share the rest
		for _, p := range l.plies {
			m, err := notation.ParseMove(l.pos, p.Move)
			if err == nil {
				err = l.pos.Play(m)
			}
			if err != nil {
				return fmt.Errorf("move %s: %w", p.Move, err)
			}
		}
	}
	for _, text := range moves[same:] {
		m, err := notation.ParseMove(l.pos, text)
		if err != nil {
			return fmt.Errorf("move %s: %w", text, err)
		}
		san := notation.SAN(l.pos, m)
		if err := l.pos.Play(m); err != nil {
			return fmt.Errorf("move %s: %w", text, err)
		}
		l.plies = append(l.plies, frames.Ply{Move: text, SAN: san})
	}
	return nil
}

// scene is the encoded position: without moves for everybody, and with them for the player to move.
type scene struct {
	still, moves json.RawMessage
	turn         int
}

func (l *line) scene(over bool) (scene, error) {
	var full view.Scene
	if over {
		full = view.Still(l.pos)
	} else {
		full = view.Of(l.pos)
	}
	list := full.Moves
	full.Moves = nil
	still, err := json.Marshal(full)
	if err != nil {
		return scene{}, err
	}
	s := scene{still: still, moves: still, turn: full.Turn}
	if len(list) == 0 {
		return s, nil
	}
	moves, err := json.Marshal(list)
	if err != nil {
		return scene{}, err
	}
	with := make([]byte, 0, len(still)+len(moves)+10)
	with = append(append(with, still[:len(still)-1]...), `,"moves":`...)
	s.moves = append(append(with, moves...), '}')
	return s, nil
}

// of is the scene as a seat sees it; spectators have the seat -1.
func (s scene) of(seat int) json.RawMessage {
	if seat == s.turn {
		return s.moves
	}
	return s.still
}
