package rules

// compileNoMateBy bans the moves that mate with certain men alone (Definition.NoMateBy): the enemy's royal man is attacked
// by nobody else and has no way out. The way out is judged without the ban. A move that leaves the enemy bare is free.
func (r *Rules) compileNoMateBy() error {
	if r.def.NoMateBy == "" {
		return nil
	}
	var err error
	men := r.typeSet(r.def.NoMateBy, &err)
	if err != nil {
		return err
	}
	others := men
	for t := range others {
		others[t] = !men[t]
	}
	slides := false // such a man may mate without moving, when another gets out of its way
	for i := range r.codes {
		slides = slides || r.codes[i].slider && men[r.codes[i].typ]
	}
	st := r.stage()
	st.lawful = append(st.lawful, func(p *Position, _ Move, us Side) bool {
		them := p.turn
		return them == us || p.bare(them) || !p.checked(them) || p.attackedByAny(p.royals[them], us, &others) || p.escapes()
	})
	st.wary = append(st.wary, func(p *Position, m Move) verdict {
		if slides || men[p.rules.codes[p.cell[m.From()]].typ] || m.Arg() != 0 && men[m.Arg()] {
			return doubtful
		}
		return harmless
	})
	return nil
}

// escapes reports whether the side to move, which is in check, has a move that ends it, bans not regarded.
func (p *Position) escapes() bool {
	st := &p.rules.stages
	list := st.scratch.Get().(*[]Move)
	moves := p.pseudo((*list)[:0])
	probing, us := p.probing, p.turn
	p.probing = true
	found := false
	for _, m := range moves {
		var u Undo
		p.Make(m, &u)
		found = !p.checked(us)
		p.Unmake(m, &u)
		if found {
			break
		}
	}
	p.probing = probing
	*list = moves
	st.scratch.Put(list)
	return found
}
