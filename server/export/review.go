package export

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/review"
	"hoplite/engine/rules"
	"hoplite/openapi"
	"hoplite/server/live/game"
	"hoplite/store"
)

// reviewed is what the engine thinks of a game that is over.
type reviewed struct {
	positions []openapi.AnalysedPosition // before the first ply and after each
	judged    []review.Judgment          // by ply
	sums      [2]review.Summary
	instead   map[int]string // by ply that was an error: how play could have gone on, SAN
}

// review reads what the engine thinks of a game, if it has looked at it and somebody wants to know.
func (h Handlers) review(ctx context.Context, p *played, o options) error {
	if !o.evals && !o.accuracy || !p.Status.Over() {
		return nil
	}
	list, err := h.d.Store.AnalysesOf(ctx, []string{p.ID})
	if err != nil || len(list) == 0 || list[0].Status != store.AnalysisDone {
		return err
	}
	r := &reviewed{instead: map[int]string{}}
	if err := json.Unmarshal(list[0].Result, &r.positions); err != nil {
		return fmt.Errorf("analysis %s: %w", list[0].ID, err)
	}
	if len(r.positions) != len(p.plies)+1 {
		return nil // made by a version that knew other rules
	}
	evals := make([]review.Eval, len(r.positions))
	for i, at := range r.positions {
		evals[i] = evalOf(at)
	}
	r.judged, r.sums = review.Game(evals, p.movers)
	p.reviewed = r
	return p.writeBetter()
}

func evalOf(at openapi.AnalysedPosition) review.Eval {
	if len(at.Pvs) == 0 {
		return review.Eval{Over: true}
	}
	var e review.Eval
	if best := at.Pvs[0]; best.Mate != nil {
		e.Mate = *best.Mate
	} else if best.Cp != nil {
		e.CP = *best.Cp
	}
	return e
}

// writeBetter writes the better lines in the words of people.
func (p *played) writeBetter() error {
	errors := review.Worst(p.reviewed.judged, review.Inaccuracy)
	if len(errors) == 0 {
		return nil
	}
	line := game.NewLine(p.start)
	return line.Follow(p.uci, p.declared, func(i int, before *rules.Position, _ rules.Move) {
		if len(errors) > 0 && errors[0] == i {
			errors = errors[1:]
			p.reviewed.instead[i] = sanOf(before, strings.Fields(p.reviewed.positions[i].Pvs[0].Moves))
		}
	})
}

// sanOf writes moves from a position in algebraic notation, as far as they can be made.
func sanOf(from *rules.Position, moves []string) string {
	p := from.Clone()
	var words []string
	var u rules.Undo
	for _, text := range moves {
		m, err := notation.ParseMove(p, text)
		if err != nil {
			break
		}
		words = append(words, notation.SAN(p, m))
		p.Make(m, &u)
	}
	return strings.Join(words, " ")
}

// annotate writes evaluations beside the plies of a record.
func (r *reviewed) annotate(plies []notation.Ply) {
	for i := range plies {
		switch e := evalOf(r.positions[i+1]); {
		case e.Over:
		case e.Mate != 0:
			plies[i].Eval = fmt.Sprintf("#%d", e.Mate)
		default:
			plies[i].Eval = fmt.Sprintf("%.2f", float64(e.CP)/100)
		}
	}
}

// moves is the review as JSON, ply by ply.
func (r *reviewed) moves() []openapi.MoveAnalysis {
	list := make([]openapi.MoveAnalysis, len(r.judged))
	for ply, judged := range r.judged {
		m := &list[ply]
		if best := r.positions[ply+1].Pvs; len(best) > 0 {
			m.Eval, m.Mate = best[0].Cp, best[0].Mate
		}
		if judged == review.Fair {
			continue
		}
		m.Best, _, _ = strings.Cut(r.positions[ply].Pvs[0].Moves, " ")
		m.Variation = r.instead[ply]
		best, _, _ := strings.Cut(m.Variation, " ")
		m.Judgment = &openapi.Judgment{
			Name: openapi.JudgmentName(judged.String()), Comment: fmt.Sprintf("%s. %s was best.", judged, best),
		}
	}
	return list
}

// player is what the moves of a player come to.
func (r *reviewed) player(seat int, accuracy bool) *openapi.PlayerAnalysis {
	s := r.sums[seat]
	out := &openapi.PlayerAnalysis{Inaccuracy: s.Inaccuracy, Mistake: s.Mistake, Blunder: s.Blunder, Acpl: s.AverageLoss}
	if accuracy {
		out.Accuracy = &s.Accuracy
	}
	return out
}
