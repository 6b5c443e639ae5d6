package rules

import (
	"reflect"
	"slices"
	"sync"

	"hoplite/engine/board"
)

// stages are the mechanisms of a game that the plain tables do not know, compiled into the steps of a turn. A game with
// any of them is staged: its moves are played step by step, in the order of the rule sheets (rules README 4.4), each
// change of a cell being noted in the undo record, and its legal moves are those that stand the tests of the later
// steps. Plain games never come here.
//
// A mechanism is one file with a compile function in Compile's list, which adds what it needs to these lists. Nothing in
// them may allocate while it runs.
type stages struct {
	on bool
	// tried means that looking outward from the royal men does not show all threats, so that each move is tried.
	tried bool
	// hidden means the same of threats that may be traced back from the royal man all the same; then traced is set, and
	// moves are tried that change a cell on the way of one.
	hidden, traced bool
	// doubt answers, if set, whether that is so in this position only.
	doubt func(p *Position) bool
	// mayPromote answers, if set, whether the side to move may promote to a type now.
	mayPromote func(p *Position, t PieceType) bool
	// fearless means that no side is ever in check, so that nothing need be looked for.
	fearless bool
	// compelled means that captures, where there are some, are the only legal moves.
	compelled bool
	// tabled means that all moves are those of the tables.
	tabled bool
	// cyclic means that a position may come again after a capture, so that repetition looks at the whole game.
	cyclic bool
	// mailbox keeps the board's slides from being held as words, which know nothing of neutral men.
	mailbox bool
	// pawnsProgress tells whether moves of pawns reset the counter of plies without progress.
	pawnsProgress bool

	// sources append pseudo-legal moves beside those of the movement tables.
	sources []func(p *Position, dst []Move) []Move
	// scratch holds lists of moves for questions that need one only for a moment.
	scratch sync.Pool

	// replace, if set, generates all pseudo-legal moves in place of the tables and the sources.
	replace func(p *Position, dst []Move) []Move
	// expand, if set, appends the moves that a pseudo-legal move stands for (one for each place of a blocker).
	expand func(p *Position, dst []Move, m Move) []Move
	// acts are the kinds of move beyond the plain ones.
	acts [256]*act
	// before runs before the men move.
	before []func(p *Position, m Move)
	// taken runs when a man is captured: q on c, before anything else stands there.
	taken []func(p *Position, q Piece, c Cell)
	// passage and effects run after the man has arrived (stages 3 and 4).
	passage, effects []func(p *Position, m Move)
	// attacks answers, if set, whether side by could capture on c, in place of the tables.
	attacks func(p *Position, c Cell, by Side) bool
	// check answers, if set, whether side s is in check, in place of asking whether all its royal men are attacked.
	check func(p *Position, s Side) bool
	// bans tell pseudo-legal moves that do not exist for another reason than a royal man's safety.
	bans []func(p *Position, m Move) bool
	// doubts tell moves that must be tried because of what else they do, whatever looking outward from the royal men shows.
	doubts []func(p *Position, m Move) bool
	// haven answers, if set, whether the king of side s would be safe on c although it is attacked.
	haven func(p *Position, c Cell, s Side) bool
	// lawful are further tests of the position after a move by us (stages 5 and 6).
	lawful []func(p *Position, m Move, us Side) bool
	// judge says, if set, what the scan knows about a move, in place of the plain reading.
	judge func(p *Position, m Move, s scan) verdict
	// wary, one for each of lawful, tell without making the move what the test will say. If there are fewer, each move
	// is tried.
	wary []func(p *Position, m Move) verdict
	// choose leave out legal moves because of what other moves there are.
	choose []func(p *Position, moves []Move) []Move
	// checks is the number of checks that wins.
	checks uint8
	// after are stages 7 and 8: what is placed after the legality test, rights, counters.
	after []func(p *Position, m Move)
	// turn, if set, says who moves next and changes the state of the turn; the default is the next side.
	turn func(p *Position, m Move) Side
	// settled tells, if set, whether a turn of several moves begins or is over, so that counters and repetition count.
	settled func(p *Position) bool
	// passing, if set, keeps the targets of capture in passing in place of the plain rule. before is the state before
	// m, which us has made; the targets of the last turn are gone already.
	passing func(p *Position, m Move, us Side, before state)
	// passable, if set, reports whether the side to move has a legal capture on a target in place of the plain rule.
	passable func(p *Position, t target) bool
	// rights, if set, ends castling rights after a move in place of the plain rule.
	rights func(p *Position, m Move)
	// passer, if set, finds the man of side s that has just passed c in place of the plain rule.
	passer func(p *Position, c Cell, s Side) (target, bool)
	// mated change what a mate of the side to move is worth.
	mated []func(p *Position, o Outcome) Outcome
	// facts list what is to be shown of the state.
	facts []func(p *Position, dst []Fact) []Fact
	// keys are the parts of the state that tell positions apart.
	keys []func(p *Position) uint64
	// claims lists the declarations open to the side to move.
	claims []func(p *Position, dst []Claim) []Claim
	// declare carries a declaration out.
	declare [maxClaims]func(p *Position, c Claim)
	// recurring, if set, says what it comes to that a position has come back, in place of a draw.
	recurring func(g *Game) Outcome

	// Parts of the position text beyond the plain ones.
	abovePart, rightsPart, passedPart, counterPart, tailPart *fenPart
	// appendix is what is added to every move.
	appendix *appendix
	// setup are further checks of a setup that is made a position.
	setup []func(r *Rules, p *Position, s *Setup, e *SetupError)
}

// single returns, by name, the hooks in use that one mechanism alone can have.
func (st *stages) single() map[string]uintptr {
	used := map[string]uintptr{}
	v := reflect.ValueOf(st).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); (f.Kind() == reflect.Func || f.Kind() == reflect.Pointer) && !f.IsNil() {
			used[v.Type().Field(i).Name] = f.Pointer()
		}
	}
	for i, f := range st.declare {
		if f != nil {
			used[string(claimOrder()[i])] = reflect.ValueOf(f).Pointer()
		}
	}
	return used
}

// onClaim says what a declaration does.
func (st *stages) onClaim(c Claim, f func(p *Position, c Claim)) {
	order := claimOrder()
	st.declare[slices.Index(order[:], c)] = f
}

// act is how a kind of move beyond the plain ones is played, written and pointed at.
type act struct {
	// play moves the men. The key, the clock and the turn are kept by Make.
	play func(p *Position, m Move)
	// text is the move string and san the algebraic form without marks of check; nil stands for the plain form.
	text, san func(p *Position, m Move) string
	// suffix is what the plain algebraic form ends with; nil stands for nothing.
	suffix func(p *Position, m Move) string
	// path lists what is pointed at to make the move; nil stands for the cell left and the cell of arrival.
	path func(p *Position, m Move) []Step
	// captured returns the man that the move takes first, or 0; nil stands for no capture.
	captured func(p *Position, m Move) Piece
	// promotes marks a change of type.
	promotes bool
}

// fenPart reads and writes one field of a position text in the way of a mechanism.
type fenPart struct {
	read  func(r *Rules, s *Setup, text string) error
	write func(p *Position) string
}

// Step is one thing that a player points at to make a move: a cell, or a man beside the board.
type Step struct {
	Cell Cell
	// From says where a man beside the board is kept; empty for a cell.
	From Store
	// Type is the man beside the board.
	Type PieceType
}

// Store is a place beside the board.
type Store string

// The places beside the board. Pass is none: it stands for moving nothing.
const (
	InHand   Store = "hand"
	InPrison Store = "prison"
	Passing  Store = "pass"
)

// Path returns what is pointed at to make m, in order.
func (p *Position) Path(m Move) []Step {
	if a := p.rules.stages.acts[m.Kind()]; a != nil && a.path != nil {
		return a.path(p, m)
	}
	path := []Step{{Cell: m.From()}, {Cell: m.To()}}
	if a := p.rules.stages.appendix; a != nil {
		path = append(path, a.path(p, m)...)
	}
	return path
}

// Special returns the move string and the algebraic form of a move whose kind has forms of its own; empty texts stand
// for the plain forms.
func (p *Position) Special(m Move) (text, san string) {
	if a := p.rules.stages.acts[m.Kind()]; a != nil {
		if a.text != nil {
			text = a.text(p, m)
		}
		if a.san != nil {
			san = a.san(p, m)
		}
	}
	return text, san
}

// Suffix returns what the plain algebraic form of a move ends with, for kinds that say more than two cells.
func (p *Position) Suffix(m Move) string {
	if a := p.rules.stages.acts[m.Kind()]; a != nil && a.suffix != nil {
		return a.suffix(p, m)
	}
	return ""
}

// Staged reports whether the game has mechanisms beyond the plain ones, so that its moves may have forms of their own.
func (r *Rules) Staged() bool { return r.stages.on }

// stage marks the game as staged and returns its stages.
func (r *Rules) stage() *stages {
	st := &r.stages
	if !st.on {
		st.on = true
		st.scratch.New = func() any {
			list := make([]Move, 0, 4*moveRoom)
			return &list
		}
	}
	return st
}

// neutral is the side of men that belong to nobody: they stand in everybody's way and nobody moves or takes them.
const neutral Side = maxSides - 1

// record is what a move of a staged game has done, in the order in which it was done. Make notes it in the position, where
// the mechanisms find it until the next move is made or tried, and leaves a copy in the undo record.
type record struct {
	mover, captured Piece
	answers         bool // the mover was in check, where privileges ask
	changed, handed uint8
	changes         [maxChanges]change
	hands           [maxHandChanges]handChange
}

// change is a cell with the man that stood there before; handChange the same for a hand.
type change struct {
	cell Cell
	was  Piece
}

type handChange struct {
	side Side
	typ  PieceType
	was  uint8
}

const (
	maxChanges     = 40
	maxHandChanges = 6
)

// place puts q, or nobody if it is 0, on c and notes who stood there.
func (p *Position) place(q Piece, c Cell) {
	r := p.rules
	was := p.cell[c]
	if was == q || c == board.Wall {
		return
	}
	if int(p.log.changed) < maxChanges {
		p.log.changes[p.log.changed] = change{cell: c, was: was}
		p.log.changed++
	}
	if was != 0 {
		p.lift(was, c)
		p.key ^= r.keys.man[int(was)*r.n+int(c)]
	}
	if q != 0 {
		p.put(q, c)
		p.key ^= r.keys.man[int(q)*r.n+int(c)]
	}
}

// take captures the man on c: it leaves the board, the counter of plies without progress starts again, and what the game
// does with captured men is done.
func (p *Position) take(c Cell) {
	q := p.cell[c]
	if q == 0 || q == wallPiece {
		return
	}
	if p.log.captured == 0 {
		p.log.captured = q
	}
	p.clock = 0
	p.place(0, c)
	for _, f := range p.rules.stages.taken {
		f(p, q, c)
	}
}

// setHand changes the number of men of type t that side s has in hand.
func (p *Position) setHand(s Side, t PieceType, n uint8) {
	k := &p.rules.keys
	was := p.hand[s][t]
	if int(p.log.handed) < maxHandChanges {
		p.log.hands[p.log.handed] = handChange{side: s, typ: t, was: was}
		p.log.handed++
	}
	p.inHand[s] += n - was
	p.hand[s][t] = n
	p.key ^= k.inHand(s, t, was) ^ k.inHand(s, t, n)
}
