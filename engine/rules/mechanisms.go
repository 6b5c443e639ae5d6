package rules

import (
	"fmt"

	"hoplite/engine/board"
)

func (r *Rules) compileCastling() error {
	rule := r.def.Castling
	if rule == nil {
		return nil
	}
	if len(rule.Wings) == 0 || len(rule.Wings) > maxWings {
		return fmt.Errorf("castling with %d wings", len(rule.Wings))
	}
	for i := range rule.Wings {
		def := &rule.Wings[i]
		w := wing{def: def, side: def.Side}
		if int(def.Side) >= r.sides {
			return fmt.Errorf("castling of side %d", def.Side)
		}
		if w.king, w.rook = r.Piece(def.Side, r.TypeOf(def.King)), r.Piece(def.Side, r.TypeOf(def.Rook)); w.king == 0 || w.rook == 0 {
			return fmt.Errorf("castling of unknown men %q and %q", def.King, def.Rook)
		}
		if !r.codes[w.king].royal {
			return fmt.Errorf("castling of %s, which is not royal", def.King)
		}
		for _, c := range []struct {
			name string
			cell *Cell
		}{{def.KingFrom, &w.kingFrom}, {def.KingTo, &w.kingTo}, {def.RookFrom, &w.rookFrom}, {def.RookTo, &w.rookTo}} {
			var ok bool
			if *c.cell, ok = r.board.ParseCell(c.name); !ok {
				return fmt.Errorf("castling: unknown cell %q", c.name)
			}
		}
		r.wings = append(r.wings, w)
	}
	return nil
}

func (r *Rules) compileGate() error {
	rule := r.def.Gate
	if rule == nil {
		return nil
	}
	for _, token := range tokens(rule.Hand) {
		t := r.TypeOf(token)
		if t == 0 {
			return fmt.Errorf("unknown man %q in hand", token)
		}
		r.gateTypes = append(r.gateTypes, t)
	}
	r.handTypes = append(r.handTypes, r.gateTypes...)
	for s := range Side(r.sides) {
		r.gateRow[s] = r.homeRow[s]
	}
	return nil
}

// materialTest is a compiled MaterialRule.
type materialTest struct {
	single, oneColour              [maxTypes + 1]bool
	handCounts, handMen, prisonMen bool
	onlyRoyals, untouched          bool
}

// flagTest is a compiled FlagRule.
type flagTest struct {
	loses                             bool
	unable                            *unableTest
	lone, against, oneColour, helpers [maxTypes + 1]bool
}

// keys are the random numbers whose sum modulo 2 is the key of a position.
type keys struct {
	man   []uint64 // code*n+cell
	turn  [maxSides]uint64
	pass  [256]uint64 // cell that may be captured on in passing
	right []uint64    // wing*n+cell of the rook
	gate  []uint64    // side*n+cell
	hand  []uint64    // (side*(maxTypes+1)+type)*(maxHand+1)+count
}

// maxHand bounds the men of one type in a hand: shogi has 18 pawns.
const maxHand = 31

// compileKeys draws the numbers from a fixed stream, so that the key of a position is the same in every process.
func (r *Rules) compileKeys() error {
	state := uint64(0x9e3779b97f4a7c15)
	draw := func() uint64 { // splitmix64 (Steele, Lea, Flood 2014)
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	fill := func(n int) []uint64 {
		list := make([]uint64, n)
		for i := range list {
			list[i] = draw()
		}
		return list
	}
	k := &r.keys
	copy(k.turn[:], fill(maxSides))
	copy(k.pass[:], fill(256))
	k.pass[board.Wall] = 0
	men := 1 + r.sides*r.types
	if r.blocker != 0 {
		men++
	}
	k.man = fill(men * r.n)
	clear(k.man[:r.n]) // an empty cell adds nothing
	k.right = fill(len(r.wings) * r.n)
	if r.handTypes != nil {
		k.gate = fill(r.sides * r.n)
		k.hand = fill(r.sides * (maxTypes + 1) * (maxHand + 1))
		for i := 0; i < len(k.hand); i += maxHand + 1 {
			k.hand[i] = 0 // an empty hand adds nothing
		}
	}
	return nil
}

func (k *keys) inHand(s Side, t PieceType, n uint8) uint64 {
	return k.hand[(int(s)*(maxTypes+1)+int(t))*(maxHand+1)+int(n)]
}

func (r *Rules) compileStart() error {
	switch r.def.Start.Generator {
	case "", Scharnagl:
	default:
		return fmt.Errorf("unknown generator %q", r.def.Start.Generator)
	}
	if err := r.compileArrays(); err != nil {
		return err
	}
	s, err := r.ParseSetup(r.def.Start.FEN)
	if err != nil {
		return err
	}
	r.start = s
	if err := r.compileChoice(); err != nil {
		return err
	}
	if _, err := r.Position(s); err != nil {
		return err
	}
	if u := r.def.Start.Usual; u < 0 || u >= r.Starts() {
		return fmt.Errorf("no start position %d", u)
	}
	return nil
}
