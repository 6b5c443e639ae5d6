// Package view describes positions to whoever draws a board: where the men stand, what is held in hand, and by pointing
// at which cells each legal move is made. A page that shows a Scene needs no rules of its own.
//
// What a viewer may not know is not in the scene that is made for him (Seen).
package view

import (
	"strconv"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// Man is a man as a string, or two men on one cell joined by "&", that of the first seat first: the seat of its owner (0 for the first, "-" for nobody) and its token, like "0K".
type Man string

// Scene is a position as it is drawn.
type Scene struct {
	FEN  string `json:"fen"`
	Turn int    `json:"turn"`
	// Men are by cell name.
	Men map[string]Man `json:"men"`
	// Unknown are the cells whose contents the viewer does not know.
	Unknown []string `json:"unknown,omitempty"`
	// Hands holds the number of men by token that each seat has beside the board; missing in games without hands.
	Hands []map[string]int `json:"hands,omitempty"`
	// Prisons holds in the same way the enemy's men that each seat has as prisoners.
	Prisons []map[string]int `json:"prisons,omitempty"`
	// Check names the cells of the attacked royal men of a side that is in check.
	Check []string `json:"check,omitempty"`
	// Facts are what counts besides the men.
	Facts []Fact `json:"facts,omitempty"`
	// Moves are the legal moves of the side to move.
	Moves []Move `json:"moves,omitempty"`
	// Claims are the declarations open to the side to move.
	Claims []rules.Claim `json:"claims,omitempty"`
}

// Move is a legal move as a player points it out. One move may be listed under several paths.
type Move struct {
	// Text is the move as it is sent.
	Text string `json:"m"`
	// Path is what is pointed at in order: cells, and men beside the board such as "hand:P". A move that moves nothing has
	// the path "pass".
	Path []string `json:"p"`
	// Man is the man that appears with the move: a promotion, or a man that enters from hand. It tells moves along the
	// same path apart.
	Man Man `json:"man,omitempty"`
	// At is the cell on which Man appears, where that is not the last of the path.
	At string `json:"at,omitempty"`
}

// Of describes p, with its legal moves and the declarations open. A finished game has neither to show: callers that know
// of an end that the position does not (resignation, repetition) use Still.
func Of(p *rules.Position) Scene {
	scene := Still(p)
	scene.Moves = moves(p, p.Moves(nil))
	scene.Claims = p.Claims()
	return scene
}

// Seen describes a position as its viewer may know it, with the viewer's legal moves on his turn. live is false for a
// game that is over.
func Seen(v rules.View, live bool) Scene {
	p := v.Position()
	scene := Still(p)
	scene.FEN = notation.ViewFEN(v)
	if v.Limited() {
		scene.Facts = nil
		known, board := v.Known(), p.Rules().Board()
		for c := range rules.Cell(board.N()) {
			if !known.Has(c) {
				scene.Unknown = append(scene.Unknown, board.CellName(c))
			}
		}
	}
	if live && len(v.Moves()) > 0 {
		scene.Moves = moves(p, v.Moves())
		if !v.Limited() {
			scene.Claims = p.Claims()
		}
	}
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
		if men, ok := r.Union(piece); ok {
			scene.Men[board.CellName(c)] = man(r, 0, r.Type(men[0])) + "&" + man(r, 1, r.Type(men[1]))
			continue
		}
		side := r.Side(piece)
		scene.Men[board.CellName(c)] = man(r, side, r.Type(piece))
		if inCheck && side == p.Turn() && r.PieceInfo(r.Type(piece)).Royal && attacked(p, c, side) {
			scene.Check = append(scene.Check, board.CellName(c))
		}
	}
	if r.HasHand() {
		scene.Hands = beside(r, p.Hand)
	}
	if r.Unites() {
		// Who has been released waits beside the board until it is said where it goes.
		scene.Hands = beside(r, func(s rules.Side, t rules.PieceType) int {
			q, _, ok := p.Released()
			return btoi(ok && q == r.Piece(s, t))
		})
	}
	if r.HasPrison() {
		scene.Prisons = beside(r, p.Prisoners)
	}
	scene.Facts = facts(p)
	return scene
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// beside counts the men that the seats have beside the board, nobody too, so that their place beside the board stays.
func beside(r *rules.Rules, count func(s rules.Side, t rules.PieceType) int) []map[string]int {
	held := make([]map[string]int, r.Sides())
	for side := range held {
		held[side] = make(map[string]int)
		for i := range r.Definition().Pieces {
			t := rules.PieceType(i + 1)
			if n := count(rules.Side(side), t); n > 0 {
				held[side][r.PieceInfo(t).Letter] = n
			}
		}
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

// moves describes legal moves of the side to move.
func moves(p *rules.Position, legal []rules.Move) []Move {
	r := p.Rules()
	name := r.Board().CellName
	taken := make(map[[2]rules.Cell]bool) // from and to of the moves that are not castling
	for _, m := range legal {
		if !m.Kind().IsCastle() {
			taken[[2]rules.Cell{m.From(), m.To()}] = true
		}
	}
	list := make([]Move, 0, len(legal))
	for _, m := range legal {
		listed := Move{Text: notation.FormatMove(p, m), Path: path(p, m)}
		if m.Kind().IsGate() || p.IsPromotion(m) || r.Unites() && m.Arg() != 0 {
			listed.Man = man(r, p.Turn(), m.Arg())
		}
		switch kind := m.Kind(); {
		case kind == rules.CastleGateRook:
			listed.At = name(m.Second())
		case kind.IsGate():
			listed.At = name(m.From())
		}
		if m.Kind() == rules.Legs && m.Second() == m.From() {
			for c := range p.Passers().All { // whoever passes, it is the same move
				listed.Path = []string{name(c), name(c)}
				list = append(list, listed)
			}
			continue
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
		onRook.Path = append([]string{name(m.From()), name(m.Second())}, listed.Path[2:]...)
		list = append(list, onRook)
	}
	return list
}

// path names what is pointed at to make m.
func path(p *rules.Position, m rules.Move) []string {
	r := p.Rules()
	var list []string
	for _, step := range p.Path(m) {
		switch step.From {
		case "":
			list = append(list, r.Board().CellName(step.Cell))
		case rules.Passing:
			list = append(list, string(rules.Passing))
		default:
			list = append(list, string(step.From)+":"+r.PieceInfo(step.Type).Letter)
		}
	}
	return list
}

func man(r *rules.Rules, side rules.Side, t rules.PieceType) Man {
	owner := strconv.Itoa(int(side))
	if int(side) >= r.Sides() {
		owner = "-"
	}
	return Man(owner + r.PieceInfo(t).Letter)
}
