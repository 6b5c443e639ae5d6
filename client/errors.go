package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"hoplite/openapi"
)

// maxErrorBody bounds what is read of a refusal's body.
const maxErrorBody = 64 << 10

// defaultRetryAfter is how long to wait after a 429 that does not say: Lichess
// asks for a minute.
const defaultRetryAfter = time.Minute

// APIError is an answer with a status of 400 or more.
type APIError struct {
	Method, Path string
	Status       int                 // HTTP status code
	Message      string              // the server's sentence; the fields' messages joined if it sent only those
	Fields       map[string][]string // messages by form field, if the server sent them
}

func (e *APIError) Error() string {
	return fmt.Sprintf("%s %s: %d %s", e.Method, e.Path, e.Status, e.Message)
}

// Temporary reports whether the same request may succeed later.
func (e *APIError) Temporary() bool {
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return e.Status >= 500 && e.Status != http.StatusNotImplemented
}

// RateLimitError is a 429. It unwraps to its [*APIError].
type RateLimitError struct {
	APIError
	RetryAfter time.Duration // one minute if the server did not say
	Key        string        // which limit, if the server said so
}

func (e *RateLimitError) Error() string {
	return fmt.Sprintf("%s (retry after %v)", e.APIError.Error(), e.RetryAfter)
}

// Unwrap returns the APIError within.
func (e *RateLimitError) Unwrap() error { return &e.APIError }

// TransportError is a request without a usable answer: no connection, a
// connection lost on the way, a timeout or a silent stream. Whether the server
// acted is not known. It unwraps to its cause.
type TransportError struct {
	Method, Path string
	Err          error
}

func (e *TransportError) Error() string {
	return fmt.Sprintf("%s %s: %v", e.Method, e.Path, e.Err)
}

// Unwrap returns the cause.
func (e *TransportError) Unwrap() error { return e.Err }

// DecodeError is an answer that does not have the form that the API promises.
type DecodeError struct {
	Method, Path string
	Excerpt      string // the beginning of the text at fault
	Err          error
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("%s %s: unexpected answer %q: %v", e.Method, e.Path, e.Excerpt, e.Err)
}

// Unwrap returns the decoder's error.
func (e *DecodeError) Unwrap() error { return e.Err }

// RedirectError is a redirect that the client does not follow.
type RedirectError struct{ From, To, Reason string }

func (e *RedirectError) Error() string {
	return fmt.Sprintf("redirect from %s to %s refused: %s", e.From, e.To, e.Reason)
}

// ErrIdle is the cause of a [*TransportError] when a stream stayed silent for
// longer than the idle timeout.
var ErrIdle = errors.New("stream is silent")

// ErrTimeout is the cause of a [*TransportError] when a call took longer than
// the timeout of the client.
var ErrTimeout = errors.New("no answer in time")

// Temporary reports whether err may go away by itself: a lost connection, an
// overloaded or restarting server, a rate limit.
func Temporary(err error) bool {
	if api, ok := errors.AsType[*APIError](err); ok {
		return api.Temporary()
	}
	if _, ok := errors.AsType[*RedirectError](err); ok {
		return false
	}
	_, ok := errors.AsType[*TransportError](err)
	return ok
}

// StatusOf returns the HTTP status of a refusal, and 0 for any other error.
func StatusOf(err error) int {
	if api, ok := errors.AsType[*APIError](err); ok {
		return api.Status
	}
	return 0
}

// checkResponse turns an answer of 400 or more into its error. It reads a
// bounded part of the body.
func checkResponse(method, path string, resp *http.Response) error {
	if resp.StatusCode < 300 {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil && len(body) == 0 {
		body = nil // the status says enough
	}
	api := APIError{Method: method, Path: path, Status: resp.StatusCode}
	var wire openapi.Error
	if json.Unmarshal(body, &wire) == nil {
		api.Message, api.Fields = wire.Error.String(), wire.Error.Fields
	}
	var grant struct {
		Description string `json:"error_description"`
	}
	if json.Unmarshal(body, &grant) == nil && grant.Description != "" {
		api.Message += ": " + grant.Description // of OAuth
	}
	if api.Message == "" {
		api.Message = http.StatusText(resp.StatusCode)
	}
	if resp.StatusCode != http.StatusTooManyRequests {
		return &api
	}
	rl := &RateLimitError{APIError: api, RetryAfter: defaultRetryAfter, Key: wire.Ratelimit.Key}
	if s := wire.Ratelimit.Seconds; s > 0 {
		rl.RetryAfter = time.Duration(s) * time.Second
	}
	if s, err := strconv.Atoi(strings.TrimSpace(resp.Header.Get("Retry-After"))); err == nil && s >= 0 {
		rl.RetryAfter = time.Duration(s) * time.Second
	}
	return rl
}
