package catalogue

import (
	"context"
	"net/http"
	"strconv"

	"hoplite/server/api"
)

// Handlers answer the operations about games that can be played.
type Handlers struct{ catalogue *Service }

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service) Handlers { return Handlers{catalogue: s} }

// VariantList lists the games.
func (h Handlers) VariantList(ctx context.Context, _ api.VariantListRequestObject) (api.VariantListResponseObject, error) {
	return ready(h.catalogue.current(ctx).list), nil
}

// VariantShow tells all about one game.
func (h Handlers) VariantShow(ctx context.Context, r api.VariantShowRequestObject) (api.VariantShowResponseObject, error) {
	text, err := h.catalogue.detail(ctx, r.Key)
	if err != nil {
		return nil, err
	}
	return ready(text), nil
}

// ready is an answer that was encoded before.
type ready []byte

// VisitVariantListResponse writes the answer.
func (r ready) VisitVariantListResponse(w http.ResponseWriter) error { return r.write(w) }

// VisitVariantShowResponse writes the answer.
func (r ready) VisitVariantShowResponse(w http.ResponseWriter) error { return r.write(w) }

func (r ready) write(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(r)))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(r)
	return err
}
