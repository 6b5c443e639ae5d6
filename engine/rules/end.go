package rules

import (
	"fmt"

	"hoplite/engine/board"
)

// endTest is a compiled EndRule.
type endTest struct {
	// decisive tests need no list of moves, and a game that they end has no moves any more: a king is gone, a goal is
	// reached. The others leave the moves as they are.
	decisive bool
	test     func(p *Position) (Outcome, bool)
}

// mobility remembers whether the side to move can move while the ends are tested.
type mobility struct{ known, can bool }

func (p *Position) canMove() bool {
	if !p.mobility.known {
		p.mobility = mobility{known: true, can: p.HasMove()}
	}
	return p.mobility.can
}

// compileEnds makes the tests for the end of the game from their rules, in the order given.
func (r *Rules) compileEnds() error {
	d := r.def
	r.stages.pawnsProgress = true
	for i := range d.Ends {
		e := &d.Ends[i]
		test, err := r.endTest(e)
		if err != nil {
			return fmt.Errorf("end test %q: %w", e.Kind, err)
		}
		r.ends = append(r.ends, test)
		r.decisive = r.decisive || test.decisive
	}
	return nil
}

func (r *Rules) compileFlagFall() error {
	f := &r.def.FlagFall
	unable, err := r.compileUnable(f.Unable)
	r.flag = flagTest{loses: f.Loses, unable: unable, lone: r.typeSet(f.Lone, &err), against: r.typeSet(f.LoneAgainst, &err),
		oneColour: r.typeSet(f.OneColour, &err), helpers: r.typeSet(f.Helpers, &err)}
	return err
}

func (r *Rules) endTest(e *EndRule) (endTest, error) {
	switch e.Kind {
	case EndMate:
		return endTest{test: func(p *Position) (Outcome, bool) {
			if p.canMove() || !p.InCheck() {
				return Outcome{}, false
			}
			o := won(p.opponent(), r.sides, Mate)
			for _, worth := range r.stages.mated {
				o = worth(p, o)
			}
			return o, true
		}}, nil
	case EndNoMove:
		return r.endNoMove(e)
	case EndMaterial:
		if e.Material.Unable != nil {
			unable, err := r.compileUnable(e.Material.Unable)
			return endTest{test: func(p *Position) (Outcome, bool) {
				return drawn(r.sides, Material), unable.all(p)
			}}, err
		}
		var err error
		r.material = &materialTest{single: r.typeSet(e.Material.Single, &err), oneColour: r.typeSet(e.Material.OneColour, &err),
			handCounts: e.Material.HandCounts, handMen: e.Material.HandMen, prisonMen: e.Material.PrisonMen,
			onlyRoyals: e.Material.OnlyRoyals, untouched: e.Material.Untouched}
		return endTest{test: func(p *Position) (Outcome, bool) {
			return drawn(r.sides, Material), p.deadMaterial()
		}}, err
	case EndClock:
		return r.endClock(e)
	case EndPasses:
		if r.def.Royal != RoyalBikjang || r.def.Points == nil {
			return endTest{}, fmt.Errorf("passes end games with royal men that may face each other, by points")
		}
		return endTest{decisive: true, test: func(p *Position) (Outcome, bool) {
			if !p.passedOut() {
				return Outcome{}, false
			}
			return p.byPoints(), true
		}}, nil
	case EndChecks:
		return r.compileChecks(e)
	case EndGoal:
		return r.endGoal(e)
	case EndExtinct:
		return r.endExtinct(e)
	case EndCitadel:
		return endTest{decisive: true, test: endCitadel}, nil
	case EndLone:
		return r.endLone(e)
	case EndLast:
		if r.def.Seats == nil {
			return endTest{}, fmt.Errorf("an end for several armies")
		}
		return endTest{decisive: true, test: endLast}, nil
	case EndRoyal:
		return endTest{decisive: true, test: endRoyal}, nil
	case EndCounting:
		return r.endCounting()
	case EndBare:
		return r.endBare(e)
	}
	return endTest{}, fmt.Errorf("unknown kind")
}

// endClock ends the game after a number of plies without progress.
func (r *Rules) endClock(e *EndRule) (endTest, error) {
	if e.Plies <= 0 {
		return endTest{}, fmt.Errorf("a clock of %d plies", e.Plies)
	}
	if e.CapturesOnly {
		r.stage().pawnsProgress = false
	}
	if e.ByPoints && r.def.Points == nil {
		return endTest{}, fmt.Errorf("a clock that ends by points that the men have not")
	}
	if e.SpareChecks != 0 {
		r.countChecks()
	}
	return endTest{test: func(p *Position) (Outcome, bool) {
		plies := int(p.clock)
		if e.SpareChecks != 0 {
			plies -= 2 * max(0, int(max(p.state.checks[0], p.state.checks[1]))-e.SpareChecks)
		}
		switch {
		case plies < e.Plies || !p.Settled():
			return Outcome{}, false
		case e.ByPoints:
			return p.byPoints(), true
		}
		return drawn(r.sides, Clock), true
	}}, nil
}

// countChecks notes how often each side has given check since the last capture.
func (r *Rules) countChecks() {
	st := r.stage()
	st.after = append(st.after, func(p *Position, _ Move) {
		switch them := p.next(p.turn); {
		case p.clock == 0:
			p.state.checks = [2]uint16{}
		case !p.probing && p.checked(them):
			p.state.checks[p.turn&1]++
		}
	})
}

// endNoMove values having no legal move without being in check.
func (r *Rules) endNoMove(e *EndRule) (endTest, error) {
	if e.Lost && e.Won {
		return endTest{}, fmt.Errorf("having no move cannot both lose and win")
	}
	return endTest{test: func(p *Position) (Outcome, bool) {
		switch {
		case p.canMove() || p.InCheck():
			return Outcome{}, false
		case e.Lost:
			return won(p.opponent(), r.sides, NoMove), true
		case e.Won:
			return won(p.turn, r.sides, NoMove), true
		}
		return drawn(r.sides, NoMove), true
	}}, nil
}

// endRoyal is lost by the side whose last royal man is gone.
func endRoyal(p *Position) (Outcome, bool) {
	for s := range Side(p.rules.sides) {
		if p.royals[s].Empty() {
			reason := KingCaptured
			if p.rules.def.Royal == RoyalExplodable {
				reason = KingExploded
			}
			return won(p.rules.foes[s][0], p.rules.sides, reason), true
		}
	}
	return Outcome{}, false
}

// typeSet reads a row of tokens into a set of types. A token that the game has not is an error.
func (r *Rules) typeSet(text string, err *error) (set [maxTypes + 1]bool) {
	for _, token := range tokens(text) {
		t := r.TypeOf(token)
		if t == 0 {
			*err = fmt.Errorf("unknown man %q", token)
		}
		set[t] = true
	}
	return set
}

// decided returns the result if the game is over by a test that needs no list of moves.
func (p *Position) decided() (Outcome, bool) {
	r := p.rules
	if !r.decisive {
		return Outcome{}, false
	}
	for i := range r.ends {
		if r.ends[i].decisive {
			if o, over := r.ends[i].test(p); over {
				return o, true
			}
		}
	}
	return Outcome{}, false
}

// Outcome returns the result if the game is over in this position, by everything but repetition.
func (p *Position) Outcome() (Outcome, bool) {
	if o, over := p.claimed(); over {
		return o, true
	}
	p.mobility = mobility{}
	for i := range p.rules.ends {
		if o, over := p.rules.ends[i].test(p); over {
			p.mobility = mobility{}
			if p.rules.def.Seats != nil {
				o = p.Standings(o.Reason)
			}
			return o, true
		}
	}
	p.mobility = mobility{}
	return Outcome{}, false
}

// opponent returns the side that gains what the side to move loses.
func (p *Position) opponent() Side { return p.rules.foes[p.turn][0] }

// usableHand reports whether a side has men in hand that can still come in.
func (p *Position) usableHand(s Side) bool {
	return p.inHand[s] != 0 && (p.rules.drops != nil || !p.gate[s].Empty())
}

// deadMaterial reports whether neither side can win by the game's table of material.
func (p *Position) deadMaterial() bool {
	r := p.rules
	test := r.material
	others, coloured := 0, true
	single := false
	if test.prisonMen && p.state.prisons != (prisons{}) {
		return false
	}
	var bishops board.Set
	for s := range Side(r.sides) {
		if test.handMen && p.inHand[s] != 0 {
			others += int(p.inHand[s])
			for _, t := range r.handTypes {
				if p.hand[s][t] != 0 {
					single, coloured = test.single[t], false
				}
			}
		}
		if others > 1 && !coloured || p.royals[s].Count() != 1 && !test.onlyRoyals || test.handCounts && p.usableHand(s) {
			return false
		}
		for c := range p.men[s].Without(p.royals[s]).All {
			others++
			t := r.Type(p.cell[c])
			single = test.single[t]
			if test.oneColour[t] {
				bishops.Add(c)
			} else {
				coloured = false
			}
			if others > 1 && !coloured {
				return false
			}
		}
	}
	if test.untouched {
		for s := range Side(r.sides) {
			if p.royalAttacked(s) {
				return false
			}
		}
	}
	return others == 0 || others == 1 && single || coloured && r.oneColour(bishops)
}

// oneColour reports whether all cells have the same colour.
func (r *Rules) oneColour(s board.Set) bool {
	dark := s.Intersect(r.dark)
	return dark.Empty() || dark == s
}

// CanMate reports whether side s has material that can win, so that its opponent loses by running out of time.
func (p *Position) CanMate(s Side) bool {
	r := p.rules
	if r.flag.unable != nil {
		return !r.flag.unable.holds(p, s)
	}
	men := p.men[s].Without(p.royals[s])
	if r.flag.loses || p.royals[s].Count() > 1 || p.usableHand(s) {
		return true
	}
	if men.Empty() {
		return false
	}
	f := &r.flag
	if men.Count() == 1 && f.lone[r.Type(p.cell[men.First()])] && p.consists(r.foes[s][0], &f.against) {
		return false
	}
	if !p.consists(s, &f.oneColour) || !r.oneColour(men) {
		return true
	}
	// Men of the other side may block their own king's way out.
	for o := range Side(r.sides) {
		for c := range p.men[o].Without(p.royals[o]).All {
			t := r.Type(p.cell[c])
			if f.helpers[t] || f.oneColour[t] && r.dark.Has(c) != r.dark.Has(men.First()) {
				return true
			}
		}
	}
	return false
}

// consists reports whether a side has only men of the listed types beside its royal men.
func (p *Position) consists(s Side, types *[maxTypes + 1]bool) bool {
	for c := range p.men[s].Without(p.royals[s]).All {
		if !types[p.rules.Type(p.cell[c])] {
			return false
		}
	}
	return true
}
