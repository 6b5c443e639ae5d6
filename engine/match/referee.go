package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hoplite/engine/foreign"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// Adjudication ends games early. The zero value never does: only the rules
// end a game then.
type Adjudication struct {
	// MaxPlies is a draw by the number of moves of both sides; 0: no limit.
	MaxPlies int `json:"maxplies,omitempty"`
	// ResignScore, if not 0, is from where on both contestants must agree, in
	// centipawns, for ResignMoves moves each, that one of them has lost.
	ResignScore int `json:"resignscore,omitempty"`
	ResignMoves int `json:"resignmoves,omitempty"`
	// DrawScore is up to where both must agree for DrawMoves moves each, after
	// ply DrawFrom, that nobody wins. DrawMoves 0: no draws.
	DrawScore int `json:"drawscore,omitempty"`
	DrawMoves int `json:"drawmoves,omitempty"`
	DrawFrom  int `json:"drawfrom,omitempty"`
}

// The reasons that end a game besides those of the rules.
const (
	reasonResigned   = "resigned"
	reasonAgreed     = "both see it decided"
	reasonLevel      = "both see it drawn"
	reasonPlies      = "too many moves"
	reasonFlag       = "out of time"
	reasonClaim      = "false claim"
	reasonMute       = "no move"
	reasonHung       = "no answer"
	reasonCrashed    = "crashed"
	reasonRepetition = "repetition"
)

// seat is a contestant at a board.
type seat struct {
	player foreign.Player
	budget budget
	cpu    time.Duration
	nodes  uint64
	plies  int
	scores []int // from its own side, of its moves; the latest last
}

// end is how a game ended.
type end struct {
	winner int // side, or rules.NoWinner
	reason string
	fault  bool
}

// referee conducts one game. seats are in turn order of the sides.
type referee struct {
	game     *rules.Game
	seats    [2]*seat
	rule     Adjudication
	patience time.Duration
	opening  int
}

// conduct plays the game to its end. An error means that there was no game:
// the match was called off, or a program cannot play it at all.
func (r *referee) conduct(ctx context.Context) (end, error) {
	for {
		if e, over := r.over(); over {
			return e, nil
		}
		turn := r.game.Position().Turn()
		s := r.seats[turn]
		asked := s.budget.ask(turn, &r.seats[1-turn].budget)
		t, used, err := r.think(ctx, s, asked)
		if err != nil {
			e, blame := blamed(err, turn)
			if !blame || ctx.Err() != nil {
				return end{}, errors.Join(context.Cause(ctx), err)
			}
			return e, nil
		}
		s.plies++
		s.nodes += t.Nodes
		if t.Score != nil {
			s.scores = append(s.scores, t.Score.Centipawns())
		} else {
			s.scores = append(s.scores, 0)
		}
		s.cpu += used.cpu
		if s.budget.settle(asked, t.Nodes, used) {
			return end{winner: int(1 - turn), reason: reasonFlag, fault: true}, nil
		}
		if t.Word != "" {
			return r.spoken(t.Word, turn), nil
		}
		if err := r.game.Play(t.Move); err != nil {
			return end{winner: int(1 - turn), reason: err.Error(), fault: true}, nil
		}
	}
}

// spent is what a move has cost.
type spent struct{ cpu, wall time.Duration }

// think asks a player, for no longer than it may take.
func (r *referee) think(ctx context.Context, s *seat, l search.Limits) (foreign.Thought, spent, error) {
	patience := r.patience + l.MoveTime
	if s.budget.limits.Clock > 0 {
		patience += s.budget.left
	}
	bounded, cancel := context.WithTimeoutCause(ctx, patience, foreign.ErrHung)
	defer cancel()
	earlier, err := s.cpuUsed()
	if err != nil {
		return foreign.Thought{}, spent{}, err
	}
	begun := time.Now()
	t, err := s.player.Think(bounded, r.game, l)
	wall := time.Since(begun)
	if err != nil {
		return t, spent{}, err
	}
	later, err := s.cpuUsed()
	return t, spent{cpu: later - earlier, wall: wall}, err
}

// cpuUsed is the processor time that the player has used; where no budget
// needs it and it cannot be had, 0.
func (s *seat) cpuUsed() (time.Duration, error) {
	cpu, err := s.player.CPU()
	if err != nil && s.budget.steer == nil {
		return 0, nil
	}
	return cpu, err
}

// blamed turns an error that is a player's own fault into its loss.
func blamed(err error, turn rules.Side) (end, bool) {
	e := end{winner: int(1 - turn), fault: true}
	var illegal *foreign.IllegalError
	var refused *foreign.RefusedError
	switch {
	case errors.As(err, &illegal):
		e.reason = illegal.Error()
	case errors.As(err, &refused):
		e.reason = refused.Error()
	case errors.Is(err, foreign.ErrExited):
		e.reason = reasonCrashed
	case errors.Is(err, foreign.ErrHung):
		e.reason = reasonHung
	default:
		return end{}, false
	}
	return e, true
}

// over applies the rules, what their claims allow, and the adjudication.
// Programs cannot claim over most protocols, so a repetition or a win that the
// side to move may claim is taken as claimed, and a count as begun by a side
// that sees itself behind.
func (r *referee) over() (end, bool) {
	g := r.game
	if out, over := g.Outcome(); over {
		return end{winner: out.Winner, reason: string(out.Reason)}, true
	}
	if g.CanClaimDraw() {
		return end{winner: rules.NoWinner, reason: reasonRepetition}, true
	}
	for _, c := range g.Position().Claims() {
		wanted := c == rules.ClaimWin || c == rules.CountStart && r.behind()
		if !wanted || g.Declare(c) != nil {
			continue
		}
		if out, over := g.Outcome(); over {
			return end{winner: out.Winner, reason: string(out.Reason)}, true
		}
		break // what else is open has changed
	}
	if r.rule.MaxPlies > 0 && len(g.Moves())-r.opening >= r.rule.MaxPlies {
		return end{winner: rules.NoWinner, reason: reasonPlies}, true
	}
	return r.agreed()
}

// countBehind is the disadvantage, in centipawns, from which on a side begins a
// count that may save it.
const countBehind = 100

// behind reports whether the side to move saw itself at a disadvantage when it
// moved last.
func (r *referee) behind() bool {
	scores := r.seats[r.game.Position().Turn()].scores
	return len(scores) > 0 && scores[len(scores)-1] <= -countBehind
}

// agreed ends a game that both contestants see as decided or drawn.
func (r *referee) agreed() (end, bool) {
	a, b := r.seats[0].scores, r.seats[1].scores
	if n := r.rule.ResignMoves; n > 0 && len(a) >= n && len(b) >= n {
		a, b := a[len(a)-n:], b[len(b)-n:]
		for winner, pair := range [][2][]int{{a, b}, {b, a}} {
			if slices.Min(pair[0]) >= r.rule.ResignScore && slices.Max(pair[1]) <= -r.rule.ResignScore {
				return end{winner: winner, reason: reasonAgreed}, true
			}
		}
	}
	if n := r.rule.DrawMoves; n > 0 && len(a) >= n && len(b) >= n && len(r.game.Moves()) >= r.rule.DrawFrom {
		if most(a[len(a)-n:]) <= r.rule.DrawScore && most(b[len(b)-n:]) <= r.rule.DrawScore {
			return end{winner: rules.NoWinner, reason: reasonLevel}, true
		}
	}
	return end{}, false
}

// most returns the greatest distance from zero.
func most(list []int) int {
	v := 0
	for _, x := range list {
		v = max(v, x, -x)
	}
	return v
}

// spoken ends a game by what a player said instead of moving.
func (r *referee) spoken(word foreign.Word, turn rules.Side) end {
	lost := end{winner: int(1 - turn)}
	claim := rules.ClaimWin
	switch word {
	case foreign.Resigns:
		lost.reason = reasonResigned
		return lost
	case foreign.ClaimsDraw:
		claim = rules.ClaimDraw
	case foreign.Mute:
		lost.reason, lost.fault = reasonMute, true
		return lost
	}
	if r.game.Declare(claim) == nil {
		if out, over := r.game.Outcome(); over {
			return end{winner: out.Winner, reason: string(out.Reason)}
		}
	}
	lost.reason, lost.fault = fmt.Sprintf("%s of a %s", reasonClaim, word), true
	return lost
}

// record writes a finished game down.
func (r *referee) record(number int, e end) Record {
	first := number & 1
	rec := Record{
		Game: number, First: first, FEN: notation.FEN(r.game.Start()), Opening: r.opening,
		Moves: texts(r.game), Result: "1/2-1/2", Reason: e.reason, Score: 0.5, Fault: e.fault,
	}
	if e.winner != rules.NoWinner {
		rec.Result = [2]string{"1-0", "0-1"}[e.winner]
		rec.Score = 0
		if e.winner == first {
			rec.Score = 1
		}
	}
	for side, s := range r.seats {
		who := side ^ first
		rec.CPU[who] = float64(s.cpu.Microseconds()) / 1000
		rec.Nodes[who], rec.Plies[who] = s.nodes, s.plies
	}
	return rec
}
