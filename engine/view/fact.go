package view

import (
	"fmt"
	"strconv"

	"hoplite/engine/rules"
)

// Fact is something that counts in a position and that the board does not show.
type Fact struct {
	Kind FactKind `json:"kind"`
	// Seat is whom it is about, nil for nobody in particular.
	Seat *int   `json:"seat,omitempty"`
	Text string `json:"text"`
}

// FactKind says what is counted.
type FactKind string

// The kinds of fact.
const (
	// Checks are those that a side must still give to win.
	Checks FactKind = "checks"
	// Count is a count of a side's moves and its limit.
	Count FactKind = "count"
	// MoveOfTurn is the place in a turn of several moves.
	MoveOfTurn FactKind = "moves"
	// Points are what the men of a side count.
	Points FactKind = "points"
)

// facts lists what counts in p.
func facts(p *rules.Position) []Fact {
	r := p.Rules()
	var list []Fact
	each := func(kind FactKind, text func(s rules.Side) string) {
		for s := range r.Sides() {
			list = append(list, Fact{Kind: kind, Seat: &s, Text: text(rules.Side(s))})
		}
	}
	if r.CountsChecks() > 0 {
		each(Checks, func(s rules.Side) string { return strconv.Itoa(p.ChecksLeft(s)) })
	}
	if length, left := p.Series(); length > 0 {
		list = append(list, Fact{Kind: MoveOfTurn, Text: fmt.Sprintf("%d of %d", length-left+1, length)})
	}
	if r.Definition().Points != nil {
		each(Points, func(s rules.Side) string { return strconv.FormatFloat(p.Points(s), 'f', -1, 64) })
	}
	for _, f := range p.Facts() {
		fact := Fact{Kind: FactKind(f.Kind), Text: f.Text}
		if f.Side != rules.NoWinner {
			fact.Seat = &f.Side
		}
		list = append(list, fact)
	}
	return list
}
