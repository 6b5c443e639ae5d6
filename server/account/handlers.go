package account

import (
	"context"
	"iter"
	"net/http"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/stream"
)

// Handlers answer the operations about accounts and users.
type Handlers struct{ accounts *Service }

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service) Handlers { return Handlers{accounts: s} }

// AccountMe shows the caller's own profile.
func (h Handlers) AccountMe(ctx context.Context, _ api.AccountMeRequestObject) (api.AccountMeResponseObject, error) {
	me := api.Caller(ctx).AccountID
	u, err := h.accounts.User(ctx, me, me, true, false)
	u.Role = api.Caller(ctx).Role
	return api.AccountMe200JSONResponse(u), err
}

// AccountEmail shows the caller's address.
func (h Handlers) AccountEmail(ctx context.Context, _ api.AccountEmailRequestObject) (api.AccountEmailResponseObject, error) {
	a, err := h.accounts.store.AccountByID(ctx, api.Caller(ctx).AccountID)
	return api.AccountEmail200JSONResponse{Email: a.Email, Confirmed: !a.EmailConfirmed.IsZero()}, err
}

// AccountKid shows whether kid mode is on.
func (h Handlers) AccountKid(ctx context.Context, _ api.AccountKidRequestObject) (api.AccountKidResponseObject, error) {
	a, err := h.accounts.store.AccountByID(ctx, api.Caller(ctx).AccountID)
	return api.AccountKid200JSONResponse{Kid: a.Kid}, err
}

// AccountKidPost turns kid mode on or off.
func (h Handlers) AccountKidPost(ctx context.Context, r api.AccountKidPostRequestObject) (api.AccountKidPostResponseObject, error) {
	on, ok := openapi.ParseFlag(string(r.Params.V))
	if !ok {
		return nil, fault.Field("v", "must be true or false")
	}
	if err := h.accounts.SetKid(ctx, api.Caller(ctx).AccountID, on); err != nil {
		return nil, err
	}
	return api.AccountKidPost200JSONResponse{DoneJSONResponse: done()}, nil
}

// AccountPreferences shows the caller's settings.
func (h Handlers) AccountPreferences(ctx context.Context, _ api.AccountPreferencesRequestObject) (api.AccountPreferencesResponseObject, error) {
	a, err := h.accounts.store.AccountByID(ctx, api.Caller(ctx).AccountID)
	if err != nil {
		return nil, err
	}
	return api.AccountPreferences200JSONResponse(preferences(a)), nil
}

// AccountPreferencesSet changes some of the caller's settings.
func (h Handlers) AccountPreferencesSet(ctx context.Context, r api.AccountPreferencesSetRequestObject) (api.AccountPreferencesSetResponseObject, error) {
	var change openapi.Preferences
	if r.JSONBody != nil {
		change = *r.JSONBody
	}
	p, err := h.accounts.SetPreferences(ctx, api.Caller(ctx).AccountID, change)
	return api.AccountPreferencesSet200JSONResponse(p), err
}

// APIUser shows one profile.
func (h Handlers) APIUser(ctx context.Context, r api.APIUserRequestObject) (api.APIUserResponseObject, error) {
	u, err := h.accounts.User(ctx, r.Username, api.Caller(ctx).AccountID, r.Params.Profile.Or(true), r.Params.Rank.Or(false))
	if err == nil && r.Params.Trophies.Or(false) && !u.Disabled {
		u.Trophies = &[]map[string]any{}
	}
	return api.APIUser200JSONResponse(u), err
}

// APIUsers shows several profiles.
func (h Handlers) APIUsers(ctx context.Context, r api.APIUsersRequestObject) (api.APIUsersResponseObject, error) {
	var list string
	if r.Body != nil {
		list = *r.Body
	}
	users, err := h.accounts.Users(ctx, list, r.Params.Profile.Or(true), r.Params.Rank.Or(false))
	return api.APIUsers200JSONResponse(users), err
}

// APIUsersStatus shows who is online and playing.
func (h Handlers) APIUsersStatus(ctx context.Context, r api.APIUsersStatusRequestObject) (api.APIUsersStatusResponseObject, error) {
	users, err := h.accounts.Status(ctx, r.Params.Ids, StatusWith{
		Signal: r.Params.WithSignal.Or(false), GameIDs: r.Params.WithGameIds.Or(false), GameMetas: r.Params.WithGameMetas.Or(false),
	})
	return api.APIUsersStatus200JSONResponse(users), err
}

// BotAccountUpgrade makes a bot of the caller.
func (h Handlers) BotAccountUpgrade(ctx context.Context, _ api.BotAccountUpgradeRequestObject) (api.BotAccountUpgradeResponseObject, error) {
	if err := h.accounts.MakeBot(ctx, api.Caller(ctx).AccountID); err != nil {
		return nil, err
	}
	return api.BotAccountUpgrade200JSONResponse{DoneJSONResponse: done()}, nil
}

// APIBotOnline lists the bots that are online, one a line.
func (h Handlers) APIBotOnline(ctx context.Context, r api.APIBotOnlineRequestObject) (api.APIBotOnlineResponseObject, error) {
	bots, err := h.accounts.Bots(ctx, r.Params.Nb)
	if err != nil {
		return nil, err
	}
	return userLines{stream.List[openapi.User]{Items: all(bots)}}, nil
}

type userLines struct{ stream.List[openapi.User] }

func (l userLines) VisitAPIBotOnlineResponse(w http.ResponseWriter) error { return l.Visit(w) }

func all(users []openapi.User) iter.Seq2[openapi.User, error] {
	return func(yield func(openapi.User, error) bool) {
		for _, u := range users {
			if !yield(u, nil) {
				return
			}
		}
	}
}

func done() api.DoneJSONResponse { return api.DoneJSONResponse{Ok: true} }
