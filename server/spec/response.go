package spec

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/pb33f/libopenapi-validator/schema_validation"
	"github.com/pb33f/libopenapi/datamodel/high/base"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
)

// Match returns the operation that a request is for, nil if there is none. Fixed segments win over parameters. What
// is served follows the router instead; this is for those who watch it from outside, and for answers about a path.
func (d *Document) Match(method, path string) *Operation {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	var best *Operation
	bestScore := -1
	for _, op := range d.list {
		if op.Method != method {
			continue
		}
		if score := matchScore(strings.Split(strings.Trim(op.Path, "/"), "/"), segments); score > bestScore {
			best, bestScore = op, score
		}
	}
	return best
}

// Allow lists the methods of the operations at a path, as the header of that name does; "" without any. The router knows those of one
// route only, where a fixed path and one with a parameter have different ones.
func (d *Document) Allow(path string) string {
	methods := []string{http.MethodOptions}
	for _, m := range []string{http.MethodDelete, http.MethodGet, http.MethodPatch, http.MethodPost, http.MethodPut} {
		if d.Match(m, path) != nil {
			methods = append(methods, m)
		}
	}
	if len(methods) == 1 {
		return ""
	}
	return strings.Join(methods, ", ")
}

// matchScore is -1 for a path that does not fit, else it grows with the fixed segments, early ones first.
func matchScore(pattern, segments []string) int {
	if len(pattern) != len(segments) {
		return -1
	}
	score := 0
	for i, p := range pattern {
		score *= 2
		switch {
		case p == segments[i]:
			score++
		case !strings.HasPrefix(p, "{"):
			return -1
		}
	}
	return score
}

// answerCheck returns what checks the answers of an operation.
func answerCheck(known *v3.Responses) func(int, http.Header, []byte) error {
	return func(status int, header http.Header, body []byte) error {
		response := known.Codes.GetOrZero(strconv.Itoa(status))
		if response == nil {
			if response = known.Default; response == nil || status < 400 {
				return fmt.Errorf("status %d is not in the spec", status)
			}
		}
		return checkAnswer(response, status, header, body)
	}
}

func checkAnswer(response *v3.Response, status int, header http.Header, body []byte) error {
	if response.Headers != nil {
		for name, h := range response.Headers.FromOldest() {
			if h.Required && header.Get(name) == "" {
				return fmt.Errorf("status %d lacks the header %s", status, name)
			}
		}
	}
	if response.Content == nil || response.Content.Len() == 0 {
		if len(body) > 0 {
			return fmt.Errorf("status %d has a body", status)
		}
		return nil
	}
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("content type %q: %w", header.Get("Content-Type"), err)
	}
	content := response.Content.GetOrZero(kind)
	if content == nil {
		return fmt.Errorf("status %d: content type %s is not in the spec", status, kind)
	}
	if !strings.HasSuffix(kind, "json") || len(bytes.TrimSpace(body)) == 0 && kind == "application/x-ndjson" {
		return nil
	}
	return checkSchema(content.Schema.Schema(), body)
}

func checkSchema(schema *base.Schema, body []byte) error {
	ok, found := schema_validation.NewSchemaValidator().ValidateSchemaBytes(schema, body)
	if ok {
		return nil
	}
	var errs []error
	for _, e := range found {
		if len(e.SchemaValidationErrors) == 0 {
			errs = append(errs, errors.New(e.Reason))
		}
		for _, s := range e.SchemaValidationErrors {
			errs = append(errs, fmt.Errorf("%s: %s", s.FieldPath, s.Reason))
		}
	}
	return errors.Join(errs...)
}
