package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// ImpasseRule is the mechanism count(impasse): a player whose royal man has entered the enemy's camp with enough of his
// men may declare that he has won (ClaimWin). He must not be in check.
type ImpasseRule struct {
	// Rows are the camp, counted from the own edge, negative rows from the far edge.
	Rows []int
	// Men is the least number of other men in the camp.
	Men int
	// Points are what each side, in turn order, needs. The men in the camp and in hand count: those of Big as many as Worth,
	// others 1, royal men nothing.
	Points []int
	Big    string
	Worth  int
}

func (r *Rules) compileImpasse() error {
	rule := r.def.Impasse
	if rule == nil {
		return nil
	}
	if len(rule.Points) != r.sides || len(rule.Rows) == 0 {
		return fmt.Errorf("impasse: points for %d sides, a camp of %d rows", len(rule.Points), len(rule.Rows))
	}
	var err error
	big := r.typeSet(rule.Big, &err)
	if err != nil {
		return fmt.Errorf("impasse: %w", err)
	}
	camp := make([]board.Set, r.sides)
	for s := range camp {
		camp[s] = r.rows(rule.Rows, r.def.Sides[s].Heading)
	}
	worth := func(t PieceType) int {
		if big[t] {
			return rule.Worth
		}
		return 1
	}
	st := r.stage()
	st.claims = append(st.claims, func(p *Position, dst []Claim) []Claim {
		us := p.turn
		inside := p.men[us].Intersect(camp[us])
		kings := p.royals[us].Intersect(inside)
		if kings.Empty() || kings != p.royals[us] || p.state.claimed != 0 || p.InCheck() {
			return dst
		}
		inside = inside.Without(kings)
		points := 0
		for c := range inside.All {
			points += worth(r.Type(p.cell[c]))
		}
		for _, t := range r.handTypes {
			points += int(p.hand[us][t]) * worth(t)
		}
		if inside.Count() >= rule.Men && points >= rule.Points[us] {
			dst = append(dst, ClaimWin)
		}
		return dst
	})
	st.onClaim(ClaimWin, func(p *Position, _ Claim) { p.claimWin() })
	return nil
}
