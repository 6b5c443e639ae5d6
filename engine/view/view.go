// Package view describes positions to whoever draws a board: where the men stand, what is held in hand, and by pointing
// at which cells each legal move is made. A page that shows a Scene needs no rules of its own.
//
// The games so far hide nothing, so one Scene serves every viewer.
package view

import (
	"strconv"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// Man is a man as a string: the seat of its owner (0 for the first) and its letter in upper case, like "0K".
type Man string

// Scene is a position as it is drawn.
type Scene struct {
	FEN  string `json:"fen"`
	Turn int    `json:"turn"`
	// Men are by cell name.
	Men map[string]Man `json:"men"`
	// Hands holds the number of men by letter that each seat has beside the board; empty where nobody has any.
	Hands []map[string]int `json:"hands,omitempty"`
	// Check names the cells of the attacked royal men of a side that is in check.
	Check []string `json:"check,omitempty"`
	// Moves are the legal moves of the side to move.
	Moves []Move `json:"moves,omitempty"`
}

// Move is a legal move as a player points it out. One move may be listed under several paths.
type Move struct {
	// Text is the move as it is sent.
	Text string `json:"m"`
	// Path are the cells in the order in which they are pointed at. A man beside the board is "hand:" or "prison:" with
	// its letter, moving nothing is "pass".
	Path []string `json:"p"`
	// Man is the man that appears with the move: a promotion, or a man that enters from hand. It tells moves along the
	// same path apart.
	Man Man `json:"man,omitempty"`
	// At is the cell on which Man appears, where that is not the last of the path.
	At string `json:"at,omitempty"`
}

// Of describes p, with its legal moves. A finished game has no legal moves to show: callers that know of an end that the
// position does not (resignation, repetition) use Still.
func Of(p *rules.Position) Scene {
	scene := Still(p)
	scene.Moves = moves(p)
	return scene
}

// Still describes p without moves.
func Still(p *rules.Position) Scene {
	r := p.Rules()
	board := r.Board()
	scene := Scene{FEN: notation.FEN(p), Turn: int(p.Turn()), Men: make(map[string]Man)}
	inCheck := p.InCheck()
	for c := range rules.Cell(board.N()) {
		piece := p.At(c)
		if piece == 0 {
			continue
		}
		side := r.Side(piece)
		scene.Men[board.CellName(c)] = man(r, side, r.Type(piece))
		if inCheck && side == p.Turn() && r.PieceInfo(r.Type(piece)).Royal && attacked(p, c, side) {
			scene.Check = append(scene.Check, board.CellName(c))
		}
	}
	scene.Hands = hands(p)
	return scene
}

func hands(p *rules.Position) []map[string]int {
	r := p.Rules()
	held := make([]map[string]int, r.Sides())
	empty := true
	for side := range held {
		held[side] = make(map[string]int)
		for i := range r.Definition().Pieces {
			t := rules.PieceType(i + 1)
			if n := p.Hand(rules.Side(side), t); n > 0 {
				held[side][r.PieceInfo(t).Letter] = n
				empty = false
			}
		}
	}
	if empty {
		return nil
	}
	return held
}

func attacked(p *rules.Position, c rules.Cell, own rules.Side) bool {
	for side := range rules.Side(p.Rules().Sides()) {
		if side != own && p.Attacked(c, side) {
			return true
		}
	}
	return false
}

func moves(p *rules.Position) []Move {
	r := p.Rules()
	name := r.Board().CellName
	legal := p.Moves(nil)
	taken := make(map[[2]rules.Cell]bool) // from and to of the moves that are not castling
	for _, m := range legal {
		if !m.Kind().IsCastle() {
			taken[[2]rules.Cell{m.From(), m.To()}] = true
		}
	}
	list := make([]Move, 0, len(legal))
	for _, m := range legal {
		listed := Move{Text: notation.FormatMove(p, m), Path: path(p, m)}
		if m.Arg() != 0 && m.Kind() != rules.Drop {
			listed.Man = man(r, p.Turn(), m.Arg())
		}
		switch kind := m.Kind(); {
		case kind == rules.CastleGateRook:
			listed.At = name(m.Second())
		case kind.IsGate():
			listed.At = name(m.From())
		}
		if !m.Kind().IsCastle() {
			list = append(list, listed)
			continue
		}
		// Castling may be pointed out either way: the king to its goal, where no other move of the king means that, or the
		// king onto its own rook.
		if m.To() != m.From() && m.To() != m.Second() && !taken[[2]rules.Cell{m.From(), m.To()}] {
			list = append(list, listed)
		}
		onRook := listed
		onRook.Path = []string{name(m.From()), name(m.Second())}
		list = append(list, onRook)
	}
	return list
}

// path names what is pointed at to make m.
func path(p *rules.Position, m rules.Move) []string {
	r := p.Rules()
	var names []string
	for _, step := range p.Path(m) {
		switch {
		case step.From == "":
			names = append(names, r.Board().CellName(step.Cell))
		case step.Type == 0:
			names = append(names, string(step.From))
		default:
			names = append(names, string(step.From)+":"+r.PieceInfo(step.Type).Letter)
		}
	}
	return names
}

func man(r *rules.Rules, side rules.Side, t rules.PieceType) Man {
	return Man(strconv.Itoa(int(side)) + r.PieceInfo(t).Letter)
}
