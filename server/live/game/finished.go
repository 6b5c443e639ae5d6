package game

import (
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/fault"
)

// StatusUnknown is the status of a game of which nobody knows how it ended.
const StatusUnknown = "unknownFinish"

// Played is a game that was played elsewhere.
type Played struct {
	Moves []rules.Move
	// Clocks is what the mover of each ply had left, empty if not known.
	Clocks []time.Duration
	// Status, Winner and Reason say how it ended if the rules do not.
	Status string
	Winner int
	Reason string
}

// Finished makes the log of a game that is over, and its last state. The moves
// must be legal; the error is a *fault.Error.
func Finished(setup *Setup, r *rules.Rules, p Played) (*Snapshot, []Row, error) {
	s, err := New(setup, r)
	if err != nil {
		return nil, nil, err
	}
	if len(p.Moves) > MaxPlies {
		return nil, nil, fault.Invalid("A game has at most %d plies here", MaxPlies)
	}
	st := new(Step)
	for i, m := range p.Moves {
		if s.cur.Over() {
			return nil, nil, fault.Invalid("By the rules the game was over after %d plies (%s), and more follow", i, s.cur.Reason)
		}
		player := s.cur.Turn
		d := &rowData{Move: notation.FormatMove(s.game.Position(), m), parsed: m}
		if i < len(p.Clocks) && s.cur.Control.HasClock() {
			left := s.cur.Clocks
			left[player] = p.Clocks[i]
			d.Clocks = s.stored(left)
		}
		if err := s.game.Play(m); err != nil {
			return nil, nil, s.moveFault(d.Move, err)
		}
		if o, over := s.game.Outcome(); over {
			d.End = s.endOf(o)
		}
		if err := s.write(st, &Action{Player: player}, RowMove, setup.Created, d); err != nil {
			return nil, nil, err
		}
	}
	if !s.cur.Over() {
		end := &rowEnd{Status: p.Status, Winner: p.Winner, Reason: p.Reason}
		s.rankNow(end)
		if err := s.write(st, &Action{Player: -1}, RowEnd, setup.Created, &rowData{End: end}); err != nil {
			return nil, nil, err
		}
	}
	return s.Snapshot(), st.Rows, nil
}
