package external

import (
	"cmp"
	"context"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/stream"
)

// Handlers answer the operations.
type Handlers struct{ s *Service }

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service) Handlers { return Handlers{s} }

// APIExternalEngineList lists the caller's engines.
func (h Handlers) APIExternalEngineList(ctx context.Context, _ api.APIExternalEngineListRequestObject) (api.APIExternalEngineListResponseObject, error) {
	engines, err := h.s.Store.EnginesOf(ctx, api.Caller(ctx).AccountID)
	if err != nil {
		return nil, err
	}
	list := make(api.APIExternalEngineList200JSONResponse, len(engines))
	for i, e := range engines {
		list[i] = shown(e)
	}
	return list, nil
}

// APIExternalEngineCreate registers an engine.
func (h Handlers) APIExternalEngineCreate(ctx context.Context, r api.APIExternalEngineCreateRequestObject) (api.APIExternalEngineCreateResponseObject, error) {
	e, err := h.s.register(ctx, api.Caller(ctx).AccountID, cmp.Or(r.JSONBody, &openapi.ExternalEngineRegistration{}))
	if err != nil {
		return nil, err
	}
	return api.APIExternalEngineCreate200JSONResponse(shown(e)), nil
}

// APIExternalEngineGet shows an engine of the caller's.
func (h Handlers) APIExternalEngineGet(ctx context.Context, r api.APIExternalEngineGetRequestObject) (api.APIExternalEngineGetResponseObject, error) {
	e, err := h.s.own(ctx, api.Caller(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	return api.APIExternalEngineGet200JSONResponse(shown(e)), nil
}

// APIExternalEnginePut changes an engine of the caller's.
func (h Handlers) APIExternalEnginePut(ctx context.Context, r api.APIExternalEnginePutRequestObject) (api.APIExternalEnginePutResponseObject, error) {
	e, err := h.s.change(ctx, api.Caller(ctx).AccountID, r.ID, cmp.Or(r.JSONBody, &openapi.ExternalEngineRegistration{}))
	if err != nil {
		return nil, err
	}
	return api.APIExternalEnginePut200JSONResponse(shown(e)), nil
}

// APIExternalEngineDelete removes an engine of the caller's.
func (h Handlers) APIExternalEngineDelete(ctx context.Context, r api.APIExternalEngineDeleteRequestObject) (api.APIExternalEngineDeleteResponseObject, error) {
	if err := h.s.remove(ctx, api.Caller(ctx).AccountID, r.ID); err != nil {
		return nil, err
	}
	return api.APIExternalEngineDelete200JSONResponse{DoneJSONResponse: api.DoneJSONResponse{Ok: true}}, nil
}

// APIExternalEngineAnalyse streams what an engine finds.
func (h Handlers) APIExternalEngineAnalyse(ctx context.Context, r api.APIExternalEngineAnalyseRequestObject) (api.APIExternalEngineAnalyseResponseObject, error) {
	s := h.s
	w, err := s.ask(ctx, r.ID, cmp.Or(r.Body, &openapi.ExternalEngineAnalyseForm{}))
	if err != nil {
		return nil, err
	}
	place := engineTopic(w.engine.ID) + "/" + w.asked.SessionID
	if s.work.Load() >= maxWork || s.Bus.Subscribers(engineTopic(w.engine.ID)) >= maxEngineWork {
		return nil, fault.Limited("engine.work", s.config.Poll, "Too many analyses are open. Please try again later.")
	}
	return stream.New(ctx, s.Streams, stream.Owner{Account: w.engine.AccountID}, place, func(ctx context.Context, out *stream.Writer) error {
		s.work.Add(1)
		defer s.work.Add(-1)
		return w.run(ctx, out)
	}), nil
}

// APIExternalEngineAcquire gives a provider work.
func (h Handlers) APIExternalEngineAcquire(ctx context.Context, r api.APIExternalEngineAcquireRequestObject) (api.APIExternalEngineAcquireResponseObject, error) {
	form := cmp.Or(r.JSONBody, &openapi.ExternalEngineAcquireForm{})
	job, err := h.s.acquire(ctx, form.ProviderSecret)
	if err != nil {
		return nil, err
	}
	if job == nil {
		return api.APIExternalEngineAcquire204Response{}, nil
	}
	return api.APIExternalEngineAcquire200JSONResponse(*job), nil
}

// APIExternalEngineSubmit reads what a provider's engine says.
func (h Handlers) APIExternalEngineSubmit(ctx context.Context, r api.APIExternalEngineSubmitRequestObject) (api.APIExternalEngineSubmitResponseObject, error) {
	body, err := api.UploadOf(ctx)
	if err != nil {
		return nil, err
	}
	if err := h.s.submit(ctx, r.ID, body); err != nil {
		return nil, err
	}
	return api.APIExternalEngineSubmit200Response{}, nil
}
