package puzzle

import (
	"hoplite/engine/eval"
	"hoplite/engine/rules"
)

// facts are what themes, filters and ratings are made of.
type facts struct {
	themes     []string
	quietFirst bool // the first move neither takes nor gives check
	sacrifice  bool
	gate       bool // the solver brings a man in from hand
	recapture  bool // the first move takes the man that has just taken
	onlyMove   bool // the solver has no choice at the first move
	greedy     bool // every move takes the most valuable man that can be taken
	unmoved    bool // more than half of the men stand as at the start
}

// examine walks through the line: pos is what the solver sees, line all moves
// with the opponent's first one, which was played on before.
func examine(e *eval.Evaluator, before, pos *rules.Position, line []rules.Move) facts {
	var f facts
	seen := make(map[string]bool)
	add := func(name string, is bool) {
		if is && !seen[name] {
			seen[name] = true
			f.themes = append(f.themes, name)
		}
	}
	n := len(line) / 2
	add("mate", true)
	add([]string{"mateIn1", "mateIn2", "mateIn3", "mateIn4"}[n-1], true)
	add([]string{"oneMove", "short", "long", "veryLong"}[n-1], true)
	men := countMen(pos)
	start := countMen(startOf(pos))
	add("endgame", men*3 <= start)
	add("middlegame", men*3 > start && men*5 <= start*4)
	add("opening", men*5 > start*4)

	p := pos.Clone()
	solver := p.Turn()
	f.greedy = true
	f.onlyMove = p.CountMoves() == 1
	f.recapture = before.IsCapture(line[0]) && p.IsCapture(line[1]) && line[1].To() == line[0].To()
	f.unmoved = 2*sameAsStart(pos) > men
	var u rules.Undo
	for i, m := range line[1:] {
		if i%2 == 1 {
			p.Make(m, &u)
			continue
		}
		captured := p.Captured(m)
		mover := p.At(m.From())
		info := p.Rules().PieceInfo(p.Rules().Type(mover))
		check := p.GivesCheck(m)
		quiet := captured == 0 && !p.IsPromotion(m) && !check
		if i == 0 {
			f.quietFirst = quiet
		}
		f.greedy = f.greedy && captured != 0 && e.Value(captured) == bestVictim(e, p)
		kind := m.Kind()
		f.gate = f.gate || kind.IsGate()
		add("quietMove", quiet)
		add("gate", kind.IsGate())
		add("castling", kind.IsCastle())
		add("enPassant", kind == rules.EnPassant)
		if p.IsPromotion(m) {
			add("promotion", true)
			best := 0
			for _, o := range p.Moves(nil) {
				if p.IsPromotion(o) {
					best = max(best, e.TypeValue(o.Arg()))
				}
			}
			into := p.Rules().PieceInfo(m.Arg())
			add("underPromotion", !into.Royal && e.TypeValue(m.Arg()) < best)
			add("newKing", into.Royal)
		}
		victim := rules.PieceType(0)
		if captured != 0 {
			victim = p.Rules().Type(captured)
		}
		add("kingTaken", victim != 0 && p.Rules().PieceInfo(victim).Royal)
		add("kingMove", info.Royal && !kind.IsCastle())
		p.Make(m, &u)
		loses := e.Value(mover) - e.Value(captured)
		sacrificed := loses >= 150 && i < len(line)-2 && p.Attacked(m.To(), solver^1) && canTake(p, m.To())
		f.sacrifice = f.sacrifice || sacrificed
		add("sacrifice", sacrificed)
		if check {
			several := p.Royals(solver ^ 1)
			add("dupleCheck", several.Count() > 1)
			direct := false
			for _, o := range attackers(e, p, solver) {
				direct = direct || o == m.To()
			}
			add("discoveredCheck", !direct)
			add("doubleCheck", several.Count() == 1 && len(attackers(e, p, solver)) > 1)
		}
	}
	last := p.Royals(solver ^ 1)
	add("dupleMate", last.Count() > 1)
	if last.Count() == 1 {
		k := last.First()
		inside, own := neighbourhood(e, p, k, solver^1)
		add("smotheredMate", own == inside)
		add("cornerMate", inside <= 3)
		add("edgeMate", inside > 3 && inside <= 5)
	}
	return f
}

// startOf returns the usual start position of the game.
func startOf(p *rules.Position) *rules.Position {
	s, err := p.Rules().Start(p.Rules().Definition().Start.Usual)
	if err != nil {
		return p // a game whose start does not exist is never compiled
	}
	return s
}

func countMen(p *rules.Position) int {
	n := 0
	for s := range p.Rules().Sides() {
		men := p.Men(rules.Side(s))
		n += men.Count()
	}
	return n
}

// sameAsStart counts the men that stand where such men stand at the start.
func sameAsStart(p *rules.Position) int {
	start, n := startOf(p), 0
	for c := range p.Rules().Board().N() {
		if q := p.At(rules.Cell(c)); q != 0 && q == start.At(rules.Cell(c)) {
			n++
		}
	}
	return n
}

// bestVictim is the value of the most valuable man that can be taken.
func bestVictim(e *eval.Evaluator, p *rules.Position) int {
	best := 0
	for _, m := range p.Noisy(nil) {
		best = max(best, e.Value(p.Captured(m)))
	}
	return best
}

func canTake(p *rules.Position, c rules.Cell) bool {
	for _, m := range p.Noisy(nil) {
		if p.IsCapture(m) && m.To() == c {
			return true
		}
	}
	return false
}

// attackers returns the cells of the men of side that attack an enemy royal.
func attackers(e *eval.Evaluator, p *rules.Position, side rules.Side) []rules.Cell {
	var out []rules.Cell
	royals := p.Royals(side ^ 1)
	for c := range p.Men(side).All {
		for k := range royals.All {
			if e.Attacks(p, c, k) {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

// neighbourhood counts the cells around c and those of them that hold men of
// the side.
func neighbourhood(e *eval.Evaluator, p *rules.Position, c rules.Cell, side rules.Side) (cells, own int) {
	for o := range p.Rules().Board().N() {
		if e.Distance(c, rules.Cell(o)) != 1 {
			continue
		}
		cells++
		if q := p.At(rules.Cell(o)); q != 0 && p.Rules().Side(q) == side {
			own++
		}
	}
	return cells, own
}
