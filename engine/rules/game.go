package rules

import "slices"

// Game is a start position with the moves made from it. It belongs to one goroutine.
type Game struct {
	start *Position
	now   *Position
	moves []Move
	keys  []uint64 // of the positions before each move
}

// NewGame starts a game. The position is copied.
func NewGame(start *Position) *Game {
	g := &Game{start: start.rules.usual(), now: start.Clone()}
	if g.start == nil || *g.start != *start {
		g.start = start.Clone()
	}
	return g
}

// Position returns the position reached. It must not be changed; it changes with the game.
func (g *Game) Position() *Position { return g.now }

// Start returns the position that the game began with. It must not be changed.
func (g *Game) Start() *Position { return g.start }

// Moves returns the moves made. The slice is valid until the next call and must not be changed.
func (g *Game) Moves() []Move { return g.moves }

// Clone returns an independent copy.
func (g *Game) Clone() *Game {
	return &Game{start: g.start, now: g.now.Clone(), moves: slices.Clone(g.moves), keys: slices.Clone(g.keys)}
}

// Play makes a move. It fails with *IllegalMoveError and changes nothing. It does not ask whether the game is over.
func (g *Game) Play(m Move) error {
	key := g.now.key
	if err := g.now.Play(m); err != nil {
		return err
	}
	g.moves = append(g.moves, m)
	g.keys = append(g.keys, key)
	return nil
}

// Declare makes a declaration of the side to move, which is kept among the moves. It fails with *ClaimError and changes
// nothing.
func (g *Game) Declare(c Claim) error {
	m, err := g.now.Declaration(c)
	if err == nil {
		g.make(m)
	}
	return err
}

// make makes a move or declaration that is known to be possible.
func (g *Game) make(m Move) {
	var u Undo
	g.keys = append(g.keys, g.now.key)
	g.moves = append(g.moves, m)
	g.now.Make(m, &u)
}

// Retire takes an army out of the game whose player has left. It is kept among the moves.
func (g *Game) Retire(s Side) error {
	m, err := g.now.Retirement(s)
	if err == nil {
		g.make(m)
	}
	return err
}

// Undo takes the last move back and reports whether there was one. It replays the game, so that a game needs no memory
// for what moves forget.
func (g *Game) Undo() bool {
	if len(g.moves) == 0 {
		return false
	}
	last := len(g.moves) - 1
	g.moves, g.keys = g.moves[:last], g.keys[:last]
	*g.now = *g.start
	var u Undo
	for _, m := range g.moves {
		g.now.Make(m, &u)
	}
	return true
}

// Repetitions returns how often the present position has occurred, this time included.
func (g *Game) Repetitions() int {
	n := 1
	for range g.earlier {
		n++
	}
	return n
}

// earlier yields, the latest first, the numbers of moves after which the present position has stood before.
func (g *Game) earlier(yield func(int) bool) {
	cyclic := g.now.rules.stages.cyclic
	back := int(g.now.clock) // moves that can have come from this position; declarations are none
	for i := len(g.keys) - 1; i >= 0 && (cyclic || back > 0); i-- {
		if !g.moves[i].Kind().IsMove() {
			continue
		}
		back--
		if g.keys[i] == g.now.key && !yield(i) {
			return
		}
	}
}

// CanClaimDraw reports whether the side to move may claim a draw by repetition.
func (g *Game) CanClaimDraw() bool {
	claim := g.now.rules.def.Repeat.Claim
	return claim != 0 && g.Repetitions() >= claim
}

// Outcome returns the result if the game is over, automatic repetition included.
func (g *Game) Outcome() (Outcome, bool) {
	if o, over := g.now.Outcome(); over {
		return o, true
	}
	r := g.now.rules
	if !g.now.Settled() {
		return Outcome{}, false
	}
	if draw := r.def.Repeat.Draw; draw != 0 && g.Repetitions() >= draw {
		return g.RepetitionOutcome()
	}
	return Outcome{}, false
}

// RepetitionOutcome returns what it comes to if the present position, which must have occurred before, comes back as often as
// the game allows with the same moves.
func (g *Game) RepetitionOutcome() (Outcome, bool) {
	switch r := g.now.rules; {
	case g.Repetitions() < 2:
		return Outcome{}, false
	case r.stages.recurring != nil:
		return r.stages.recurring(g), true
	default:
		return drawn(r.sides, Repetition), true
	}
}
