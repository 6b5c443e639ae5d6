package rules

import (
	"hoplite/engine/board"
)

// Position is a playable state of a game. It is made by Rules.Start, Rules.Position or Clone, is changed in place, and
// must not be used by two goroutines at once.
type Position struct {
	rules *Rules
	key   uint64
	turn  Side
	// rights are the castling wings left, one bit each.
	rights uint8
	// passed is the cell that may be captured on in passing, victim the man that would go. Both are the wall unless a
	// legal capture in passing exists.
	passed, victim Cell
	clock          uint16
	fullMoves      uint32
	// state and probing serve staged games. While probing, a move is only tried: what depends on further trials is left out.
	state    state
	log      record
	probing  bool
	mobility mobility

	men     [maxSides]board.Set
	sliders [maxSides]board.Set // the men among them that capture by sliding
	royals  [maxSides]board.Set
	pawns   [maxSides]board.Set
	gate    [maxSides]board.Set // cells whose men may let a man in; empty if the hand is
	inHand  [maxSides]uint8
	hand    [maxSides][maxTypes + 1]uint8
	cell    [256]Piece
	count   [256]uint8 // men on the board by code
	touch   [256]uint8 // the castling wings that end when the man on a cell leaves or is taken
	castle  [maxWings]castleSlot
}

// castleSlot is a castling wing with the men of this game. It does not change during a game.
type castleSlot struct {
	king, rook     Cell
	kingTo, rookTo Cell
	free           board.Set // must be empty
	safe           board.Set // must not be attacked
	// tried: there are cells beyond the rook, from which it may shield its king (chess960.md, 5), so the result of castling
	// must be tried.
	tried bool
	key   uint64
}

// Undo holds what Make forgets. It is a value that the caller keeps until Unmake.
type Undo struct {
	key            uint64
	mover          Piece
	captured       Piece
	rights         uint8
	passed, victim Cell
	clock          uint16
	gates          [2]board.Set // of the mover and of the side to move next; only in games with gating

	// What follows serves staged games.
	turn      Side
	fullMoves uint32
	state     state
	log       record
}

// Rules returns the rules that the position is played by.
func (p *Position) Rules() *Rules { return p.rules }

// Clone returns an independent copy.
func (p *Position) Clone() *Position {
	c := *p
	return &c
}

// Turn returns the side to move.
func (p *Position) Turn() Side { return p.turn }

// Key returns a number that is equal for positions that are the same for repetition: men, hands, side to move, usable
// rights, and a capture in passing if one is legal. Different positions have different keys but for chance.
func (p *Position) Key() uint64 { return p.key }

// At returns the man on c, or 0.
func (p *Position) At(c Cell) Piece {
	if q := p.cell[c]; q != wallPiece {
		return q
	}
	return 0
}

// Cells returns the men by cell. It is only to be read, and changes with the position; what lies beyond the board is no
// man.
func (p *Position) Cells() *[256]Piece { return &p.cell }

// Men returns the cells of a side's men.
func (p *Position) Men(s Side) board.Set { return p.men[s] }

// Royals returns the cells of a side's royal men.
func (p *Position) Royals(s Side) board.Set { return p.royals[s] }

// Pawns returns the cells of a side's pawns.
func (p *Position) Pawns(s Side) board.Set { return p.pawns[s] }

// Count returns how many men with code q are on the board.
func (p *Position) Count(q Piece) int { return int(p.count[q]) }

// Hand returns how many men of type t side s has in hand.
func (p *Position) Hand(s Side, t PieceType) int { return int(p.hand[s][t]) }

// HandSize returns how many men side s has in hand.
func (p *Position) HandSize(s Side) int { return int(p.inHand[s]) }

// GateRights returns the cells whose men may still let a man of s in from hand by their first move.
func (p *Position) GateRights(s Side) board.Set { return p.gate[s] }

// CastlingRights lists the castling rights left.
func (p *Position) CastlingRights() []CastlingRight {
	var rights []CastlingRight
	for i := range p.rules.wings {
		if p.rights>>i&1 != 0 {
			rights = append(rights, CastlingRight{Wing: i, Rook: p.castle[i].rook})
		}
	}
	return rights
}

// HalfmoveClock returns the number of plies without progress.
func (p *Position) HalfmoveClock() int { return int(p.clock) }

// FullMoves returns the number of the turn, from 1.
func (p *Position) FullMoves() int { return int(p.fullMoves) }

// Ply returns the number of single moves that lead to this position by its move number.
func (p *Position) Ply() int { return (int(p.fullMoves)-1)*p.rules.sides + int(p.turn) }

// Setup returns the position as a value that Rules.Position reads back.
func (p *Position) Setup() Setup {
	r := p.rules
	s := Setup{Cells: append([]Piece(nil), p.cell[:r.n]...), Turn: p.turn, Castling: p.CastlingRights(), Passed: p.passed,
		Clock: int(p.clock), FullMoves: int(p.fullMoves)}
	s.state = p.state
	if r.prison != nil {
		s.Prisons = r.prison.setup(p)
	}
	if r.swapper != 0 {
		for side := range r.sides {
			s.Swaps = append(s.Swaps, p.state.swaps>>side&1 != 0)
		}
	}
	if r.handTypes != nil {
		for side := range r.sides {
			hand := make([]int, r.types+1)
			for t := range hand {
				hand[t] = int(p.hand[side][t])
			}
			s.Hands = append(s.Hands, hand)
			s.Gates = append(s.Gates, p.gate[side])
		}
	}
	return s
}

// put and lift add and remove a man without touching the key.
func (p *Position) put(q Piece, c Cell) {
	info := &p.rules.codes[q]
	s := info.side & (maxSides - 1)
	p.cell[c] = q
	p.count[q]++
	p.men[s].Flip(c)
	if info.slider {
		p.sliders[s].Flip(c)
	}
	if info.royal {
		p.royals[s].Flip(c)
	}
	if info.pawn {
		p.pawns[s].Flip(c)
	}
}

func (p *Position) lift(q Piece, c Cell) {
	info := &p.rules.codes[q]
	s := info.side & (maxSides - 1)
	p.cell[c] = 0
	p.count[q]--
	p.men[s].Flip(c)
	if info.slider {
		p.sliders[s].Flip(c)
	}
	if info.royal {
		p.royals[s].Flip(c)
	}
	if info.pawn {
		p.pawns[s].Flip(c)
	}
}

// shift moves a man to an empty cell.
func (p *Position) shift(q Piece, from, to Cell) {
	info := &p.rules.codes[q]
	s := info.side & (maxSides - 1)
	p.cell[from] = 0
	p.cell[to] = q
	p.men[s].Flip(from)
	p.men[s].Flip(to)
	if info.slider {
		p.sliders[s].Flip(from)
		p.sliders[s].Flip(to)
	}
	if info.royal {
		p.royals[s].Flip(from)
		p.royals[s].Flip(to)
	}
	if info.pawn {
		p.pawns[s].Flip(from)
		p.pawns[s].Flip(to)
	}
}

// computeKey returns the key from scratch.
func (p *Position) computeKey() uint64 {
	r := p.rules
	k := &r.keys
	key := k.turn[p.turn] ^ k.pass[p.passed]
	for c := range r.n {
		key ^= k.man[int(p.cell[c])*r.n+c]
	}
	for i := range r.wings {
		if p.rights>>i&1 != 0 {
			key ^= p.castle[i].key
		}
	}
	if r.stages.on {
		key ^= p.stateKey()
	}
	for s := range Side(r.sides) {
		for c := range p.gate[s].All {
			key ^= k.gate[int(s)*r.n+int(c)]
		}
		for _, t := range r.handTypes {
			key ^= k.inHand(s, t, p.hand[s][t])
		}
	}
	return key
}

// next returns the side whose turn follows that of s.
func (p *Position) next(s Side) Side {
	if s++; int(s) == p.rules.sides {
		return 0
	}
	return s
}
