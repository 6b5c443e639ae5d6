package standing

import (
	"context"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
)

// Handlers answer the operations about standings.
type Handlers struct{ standing *Service }

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service) Handlers { return Handlers{standing: s} }

// Player shows the heads of all leaderboards.
func (h Handlers) Player(ctx context.Context, r api.PlayerRequestObject) (api.PlayerResponseObject, error) {
	boards, err := h.standing.Boards(ctx, r.Params.Bots.Or(false))
	return api.Player200ApplicationVndLichessV3PlusJSONResponse(boards), err
}

// PlayerTopNbPerfType shows one leaderboard.
func (h Handlers) PlayerTopNbPerfType(ctx context.Context, r api.PlayerTopNbPerfTypeRequestObject) (api.PlayerTopNbPerfTypeResponseObject, error) {
	list, err := h.standing.Board(ctx, r.PerfType, r.Params.Bots.Or(false), r.Nb)
	return api.PlayerTopNbPerfType200ApplicationVndLichessV3PlusJSONResponse{Users: list}, err
}

// APIPlayerAutocomplete finds accounts by the beginning of their names.
func (h Handlers) APIPlayerAutocomplete(ctx context.Context, r api.APIPlayerAutocompleteRequestObject) (api.APIPlayerAutocompleteResponseObject, error) {
	p := r.Params
	var out openapi.PlayerMatches
	if p.Exists.Or(false) {
		found, err := h.standing.Exists(ctx, p.Term)
		if err != nil {
			return nil, err
		}
		err = out.FromPlayerMatches1(found)
		return api.APIPlayerAutocomplete200JSONResponse(out), err
	}
	accounts, err := h.standing.Matches(ctx, p.Term, api.Caller(ctx).AccountID, p.Friend.Or(false))
	if err != nil {
		return nil, err
	}
	if p.Object.Or(false) {
		users := make([]openapi.OnlineUser, len(accounts))
		for i, a := range accounts {
			users[i] = h.standing.online(a)
		}
		err = out.FromPlayerMatches2(openapi.PlayerMatches2{Result: users})
		return api.APIPlayerAutocomplete200JSONResponse(out), err
	}
	list := make([]string, len(accounts))
	for i, a := range accounts {
		list[i] = a.ID
		if p.Names.Or(false) {
			list[i] = a.Name
		}
	}
	err = out.FromPlayerMatches0(list)
	return api.APIPlayerAutocomplete200JSONResponse(out), err
}

// APIUserRatingHistory shows daily ratings.
func (h Handlers) APIUserRatingHistory(ctx context.Context, r api.APIUserRatingHistoryRequestObject) (api.APIUserRatingHistoryResponseObject, error) {
	history, err := h.standing.History(ctx, r.Username)
	return api.APIUserRatingHistory200JSONResponse(history), err
}

// APIUserPerf shows what an account achieved in one perf.
func (h Handlers) APIUserPerf(ctx context.Context, r api.APIUserPerfRequestObject) (api.APIUserPerfResponseObject, error) {
	stat, err := h.standing.PerfStat(ctx, r.Username, r.Perf, r.Params.Bots.Or(false))
	return api.APIUserPerf200JSONResponse(stat), err
}

// APIUserActivity shows what an account did lately.
func (h Handlers) APIUserActivity(ctx context.Context, r api.APIUserActivityRequestObject) (api.APIUserActivityResponseObject, error) {
	days, err := h.standing.Activity(ctx, r.Username)
	return api.APIUserActivity200JSONResponse(days), err
}

// StreamerLive shows nobody: no account is a streamer here.
func (h Handlers) StreamerLive(context.Context, api.StreamerLiveRequestObject) (api.StreamerLiveResponseObject, error) {
	return api.StreamerLive200JSONResponse{}, nil
}

// APICrosstable shows the score between two accounts.
func (h Handlers) APICrosstable(ctx context.Context, r api.APICrosstableRequestObject) (api.APICrosstableResponseObject, error) {
	table, err := h.standing.Crosstable(ctx, r.User1, r.User2, r.Params.Matchup.Or(false))
	return api.APICrosstable200JSONResponse(table), err
}

// Timeline shows what happened around the caller.
func (h Handlers) Timeline(ctx context.Context, r api.TimelineRequestObject) (api.TimelineResponseObject, error) {
	var since time.Time
	if r.Params.Since != 0 {
		since = time.UnixMilli(r.Params.Since)
	}
	t, err := h.standing.Timeline(ctx, api.Caller(ctx).AccountID, since, r.Params.Nb)
	return api.Timeline200JSONResponse(t), err
}
