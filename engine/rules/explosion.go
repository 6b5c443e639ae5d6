package rules

import (
	"fmt"
	"math/bits"

	"hoplite/engine/betza"
	"hoplite/engine/board"
)

// ExplosionRule is the mechanism effect(explosion): a capture removes the captor, too, and the men around the cell of
// arrival.
type ExplosionRule struct {
	// Reach is how far it goes, as the movement of a man on the cell of arrival.
	Reach string
	// Spared are the tokens of the types that only a capture of their own removes.
	Spared string
}

// maxExploded leaves room in the record of a move for what else it changes.
const maxExploded = maxChanges - 8

// explosion is a compiled ExplosionRule.
type explosion struct {
	near   []board.Set
	spared [maxTypes + 1]bool
}

// compileExplosion adds explosions to the stages, and the rule of kings that may explode. Such a king may be lost: the
// mover's must stand after his move, and a move that leaves the enemy without one is legal whatever is attacked. Kings
// that touch are safe, since who takes one loses his own.
func (r *Rules) compileExplosion() error {
	rule := r.def.Explosion
	if rule == nil {
		if r.def.Royal == RoyalExplodable {
			return fmt.Errorf("kings that explode need explosions")
		}
		return nil
	}
	atoms, err := betza.ParseOn(r.board.Shape(), rule.Reach)
	if err != nil {
		return fmt.Errorf("reach of explosions: %w", err)
	}
	x := &explosion{near: make([]board.Set, r.n)}
	if x.spared = r.typeSet(rule.Spared, &err); err != nil {
		return err
	}
	for i := range r.def.Pieces {
		if r.def.Pieces[i].Royal && r.def.Royal != RoyalExplodable && !x.spared[i+1] {
			return fmt.Errorf("explosions that reach %s, which may not be lost so", r.def.Pieces[i].Letter)
		}
	}
	for c := range Cell(r.n) {
		for i := range atoms {
			for _, v := range atoms[i].Vectors {
				for _, to := range r.board.Ray(c, v, atoms[i].Range) {
					x.near[c].Add(to)
				}
			}
		}
		if n := x.near[c].Count(); n > maxExploded {
			return fmt.Errorf("explosions that reach %d cells, more than %d", n, maxExploded)
		}
	}
	st := r.stage()
	st.effects = append(st.effects, x.explode)
	if r.def.Royal != RoyalExplodable {
		return nil
	}
	st.check = x.check
	st.judge = x.judge
	st.haven = x.touches
	st.lawful = append(st.lawful, func(p *Position, m Move, us Side) bool { return !p.royals[us&(maxSides-1)].Empty() })
	st.wary = append(st.wary, func(p *Position, m Move) verdict {
		if p.IsCapture(m) {
			return doubtful
		}
		return harmless
	})
	return nil
}

// explode removes the captor and what stands around it.
func (x *explosion) explode(p *Position, m Move) {
	if p.log.captured == 0 {
		return
	}
	r := p.rules
	p.place(0, m.To())
	near := &x.near[m.To()]
	for w := 0; w < r.words; w++ {
		for b := near[w&3]; b != 0; b &= b - 1 {
			c := Cell(w<<6 | bits.TrailingZeros64(b))
			if q := p.cell[c]; q != 0 && !x.spared[r.codes[q].typ] {
				p.place(0, c)
			}
		}
	}
}

// check reports whether side s is in check: its king is there, the enemy's is too, they do not touch, and it is attacked.
func (x *explosion) check(p *Position, s Side) bool {
	k := p.royals[s&(maxSides-1)].First()
	if k == board.Wall {
		return false
	}
	for _, o := range p.rules.foes[s&(maxSides-1)] {
		if p.royals[o].Empty() {
			return false
		}
	}
	return !x.touches(p, k, s) && p.threatened(k, s)
}

// touches reports whether c is next to an enemy king of side s.
func (x *explosion) touches(p *Position, c Cell, s Side) bool {
	for _, o := range p.rules.foes[s&(maxSides-1)] {
		if meets(&x.near[c], &p.royals[o], p.rules.words) {
			return true
		}
	}
	return false
}

// judge says what the scan knows about a move: captures and moves of kings must be tried, and nothing else can matter
// while the kings touch.
func (x *explosion) judge(p *Position, m Move, s scan) verdict {
	us := p.turn & (maxSides - 1)
	if p.IsCapture(m) || p.rules.codes[p.cell[m.From()]].royal {
		return doubtful
	}
	if k := p.royals[us].First(); k != board.Wall && x.touches(p, k, us) {
		return harmless
	}
	return p.suspicion(m, s)
}
