package call

import (
	"context"
	"fmt"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// searchQuestion asks for a good move, or with a level for one that a player of that strength would make. Without any
// limit the search goes on until it is stopped.
type searchQuestion struct {
	Line
	Level int    `json:"level,omitempty"` // 1 to 8
	Seed  uint64 `json:"seed,omitempty"`  // of the level's taste
	Lines int    `json:"lines,omitempty"`
	Depth int    `json:"depth,omitempty"`
	Nodes uint64 `json:"nodes,omitempty"`
	Time  int    `json:"ms,omitempty"`
}

// mostLines bounds the lines of play that one search reports.
const mostLines = 10

// Thought is what a search found so far, best line first.
type Thought struct {
	Depth int        `json:"depth"`
	Nodes uint64     `json:"nodes"`
	Time  int64      `json:"ms"`
	Lines []Thoughts `json:"lines"`
}

// Thoughts is one line of play with its value for the first seat: hundredths of a pawn, or, if Mate is not 0, moves to
// the end, negative if the first seat loses.
type Thoughts struct {
	CP   int     `json:"cp"`
	Mate int     `json:"mate,omitempty"`
	PV   []Named `json:"pv"`
}

// Found is the answer. Best is missing where there is no move.
type Found struct {
	Best *Named `json:"best,omitempty"`
	Thought
}

func (d *Desk) search(ctx context.Context, q searchQuestion, progress func(any)) (*Found, error) {
	g, err := d.game(q.Line, nil)
	if err != nil {
		return nil, err
	}
	all := search.Levels()
	if q.Level < 0 || q.Level > len(all) {
		return nil, fmt.Errorf("no level %d: they are numbered 1 to %d", q.Level, len(all))
	}
	select {
	case d.searches <- struct{}{}:
		defer func() { <-d.searches }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r := g.Position().Rules()
	if d.engine == nil || d.engine.Rules() != r {
		d.engine = search.New(r, search.Options{})
	}
	limits := search.Limits{
		Depth: max(q.Depth, 0), Nodes: q.Nodes, MoveTime: time.Duration(max(q.Time, 0)) * time.Millisecond,
		MultiPV: min(max(q.Lines, 1), mostLines), Yield: d.Yield,
	}
	began := time.Now()
	if q.Level > 0 {
		return found(g, d.engine.Choose(ctx, g, all[q.Level-1], limits, q.Seed), began), nil
	}
	var now Thought
	res := d.engine.Search(ctx, g, limits, func(i search.Info) {
		if i.MultiPV <= 1 {
			now.Lines = nil
		}
		now.Depth, now.Nodes, now.Time = i.Depth, i.Nodes, i.Elapsed.Milliseconds()
		now.Lines = append(now.Lines, thoughts(g.Position(), i.Score, i.PV))
		if progress != nil && len(now.Lines) == min(limits.MultiPV, g.Position().CountMoves()) {
			progress(now)
		}
	})
	f := found(g, res, began)
	if len(now.Lines) > 1 {
		f.Lines = now.Lines
	}
	return f, nil
}

func found(g *rules.Game, res search.Result, began time.Time) *Found {
	p := g.Position()
	f := &Found{Thought: Thought{Depth: res.Depth, Nodes: res.Nodes, Time: time.Since(began).Milliseconds(), Lines: []Thoughts{}}}
	if res.Best == 0 {
		return f
	}
	f.Best = &Named{Move: notation.FormatMove(p, res.Best), SAN: notation.SAN(p, res.Best)}
	f.Lines = []Thoughts{thoughts(p, res.Score, res.PV)}
	return f
}

func thoughts(p *rules.Position, score search.Score, pv []rules.Move) Thoughts {
	t := Thoughts{CP: score.CP, Mate: score.Mate, PV: make([]Named, 0, len(pv))}
	if p.Turn() != 0 {
		t.CP, t.Mate = -t.CP, -t.Mate
	}
	at := p.Clone()
	for _, m := range pv {
		t.PV = append(t.PV, Named{Move: notation.FormatMove(at, m), SAN: notation.SAN(at, m)})
		if at.Play(m) != nil {
			break
		}
	}
	return t
}

// levels lists the names of the levels, from the weakest, which has the number 1.
func levels() []string {
	var names []string
	for _, l := range search.Levels() {
		names = append(names, l.Name)
	}
	return names
}
