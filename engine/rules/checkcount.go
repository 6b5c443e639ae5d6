package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// maxChecks bounds the checks that a game may ask for.
const maxChecks = 9

// compileChecks makes the mechanism checks(number): who has given so many checks wins. What counts is that the enemy is
// in check after a move, once however many men check.
func (r *Rules) compileChecks(e *EndRule) (endTest, error) {
	if e.Checks <= 0 || e.Checks > maxChecks {
		return endTest{}, fmt.Errorf("a win by %d checks: 1 to %d are possible", e.Checks, maxChecks)
	}
	st := r.stage()
	st.checks = uint8(e.Checks)
	st.after = append(st.after, countCheck)
	st.keys = append(st.keys, func(p *Position) uint64 {
		return mix(saltChecks, uint64(p.state.checksGiven[0])<<8|uint64(p.state.checksGiven[1]))
	})
	st.counterPart = &fenPart{read: readChecks, write: func(p *Position) string {
		return fmt.Sprintf("%d+%d", p.ChecksLeft(0), p.ChecksLeft(1))
	}}
	st.setup = append(st.setup, func(r *Rules, p *Position, s *Setup, e *SetupError) {
		if p.ChecksLeft(0) == 0 && p.ChecksLeft(1) == 0 {
			e.add("checks", "both sides have given %d checks", r.stages.checks)
		}
	})
	if st.tailPart == nil {
		// Lichess writes the checks given at the end instead.
		st.tailPart = &fenPart{read: readChecksGiven, write: func(*Position) string { return "" }}
	}
	return endTest{decisive: true, test: func(p *Position) (Outcome, bool) {
		for s := range Side(r.sides) {
			if p.state.checksGiven[s&1] >= st.checks {
				return won(s, r.sides, Checks), true
			}
		}
		return Outcome{}, false
	}}, nil
}

// countCheck counts the check that a move has given. A move that is only tried cannot matter by it.
func countCheck(p *Position, m Move) {
	if us := p.turn; !p.probing && m.Kind() != Pass && p.checked(p.next(us)) {
		p.state.checksGiven[us&1]++
	}
}

// ChecksLeft returns how many checks a side still needs to win, or 0 in games that do not count them.
func (p *Position) ChecksLeft(s Side) int {
	return max(int(p.rules.stages.checks)-int(p.state.checksGiven[s&1]), 0)
}

// CountsChecks returns the number of checks that wins, or 0 in games that do not count them.
func (r *Rules) CountsChecks() int { return int(r.stages.checks) }

// WithChecks returns the setup with other numbers of checks that White and Black still need, in a game with the number
// that total wins.
func (s Setup) WithChecks(white, black, total int) Setup {
	s.state.checksGiven = [2]uint8{uint8(max(total-white, 0)), uint8(max(total-black, 0))}
	return s
}

// readChecks reads the checks still needed, as in 3+3.
func readChecks(r *Rules, s *Setup, text string) error {
	left, err := r.twoChecks(text)
	for i, n := range left {
		s.state.checksGiven[i] = r.stages.checks - n
	}
	return err
}

// readChecksGiven reads the checks given, as in +0+0.
func readChecksGiven(r *Rules, s *Setup, text string) error {
	text, ok := strings.CutPrefix(text, "+")
	if !ok {
		return badFEN("checks", "%q does not follow a move number", text)
	}
	var err error
	s.state.checksGiven, err = r.twoChecks(text)
	return err
}

func (r *Rules) twoChecks(text string) (n [2]uint8, err error) {
	white, black, _ := strings.Cut(text, "+")
	for i, t := range [2]string{white, black} {
		k, err := strconv.ParseUint(t, 10, 8)
		if err != nil || k > uint64(r.stages.checks) {
			return n, badFEN("checks", "%q is no number from 0 to %d", t, r.stages.checks)
		}
		n[i] = uint8(k)
	}
	return n, nil
}
