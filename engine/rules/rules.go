// Package rules is the one place that decides what is legal.
//
// A Definition says what a game is, Compile turns it into Rules: tables that answer, for each man on each cell, where
// it may go and whom it attacks. A Position is a playable state of a game. It is one mutable struct that belongs to one
// goroutine and points to nothing but its Rules; Make and Unmake change it in place and keep its key up to date.
//
// # How legality is decided
//
// A move is legal if afterwards not every royal man of the mover is attacked: with one king that is the usual rule, with
// two kings it is the duple-check rule, without kings everything is legal. Trying each move on the board would be slow,
// so the generator first looks outward from the royal men and notes which are attacked and which own men shield them. A
// move can break the rule only if for every royal man but the mover itself that man is attacked already or shielded by
// the mover. Only such suspect moves are tried, and always en passant and castling, which empty two cells at once.
//
// # Units
//
// Cells are numbers of the board; what happens beyond the edge is the wall, which holds a man that belongs to nobody.
// Sets of cells are bit sets. Men are iterated in the order of their cells, so the order of moves depends on the
// position alone and not on how it came about.
package rules

import (
	"hoplite/engine/board"
)

const (
	maxSides  = 8
	maxTypes  = 48
	maxWings  = 8
	maxRoyals = 4
	// wallPiece stands on the wall.
	wallPiece Piece = 255
)

// Rules are a compiled Definition. They never change and are safe to share.
type Rules struct {
	def   *Definition
	board *board.Board
	n     int // cells
	words int // words of a Set that the cells need
	sides int
	types int

	codes [256]code
	// foe[s][q] is whether a man with code q may be captured by side s.
	foe  [maxSides][256]bool
	foes [maxSides][]Side

	// Tables by man and cell, index code*n+cell.
	leaps []leaps
	rays  []span
	lame  []span
	// passing are the cells on which a man may capture in passing.
	passing []board.Set

	movers   []mover
	rayList  []ray
	lameList []lameLeap
	// walks are the walks by man and cell, as rays; nil if no man has any. walkNear[s][c] are the cells from which some
	// man of side s may attack c by a walk.
	walks    []span
	walkList []walk
	walkPath []Cell
	walkNear [maxSides][]board.Set
	// path holds the cells of all rays, each ray ended by the wall.
	path [1 << 16]Cell

	// near[s][c] are the cells from which some man of side s attacks c by a leap.
	near [maxSides][]board.Set
	// passNear[s][c] are the cells from which some man of side s could capture in passing on c.
	passNear [maxSides][]board.Set

	// Directions of slides. Index direction*n+cell.
	dirs     int
	opposite []uint8
	dirPath  []uint16
	dirSet   []board.Set
	// sight[c] are all cells on slides through c.
	sight []board.Set
	// reach[q*dirs+d] is how far a man with code q captures by sliding in direction d.
	reach []uint8

	lines lines
	// ahead[c] are the cells ahead of c up to the wall, where royal men must not face each other; else nil.
	ahead  [][]Cell
	points [maxTypes + 1]float64

	wings     []wing
	gateRow   [maxSides]board.Set
	gateTypes []PieceType
	// handTypes are the types that may be in hand, drops how they enter, nil in games without drops.
	handTypes []PieceType
	drops     *handTable
	prison    *prisonTable
	homeRow   [maxSides]board.Set
	// blocker is the neutral man, or 0.
	blocker Piece
	dark    board.Set
	// ends are the tests for the end of the game; decisive is whether some of them are.
	ends     []endTest
	decisive bool
	material *materialTest
	flag     flagTest

	citadels []citadel
	swapper  PieceType // may exchange places; 0: nobody
	lives    *lives
	passive  *passive

	stages stages
	keys   keys
	start  Setup
}

// code is what the generator needs to know about a man. What it asks for most often stands first.
type code struct {
	side     Side
	typ      PieceType
	royal    bool
	slider   bool
	pawn     bool
	passes   bool // may capture in passing
	promotes bool
	faces    bool // meets men of its own side (Definition.Facing)
	crowns   bool // may promote to a royal man
	// straight men slide, on boards with lines, without limit and both moving and taking. dirs are their directions, the
	// rising ones first.
	straight       bool
	rising, slides uint8 // numbers of rising directions and of all
	dirs           [8]uint8
	barsHop        [maxTypes + 1]bool
	options        []promotion
	zone           board.Set // where it promotes
	// In staged games: declines may stay what they are but on the cells of must; leaves promote on leaving the zone, too.
	declines, leaves bool
	must             board.Set
	barred           board.Set
	first            board.Set // where the moves of its first move are open
}

type promotion struct {
	piece Piece
	typ   PieceType
	limit uint8 // the greatest number of such men on the board afterwards; 0: any
}

// leaps are the targets of a man that do not depend on what stands between.
type leaps struct{ quiet, take board.Set }

type span struct {
	at uint32
	n  uint8
}

// ray is a slide: cells from path[at] on, up to the wall.
type ray struct {
	at          uint16
	quiet, take bool
}

// lameLeap is a leap without capture that needs empty cells on its way.
type lameLeap struct {
	to     Cell
	n      uint8
	via    [3]Cell
	double bool   // leaves a target for capture in passing on via[0]
	need   uint64 // via and to as a word, on boards with lines
}

type wing struct {
	def                *CastlingWing
	side               Side
	king, rook         Piece
	kingFrom, rookFrom Cell
	kingTo, rookTo     Cell
}

// Key returns the stable name of the game.
func (r *Rules) Key() string { return r.def.Key }

// Definition returns what the rules were compiled from. It must not be changed.
func (r *Rules) Definition() *Definition { return r.def }

// Board returns the board that the game is played on.
func (r *Rules) Board() *board.Board { return r.board }

// Sides returns the number of armies.
func (r *Rules) Sides() int { return r.sides }

// Types returns the number of types of men.
func (r *Rules) Types() int { return r.types }

// Piece returns the code of a man of the given side and type.
func (r *Rules) Piece(s Side, t PieceType) Piece {
	if s == neutral && r.codes[r.blocker].typ == t {
		return r.blocker
	}
	if t == 0 || int(t) > r.types || int(s) >= r.sides {
		return 0
	}
	return Piece(1 + int(s)*r.types + int(t) - 1)
}

// Type returns the type of p, or 0 if p is no man.
func (r *Rules) Type(p Piece) PieceType { return r.codes[p].typ }

// Side returns the side of p. It is meaningless if p is no man.
func (r *Rules) Side(p Piece) Side { return r.codes[p].side }

// PieceInfo returns the definition of a type, or nil if there is no such type.
func (r *Rules) PieceInfo(t PieceType) *PieceDef {
	if t == 0 || int(t) > r.types {
		return nil
	}
	return &r.def.Pieces[t-1]
}

// TypeOf returns the type with the given upper-case letter, or 0.
func (r *Rules) TypeOf(letter string) PieceType {
	for i := range r.def.Pieces {
		if r.def.Pieces[i].Letter == letter {
			return PieceType(i + 1)
		}
	}
	return 0
}

// InArmy reports whether side s may have men of type t on the board.
func (r *Rules) InArmy(s Side, t PieceType) bool { return r.codes[r.Piece(s, t)].typ == t && t != 0 }

// HasHand reports whether men may be in hand.
func (r *Rules) HasHand() bool { return r.handTypes != nil }

// Promotions lists the types that a man may promote to, in the order of generation.
func (r *Rules) Promotions(q Piece) []PieceType {
	var out []PieceType
	for _, o := range r.codes[q].options {
		out = append(out, o.typ)
	}
	return out
}

// PromotionZone returns the cells on which a man must promote.
func (r *Rules) PromotionZone(q Piece) board.Set { return r.codes[q].zone }

// InitialCells returns the cells on which the first moves of q are open to it.
func (r *Rules) InitialCells(q Piece) board.Set { return r.codes[q].first }

// HomeRow returns the cells of the row nearest to a side.
func (r *Rules) HomeRow(s Side) board.Set { return r.homeRow[s] }

// Targets returns where the man q could go from c on an otherwise empty board, and whom it could capture if every cell
// held an enemy. Conditions on the first move are met if c is a first cell.
func (r *Rules) Targets(q Piece, c Cell) (quiet, take board.Set) {
	at := int(q)*r.n + int(c)
	quiet, take = r.leaps[at].quiet, r.leaps[at].take
	for _, l := range r.lameList[r.lame[at].at:][:r.lame[at].n] {
		quiet.Add(l.to)
	}
	for _, ray := range r.rayList[r.rays[at].at:][:r.rays[at].n] {
		for i := ray.at; r.path[i] != board.Wall; i++ {
			if ray.quiet {
				quiet.Add(r.path[i])
			}
			if ray.take {
				take.Add(r.path[i])
			}
		}
	}
	if r.walks == nil {
		return quiet, take
	}
	for _, w := range r.walkList[r.walks[at].at:][:r.walks[at].n] {
		for _, to := range r.walkPath[w.at+uint32(w.least)-1 : w.at+uint32(w.n)] {
			if w.quiet {
				quiet.Add(to)
			}
			if w.take {
				take.Add(to)
			}
		}
	}
	return quiet, take
}

// Starts returns the number of start positions, which are numbered from 0.
func (r *Rules) Starts() int {
	switch {
	case r.def.Start.Generator == Scharnagl:
		return scharnaglStarts
	case r.def.Start.Choice != nil:
		return r.def.Start.Choice.choices(r.sides)
	}
	return 1
}

// Start returns a start position.
func (r *Rules) Start(number int) (*Position, error) {
	if r.def.Start.Generator == "" && r.def.Start.Choice == nil {
		if number != 0 {
			return nil, &StartError{Number: number, Count: 1}
		}
		return r.Position(r.start)
	}
	if number < 0 || number >= r.Starts() {
		return nil, &StartError{Number: number, Count: r.Starts()}
	}
	if r.def.Start.Choice != nil {
		return r.Position(r.arranged(number))
	}
	s, err := r.generate(number)
	if err != nil {
		return nil, err
	}
	return r.Position(s)
}

// UsualStart returns the number of the start position that a game has unless another is asked for.
func (r *Rules) UsualStart() int { return r.def.Start.Usual }
