package puzzle

import (
	"context"
	"fmt"
	"math/rand/v2"

	"hoplite/engine/eval"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// miner looks for puzzles in games of the engine against itself.
type miner struct {
	rules  *rules.Rules
	engine *search.Engine
	eval   *eval.Evaluator
	opts   Options
	pool   *pool
	stats  Stats
}

const (
	firstPly    = 5    // no puzzle before it
	lastPly     = 160  // games are not followed longer
	apart       = 12   // plies between two puzzles of a game
	mostAlts    = 2    // other mates allowed at the last move
	levelSpread = 2    // weaker players are of so many levels, the stronger one is a level above
	randomMoves = 0.04 // chance of a random move, once the opening is over
)

// found is a candidate that was proven.
type found struct {
	puzzle Puzzle
	facts  facts
	before *rules.Position // of the FEN
	pos    *rules.Position // of the solver
	end    *rules.Position // after the last move
	line   []rules.Move
}

// game plays the game with the given number and returns the puzzles in it.
func (m *miner) game(ctx context.Context, number int) ([]found, error) {
	chance := rand.New(rand.NewPCG(uint64(number), 0x70757a7a6c65))
	start, err := m.rules.Start(chance.IntN(max(m.rules.Starts(), 1)))
	if err != nil {
		return nil, err
	}
	g := rules.NewGame(start)
	levels := search.Levels()
	weak := levels[m.opts.Weakest-1+chance.IntN(levelSpread)]
	players := [2]search.Level{weak, levels[weak.Number]}
	// The side with fewer puzzles gets the stronger player more often: that
	// player finds what the other one allows.
	few := btoi(m.pool.bySolver[1] < m.pool.bySolver[0])
	if strong := few ^ btoi(chance.Float64() < 0.25); strong == 0 {
		players[0], players[1] = players[1], players[0]
	}
	opening := 4 + chance.IntN(5)
	var out []found
	var lastAt [2]int
	quiet := true // no forced mate was seen for the side now to move a ply ago
	for ply := 0; ply < lastPly; ply++ {
		if _, over := g.Outcome(); over {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pos := g.Position()
		solver := int(pos.Turn() & 1)
		if ply >= firstPly {
			res := m.engine.Search(ctx, g, search.Limits{Nodes: m.opts.ScanNodes}, nil)
			mate := res.Score.Mate
			m.stats.Scanned++
			if mate > 0 && mate <= m.opts.MaxMoves && quiet && (lastAt[solver] == 0 || ply-lastAt[solver] >= apart) {
				f, ok, err := m.candidate(ctx, g, number)
				if err != nil {
					return nil, err
				}
				if ok {
					lastAt[solver] = ply
					out = append(out, f)
				}
			}
			// The player who is to move next gets a puzzle only if this
			// move made it: who is being mated already cannot blunder.
			quiet = mate >= 0
		}
		level := players[solver]
		moves := pos.Moves(nil)
		move := moves[chance.IntN(len(moves))]
		if ply >= opening && chance.Float64() >= randomMoves {
			move = m.engine.Choose(ctx, g, level, search.Limits{}, uint64(number)).Best
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if err := g.Play(move); err != nil {
			return nil, err
		}
	}
	m.stats.Games++
	return out, nil
}

// candidate proves the mate in the position of g and makes a puzzle of it.
func (m *miner) candidate(ctx context.Context, g *rules.Game, number int) (found, bool, error) {
	m.stats.Candidates++
	reject := func(why string) (found, bool, error) {
		m.stats.Rejected[why]++
		return found{}, false, nil
	}
	pos := g.Position().Clone()
	if clock := clockLimit(m.rules); clock > 0 && pos.HalfmoveClock()+2*m.opts.MaxMoves+10 >= clock {
		return reject("counter")
	}
	if g.Repetitions() > 1 {
		return reject("repetition")
	}
	prover := NewProver(m.rules)
	n, err := prover.Shortest(pos, m.opts.MaxMoves)
	if err != nil || n == 0 {
		return reject("unproven")
	}
	if why := m.pool.full(n, pos.Turn(), &m.opts); why != "" {
		return reject(why)
	}
	line, alts, why := m.line(prover, pos.Clone(), n)
	if why != "" {
		return reject(why)
	}
	history := g.Moves()
	last := history[len(history)-1]
	before := g.Start().Clone()
	var u rules.Undo
	for _, h := range history[:len(history)-1] {
		before.Make(h, &u)
	}
	all := append([]rules.Move{last}, line...)
	f := found{before: before, pos: pos, line: all, facts: examine(m.eval, before, pos, all)}
	p := &f.puzzle
	*p = Puzzle{Variant: m.rules.Key(), FEN: notation.FEN(before), Goal: Goal{MateIn: n}, Themes: f.facts.themes, Alts: alts,
		Source: fmt.Sprintf("selfplay/%s/%06d#%d", m.rules.Key(), number, len(history)),
		Check:  Check{Proof: "exhaustive", Rules: RulesVersion}}
	end := before.Clone()
	for _, mv := range all {
		p.Moves = append(p.Moves, notation.FormatMove(end, mv))
		end.Make(mv, &u)
	}
	f.end = end
	if why := dull(f.facts, n); why != "" {
		return reject(why)
	}
	if why := m.pool.refuse(&f); why != "" {
		return reject(why)
	}
	p.ID = m.pool.newID(p)
	if err := p.estimate(ctx, m.engine, m.rules, pos, f.facts, m.opts.Tries); err != nil {
		return found{}, false, err
	}
	if err := Prove(m.rules, p); err != nil {
		return found{}, false, fmt.Errorf("a mined puzzle does not prove: %w", err)
	}
	m.pool.add(&f)
	return f, true, nil
}

// line finds the only way to mate in n against the best defence. why says
// what is wrong with it, if anything.
func (m *miner) line(prover *Prover, pos *rules.Position, n int) (line []rules.Move, alts [][]string, why string) {
	var u rules.Undo
	for left := n; left >= 1; left-- {
		winning, err := prover.Winning(pos, left)
		if err != nil {
			return nil, nil, "unproven"
		}
		most := 1
		if left == 1 && n > 1 {
			most += mostAlts
		}
		if len(winning) > most {
			return nil, nil, "several moves win"
		}
		var others []string
		for _, w := range winning[1:] {
			others = append(others, notation.FormatMove(pos, w))
		}
		alts = append(alts, append([]string{}, others...))
		line = append(line, winning[0])
		pos.Make(winning[0], &u)
		if left > 1 {
			reply, err := prover.Defence(pos, left-1)
			if err != nil {
				return nil, nil, "unproven"
			}
			line = append(line, reply)
			pos.Make(reply, &u)
			if k, err := prover.Shortest(pos, left-1); err != nil || k != left-1 {
				return nil, nil, "the defence is shorter"
			}
		}
	}
	return line, alts, ""
}
