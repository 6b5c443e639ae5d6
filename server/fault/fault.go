// Package fault holds the errors that a caller is to blame for, or may at
// least be told about. Every server package returns them; the one table that
// turns a Kind into an HTTP status lives in server/api.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Kind says what sort of refusal an Error is. The zero Kind is Internal, so
// that a forgotten kind never blames the caller.
type Kind uint8

// The kinds, with the HTTP status that each one stands for.
const (
	KindInternal        Kind = iota // 500: our fault; the text is not shown
	KindInvalid                     // 400
	KindUnauthenticated             // 401
	KindForbidden                   // 403
	KindNotFound                    // 404
	KindConflict                    // 409, or 400 where Lichess says so
	KindTooLarge                    // 413
	KindLimited                     // 429
	KindUnavailable                 // 503
)

var kindNames = [...]string{
	KindInternal:        "internal",
	KindInvalid:         "invalid",
	KindUnauthenticated: "unauthenticated",
	KindForbidden:       "forbidden",
	KindNotFound:        "not found",
	KindConflict:        "conflict",
	KindTooLarge:        "too large",
	KindLimited:         "limited",
	KindUnavailable:     "unavailable",
}

// String returns the kind in words, for logs.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Error is a refusal with a text that may be shown to the caller.
type Error struct {
	Kind Kind
	// Text is a sentence for the caller. Empty if Fields says it all.
	Text string
	// Fields maps a form field to what is wrong with it. What is wrong with
	// the form as a whole is under "global".
	Fields map[string][]string
	// RetryAfter is when another try may succeed; 0 if unknown.
	RetryAfter time.Duration
	// LimitKey names the rate limit that was hit.
	LimitKey string
	// Cause is what lies beneath, for the log; it is never shown.
	Cause error
}

// Error returns the text, or the fields in a fixed order, and the cause.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Text != "" {
		b.WriteString(e.Text)
	} else {
		for i, name := range slices.Sorted(maps.Keys(e.Fields)) {
			if i > 0 {
				b.WriteString("; ")
			}
			fmt.Fprintf(&b, "%s: %s", name, strings.Join(e.Fields[name], ", "))
		}
	}
	if b.Len() == 0 {
		b.WriteString(e.Kind.String())
	}
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %v", e.Cause)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Because returns a copy of e with the cause that the log shall show.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.Cause = cause
	return &c
}

// AddField adds a complaint about one form field and returns e.
func (e *Error) AddField(name, msg string) *Error {
	if e.Fields == nil {
		e.Fields = make(map[string][]string)
	}
	e.Fields[name] = append(e.Fields[name], msg)
	return e
}

func newf(k Kind, format string, a []any) *Error {
	if len(a) == 0 {
		return &Error{Kind: k, Text: format}
	}
	return &Error{Kind: k, Text: fmt.Sprintf(format, a...)}
}

// Invalid says that the request is wrong in itself, or meaningless in the
// present state of what it is about.
func Invalid(format string, a ...any) *Error { return newf(KindInvalid, format, a) }

// Field says that one form field is wrong.
func Field(name, msg string) *Error { return (&Error{Kind: KindInvalid}).AddField(name, msg) }

// Unauthenticated says that the caller is not known.
func Unauthenticated(format string, a ...any) *Error { return newf(KindUnauthenticated, format, a) }

// Forbidden says that the caller is known and may not.
func Forbidden(format string, a ...any) *Error { return newf(KindForbidden, format, a) }

// NotFound says that there is no such thing, or none that the caller may see.
func NotFound(format string, a ...any) *Error { return newf(KindNotFound, format, a) }

// Conflict says that somebody else was faster, or the name is taken.
func Conflict(format string, a ...any) *Error { return newf(KindConflict, format, a) }

// TooLarge says that the body is longer than allowed.
func TooLarge(format string, a ...any) *Error { return newf(KindTooLarge, format, a) }

// Limited says that the caller exceeded the limit called key, and may come
// back after retry.
func Limited(key string, retry time.Duration, format string, a ...any) *Error {
	e := newf(KindLimited, format, a)
	e.LimitKey, e.RetryAfter = key, retry
	return e
}

// Unavailable says that we cannot do it now: a full disk, a lost database, a
// stopping server. Nothing was acknowledged.
func Unavailable(format string, a ...any) *Error { return newf(KindUnavailable, format, a) }

// KindOf returns the kind of the first *Error in err's chain, KindInternal if
// there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return KindInternal
}
