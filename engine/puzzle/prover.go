package puzzle

import (
	"errors"

	"hoplite/engine/rules"
)

// MaxMoves is the longest mate that the prover is asked for.
const MaxMoves = 4

// ErrTurns is returned for games in which a side may move several times in a
// row: wins in a number of moves are not looked for there.
var ErrTurns = errors.New("no proofs in games with turns of several moves")

// ErrTooHard is returned when a proof needs more positions than allowed.
var ErrTooHard = errors.New("mate proof is too large")

// Prover decides by looking at every defence whether the side to move wins
// within a number of its own moves. What wins is what the rules core says:
// the other side has no legal move and loses by that or, in games with other
// ends, has lost. Repetition is not looked at, nor are counters where mate is
// the only win; positions where they could matter make no puzzles.
//
// A Prover belongs to one goroutine. It keeps what it found out, so it should
// be used for one position and those that follow from it.
type Prover struct {
	stuckLoses bool
	otherWins  bool // there are ends other than by having no move
	turns      bool // a side may move several times in a row
	limit      int  // positions left
	memo       map[memoKey]bool
	buf        [2*MaxMoves + 2][]rules.Move
}

type memoKey struct {
	key   uint64
	moves int8
}

// proofLimit bounds the positions of one proof. Mates in three of the games
// so far need some hundred thousand.
const proofLimit = 60_000_000

// NewProver makes a prover for positions of the game of r.
func NewProver(r *rules.Rules) *Prover {
	p := &Prover{limit: proofLimit, memo: make(map[memoKey]bool), otherWins: r.Staged(), turns: r.KeepsTurn()}
	for _, end := range r.Definition().Ends {
		if end.Kind == rules.EndNoMove && end.Lost {
			p.stuckLoses = true
		}
	}
	for i := range p.buf {
		p.buf[i] = make([]rules.Move, 0, 256)
	}
	return p
}

// Shortest returns the least number of moves, at most n, in which the side to
// move forces the win, and 0 if there is none.
func (p *Prover) Shortest(pos *rules.Position, n int) (int, error) {
	for k := 1; k <= n; k++ {
		if wins, err := p.Wins(pos, k); err != nil || wins {
			return k * btoi(wins), err
		}
	}
	return 0, nil
}

// Wins reports whether the side to move can force the win in at most n moves.
func (p *Prover) Wins(pos *rules.Position, n int) (bool, error) {
	if p.turns {
		return false, ErrTurns
	}
	wins := p.attack(pos, n)
	if p.limit <= 0 {
		return false, ErrTooHard
	}
	return wins, nil
}

// MoveWins reports whether m is the first move of a win in at most n moves.
func (p *Prover) MoveWins(pos *rules.Position, m rules.Move, n int) (bool, error) {
	if p.turns {
		return false, ErrTurns
	}
	var u rules.Undo
	pos.Make(m, &u)
	wins := p.defend(pos, n-1)
	pos.Unmake(m, &u)
	if p.limit <= 0 {
		return false, ErrTooHard
	}
	return wins, nil
}

// Winning returns the moves that win in at most n moves.
func (p *Prover) Winning(pos *rules.Position, n int) ([]rules.Move, error) {
	var out []rules.Move
	for _, m := range pos.Moves(nil) {
		wins, err := p.MoveWins(pos, m, n)
		if err != nil {
			return nil, err
		}
		if wins {
			out = append(out, m)
		}
	}
	return out, nil
}

// Won reports whether the side to move has lost on the spot.
func (p *Prover) Won(pos *rules.Position) bool { return p.defend(pos, 0) }

// attack: some move wins in at most n moves.
func (p *Prover) attack(pos *rules.Position, n int) bool {
	if n <= 0 || p.limit <= 0 {
		return false
	}
	key := memoKey{pos.Key(), int8(n)}
	if n > 1 {
		if known, ok := p.memo[key]; ok {
			return known
		}
	}
	moves := pos.Moves(p.buf[2*n][:0])
	p.buf[2*n] = moves
	wins := false
	var u rules.Undo
	// Checks first: most wins start with one. The last move is always one,
	// unless running out of moves loses.
	for pass := 0; pass < 2 && !wins; pass++ {
		if pass == 1 && n == 1 && !p.stuckLoses && !p.otherWins {
			break
		}
		for _, m := range moves {
			if pos.GivesCheck(m) == (pass == 1) {
				continue
			}
			p.limit--
			pos.Make(m, &u)
			wins = p.defend(pos, n-1)
			pos.Unmake(m, &u)
			if wins {
				break
			}
		}
	}
	if n > 1 && p.limit > 0 {
		p.memo[key] = wins
	}
	return wins
}

// defend: every move loses to a win in at most n moves, or there is none and
// that loses.
func (p *Prover) defend(pos *rules.Position, n int) bool {
	if p.otherWins {
		if out, over := pos.Outcome(); over {
			return out.Winner != rules.NoWinner && out.Winner != int(pos.Turn())
		}
		n = max(n, 0) // a reply may still lose by itself
	} else if n <= 0 {
		return (p.stuckLoses || pos.InCheck()) && !pos.HasMove()
	}
	if p.limit <= 0 {
		return false
	}
	moves := pos.Moves(p.buf[2*n+1][:0])
	p.buf[2*n+1] = moves
	if len(moves) == 0 {
		return p.stuckLoses || pos.InCheck()
	}
	var u rules.Undo
	for _, m := range moves {
		p.limit--
		pos.Make(m, &u)
		loses := p.replied(pos, n)
		pos.Unmake(m, &u)
		if !loses {
			return false
		}
	}
	return true
}

// replied: after a reply the attacker, who is to move, has won or goes on to.
func (p *Prover) replied(pos *rules.Position, n int) bool {
	if p.otherWins {
		if out, over := pos.Outcome(); over {
			return out.Winner == int(pos.Turn())
		}
	}
	return p.attack(pos, n)
}

// Defence returns the reply that holds out longest against a win in at most n
// moves, preferring one after which the attacker has fewest ways to win in
// time; 0 if there is no legal reply.
func (p *Prover) Defence(pos *rules.Position, n int) (rules.Move, error) {
	type rating struct{ length, ways int }
	var best rating
	var reply rules.Move
	var u rules.Undo
	for _, m := range pos.Moves(nil) {
		pos.Make(m, &u)
		length, err := p.Shortest(pos, n)
		ways := 0
		if err == nil && length > 0 && length >= best.length {
			var w []rules.Move
			w, err = p.Winning(pos, length)
			ways = len(w)
		}
		pos.Unmake(m, &u)
		if err != nil {
			return 0, err
		}
		if length == 0 {
			return m, nil // it escapes
		}
		if reply == 0 || length > best.length || length == best.length && ways < best.ways {
			best, reply = rating{length, ways}, m
		}
	}
	return reply, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
