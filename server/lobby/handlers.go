package lobby

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/live/clock"
	"hoplite/server/stream"
)

// Handlers answer the operations of the lobby.
type Handlers struct {
	lobby   *Service
	streams *stream.Hub
}

// NewHandlers returns the handlers on top of the service.
func NewHandlers(s *Service, streams *stream.Hub) Handlers {
	return Handlers{lobby: s, streams: streams}
}

// APIBoardSeek looks for an opponent.
func (h Handlers) APIBoardSeek(ctx context.Context, r api.APIBoardSeekRequestObject) (api.APIBoardSeekResponseObject, error) {
	id := api.Caller(ctx)
	if id.IsBot() {
		return nil, fault.Forbidden("This API endpoint is not for Bot accounts.")
	}
	var form openapi.SeekForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	seek, bad := h.lobby.read(form)
	if len(bad) > 0 {
		return nil, &fault.Error{Kind: fault.KindInvalid, Fields: bad}
	}
	seek.Account = id.AccountID
	if !seek.Control.HasClock() {
		seekID, _, err := h.lobby.SeekSlow(ctx, seek)
		if err != nil {
			return nil, err
		}
		return api.APIBoardSeek200JSONResponse(openapi.SeekCreated{ID: seekID}), nil
	}
	wait, err := h.lobby.Seek(ctx, seek)
	if err != nil {
		return nil, err
	}
	return waiting{stream.New(ctx, h.streams, stream.OwnerOf(id), "", func(ctx context.Context, w *stream.Writer) error {
		return stream.Pump(ctx, w, wait.Done, func(struct{}) (bool, error) { return true, nil })
	}), wait.Cancel}, nil
}

// read checks the form of a seek.
func (s *Service) read(form openapi.SeekForm) (Seek, map[string][]string) {
	bad := map[string][]string{}
	seek := Seek{Variant: form.Variant, Rated: form.Rated, Color: ParseColor(string(form.Color)), Quick: form.Quick}
	if seek.Variant == "" {
		seek.Variant = s.Games.Usual()
	}
	if _, ok := s.Games.Rules(seek.Variant); !ok || s.Games.Anywhere(seek.Variant) {
		bad["variant"] = append(bad["variant"], "unknown variant")
	}
	var ok bool
	if seek.MinRating, seek.MaxRating, ok = parseRange(form.RatingRange); !ok {
		bad["ratingRange"] = append(bad["ratingRange"], "must be two ratings like 1500-1800")
	}
	if text := seek.unquick(form.Days); text != "" {
		bad["quick"] = append(bad["quick"], text)
	}
	special := form.Delay != 0 || form.Byoyomi != 0 || form.Periods != 0
	switch {
	case form.Time == nil && form.Increment == nil && !special && form.Days != 0:
		seek.Control = clock.NewCorrespondence(form.Days)
		if !clock.ValidDays(form.Days) {
			bad["days"] = append(bad["days"], "must be 1, 2, 3, 5, 7, 10 or 14")
		}
	case form.Time == nil:
		bad["time"] = append(bad["time"], "is needed, or days")
	case form.Increment == nil && !special:
		bad["increment"] = append(bad["increment"], "is needed with time")
	default:
		var field, text string
		if seek.Control, field, text = realTime(form); field != "" {
			bad[field] = append(bad[field], text)
		}
	}
	if seek.Rated && !s.Games.BySpeed(seek.Variant) && !seek.Control.HasClock() {
		bad["rated"] = append(bad["rated"], "A game without a clock can't be rated")
	}
	return seek, bad
}

// realTime is the clock of a seek, whose limit is given in minutes. Only rapid
// and slower games may be sought. field names what is wrong, if anything is.
func realTime(form openapi.SeekForm) (c clock.Control, field, text string) {
	const invalid = "Invalid time control"
	minutes := float64(*form.Time)
	quarters := math.Mod(minutes*60, 15)
	if math.Abs(quarters) > 1e-6 || minutes < 0 || minutes > 180 {
		return c, "global", invalid
	}
	limit := int(math.Round(minutes * 60))
	c, err := clock.Form{
		Limit: &limit, Increment: form.Increment, Delay: form.Delay, Byoyomi: form.Byoyomi, Periods: form.Periods,
	}.Control()
	if wrong, ok := errors.AsType[*clock.ControlError](err); ok {
		if field := seekField(wrong.Field); field != "limit" && field != "increment" && field != "clock" {
			return c, field, wrong.Text
		}
		return c, "global", invalid
	}
	if c.Speed().Compare(clock.Rapid) < 0 {
		return c, "global", invalid
	}
	return c, "", ""
}

// seekField is what seeks call a field of a clock.
func seekField(field string) string { return strings.TrimPrefix(field, "clock.") }

// parseRange reads "1500-1800"; an empty text is any rating.
func parseRange(s string) (low, high int, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, 0, true
	}
	a, b, found := strings.Cut(s, "-")
	low, errLow := strconv.Atoi(strings.TrimSpace(a))
	high, errHigh := strconv.Atoi(strings.TrimSpace(b))
	return low, high, found && errLow == nil && errHigh == nil && low >= 0 && low <= high
}

// waiting is the stream of a seek: it ends with the seek, and the seek with
// it.
type waiting struct {
	stream.Response
	cancel func()
}

// VisitAPIBoardSeekResponse writes blank lines until the seek is over.
func (w waiting) VisitAPIBoardSeekResponse(rw http.ResponseWriter) error {
	defer w.cancel()
	return w.Visit(rw)
}
