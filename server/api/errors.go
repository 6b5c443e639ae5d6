package api

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/spec"
	"hoplite/store"
)

// Refusal is an error as the caller sees it.
type Refusal struct {
	Status     int
	Body       openapi.Error
	RetryAfter time.Duration
	Internal   bool // our fault: to be logged as an error
}

// Texts of errors that no fault describes.
const (
	textInternal    = "Something went wrong on our side"
	textUnavailable = "The server cannot do that right now. Please try again in a moment."
	textNotFound    = "Not found"
)

// unavailableRetry is when to come back after a 503: the store repairs itself within seconds or not at all.
const unavailableRetry = 5 * time.Second

// RefusalOf is the one table from errors to HTTP. op is the operation that failed, nil outside of the spec.
func RefusalOf(err error, op *spec.Operation) Refusal {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return faultRefusal(f, op)
	}
	if e, ok := errors.AsType[*statusError](err); ok {
		return plain(e.status, e.text)
	}
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return plain(http.StatusRequestEntityTooLarge, "The body is larger than "+strconv.FormatInt(e.Limit, 10)+" bytes")
	}
	if text, ok := gameError(err); ok {
		return plain(http.StatusBadRequest, text)
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return plain(http.StatusNotFound, textNotFound)
	case errors.Is(err, store.ErrConflict):
		return plain(conflictStatus(op), "Somebody else was faster")
	case errors.Is(err, store.ErrInvalid):
		return plain(http.StatusBadRequest, "A value cannot be stored")
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrStale),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		f := plain(http.StatusServiceUnavailable, textUnavailable)
		f.RetryAfter = unavailableRetry
		return f
	}
	if e, ok := errors.AsType[*echo.HTTPError](err); ok {
		return echoRefusal(e)
	}
	f := plain(http.StatusInternalServerError, textInternal)
	f.Internal = true
	return f
}

func plain(status int, text string) Refusal {
	return Refusal{Status: status, Body: openapi.Error{Error: openapi.ErrorDetail{Text: text}}}
}

func faultRefusal(e *fault.Error, op *spec.Operation) Refusal {
	f := plain(http.StatusInternalServerError, e.Text)
	if e.Text == "" && len(e.Fields) > 0 {
		f.Body.Error.Fields = e.Fields
	}
	f.RetryAfter = e.RetryAfter
	switch e.Kind {
	case fault.KindInvalid:
		f.Status = http.StatusBadRequest
	case fault.KindUnauthenticated:
		f.Status = http.StatusUnauthorized
	case fault.KindForbidden:
		f.Status = http.StatusForbidden
	case fault.KindNotFound:
		f.Status = http.StatusNotFound
	case fault.KindConflict:
		f.Status = conflictStatus(op)
	case fault.KindTooLarge:
		f.Status = http.StatusRequestEntityTooLarge
	case fault.KindLimited:
		f.Status = http.StatusTooManyRequests
	case fault.KindUnavailable:
		f.Status = http.StatusServiceUnavailable
		if f.RetryAfter == 0 {
			f.RetryAfter = unavailableRetry
		}
	default:
		f.Internal = true
		f.Body.Error = openapi.ErrorDetail{Text: textInternal}
	}
	if e.LimitKey != "" {
		f.Body.Ratelimit = openapi.RateLimitInfo{Key: e.LimitKey, Seconds: seconds(e.RetryAfter)}
	}
	if f.Status == http.StatusTooManyRequests && f.RetryAfter <= 0 {
		f.RetryAfter = time.Minute
	}
	if f.Body.Error.Fields == nil && f.Body.Error.Text == "" {
		f.Body.Error.Text = http.StatusText(f.Status)
	}
	return f
}

// conflictStatus is 400 for what Lichess has too, since its clients expect no 409.
func conflictStatus(op *spec.Operation) int {
	if op != nil && op.Own {
		return http.StatusConflict
	}
	return http.StatusBadRequest
}

func echoRefusal(e *echo.HTTPError) Refusal {
	switch e.Code {
	case http.StatusNotFound:
		return plain(e.Code, textNotFound)
	case http.StatusMethodNotAllowed:
		return plain(e.Code, "Method not allowed")
	}
	if e.Code >= 500 {
		f := plain(e.Code, textInternal)
		f.Internal = true
		return f
	}
	if text, ok := e.Message.(string); ok && text != "" {
		return plain(e.Code, text)
	}
	return plain(e.Code, http.StatusText(e.Code))
}

// statusError is a refusal that only HTTP knows.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return e.text }

// Refuse returns an error with a status of its own, for what has no fault.Kind: a wrong content type, a foreign
// host.
func Refuse(status int, text string) error { return &statusError{status: status, text: text} }

// seconds rounds up: coming back after that long is never too early.
func seconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// ErrorHandler answers failed requests, and logs those that are our fault with the id of the request.
func (g *Gate) ErrorHandler(err error, c echo.Context) {
	op := g.operation(c)
	f := RefusalOf(err, op)
	ctx := c.Request().Context()
	client := ClientOf(ctx)
	switch {
	case f.Internal:
		g.log.ErrorContext(ctx, "request failed", slog.String("request", client.RequestID),
			slog.String("method", c.Request().Method), slog.String("route", c.Path()), slog.Any("err", err))
		f.Body.Request = client.RequestID
	case f.Status == http.StatusServiceUnavailable && ctx.Err() == nil:
		g.log.WarnContext(ctx, "request refused for now", slog.String("request", client.RequestID),
			slog.String("route", c.Path()), slog.Any("err", err))
	}
	if c.Response().Committed {
		return
	}
	if f.RetryAfter > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(seconds(f.RetryAfter)))
	}
	if f.Status == http.StatusUnauthorized {
		c.Response().Header().Set("WWW-Authenticate", `Bearer realm="hoplite"`)
	}
	if err := c.JSON(f.Status, errorBody(f.Status, f.Body, op)); err != nil {
		g.log.DebugContext(ctx, "error answer not sent", slog.Any("err", err))
	}
}

// errorBody writes the fields twice where old clients look for them at the top, and what is wrong with an OAuth request
// as its clients expect it.
func errorBody(status int, body openapi.Error, op *spec.Operation) any {
	if op != nil && op.OAuth && oauthStatus(status) {
		return openapi.OAuthError{Error: openapi.OAuthErrorCodeInvalidRequest, ErrorDescription: body.Error.String()}
	}
	if op == nil || !op.Compat || body.Error.Fields == nil {
		return body
	}
	out := map[string]any{"error": body.Error}
	for name, texts := range body.Error.Fields {
		if name != "error" {
			out[name] = texts
		}
	}
	return out
}

// oauthStatus tells statuses that say that the request is wrong.
func oauthStatus(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType:
		return true
	}
	return false
}
