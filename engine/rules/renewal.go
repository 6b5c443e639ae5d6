package rules

import (
	"fmt"
	"strings"
)

// compileRenewal lets a man that comes in on the first cell of a castling partner bring the right back, as long as the
// king has never moved (CastlingRule.Renewed). The third field of a position text then says with E which king has never
// moved although there is nothing to castle with.
func (r *Rules) compileRenewal() error {
	rule := r.def.Castling
	if rule == nil || !rule.Renewed {
		return nil
	}
	if rule.Files {
		return fmt.Errorf("rights that come back need fixed cells")
	}
	st := r.stage()
	st.rightsPart = &fenPart{read: readRenewal, write: writeRenewal}
	st.setup = append(st.setup, setupRenewal)
	st.after = append(st.after, renew)
	st.keys = append(st.keys, func(p *Position) uint64 { return mix(saltUnmoved, uint64(p.state.unmoved)) })
	return nil
}

// renew notes kings that have moved and rights that have come back.
func renew(p *Position, m Move) {
	r := p.rules
	for i := range r.wings {
		w := &r.wings[i]
		bit := uint8(1) << w.side
		if p.state.unmoved&bit == 0 {
			continue
		}
		for _, ch := range p.log.changes[:p.log.changed] {
			if ch.cell == w.kingFrom {
				p.state.unmoved &^= bit
			}
		}
		came := m.Kind() == Drop || m.Kind() == Exchange
		if came && m.To() == w.rookFrom && p.cell[w.rookFrom] == w.rook && p.rights>>i&1 == 0 && p.state.unmoved&bit != 0 {
			p.rights |= 1 << i
			p.key ^= p.castle[i].key
		}
	}
}

// setupRenewal prepares the rights that may come back, and holds the marks of unmoved kings to the board.
func setupRenewal(r *Rules, p *Position, _ *Setup, e *SetupError) {
	for i := range r.wings {
		if p.rights>>i&1 != 0 {
			p.state.unmoved |= 1 << r.wings[i].side
		}
	}
	for i := range r.wings {
		w := &r.wings[i]
		bit := uint8(1) << w.side
		if p.state.unmoved&bit == 0 {
			continue
		}
		if p.cell[w.kingFrom] != w.king {
			e.add("castling", "the king of %s is not on its first square", r.sideName(w.side))
			continue
		}
		if rights := p.rights; rights>>i&1 == 0 {
			p.addRight(i, w.kingFrom, w.rookFrom)
			p.rights = rights
		}
	}
}

// readRenewal reads castling rights and the marks of unmoved kings.
func readRenewal(r *Rules, s *Setup, text string) error {
	rest := strings.Map(func(c rune) rune {
		switch c {
		case 'E':
			s.state.unmoved |= 1
		case 'e':
			s.state.unmoved |= 2
		default:
			return c
		}
		return -1
	}, text)
	if rest == "" {
		return nil
	}
	return r.readRights(s, rest)
}

// writeRenewal writes them. A right implies that the king has not moved.
func writeRenewal(p *Position) string {
	var b strings.Builder
	r := p.rules
	for s := range Side(r.sides) {
		start := b.Len()
		letter := func(l string) {
			if s != 0 {
				l = strings.ToLower(l)
			}
			b.WriteString(l)
		}
		for i := range r.wings {
			if p.rights>>i&1 != 0 && r.wings[i].side == s {
				letter(r.wings[i].def.Letter)
			}
		}
		if b.Len() == start && p.state.unmoved>>s&1 != 0 {
			letter("E")
		}
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}
