package search

import (
	"context"
	"math"
	"math/rand/v2"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// Level is a strength of play below the engine's best that errs as people do:
// it looks at few positions, overlooks replies that are hard to see, prefers
// some positions by taste and does not always play what it thinks best.
type Level struct {
	Number int
	Name   string
	// Character says to people how it plays.
	Character string
	// Nodes is how many positions it looks at in most games, see LevelNodes; 0
	// means as many as the limits of the search allow.
	Nodes uint64
	// Spread is the temperature, in centipawns, of the choice among moves.
	Spread float64
	// Oversight is the chance that the best reply to a move is not seen,
	// before the kind of reply is taken into account.
	Oversight float64
	// Noise is the greatest error of judgement in centipawns, constant for a
	// position within a game.
	Noise int
	// Rating is about how strong it is among people.
	Rating int
}

// Levels returns the levels from the weakest to the strongest, numbered from
// 1.
func Levels() []Level {
	return []Level{
		{1, "Novice", "Knows how the men move and takes what it sees. Half of what you threaten escapes it.", 40, 190, 0.50, 170, 500},
		{2, "Beginner", "Takes back what is taken and sees most mates at hand. Two threats at once are too many.", 150, 120, 0.33, 110, 700},
		{3, "Learner", "Leaves no man standing for free if it has seen it, and still walks into forks.", 500, 65, 0.18, 60, 900},
		{4, "Casual player", "Has plans and tastes of its own. What comes from afar, or from the hand, surprises it now and then.", 2_000, 45, 0.11, 40, 1125},
		{5, "Keen player", "Rarely drops a man, knows when a game is lost, and is punished by patience only.", 6_000, 28, 0.06, 25, 1400},
		{6, "Strong player", "Sees short combinations through and forgives little. Long plans beat it.", 20_000, 15, 0.03, 12, 1725},
		{7, "Club player", "Plays the best that it finds in a moderate search. One oversight in a hundred is left.", 80_000, 6, 0.01, 0, 2100},
		{8, "Full strength", "Everything that the engine has, on the clock that you give it.", 0, 0, 0, 0, 2500},
	}
}

const (
	// keepMate is the greatest chance of not seeing a reply that mates, from
	// level 2 on.
	keepMate = 0.45
	// freeMan is the value that levels from 3 on never leave on the board
	// for reasons of taste, if they have seen it.
	freeMan = 250
	// unseenEntry is how much more often a man that comes in is overlooked.
	unseenEntry = 2
	// farAhead is the lead at which a level becomes more careful.
	farAhead = 500

	openingPlies  = 8  // in which full strength varies its play
	openingWithin = 20 // centipawns of the best move
	openingSpread = 10
	openingLines  = 4 // moves it looks at
	levelHash     = 1 // MiB
)

// Choose picks a move as a player of the level would. The same seed, level,
// game and limits give the same move below full strength; a game should keep
// one seed, so that the player's taste stays the same. Limits of l that are
// stricter than the level's count, MultiPV does not.
//
// At full strength it is Search, with some variety in the first moves.
func (e *Engine) Choose(ctx context.Context, g *rules.Game, level Level, l Limits, seed uint64) Result {
	ply := len(g.Moves())
	chance := rand.New(rand.NewPCG(seed, g.Position().Key()+uint64(ply)))
	if level.Nodes == 0 {
		return e.openingSearch(ctx, g, l, ply, chance)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.levelTable == nil {
		e.levelTable = newTable(levelHash)
	}
	w := e.workers[0]
	e.levelTable.clear()
	w.forget()
	w.tt = e.levelTable
	defer func() { w.tt = e.tt }()
	if most := e.levels.nodes(level.Nodes); l.Nodes == 0 || l.Nodes > most {
		l.Nodes = most
	}
	s := e.begin(ctx, g, l)
	defer s.end()
	defer s.linger(ctx)
	if len(w.root) == 0 {
		return Result{Score: w.emptyScore()}
	}
	w.survey(s, level, chance)
	r := w.temper(level, seed, chance)
	res := Result{Best: r.move, Score: toScore(r.score), Depth: w.completed, Nodes: w.nodes}
	res.PV = append(res.PV, r.pv[:r.pvLen]...)
	if len(res.PV) > 1 {
		res.Ponder = res.PV[1]
	}
	return res
}

// openingSearch is a full search that plays one of the nearly equal moves in
// the first plies of a game.
func (e *Engine) openingSearch(ctx context.Context, g *rules.Game, l Limits, ply int, chance *rand.Rand) Result {
	if ply >= openingPlies || len(l.SearchMoves) > 0 {
		return e.Search(ctx, g, l, nil)
	}
	l.MultiPV = min(openingLines, g.Position().CountMoves())
	var lines, current []Info // of the last iteration that has all of them, and of the latest
	res := e.Search(ctx, g, l, func(i Info) {
		if i.MultiPV == 1 {
			current = current[:0]
		}
		current = append(current, Info{Score: i.Score, PV: append([]rules.Move(nil), i.PV...)})
		if len(current) == l.MultiPV {
			lines = append(lines[:0], current...)
		}
	})
	if len(lines) == 0 || lines[0].Score.Mate != 0 || res.Score.Mate != 0 {
		return res
	}
	best := lines[0].Score.CP
	weights := make([]float64, len(lines))
	for i, line := range lines {
		if d := best - line.Score.CP; line.Score.Mate == 0 && d <= openingWithin {
			weights[i] = math.Exp(-float64(d) / openingSpread)
		}
	}
	pick := lines[draw(weights, chance)]
	res.Best, res.Score, res.PV, res.Ponder = pick.PV[0], pick.Score, pick.PV, 0
	if len(pick.PV) > 1 {
		res.Ponder = pick.PV[1]
	}
	return res
}

// survey scores all root moves by iterative deepening within the node limit.
// Moves that cannot be chosen any more are only bounded.
func (w *worker) survey(s *run, level Level, chance *rand.Rand) {
	margin := int(3*level.Spread) + 2*level.Noise + freeMan + 50
	rolled := make([]bool, len(w.root))
	f := &w.stack[0]
	f.eval = noEval
	defer func() { w.banned = 0 }()
	for depth := 1; depth <= maxPly-20; depth++ {
		w.depth = depth
		best := -infinity
		for i := range w.root {
			r := &w.root[i]
			r.last = r.score
			score := w.try(r, depth, max(best-margin, -infinity))
			if !w.stopped && !rolled[i] && r.pvLen > 1 {
				rolled[i] = true
				r.banned = w.overlook(level, r, score, chance)
				if r.banned != 0 {
					score = w.try(r, depth, max(best-margin, -infinity))
				}
			}
			if w.stopped {
				// A part of an iteration cannot be compared with the rest,
				// unless it is all there is.
				for j := range i {
					if w.completed > 0 {
						w.root[j].score = w.root[j].last
					}
				}
				r.score = r.last
				return
			}
			r.score = score
			best = max(best, score)
		}
		w.completed = depth
		if w.nodes >= w.nodeLimit || len(w.root) == 1 || depth > 2*maxSurveyMate && abs(best) >= mateBound {
			return
		}
		// The order decides what a later, unfinished iteration has seen.
		for i := 1; i < len(w.root); i++ {
			for j := i; j > 0 && w.root[j].score > w.root[j-1].score; j-- {
				w.root[j], w.root[j-1] = w.root[j-1], w.root[j]
				rolled[j], rolled[j-1] = rolled[j-1], rolled[j]
			}
		}
	}
}

// maxSurveyMate is the number of moves of a forced end after which a level
// looks no further.
const maxSurveyMate = 3

// try searches one root move, exactly above floor.
func (w *worker) try(r *rootMove, depth, floor int) int {
	f := &w.stack[0]
	w.banned = r.banned
	w.make(r.move, f)
	score := w.descend(depth-1, 0, floor, infinity, w.pos.InCheck())
	w.unmake(r.move, f)
	if !w.stopped {
		r.pv[0] = r.move
		r.pvLen = 1 + copy(r.pv[1:], w.stack[1].pv[:w.stack[1].pvLen])
	}
	return score
}

// overlook decides whether the best reply to a move is seen, and returns it
// if not.
func (w *worker) overlook(level Level, r *rootMove, score int, chance *rand.Rand) rules.Move {
	reply := r.pv[1]
	var u rules.Undo
	w.pos.Make(r.move, &u)
	p := level.Oversight * w.hardToSee(r.move, reply)
	w.pos.Unmake(r.move, &u)
	if score <= 1+1-mateScore && level.Number >= 2 {
		p = min(p, keepMate)
	}
	if chance.Float64() < p {
		return reply
	}
	return 0
}

// hardToSee is the factor by which a reply on the board is more or less often
// overlooked than others.
func (w *worker) hardToSee(last, reply rules.Move) float64 {
	r := w.pos.Rules()
	b := r.Board()
	heading := r.Definition().Sides[w.pos.Turn()].Heading
	from, to := reply.From(), reply.To()
	if from == board.Wall || to == board.Wall {
		return unseenEntry
	}
	far := w.engine.eval.Distance(from, to)
	capture := w.pos.IsCapture(reply)
	factor := 1.0
	switch {
	case capture && to == last.To():
		return 0.2 // a recapture
	case capture && far <= 1:
		return 0.2
	case !capture:
		factor = 1.5
	}
	if b.Distance(to, heading) < b.Distance(from, heading) {
		factor *= 1.5
	}
	if far >= 4 {
		factor *= 1.5
	}
	if reply.Kind().IsGate() {
		factor *= unseenEntry
	}
	return min(factor, 3)
}

// temper chooses among the surveyed moves.
func (w *worker) temper(level Level, seed uint64, chance *rand.Rand) *rootMove {
	best := &w.root[0]
	for i := range w.root {
		if w.root[i].score > best.score {
			best = &w.root[i]
		}
	}
	if best.score >= mateBound || best.score <= -infinity {
		return best
	}
	spread := level.Spread
	if best.score > farAhead {
		spread /= 2
	}
	var u rules.Undo
	liked := make([]float64, len(w.root))
	top := math.Inf(-1)
	for i := range w.root {
		r := &w.root[i]
		w.pos.Make(r.move, &u)
		key := w.pos.Key()
		w.pos.Unmake(r.move, &u)
		liked[i] = float64(r.score)
		if level.Noise > 0 && abs(r.score) < mateBound {
			liked[i] += float64(int(scramble(seed^key)%uint64(2*level.Noise+1)) - level.Noise)
		}
		top = max(top, liked[i])
	}
	weights := make([]float64, len(w.root))
	for i := range w.root {
		d := top - liked[i]
		if d > 3*spread || level.Number >= 3 && best.score-w.root[i].score > freeMan ||
			w.root[i].score <= -mateBound && best.score > -mateBound {
			continue
		}
		weights[i] = math.Exp(-d / spread)
	}
	return &w.root[draw(weights, chance)]
}

// draw picks an index with a chance in proportion to its weight.
func draw(weights []float64, chance *rand.Rand) int {
	sum := 0.0
	for _, x := range weights {
		sum += x
	}
	at := chance.Float64() * sum
	last := 0
	for i, x := range weights {
		if x <= 0 {
			continue
		}
		last = i
		if at < x {
			return i
		}
		at -= x
	}
	return last
}

// scramble spreads the bits of x (the finalizer of SplitMix64).
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
