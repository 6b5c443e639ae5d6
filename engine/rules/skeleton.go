package rules

import "hoplite/engine/board"

// Temporary bodies, replaced piece by piece.

type Rules struct{ def *Definition }

func Compile(d *Definition) (*Rules, error)          { return &Rules{def: d}, nil }
func (r *Rules) Key() string                         { return r.def.Key }
func (r *Rules) Definition() *Definition             { return r.def }
func (r *Rules) Board() *board.Board                 { return nil }
func (r *Rules) Sides() int                          { return 2 }
func (r *Rules) Starts() int                         { return 1 }
func (r *Rules) Start(number int) (*Position, error) { return &Position{rules: r}, nil }
func (r *Rules) Position(s Setup) (*Position, error) { return &Position{rules: r}, nil }
func (r *Rules) Type(p Piece) PieceType              { return 0 }
func (r *Rules) Side(p Piece) Side                   { return 0 }
func (r *Rules) Piece(s Side, t PieceType) Piece     { return 0 }
func (r *Rules) PieceInfo(t PieceType) *PieceDef     { return nil }

type Setup struct{}
type SetupError struct{ Reasons []string }

func (e *SetupError) Error() string { return "" }

type IllegalMoveError struct {
	Move   Move
	Reason string
}

func (e *IllegalMoveError) Error() string { return "illegal move" }

type Position struct{ rules *Rules }
type Undo struct{}

func (p *Position) Rules() *Rules                 { return p.rules }
func (p *Position) Clone() *Position              { q := *p; return &q }
func (p *Position) Turn() Side                    { return 0 }
func (p *Position) Key() uint64                   { return 0 }
func (p *Position) At(c Cell) Piece               { return 0 }
func (p *Position) Hand(s Side, t PieceType) int  { return 0 }
func (p *Position) GateRights(s Side) board.Set   { return board.Set{} }
func (p *Position) HalfmoveClock() int            { return 0 }
func (p *Position) FullMoves() int                { return 1 }
func (p *Position) Men(s Side) board.Set          { return board.Set{} }
func (p *Position) Royals(s Side) board.Set       { return board.Set{} }
func (p *Position) Count(q Piece) int             { return 0 }
func (p *Position) InCheck() bool                 { return false }
func (p *Position) Attacked(c Cell, by Side) bool { return false }
func (p *Position) Moves(dst []Move) []Move       { return dst }
func (p *Position) Noisy(dst []Move) []Move       { return dst }
func (p *Position) CountMoves() int               { return 0 }
func (p *Position) HasMove() bool                 { return false }
func (p *Position) Make(m Move, u *Undo)          {}
func (p *Position) Unmake(m Move, u *Undo)        {}
func (p *Position) MakeNull(u *Undo)              {}
func (p *Position) UnmakeNull(u *Undo)            {}
func (p *Position) Play(m Move) error             { return nil }
func (p *Position) Captured(m Move) Piece         { return 0 }
func (p *Position) IsCapture(m Move) bool         { return false }
func (p *Position) IsPromotion(m Move) bool       { return false }
func (p *Position) GivesCheck(m Move) bool        { return false }
func (p *Position) Outcome() (Outcome, bool)      { return Outcome{}, false }
func (p *Position) CanMate(s Side) bool           { return false }

type Game struct{ p *Position }

func NewGame(start *Position) *Game      { return &Game{start} }
func (g *Game) Position() *Position      { return g.p }
func (g *Game) Start() *Position         { return g.p }
func (g *Game) Moves() []Move            { return nil }
func (g *Game) Play(m Move) error        { return nil }
func (g *Game) Undo() bool               { return false }
func (g *Game) Outcome() (Outcome, bool) { return Outcome{}, false }
func (g *Game) Repetitions() int         { return 1 }
func (g *Game) CanClaimDraw() bool       { return false }
