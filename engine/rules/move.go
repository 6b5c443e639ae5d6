package rules

import "hoplite/engine/board"

// Cell is the number of a cell of the board.
type Cell = board.Cell

// Side is a player, numbered in turn order from 0. Side 0 has the upper-case letters.
type Side uint8

// Piece is the code of a man: its side and its type. 0 is no man.
type Piece uint8

// PieceType is the number of a type in Definition.Pieces, counted from 1. 0 is no type.
type PieceType uint8

// Kind says what a move does beside going from one cell to another.
type Kind uint8

// The kinds of move.
const (
	NoKind Kind = iota
	// Quiet goes to an empty cell.
	Quiet
	// Capture takes the man on the cell of arrival.
	Capture
	// Double is a first step over a cell, which an enemy may then capture on.
	Double
	// EnPassant takes the man on Second.
	EnPassant
	// Castle moves the king to To and the man on Second to its goal.
	Castle
	// Promotion goes to an empty cell and becomes Arg there.
	Promotion
	// PromotionCapture takes the man on the cell of arrival and becomes Arg.
	PromotionCapture
	// Gate is Quiet, and Arg enters from hand on the cell left.
	Gate
	// GateCapture is Capture, and Arg enters from hand on the cell left.
	GateCapture
	// CastleGateKing is Castle, and Arg enters on the cell that the king left.
	CastleGateKing
	// CastleGateRook is Castle, and Arg enters on the cell that the other man left.
	CastleGateRook
	// Drop puts Arg from hand on To. From is the wall.
	Drop
	// Exchange gives the prisoner Given back and puts Arg, freed for it, on To. From is the wall.
	Exchange
	// Become goes to To, takes who stands there and becomes Arg, which the text of the move does not name.
	Become
	// PromoteInPlace becomes Arg on From, which is To.
	PromoteInPlace
	// Legs takes the man on Second and goes on to To, taking there, too, or back. If Second is From it passes the turn.
	Legs
	// Pass moves nothing.
	Pass
	// Swap changes the places of the men on From and To, both of the mover's side.
	Swap
	// Relocate puts the man on From on To, whoever stands there.
	Relocate
	// Seize goes to an empty cell and takes men elsewhere, by the mover's own ways of capture.
	Seize
	// Settle goes to an empty cell, in games with unions: a released man, or a man in a union that becomes Arg.
	Settle
	// Unite goes where a single enemy stands and forms a union with him.
	Unite
	// TakeOver goes onto a union and takes the place of the own man there, who must move on.
	TakeOver
	// Gift makes the man on From, which is To, what it has become by being carried to its last row.
	Gift
	// Remove takes the own man on From, which is To, off the board.
	Remove
	// Declare is a declaration (Claim) and no move: the turn stays.
	Declare
	// Retire takes an army whose player has left out of the game and is no move.
	Retire
)

// Move is one step of a man, packed into a number. It means something only in the position it was made for. 0 is no
// move.
type Move uint64

// NewMove packs a move. arg is the type promoted to or entered from hand; second is the victim of an en passant
// capture or the start of the other man in castling. Both are 0 where the kind has no use for them.
func NewMove(kind Kind, from, to Cell, arg PieceType, second Cell) Move {
	return Move(from) | Move(to)<<8 | Move(kind)<<16 | Move(arg)<<24 | Move(second)<<32
}

// From returns the cell that the man leaves.
func (m Move) From() Cell { return Cell(m) }

// To returns the cell that the man arrives on; for castling, the king's.
func (m Move) To() Cell { return Cell(m >> 8) }

// Kind says what else the move does.
func (m Move) Kind() Kind { return Kind(m >> 16) }

// Arg returns the type promoted to or entered from hand, or 0.
func (m Move) Arg() PieceType { return PieceType(m >> 24) }

// Second returns the cell of the en passant victim or of the castling partner. It is meaningless for other kinds.
func (m Move) Second() Cell { return Cell(m >> 32) }

// Given returns the type given back in an exchange of prisoners. It is meaningless for other kinds.
func (m Move) Given() PieceType { return PieceType(m >> 40) }

func (m Move) giving(t PieceType) Move { return m | Move(t)<<40 }

// IsMove reports whether k is a move, and not something else that is kept among moves.
func (k Kind) IsMove() bool { return k != Declare && k != Retire }

// IsCastle reports whether k is castling, with or without a man entering.
func (k Kind) IsCastle() bool { return k == Castle || k == CastleGateKing || k == CastleGateRook }

// IsGate reports whether a man enters from hand with the move.
func (k Kind) IsGate() bool { return k >= Gate && k <= CastleGateRook }

// IsPromotion reports whether the man changes its type.
func (k Kind) IsPromotion() bool { return k == Promotion || k == PromotionCapture }

// IsCapture reports whether an enemy man is taken.
func (k Kind) IsCapture() bool {
	return k == Capture || k == EnPassant || k == PromotionCapture || k == GateCapture
}
