package api_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/spec"
	"hoplite/store"
)

func TestRefusalOf(t *testing.T) {
	t.Parallel()
	noKing := &rules.SetupError{Reasons: []rules.SetupReason{{Field: "board", Text: "no king"}}}
	ours, theirs := &spec.Operation{Own: true}, &spec.Operation{}
	for _, tt := range []struct {
		name   string
		err    error
		op     *spec.Operation
		status int
		text   string
		retry  time.Duration
	}{
		{"invalid", fault.Invalid("no"), theirs, 400, "no", 0},
		{"wrapped", fmt.Errorf("somewhere: %w", fault.NotFound("No such game")), theirs, 404, "No such game", 0},
		{"field", fault.Field("fen", "is broken"), theirs, 400, "fen: is broken", 0},
		{"unauthenticated", fault.Unauthenticated("No such token"), theirs, 401, "No such token", 0},
		{"forbidden", fault.Forbidden("no"), theirs, 403, "no", 0},
		{"conflict, Lichess's", fault.Conflict("late"), theirs, 400, "late", 0},
		{"conflict, ours", fault.Conflict("late"), ours, 409, "late", 0},
		{"too large", fault.TooLarge("big"), theirs, 413, "big", 0},
		{"limited", fault.Limited("login", 90*time.Second, "slow"), theirs, 429, "slow", 90 * time.Second},
		{"limited without a time", fault.Limited("login", 0, "slow"), theirs, 429, "slow", time.Minute},
		{"unavailable", fault.Unavailable("later"), theirs, 503, "later", 5 * time.Second},
		{"internal fault", &fault.Error{Text: "secret"}, theirs, 500, "Something went wrong on our side", 0},
		{"no record", fmt.Errorf("game x: %w", store.ErrNotFound), theirs, 404, "Not found", 0},
		{"record exists, Lichess's", store.ErrConflict, theirs, 400, "Somebody else was faster", 0},
		{"record exists, ours", store.ErrConflict, ours, 409, "Somebody else was faster", 0},
		{"no value for a database", store.ErrInvalid, theirs, 400, "A value cannot be stored", 0},
		{"disk full", fmt.Errorf("commit: %w", store.ErrUnavailable), theirs, 503, "The server cannot do that right now. Please try again in a moment.", 5 * time.Second},
		{"stale", store.ErrStale, theirs, 503, "The server cannot do that right now. Please try again in a moment.", 5 * time.Second},
		{"too slow", context.DeadlineExceeded, theirs, 503, "The server cannot do that right now. Please try again in a moment.", 5 * time.Second},
		{"malformed move", &notation.MoveError{Text: "e7e8Q!", Reason: "odd", Malformed: true}, theirs, 400, "Invalid UCI: e7e8Q!", 0},
		{"broken setup", noKing, theirs, 400, noKing.Error(), 0},
		{"unknown route", echo.ErrNotFound, nil, 404, "Not found", 0},
		{"wrong method", echo.ErrMethodNotAllowed, nil, 405, "Method not allowed", 0},
		{"binding", echo.NewHTTPError(400, "Invalid format for parameter x"), theirs, 400, "Invalid format for parameter x", 0},
		{"anything else", errors.New("secret"), theirs, 500, "Something went wrong on our side", 0},
		{"a refusal of HTTP", api.Refuse(415, "what"), theirs, 415, "what", 0},
	} {
		got := api.RefusalOf(tt.err, tt.op)
		if got.Status != tt.status || got.Body.Error.String() != tt.text || got.RetryAfter != tt.retry {
			t.Errorf("%s: %d %q after %v, want %d %q after %v", tt.name, got.Status, got.Body.Error.String(), got.RetryAfter,
				tt.status, tt.text, tt.retry)
		}
		if got.Internal != (tt.status == 500) {
			t.Errorf("%s: counts as our fault: %v", tt.name, got.Internal)
		}
	}
	if limit := api.RefusalOf(fault.Limited("login", 1500*time.Millisecond, "slow"), nil).Body.Ratelimit; limit.Key != "login" || limit.Seconds != 2 {
		t.Errorf("the limit is %+v, want login and 2 seconds", limit)
	}
}
