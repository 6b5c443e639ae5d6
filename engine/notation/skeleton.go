// Package notation reads and writes positions, moves and games as text.
package notation

import (
	"io"
	"iter"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

type FENError struct{ Field, Reason string }

func (e *FENError) Error() string { return e.Reason }

type MoveError struct {
	Text, Reason string
	Malformed    bool
}

func (e *MoveError) Error() string { return e.Reason }

func ParseFEN(r *rules.Rules, fen string) (*rules.Position, error) { return nil, nil }
func FEN(p *rules.Position) string                                 { return "" }
func XFEN(p *rules.Position) string                                { return "" }
func ParseMove(p *rules.Position, s string) (rules.Move, error)    { return 0, nil }
func FormatMove(p *rules.Position, m rules.Move) string            { return "" }
func FormatMoveKingRook(p *rules.Position, m rules.Move) string    { return "" }
func SAN(p *rules.Position, m rules.Move) string                   { return "" }
func ParseSAN(p *rules.Position, s string) (rules.Move, error)     { return 0, nil }

// Tag is one header line of a game record.
type Tag struct{ Name, Value string }

// Ply is one move of a game record.
type Ply struct {
	Move     rules.Move
	SAN      string
	Clock    time.Duration
	HasClock bool
	Comment  string
}

// Record is one game as a text archive holds it.
type Record struct {
	Tags   []Tag
	Start  *rules.Position
	Rules  *rules.Rules
	Moves  []Ply
	Result string
}

// PGNOptions say what WritePGN leaves out.
type PGNOptions struct {
	NoTags, NoMoves, NoClocks, NoComments bool
}

func ReadPGN(set *variant.Set, r io.Reader) iter.Seq2[*Record, error] { return nil }
func WritePGN(w io.Writer, rec *Record, opts PGNOptions) error        { return nil }
