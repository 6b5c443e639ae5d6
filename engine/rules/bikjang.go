package rules

import "hoplite/engine/board"

// The mechanisms royal(bikjang) and turn(pass): a side that is not in check may pass. Royal men may be brought to face each
// other; the other side must then end that or pass, and a pass ends the game, check or not. So do two passes after each
// other (janggi.md, 5 to 7).

func (r *Rules) compileBikjang() {
	st := r.stage()
	st.check = func(p *Position, s Side) bool {
		// Who passes while the royal men face each other has ended the game and is no more in check.
		return !p.passedOut() && p.royalsAttacked(s)
	}
	st.sources = append(st.sources, func(p *Position, dst []Move) []Move {
		if king := p.royals[p.turn].First(); p.state.opposed || !p.checked(p.turn) {
			dst = append(dst, NewMove(Pass, king, king, 0, 0))
		}
		return dst
	})
	st.acts[Pass] = &act{
		play: func(*Position, Move) {},
		san:  func(*Position, Move) string { return "--" },
		path: func(*Position, Move) []Step { return []Step{{From: Passing}} },
	}
	st.after = append(st.after, func(p *Position, m Move) {
		s := &p.state
		s.wereOpposed, s.opposed = s.opposed, p.opposed()
		if m.Kind() == Pass && m.From() != board.Wall { // a null move of a search is no pass
			s.passing++
		} else {
			s.passing = 0
		}
	})
	st.lawful = append(st.lawful, func(p *Position, m Move, _ Side) bool {
		return m.Kind() == Pass || !p.state.wereOpposed || !p.state.opposed
	})
	st.wary = append(st.wary, func(p *Position, m Move) verdict {
		if p.state.opposed {
			return doubtful
		}
		return harmless
	})
	st.keys = append(st.keys, func(p *Position) uint64 { return mix(saltPassing, uint64(p.state.passing)) })
	st.setup = append(st.setup, func(_ *Rules, p *Position, _ *Setup, _ *SetupError) { p.state.opposed = p.opposed() })
}

// passedOut reports whether passing has ended the game.
func (p *Position) passedOut() bool {
	return p.state.passing >= 2 || p.state.passing == 1 && p.state.opposed
}

// JustPassed reports whether the last move was a pass, which a position text does not tell.
func (p *Position) JustPassed() bool { return p.state.passing != 0 }
