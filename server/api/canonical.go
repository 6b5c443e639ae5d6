package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/spec"
)

// Sizes of request bodies in bytes. A form of ours is small; a list may hold a thousand tokens or ids.
const (
	MaxFormBytes = 64 << 10
	MaxTextBytes = 512 << 10
	maxDepth     = 8
	gameIDLength = 8
	fullIDLength = 12
)

// BodyPatience is how long a request's body may take to arrive. Who reads requests before the gate sets the deadline;
// the gate lifts it when the body is there.
const BodyPatience = 15 * time.Second

// Canonical brings a request into the one form that the spec describes: forms, multipart and JSON become one JSON
// object of typed fields, raw text gets its content type, flags become true or false, and a player's handle of a game
// becomes the game's id.
func (g *Gate) Canonical(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		op := OperationOf(c)
		if op == nil {
			return next(c)
		}
		if err := canonicalPath(c, op); err != nil {
			return err
		}
		if err := canonicalQuery(c.Request(), op); err != nil {
			return err
		}
		if err := canonicalBody(c, op); err != nil {
			return err
		}
		return next(c)
	}
}

const bodyKey = "hoplite.body"

// BodyItems returns how many names, ids or tokens a text body lists; 0 for other bodies.
func BodyItems(c echo.Context) int {
	text, _ := c.Get(bodyKey).(string)
	return len(SplitNames(text))
}

// BodyField returns a text field of the body as it was sent, before validation; empty without one.
func BodyField(c echo.Context, name string) string {
	fields, _ := c.Get(bodyKey).(map[string]any)
	text, _ := fields[name].(string)
	return text
}

func canonicalPath(c echo.Context, op *spec.Operation) error {
	names, values := c.ParamNames(), c.ParamValues()
	for i, name := range names {
		if i >= len(values) {
			break
		}
		// Echo routes by the escaped path where there is one, and leaves the values as they are.
		value, err := url.PathUnescape(values[i])
		if err != nil || !storable(value) {
			return fault.NotFound(textNotFound)
		}
		for _, game := range op.GameParams {
			if name == game && len(value) == fullIDLength {
				values[i] = value[:gameIDLength]
			}
		}
	}
	c.SetParamValues(values...)
	return nil
}

// storable says whether a text can be kept in every database: UTF-8 without a NUL.
func storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

func canonicalQuery(r *http.Request, op *spec.Operation) error {
	if r.URL.RawQuery == "" {
		return nil
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return fault.Invalid("The query cannot be read")
	}
	changed := false
	for name, values := range query {
		kind, known := op.Query[name]
		if !known {
			continue
		}
		value := values[len(values)-1]
		if !storable(value) {
			return fault.Field(name, "must be plain text")
		}
		canonical := canonicalText(value, kind)
		switch {
		case canonical == "":
			query.Del(name)
			changed = true
		case canonical != value || len(values) > 1:
			query.Set(name, canonical)
			changed = true
		}
	}
	if changed {
		u := *r.URL
		u.RawQuery = query.Encode()
		r.URL = &u
	}
	return nil
}

// canonicalText rewrites the value of a query parameter. What makes no sense is left for the validator to refuse.
func canonicalText(value string, kind spec.FieldType) string {
	switch kind {
	case spec.FlagField, spec.BoolField:
		if v, ok := openapi.ParseFlag(value); ok {
			return strconv.FormatBool(v)
		}
		return strings.TrimSpace(value)
	case spec.IntField:
		return wholeNumber(strings.TrimSpace(value))
	}
	return value
}

// wholeNumber drops a fraction of zeros, which old clients write after times.
func wholeNumber(s string) string {
	if whole, fraction, ok := strings.Cut(s, "."); ok && whole != "" && strings.Trim(fraction, "0") == "" {
		return whole
	}
	return s
}

func canonicalBody(c echo.Context, op *spec.Operation) error {
	r := c.Request()
	if enc := strings.Join(r.Header.Values("Content-Encoding"), ""); enc != "" && !strings.EqualFold(enc, "identity") {
		return Refuse(http.StatusUnsupportedMediaType, "Compressed request bodies are not read; send the body as it is")
	}
	if !op.HasBody() && !op.Text {
		if _, err := readBody(c, MaxFormBytes); err != nil {
			return err
		}
		r.Body = http.NoBody
		r.ContentLength = 0
		r.Header.Del("Content-Type")
		return nil
	}
	if op.Streamed {
		holdUpload(c)
		return nil
	}
	limit := int64(MaxFormBytes)
	if op.Text {
		limit = MaxTextBytes
	}
	data, err := readBody(c, limit)
	if err != nil {
		return err
	}
	if op.Text {
		if !storable(string(data)) {
			return fault.Invalid("The body must be plain text")
		}
		setBody(r, data, "text/plain; charset=utf-8")
		c.Set(bodyKey, string(data))
		return nil
	}
	fields, err := parseFields(r, data)
	if err != nil {
		return err
	}
	if fields, err = canonicalFields(fields, r.URL.Query(), op); err != nil {
		return err
	}
	c.Set(bodyKey, fields)
	if data, err = json.Marshal(fields); err != nil {
		return fmt.Errorf("canonical body: %w", err)
	}
	setBody(r, data, "application/json")
	return nil
}

func readBody(c echo.Context, limit int64) ([]byte, error) {
	r := c.Request()
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	if r.ContentLength > limit { // nobody has to wait for it
		return nil, &http.MaxBytesError{Limit: limit}
	}
	data, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, limit))
	if err != nil {
		if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
			return nil, err
		}
		return nil, fault.Invalid("The body ended too early").Because(err)
	}
	// The answer may take as long as it likes. After an error the deadline stays: the HTTP server reads what is left of
	// a body before it answers.
	_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Time{})
	return data, nil
}

func setBody(r *http.Request, data []byte, contentType string) {
	r.Body = io.NopCloser(bytes.NewReader(data))
	r.ContentLength = int64(len(data))
	r.TransferEncoding = nil
	r.Header.Set("Content-Type", contentType)
}

// parseFields reads a body in whatever encoding it comes.
func parseFields(r *http.Request, data []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return map[string]any{}, nil
	}
	header := r.Header.Get("Content-Type")
	kind, params, err := mime.ParseMediaType(header)
	if header != "" && err != nil {
		return nil, unsupported(header)
	}
	// curl says that everything is a form, and some clients say nothing at all.
	looksLikeJSON := bytes.TrimLeft(data, " \t\r\n")[0] == '{'
	switch {
	case kind == "application/json", strings.HasSuffix(kind, "+json"):
		return parseJSON(data)
	case (kind == "" || kind == "application/x-www-form-urlencoded") && looksLikeJSON:
		return parseJSON(data)
	case kind == "", kind == "application/x-www-form-urlencoded":
		return parseForm(data)
	case kind == "multipart/form-data":
		return parseMultipart(data, params["boundary"])
	}
	return nil, unsupported(kind)
}

func unsupported(kind string) error {
	return Refuse(http.StatusUnsupportedMediaType, fmt.Sprintf("Content type %.100q is not read here; use "+
		"application/json, application/x-www-form-urlencoded or multipart/form-data", kind))
}

func parseJSON(data []byte) (map[string]any, error) {
	if !utf8.Valid(data) {
		return nil, fault.Invalid("The body is not UTF-8")
	}
	if tooDeep(data) {
		return nil, fault.Invalid("The JSON is nested too deeply")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var fields map[string]any
	if err := dec.Decode(&fields); err != nil {
		return nil, fault.Invalid("The body is not a JSON object").Because(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fault.Invalid("The body goes on after its JSON object")
	}
	if fields == nil {
		fields = map[string]any{}
	}
	if name, twice := repeated(data, len(fields)); twice {
		return nil, fault.Field(name, "must stand once")
	}
	return fields, nil
}

// repeated looks for a field that stands twice in a JSON object that has been read: readers differ in which one counts.
func repeated(object []byte, fields int) (name string, twice bool) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return "", false
	}
	seen := make(map[string]bool, fields)
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return "", false
		}
		name, _ := token.(string)
		if seen[name] {
			return name, true
		}
		seen[name] = true
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return "", false
		}
	}
	return "", false
}

// tooDeep finds out how deep a JSON text is without decoding it.
func tooDeep(data []byte) bool {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case inString && b == '\\':
			i++
		case b == '"':
			inString = !inString
		case inString:
		case b == '{' || b == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return false
}

func parseForm(data []byte) (map[string]any, error) {
	values, err := url.ParseQuery(string(data))
	if err != nil {
		return nil, fault.Invalid("The form cannot be read").Because(err)
	}
	return fieldsOf(values), nil
}

func parseMultipart(data []byte, boundary string) (map[string]any, error) {
	if boundary == "" {
		return nil, fault.Invalid("The form has no boundary")
	}
	reader := multipart.NewReader(bytes.NewReader(data), boundary)
	form, err := reader.ReadForm(MaxFormBytes)
	if err != nil {
		return nil, fault.Invalid("The form cannot be read").Because(err)
	}
	defer func() { _ = form.RemoveAll() }()
	return fieldsOf(form.Value), nil
}

func fieldsOf(values url.Values) map[string]any {
	fields := make(map[string]any, len(values))
	for name, list := range values {
		if strings.HasSuffix(name, "[]") {
			name = strings.TrimSuffix(name, "[]")
		} else if len(list) == 1 {
			fields[name] = list[0]
			continue
		}
		items := make([]any, len(list))
		for i, v := range list {
			items[i] = v
		}
		fields[name] = items
	}
	return fields
}
