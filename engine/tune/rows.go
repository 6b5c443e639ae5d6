package tune

import (
	"context"
	"fmt"
	"math"

	"hoplite/engine/eval"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// Row is a quiet position: what the evaluation says of it and how that changes
// with the weights, for the side to move.
type Row struct {
	Score    float32 // by the weights that it was taken apart with, in centipawns
	Searched float32 // by the search
	Points   float32 // of the game, for the side to move
	Held     bool    // held back from the fit, to tell how good it is
	Features []eval.Feature
}

// Rows are those of many games, packed one after the other.
type Rows struct {
	Weights []int // the vector that the rows were made with
	scores  []float32
	search  []float32
	points  []float32
	held    []bool
	ends    []uint32 // of the features of each row
	at      []uint16
	slopes  []float32
}

// Len is the number of rows.
func (r *Rows) Len() int { return len(r.scores) }

// Add appends a row.
func (r *Rows) Add(row Row) {
	r.scores = append(r.scores, row.Score)
	r.search = append(r.search, row.Searched)
	r.points = append(r.points, row.Points)
	r.held = append(r.held, row.Held)
	for _, f := range row.Features {
		r.at = append(r.at, uint16(f.Weight))
		r.slopes = append(r.slopes, f.Slope)
	}
	r.ends = append(r.ends, uint32(len(r.at)))
}

// features returns those of a row.
func (r *Rows) features(i int) (at []uint16, slopes []float32) {
	begin := uint32(0)
	if i > 0 {
		begin = r.ends[i-1]
	}
	return r.at[begin:r.ends[i]], r.slopes[begin:r.ends[i]]
}

// heldBack is how many games there are to one that is held back. Positions of
// one game are too much alike to test each other.
const heldBack = 10

// quietScore is the greatest score of a position that tells something: beyond
// it the game is decided, and how much by is of no interest.
const quietScore = 1200

// Extract takes the quiet positions of a game apart.
func Extract(r *rules.Rules, t *eval.Tracer, g *Game, rows *Rows) error {
	return quiet(r, g, func(p *rules.Position, searched int, points float64) {
		score, features := t.Trace(p, nil)
		rows.Add(Row{Score: float32(score), Searched: float32(searched), Points: float32(points),
			Held: g.Number%heldBack == 0, Features: features})
	})
}

// quiet calls f with the quiet positions of a game, those in which nobody is in
// check and the best move was neither a capture nor a promotion, with the score
// of the search and the result, for the side to move.
func quiet(r *rules.Rules, g *Game, f func(p *rules.Position, searched int, points float64)) error {
	p, err := notation.ParseFEN(r, g.FEN)
	if err != nil {
		return fmt.Errorf("game %d: %w", g.Number, err)
	}
	if len(g.Scores) != len(g.Moves) {
		return fmt.Errorf("game %d: %d scores of %d moves", g.Number, len(g.Scores), len(g.Moves))
	}
	var u rules.Undo
	for i, text := range g.Moves {
		m, err := notation.ParseMove(p, text)
		if err != nil {
			return fmt.Errorf("game %d, move %d: %w", g.Number, i+1, err)
		}
		if !p.InCheck() && !p.IsCapture(m) && !m.Kind().IsPromotion() && abs(g.Scores[i]) <= quietScore {
			points := g.Points
			if p.Turn() != 0 {
				points = 1 - points
			}
			f(p, g.Scores[i], points)
		}
		p.Make(m, &u)
	}
	return nil
}

func abs(v int) int { return max(v, -v) }

// ExtractAll takes all games apart. progress, if not nil, is told how many are
// done.
func ExtractAll(ctx context.Context, r *rules.Rules, w eval.Weights, games []Game, progress func(done int)) (*Rows, error) {
	rows := &Rows{Weights: w.Vector()}
	if len(rows.Weights) > math.MaxUint16 {
		return nil, fmt.Errorf("tune: %d weights are too many", len(rows.Weights))
	}
	t := eval.NewTracer(r, w)
	for i := range games {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := Extract(r, t, &games[i], rows); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(i + 1)
		}
	}
	return rows, nil
}
