package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// The header that makes an action repeatable. Servers that do not know it
// ignore it.
const idempotencyHeader = "Idempotency-Key"

const (
	typeForm   = "application/x-www-form-urlencoded"
	typeJSON   = "application/json"
	typeNDJSON = "application/x-ndjson"
	typePGN    = "application/x-chess-pgn"
	typeText   = "text/plain"
)

// call describes one request. The body is at most one of form, json, text and stream.
type call struct {
	method string
	path   string // path segments escaped
	query  url.Values
	form   any           // struct or map with the form's names as JSON names
	json   any           // encoded as JSON
	text   string        // sent as it is
	stream io.ReadCloser // text that is sent as it comes; it cannot be repeated
	accept string        // default: JSON
	key    string        // idempotency key; "" on an action: a fresh one
	once   bool          // never repeat: a second try could act twice
}

// pathf builds a path, escaping each argument as one segment.
func pathf(format string, args ...string) string {
	escaped := make([]any, len(args))
	for i, a := range args {
		escaped[i] = url.PathEscape(a)
	}
	return fmt.Sprintf(format, escaped...)
}

// newRequest builds the request of one attempt. It is the only place that sets
// headers and the only one that sees the token.
func (c *Client) newRequest(ctx context.Context, cl call) (*http.Request, error) {
	body, contentType, err := cl.body()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", cl.method, cl.path, err)
	}
	address := c.BaseURL() + cl.path
	if len(cl.query) > 0 {
		address += "?" + cl.query.Encode()
	}
	var reader io.Reader = bytes.NewReader(body)
	if cl.stream != nil {
		reader, contentType = cl.stream, typeText
	}
	req, err := http.NewRequestWithContext(ctx, cl.method, address, reader)
	if err != nil {
		return nil, err
	}
	if req.URL.Host != c.base.Host {
		return nil, fmt.Errorf("%s %s: path leads to another host", cl.method, cl.path)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	accept := cl.accept
	if accept == "" {
		accept = typeJSON
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("User-Agent", c.agent)
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if cl.key != "" {
		req.Header.Set(idempotencyHeader, cl.key)
	}
	return req, nil
}

func (cl call) body() (body []byte, contentType string, err error) {
	switch {
	case cl.form != nil:
		values, err := formValues(cl.form)
		if err != nil {
			return nil, "", err
		}
		return []byte(values.Encode()), typeForm, nil
	case cl.json != nil:
		body, err := json.Marshal(cl.json)
		return body, typeJSON, err
	case cl.text != "":
		return []byte(cl.text), typeText, nil
	}
	return nil, "", nil
}

// formValues flattens a struct or map with JSON names into a form. Absent
// values and nulls are left out, lists are joined by commas.
func formValues(v any) (url.Values, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var fields map[string]any
	if err := dec.Decode(&fields); err != nil {
		return nil, fmt.Errorf("form: %w", err)
	}
	values := make(url.Values, len(fields))
	for name, f := range fields {
		text, ok, err := formText(f)
		if err != nil {
			return nil, fmt.Errorf("form field %s: %w", name, err)
		}
		if ok {
			values.Set(name, text)
		}
	}
	return values, nil
}

func formText(v any) (text string, ok bool, err error) {
	switch v := v.(type) {
	case nil:
		return "", false, nil
	case string:
		return v, true, nil
	case bool:
		return strconv.FormatBool(v), true, nil
	case json.Number:
		return v.String(), true, nil
	case []any:
		parts := make([]string, 0, len(v))
		for _, item := range v {
			text, _, err := formText(item)
			if err != nil {
				return "", false, err
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ","), len(parts) > 0, nil
	}
	return "", false, fmt.Errorf("a %T does not fit into a form", v)
}

// do sends a call, repeats it as the retry policy says, and decodes the answer
// into out: a *string takes the text, nil drops it, anything else is JSON.
func (c *Client) do(ctx context.Context, cl call, out any) error {
	if cl.method != http.MethodGet && cl.key == "" {
		cl.key = c.key()
	}
	return c.retry.run(ctx, cl, func() error { return c.attempt(ctx, cl, out) })
}

func (c *Client) attempt(ctx context.Context, cl call, out any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, ErrTimeout)
	defer cancel()
	resp, err := c.send(ctx, cl)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, defaultMaxResponse+1))
	if err != nil {
		return cl.lost(ctx, err)
	}
	if len(body) > defaultMaxResponse {
		return cl.malformed(body, errors.New("too long"))
	}
	switch out := out.(type) {
	case nil:
		return nil
	case *string:
		*out = string(body)
		return nil
	default:
		if err := json.Unmarshal(body, out); err != nil {
			return cl.malformed(body, err)
		}
		return nil
	}
}

// send makes one attempt and returns an answer with a status below 300, whose
// body the caller closes.
func (c *Client) send(ctx context.Context, cl call) (*http.Response, error) {
	req, err := c.newRequest(ctx, cl)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if redirect, ok := errors.AsType[*RedirectError](err); ok {
			return nil, redirect
		}
		return nil, cl.lost(ctx, err)
	}
	if resp.StatusCode >= 300 {
		defer resp.Body.Close()
		return nil, checkResponse(cl.method, cl.path, resp)
	}
	return resp, nil
}

// lost makes the error of an attempt that got no whole answer. The caller's own
// cancellation stays recognisable by errors.Is.
func (cl call) lost(ctx context.Context, err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // its text repeats method and address
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return &TransportError{Method: cl.method, Path: cl.path, Err: err}
}

func (cl call) malformed(text []byte, err error) error {
	const most = 120
	excerpt := strings.ToValidUTF8(string(text[:min(len(text), most)]), "?")
	return &DecodeError{Method: cl.method, Path: cl.path, Excerpt: excerpt, Err: err}
}
