package ws

import (
	"encoding/json"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/view"
	"hoplite/openapi/frames"
	"hoplite/server/live/game"
)

// line is the moves of a game with the position after them, and each move in words.
type line struct {
	on    *game.Line
	plies []frames.Ply
}

func newLine(r *rules.Rules, snap *game.Snapshot) (*line, error) {
	start, err := game.StartOf(r, snap.InitialFEN, snap.StartNumber)
	if err != nil {
		return nil, err
	}
	return &line{on: game.NewLine(start)}, nil
}

// follow makes the line that of a state. The usual step is one move on.
func (l *line) follow(snap *game.Snapshot) error {
	err := l.on.Follow(snap.Moves, snap.Declared, func(i int, before *rules.Position, m rules.Move) {
		if i < len(l.plies) {
			l.plies = l.plies[:i:i] // earlier frames may share the rest
		}
		l.plies = append(l.plies, frames.Ply{Move: snap.Moves[i], SAN: notation.SAN(before, m)})
	})
	if n := len(snap.Moves); n < len(l.plies) {
		l.plies = l.plies[:n:n]
	}
	return err
}

// scene is the encoded position: without moves for everybody, and with them for the player to move.
type scene struct {
	still, moves json.RawMessage
	turn         int
}

func (l *line) scene(over bool) (scene, error) {
	var full view.Scene
	if over {
		full = view.Still(l.on.Position())
	} else {
		full = view.Of(l.on.Position())
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
