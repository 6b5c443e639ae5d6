package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"hoplite/engine/notation"
	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/stream"
	"hoplite/store"
)

// Handlers answer the operations.
type Handlers struct{ s *Service }

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service) Handlers { return Handlers{s} }

const (
	// usualGameNodes and usualNodes are spent on each position of a game, and on one alone.
	usualGameNodes = 100_000
	usualNodes     = 1_000_000
	// maxGameNodes is the most for each position of a game.
	maxGameNodes = 500_000
	// changes is how many may wait for a stream; one says as much as many.
	changes = 16
)

var errNoAnalysis = fault.NotFound("No such analysis")

// AnalysisCreate puts an analysis into the queue.
func (h Handlers) AnalysisCreate(ctx context.Context, r api.AnalysisCreateRequestObject) (api.AnalysisCreateResponseObject, error) {
	var form openapi.AnalysisForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	a, err := h.wanted(ctx, form)
	if err != nil {
		return nil, err
	}
	kept, fresh, err := h.s.ask(ctx, a)
	if err != nil {
		return nil, err
	}
	shown, err := show(&kept)
	if err != nil {
		return nil, err
	}
	if fresh {
		return api.AnalysisCreate201JSONResponse(shown), nil
	}
	return api.AnalysisCreate200JSONResponse(shown), nil
}

// wanted is the analysis that a form asks for.
func (h Handlers) wanted(ctx context.Context, form openapi.AnalysisForm) (store.Analysis, error) {
	me := api.Caller(ctx).AccountID
	var a store.Analysis
	var err error
	nodes := int64(usualNodes)
	if form.GameID != "" {
		if form.Variant != "" || form.Fen != "" || form.Moves != "" {
			return a, fault.Field("gameId", "does not go with variant, fen and moves")
		}
		if form.Nodes > maxGameNodes {
			return a, fault.Field("nodes", "must be at most 500000 for each position of a game")
		}
		nodes = usualGameNodes
		a, err = h.s.ofGame(ctx, lichess.GameID(form.GameID))
	} else {
		a, err = h.position(ctx, me, form)
	}
	if err != nil {
		return a, err
	}
	if form.Nodes > 0 {
		nodes = form.Nodes
	}
	now := h.s.Now()
	a.ID, a.AccountID, a.Status, a.Created = audit.NewID(now), me, store.AnalysisQueued, now
	a.Nodes, a.Lines = nodes, max(1, form.Lines)
	return a, nil
}

func (h Handlers) position(ctx context.Context, me string, form openapi.AnalysisForm) (store.Analysis, error) {
	a, g, err := h.s.ofPosition(form.Variant, form.Fen, form.Moves)
	if err != nil {
		return a, err
	}
	playing, err := h.s.playing(ctx, me, g)
	if err == nil && playing {
		err = fault.Forbidden("You are playing a game that stands in this position")
	}
	return a, err
}

// ask puts an analysis into the queue if there is room, or finds the one that its game has.
func (s *Service) ask(ctx context.Context, a store.Analysis) (kept store.Analysis, fresh bool, err error) {
	if s.config.Workers < 0 {
		return a, false, fault.Forbidden("This server does not analyse")
	}
	if known, ok, err := s.known(ctx, a.GameID); ok || err != nil {
		return known, false, err
	}
	all, own, err := s.Store.OpenAnalyses(ctx, a.AccountID)
	switch {
	case err != nil:
		return a, false, err
	case own >= s.config.PerAccount:
		return a, false, fault.Limited("analysis", time.Minute, "You have enough analyses waiting. Please wait for one of them.")
	case all >= s.config.Waiting:
		return a, false, fault.Limited("analysis", time.Minute, "Too many analyses are waiting. Please try again later.")
	}
	err = s.Store.CreateAnalysis(ctx, a)
	if errors.Is(err, store.ErrConflict) { // somebody asked at the same moment
		known, _, err := s.known(ctx, a.GameID)
		return known, false, err
	}
	if err == nil {
		s.hurry()
	}
	return a, err == nil, err
}

// known finds the analysis of a game.
func (s *Service) known(ctx context.Context, gameID string) (store.Analysis, bool, error) {
	if gameID == "" {
		return store.Analysis{}, false, nil
	}
	list, err := s.Store.AnalysesOf(ctx, []string{gameID})
	if err != nil || len(list) == 0 {
		return store.Analysis{}, false, err
	}
	return list[0], true, nil
}

// AnalysisShow is an analysis as far as it has come.
func (h Handlers) AnalysisShow(ctx context.Context, r api.AnalysisShowRequestObject) (api.AnalysisShowResponseObject, error) {
	a, err := h.find(ctx, r.AnalysisID)
	if err != nil {
		return nil, err
	}
	shown, err := show(&a)
	return api.AnalysisShow200JSONResponse(shown), err
}

// AnalysisCancel ends an analysis.
func (h Handlers) AnalysisCancel(ctx context.Context, r api.AnalysisCancelRequestObject) (api.AnalysisCancelResponseObject, error) {
	a, err := h.find(ctx, r.AnalysisID)
	if err != nil {
		return nil, err
	}
	if a.AccountID != api.Caller(ctx).AccountID {
		return nil, fault.Forbidden("Somebody else has asked for it")
	}
	a.Status, a.Finished = store.AnalysisCancelled, h.s.Now()
	err = h.s.Store.EndAnalysis(ctx, a)
	if errors.Is(err, store.ErrStale) {
		return nil, fault.Conflict("The analysis is over")
	}
	if err != nil {
		return nil, err
	}
	h.s.Bus.Publish(topic(a.ID), Changed{a.ID})
	return api.AnalysisCancel200JSONResponse{DoneJSONResponse: api.DoneJSONResponse{Ok: true}}, nil
}

// AnalysisStream shows an analysis as it comes on.
func (h Handlers) AnalysisStream(ctx context.Context, r api.AnalysisStreamRequestObject) (api.AnalysisStreamResponseObject, error) {
	a, err := h.find(ctx, r.AnalysisID)
	if err != nil {
		return nil, err
	}
	id := api.Caller(ctx)
	sub := h.s.Bus.Subscribe(topic(a.ID), changes)
	context.AfterFunc(ctx, sub.Close)
	return stream.New(ctx, h.s.Streams, stream.OwnerOf(id), stream.Place(topic(a.ID), id), func(ctx context.Context, w *stream.Writer) error {
		for {
			a, err := h.s.Store.AnalysisByID(ctx, r.AnalysisID)
			if err != nil {
				return err
			}
			shown, err := show(&a)
			if err != nil {
				return err
			}
			if err := w.Send(shown); err != nil || !a.IsOpen() {
				return err
			}
			// One change is enough to look again, whatever else has happened meanwhile.
			err = stream.Pump(ctx, w, sub.C, func(any) (bool, error) { return true, nil })
			if err != nil || ctx.Err() != nil {
				return err
			}
			if errors.Is(sub.Err(), bus.ErrSlow) {
				sub = h.s.Bus.Subscribe(topic(a.ID), changes)
				context.AfterFunc(ctx, sub.Close)
			}
		}
	}), nil
}

// find is an analysis that the caller may see: those of games are for everybody.
func (h Handlers) find(ctx context.Context, id string) (store.Analysis, error) {
	a, err := h.s.Store.AnalysisByID(ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && a.GameID == "" && a.AccountID != api.Caller(ctx).AccountID {
		return a, errNoAnalysis
	}
	return a, err
}

// APICloudEval is what is known of a position.
func (h Handlers) APICloudEval(ctx context.Context, r api.APICloudEvalRequestObject) (api.APICloudEvalResponseObject, error) {
	variant := r.Params.Variant
	if variant == "" {
		variant = h.s.Games.Usual()
	}
	rl, ok := h.s.Games.Rules(variant)
	if !ok {
		return nil, fault.Field("variant", "unknown variant "+variant)
	}
	p, err := notation.ParseFEN(rl, r.Params.Fen)
	if err != nil {
		return nil, fault.Field("fen", err.Error())
	}
	none := fault.NotFound("No cloud evaluation available for that position")
	e, err := h.s.Store.EvalOf(ctx, variant, notation.EPD(p))
	if errors.Is(err, store.ErrNotFound) {
		return nil, none
	}
	if err != nil {
		return nil, err
	}
	out := openapi.CloudEval{Fen: r.Params.Fen, Knodes: e.Nodes / 1000, Depth: e.Depth}
	if err := json.Unmarshal(e.PVs, &out.Pvs); err != nil {
		return nil, err
	}
	if n := max(1, r.Params.MultiPv); len(out.Pvs) >= n {
		out.Pvs = out.Pvs[:n]
	} else if n > e.Lines && len(p.Moves(nil)) > len(out.Pvs) {
		return nil, none // so many lines were not looked at
	}
	return api.APICloudEval200JSONResponse(out), nil
}

// show is an analysis in the API's form.
func show(a *store.Analysis) (openapi.Analysis, error) {
	out := openapi.Analysis{
		ID: a.ID, Status: openapi.AnalysisStatus(a.Status), GameID: a.GameID, Variant: a.Variant, Fen: a.FEN, Moves: a.Moves,
		Nodes: a.Nodes, Lines: a.Lines, CreatedAt: a.Created.UnixMilli(), Done: a.Done, Total: a.Total, Error: a.Error,
		Positions: []openapi.AnalysedPosition{},
	}
	if !a.Finished.IsZero() {
		out.FinishedAt = a.Finished.UnixMilli()
	}
	if len(a.Result) > 0 {
		if err := json.Unmarshal(a.Result, &out.Positions); err != nil {
			return out, err
		}
	}
	if out.Positions == nil {
		out.Positions = []openapi.AnalysedPosition{}
	}
	return out, nil
}
