package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// SelfPromotionRule is the mechanism promote(own-move): a man is promoted by a move of its own, where it stands or with a
// step of what it becomes to an empty cell, while its side has no such man on the board. On its new cell the promoted man
// may attack no enemy, and the move may give no check.
type SelfPromotionRule struct {
	Man, To string
	// Cells are, by side, the names of the cells on which it may, separated by blanks. The last of a side's men of the type
	// may on any cell.
	Cells []string
}

// selfPromotion is a compiled SelfPromotionRule.
type selfPromotion struct {
	man, to PieceType
	zone    [maxSides]board.Set
}

func (r *Rules) compileSelfPromotion() error {
	rule := r.def.SelfPromotion
	if rule == nil {
		return nil
	}
	x := &selfPromotion{man: r.TypeOf(rule.Man), to: r.TypeOf(rule.To)}
	if x.man == 0 || x.to == 0 || r.PieceInfo(x.man).Promotion != nil {
		return fmt.Errorf("a promotion of %q to %q", rule.Man, rule.To)
	}
	if len(rule.Cells) != r.sides {
		return fmt.Errorf("promotion zones of %d sides", len(rule.Cells))
	}
	for s := range rule.Cells {
		var err error
		if x.zone[s], err = r.cellSet(rule.Cells[s]); err != nil {
			return err
		}
	}
	for s := range Side(r.sides) {
		if r.codes[r.Piece(s, x.to)].slider {
			return fmt.Errorf("%s slides, and only leaps are looked at", r.PieceInfo(x.to).Name)
		}
	}
	st := r.stage()
	st.sources = append(st.sources, x.source)
	st.lawful = append(st.lawful, func(p *Position, m Move, us Side) bool {
		return !x.promotes(m) || !p.checked(p.turn)
	})
	st.wary = append(st.wary, func(_ *Position, m Move) verdict {
		if x.promotes(m) {
			return doubtful
		}
		return harmless
	})
	st.acts[PromoteInPlace] = &act{play: playInPlace, promotes: true}
	st.acts[Promotion] = &act{san: x.stepSAN, promotes: true}
	st.claims = append(st.claims, x.claims)
	st.onClaim(ClaimDraw, func(p *Position, _ Claim) { p.state.claimed = drawClaimed })
	return nil
}

func (x *selfPromotion) promotes(m Move) bool {
	return m.Kind() == PromoteInPlace || m.Kind() == Promotion
}

// source appends the promotions that attack nobody. Whether they give check is seen when they are tried.
func (x *selfPromotion) source(p *Position, dst []Move) []Move {
	r, us := p.rules, p.turn
	man, become := r.Piece(us, x.man), r.Piece(us, x.to)
	if p.count[become] != 0 || p.count[man] == 0 {
		return dst
	}
	var f field
	p.field(&f)
	peaceful := func(c Cell) bool {
		return !meets(&r.leaps[int(become)*r.n+int(c)].take, &f.foe, r.words)
	}
	for c := range p.men[us].All {
		if p.cell[c] != man || p.count[man] > 1 && !x.zone[us].Has(c) {
			continue
		}
		if peaceful(c) {
			dst = append(dst, NewMove(PromoteInPlace, c, c, x.to, 0))
		}
		steps := r.leaps[int(become)*r.n+int(c)].quiet.Without(f.all)
		for to := range steps.All {
			if peaceful(to) {
				dst = append(dst, NewMove(Promotion, c, to, x.to, 0))
			}
		}
	}
	return dst
}

// stepSAN names both cells of a promotion by a step.
func (x *selfPromotion) stepSAN(p *Position, m Move) string {
	b := p.rules.board
	return b.CellName(m.From()) + b.CellName(m.To()) + "=" + p.rules.PieceInfo(m.Arg()).Letter
}

// claims lets a side with nothing but its royal man and one such man claim a draw when it can only promote.
func (x *selfPromotion) claims(p *Position, dst []Claim) []Claim {
	us := p.turn
	others := p.men[us].Without(p.royals[us])
	if p.state.claimed != 0 || others.Count() != 1 || p.cell[others.First()] != p.rules.Piece(us, x.man) || p.inHand[us] != 0 {
		return dst
	}
	moves := p.Moves(nil)
	for _, m := range moves {
		if !x.promotes(m) {
			return dst
		}
	}
	if len(moves) == 0 {
		return dst
	}
	return append(dst, ClaimDraw)
}
