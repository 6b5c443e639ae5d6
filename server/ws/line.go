package ws

import (
	"encoding/json"
	"slices"

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
	start, err := snap.Start(r)
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

// scene is the encoded position: without moves for everybody, and with them for the player to move. In a game where
// players do not know everything each viewer has a scene of his own.
type scene struct {
	still, moves json.RawMessage
	turn         int
	own          []json.RawMessage // by seat+1
}

func (l *line) scene(snap *game.Snapshot) (scene, error) {
	p := l.on.Position()
	if snap.Hidden() {
		s := scene{own: make([]json.RawMessage, len(snap.Players)+1)}
		for i := range s.own {
			var err error
			if s.own[i], err = json.Marshal(view.Seen(p.View(i-1), true)); err != nil {
				return scene{}, err
			}
		}
		return s, nil
	}
	var full view.Scene
	if snap.Over() {
		full = view.Still(p)
	} else {
		full = view.Of(p)
		if l.on.Game().CanClaimDraw() && !slices.Contains(full.Claims, rules.ClaimDraw) {
			full.Claims = append(full.Claims, rules.ClaimDraw)
		}
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
	switch {
	case s.own != nil:
		return s.own[seat+1]
	case seat == s.turn:
		return s.moves
	}
	return s.still
}
