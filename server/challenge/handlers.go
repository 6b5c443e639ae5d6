package challenge

import (
	"context"
	"strings"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/live/clock"
	"hoplite/server/pairing"
	"hoplite/server/stream"
	"hoplite/store"
)

// Handlers answer the operations about challenges.
type Handlers struct {
	challenges *Service
	streams    *stream.Hub
	auth       api.Authenticator
}

// NewHandlers returns the handlers on top of the service. auth reads the
// opponent's tokens that some calls carry.
func NewHandlers(s *Service, streams *stream.Hub, auth api.Authenticator) Handlers {
	return Handlers{challenges: s, streams: streams, auth: auth}
}

// caller is the player that a request comes from.
func caller(ctx context.Context) Player {
	id := api.Caller(ctx)
	return Player{ID: id.AccountID, Bot: id.IsBot()}
}

func done() api.DoneJSONResponse { return api.DoneJSONResponse{Ok: true} }

// fieldsError is a refusal that lists every wrong field.
func fieldsError(fields map[string][]string) error {
	return &fault.Error{Kind: fault.KindInvalid, Fields: fields}
}

// ruleList splits the rules of a form.
func ruleList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}

// ChallengeCreate challenges an account.
func (h Handlers) ChallengeCreate(ctx context.Context, r api.ChallengeCreateRequestObject) (api.ChallengeCreateResponseObject, error) {
	var form openapi.ChallengeForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	by, name := caller(ctx), strings.TrimSpace(r.Username)
	if strings.EqualFold(name, by.ID) || strings.EqualFold(name, "me") {
		return nil, fault.NotFound("You cannot challenge yourself")
	}
	terms, bad := pairing.Form{
		Clock: clock.Form{
			Limit: form.ClockLimit, Increment: form.ClockIncrement, Delay: form.ClockDelay,
			Byoyomi: form.ClockByoyomi, Periods: form.ClockPeriods, Days: form.Days,
		},
		Rated: form.Rated,
		Color: string(form.Color), Variant: form.Variant, FEN: form.Fen, Rules: ruleList(form.Rules), Message: form.Message,
	}.Terms(h.challenges.Games, pairing.Pick)
	if len(bad) > 0 {
		return nil, fieldsError(bad)
	}
	c, err := h.challenges.Create(ctx, by, name, strings.ToLower(name), terms)
	if err != nil {
		return nil, err
	}
	shown, err := h.shown(ctx, c, by.ID)
	if err != nil {
		return nil, err
	}
	if form.KeepAliveStream {
		return h.keepAlive(ctx, c, shown), nil
	}
	h.challenges.Announce(ctx, c)
	return api.ChallengeCreate200JSONResponse(shown), nil
}

// keepAlive streams a challenge until it is answered. Its loss lets the
// challenge die.
func (h Handlers) keepAlive(ctx context.Context, c store.Challenge, shown openapi.Challenge) stream.Response {
	s := h.challenges
	return stream.New(ctx, h.streams, stream.OwnerOf(api.Caller(ctx)), "", func(ctx context.Context, w *stream.Writer) error {
		outcome := s.Bus.Subscribe(Topic(c.ID), 1)
		defer outcome.Close()
		s.Announce(ctx, c)
		if err := w.Send(shown); err != nil {
			return err
		}
		// The challenge was there before we listened.
		now, err := s.Store.ChallengeByID(ctx, c.ID)
		if err != nil {
			return err
		}
		if now.Status != store.ChallengeCreated {
			return w.Send(outcomeOf(now))
		}
		defer s.keepAlive(ctx, c)()
		return stream.Pump(ctx, w, outcome.C, func(ev any) (bool, error) { return true, w.Send(ev) })
	})
}

// shown is the challenge as one of its players sees it.
func (h Handlers) shown(ctx context.Context, c store.Challenge, accountID string) (openapi.Challenge, error) {
	shown, _, err := h.challenges.show(ctx, c)
	switch {
	case c.Open:
	case c.ChallengerID == accountID:
		shown.Direction = "out"
	default:
		shown.Direction = "in"
	}
	return shown, err
}

// ChallengeList lists the caller's open challenges.
func (h Handlers) ChallengeList(ctx context.Context, _ api.ChallengeListRequestObject) (api.ChallengeListResponseObject, error) {
	me := caller(ctx).ID
	in, out, err := h.challenges.List(ctx, me)
	if err != nil {
		return nil, err
	}
	list := openapi.ChallengeList{In: []openapi.Challenge{}, Out: []openapi.Challenge{}}
	for _, part := range []struct {
		from []store.Challenge
		to   *[]openapi.Challenge
	}{{in, &list.In}, {out, &list.Out}} {
		for _, c := range part.from {
			shown, err := h.shown(ctx, c, me)
			if err != nil {
				return nil, err
			}
			*part.to = append(*part.to, shown)
		}
	}
	return api.ChallengeList200JSONResponse(list), nil
}

// ChallengeShow shows one challenge, also when it is over.
func (h Handlers) ChallengeShow(ctx context.Context, r api.ChallengeShowRequestObject) (api.ChallengeShowResponseObject, error) {
	by := caller(ctx)
	c, err := h.challenges.Show(ctx, by, r.ChallengeID)
	if err != nil {
		return nil, err
	}
	shown, err := h.shown(ctx, c, by.ID)
	if err != nil {
		return nil, err
	}
	if c.Status == store.ChallengeAccepted {
		if shown.FullID, err = h.challenges.fullID(ctx, c.ID, by.ID); err != nil {
			return nil, err
		}
	}
	return api.ChallengeShow200JSONResponse(shown), nil
}

// ChallengeAccept accepts a challenge.
func (h Handlers) ChallengeAccept(ctx context.Context, r api.ChallengeAcceptRequestObject) (api.ChallengeAcceptResponseObject, error) {
	if err := h.challenges.Accept(ctx, caller(ctx), r.ChallengeID, string(r.Params.Color)); err != nil {
		return nil, err
	}
	return api.ChallengeAccept200JSONResponse{DoneJSONResponse: done()}, nil
}

// ChallengeDecline declines a challenge.
func (h Handlers) ChallengeDecline(ctx context.Context, r api.ChallengeDeclineRequestObject) (api.ChallengeDeclineResponseObject, error) {
	reason := ""
	if r.JSONBody != nil {
		reason = r.JSONBody.Reason
	}
	if err := h.challenges.Decline(ctx, caller(ctx), r.ChallengeID, reason); err != nil {
		return nil, err
	}
	return api.ChallengeDecline200JSONResponse{DoneJSONResponse: done()}, nil
}
