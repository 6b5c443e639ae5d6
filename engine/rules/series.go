package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SeriesRule is the mechanism turn: turns of several moves, each legal by itself.
type SeriesRule struct {
	// First is the number of moves in the first turn and Then that in all others. With Grows each turn has one move more
	// than the turn before it, and Then has no meaning.
	First, Then int
	Grows       bool
	// Check says what a check does to the rest of a turn.
	Check CheckPolicy
	// PassAgain lets a side that has begun its turn with a capture in passing go on with another. Otherwise such captures
	// are for the first move of a turn only.
	PassAgain bool
}

// CheckPolicy is what a move that gives check means within a turn of several moves.
type CheckPolicy string

const (
	// CheckEndsTurn ends the turn with the first check; the moves left are lost.
	CheckEndsTurn CheckPolicy = "ends-turn"
	// CheckOnlyLast allows only the last move of a turn to give check.
	CheckOnlyLast CheckPolicy = "only-last"
)

// maxSeries bounds the moves of a turn.
const maxSeries = 999

// series is the place in a turn of several moves: how many it has and how many are left, and which first steps of this
// turn may be captured in passing when it is over. Only those are kept that an enemy stands ready to capture.
type series struct {
	length, left uint16
	steps        [maxPassed]target
	stepped      uint8
}

// Series returns how many moves the present turn has and how many are left, or zeros in games whose turns are one move.
func (p *Position) Series() (length, left int) {
	return int(p.state.series.length), int(p.state.series.left)
}

// Settled reports whether the position is one in which counters and repetition are judged. Within a turn of several
// moves it is not.
func (p *Position) Settled() bool {
	f := p.rules.stages.settled
	return f == nil || f(p)
}

func (r *Rules) compileSeries() error {
	rule := r.def.Series
	several := r.def.EnPassant == EnPassantSeveral
	if rule == nil {
		if several {
			return fmt.Errorf("captures in passing of several men need turns of several moves")
		}
		return nil
	}
	if rule.First < 1 || rule.First > maxSeries || !rule.Grows && (rule.Then < 1 || rule.Then > maxSeries) {
		return fmt.Errorf("turns of %d and %d moves", rule.First, rule.Then)
	}
	if r.def.EnPassant != EnPassantNone && !several {
		return fmt.Errorf("en passant %q in turns of several moves", r.def.EnPassant)
	}
	st := r.stage()
	switch rule.Check {
	case CheckEndsTurn:
	case CheckOnlyLast:
		st.lawful = append(st.lawful, func(p *Position, _ Move, us Side) bool {
			return p.turn != us || !p.checked(p.next(us))
		})
	default:
		return fmt.Errorf("unknown meaning %q of a check within a turn", rule.Check)
	}
	// A turn may capture and come back: what is counted are turns, not the plies that are looked back on.
	st.cyclic = true
	st.settled = func(p *Position) bool { return p.state.series.left == p.state.series.length }
	st.turn = func(p *Position, m Move) Side { return p.seriesTurn(m, rule) }
	st.passing = func(p *Position, m Move, us Side, before state) { p.seriesPassing(m, us, before, rule) }
	st.passer = func(p *Position, c Cell, s Side) (target, bool) { return p.passerOf(c, s, true) }
	st.keys = append(st.keys, (*Position).seriesKey)
	st.tailPart = &fenPart{read: (*Rules).readSeries, write: (*Position).writeSeries}
	st.setup = append(st.setup, func(r *Rules, p *Position, s *Setup, e *SetupError) { p.setSeries(s, e, rule) })
	return nil
}

// seriesTurn counts the move and returns whose move is next.
func (p *Position) seriesTurn(m Move, rule *SeriesRule) Side {
	s := &p.state.series
	next := p.next(p.turn)
	if s.left < s.length && p.clock > 0 {
		p.clock-- // the clock counts turns: the first move has been counted
	}
	if s.left--; s.left > 0 && m.Kind() != Pass && (p.probing || !p.checked(next)) {
		return p.turn
	}
	if rule.Grows {
		s.length = min(s.length+1, maxSeries)
	} else {
		s.length = uint16(rule.Then)
	}
	s.left = s.length
	return next
}

// seriesPassing keeps the first steps of this turn until it is over.
func (p *Position) seriesPassing(m Move, us Side, before state, rule *SeriesRule) {
	r := p.rules
	s := &p.state.series
	old := *s
	s.steps, s.stepped = [maxPassed]target{}, 0
	for _, t := range old.steps[:old.stepped] {
		if !p.disturbed(t.victim) {
			p.noteStep(t, us)
		}
	}
	if m.Kind() == Double && r.def.EnPassant != EnPassantNone {
		p.noteStep(target{cell: r.passedBy(p.log.mover, m.From(), m.To())[0], victim: m.To()}, us)
	}
	if p.turn != us {
		p.state.passed, p.state.passes = s.steps, s.stepped
		s.steps, s.stepped = [maxPassed]target{}, 0
	} else if rule.PassAgain && m.Kind() == EnPassant {
		for _, t := range before.passed[:before.passes] {
			if t.victim != m.Second() {
				p.state.passed[p.state.passes] = t
				p.state.passes++
			}
		}
	}
}

// disturbed reports whether the present move has changed who stands on c.
func (p *Position) disturbed(c Cell) bool {
	for _, ch := range p.log.changes[:p.log.changed] {
		if ch.cell == c {
			return true
		}
	}
	return false
}

// noteStep keeps a first step by a man of side us that an enemy stands ready to capture, in the order of the cells.
func (p *Position) noteStep(t target, us Side) {
	s := &p.state.series
	if int(s.stepped) == maxPassed || !p.ready(t.cell, p.rules.foes[us][0]) {
		return
	}
	i := s.stepped
	for ; i > 0 && s.steps[i-1].cell > t.cell; i-- {
		s.steps[i] = s.steps[i-1]
	}
	s.steps[i] = t
	s.stepped++
}

// ready reports whether a man of side s could capture in passing on c if nobody stood there.
func (p *Position) ready(c Cell, s Side) bool {
	r := p.rules
	for from := range r.passNear[s][c].Intersect(p.men[s]).All {
		if q := p.cell[from]; r.passing[int(q)*r.n+int(from)].Has(c) {
			return true
		}
	}
	return false
}

func (p *Position) seriesKey() uint64 {
	s := &p.state.series
	key := mix(saltSeries, uint64(s.length)<<16|uint64(s.left))
	for _, t := range s.steps[:s.stepped] {
		key ^= mix(saltSeriesStep, 1+uint64(t.cell))
	}
	return key
}

// writeSeries writes the seventh field: moves in the turn, moves left and, within a turn, the cells that first steps of
// this turn have passed, where an enemy may capture when the turn is over.
func (p *Position) writeSeries() string {
	s := &p.state.series
	text := strconv.Itoa(int(s.length)) + ":" + strconv.Itoa(int(s.left))
	for i, t := range s.steps[:s.stepped] {
		if i == 0 {
			text += ":"
		}
		text += p.rules.board.CellName(t.cell)
	}
	return text
}

// readSeries reads the seventh field. A number alone is the moves left of a turn of the usual length.
func (r *Rules) readSeries(s *Setup, text string) error {
	rule := r.def.Series
	parts := strings.Split(text, ":")
	if len(parts) == 1 && !rule.Grows {
		parts = []string{strconv.Itoa(rule.Then), text}
	}
	number := func(text string) uint16 {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n > maxSeries {
			return 0
		}
		return uint16(n)
	}
	if len(parts) < 2 || len(parts) > 3 {
		return badFEN("turn", "%q does not say how many moves the turn has and how many are left", text)
	}
	at := series{length: number(parts[0]), left: number(parts[1])}
	if at.length == 0 || at.left == 0 || at.left > at.length {
		return badFEN("turn", "%q does not say how many moves the turn has and how many are left", text)
	}
	s.state.series = at
	if len(parts) == 2 {
		return nil
	}
	cells, err := r.readCells(parts[2], "turn")
	if err != nil {
		return err
	}
	if len(cells) > maxPassed || len(cells) > 0 && at.left == at.length {
		return badFEN("turn", "first steps of a turn that has not begun")
	}
	for i, c := range cells {
		s.state.series.steps[i] = target{cell: c}
	}
	s.state.series.stepped = uint8(len(cells))
	return nil
}

// setSeries checks the place in the turn, or finds it if the text does not say it: the usual start begins with the
// first turn, other positions with a full one.
func (p *Position) setSeries(s *Setup, e *SetupError, rule *SeriesRule) {
	r := p.rules
	at := &p.state.series
	if at.length == 0 {
		*at = r.usualSeries(s, rule)
	}
	if !rule.Grows && int(at.length) != rule.Then && int(at.length) != rule.First {
		e.add("turn", "no turn has %d moves", at.length)
		return
	}
	if at.left < at.length && s.state.passes != 0 && !rule.PassAgain {
		e.add("en passant", "captures in passing are for the first move of a turn")
	}
	old := *at
	at.steps, at.stepped = [maxPassed]target{}, 0
	for _, t := range old.steps[:old.stepped] {
		step, ok := p.passerOf(t.cell, p.turn, true)
		if !ok {
			e.add("turn", "no man of this turn has passed %s", r.board.CellName(t.cell))
			return
		}
		p.noteStep(step, p.turn)
	}
}

func (r *Rules) usualSeries(s *Setup, rule *SeriesRule) series {
	n, first := rule.Then, r.start.Turn
	switch {
	case rule.Grows && s.Turn == first:
		n = rule.First
	case rule.Grows:
		n = rule.First + 1
	case s.FullMoves == 1 && s.Turn == first && slices.Equal(s.Cells, r.start.Cells):
		n = rule.First
	}
	return series{length: uint16(n), left: uint16(n)}
}
