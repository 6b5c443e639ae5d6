// Package spec compiles the description of the API: its operations in the form that the server needs, and what checks
// requests and answers against it.
//
// No exported type shows a type of the library that does it, in a field or in a method. Its generic types would be compiled
// again in every package that sees them, which took ten seconds each.
package spec

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi/datamodel/high/base"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
)

// Operation is one operation of the spec, in the form that the middleware needs.
type Operation struct {
	ID     string
	Method string
	Tags   []string
	Path   string // as in the spec: /api/user/{username}
	Route  string // as in Echo: /api/user/:username

	// Who may call it.
	Scopes      []string // any one suffices; none asks for an account only
	Open        bool     // nobody is asked who they are
	Optional    bool     // works without an account
	SessionOnly bool     // a token does not do
	Role        string   // only accounts with this role, whatever their scopes

	// What it takes.
	Own        bool // ours, not Lichess's: strict about its fields
	Compat     bool // form errors are written twice, as old Lichess clients read them
	OAuth      bool // errors of the request have the form of RFC 6749
	Text       bool // the body is plain text
	Streamed   bool // the body is read as it comes, by the operation itself
	Fields     map[string]FieldType
	Query      map[string]FieldType
	GameParams []string // path parameters that hold a game's id

	headers   []string // those that it reads itself, such as Idempotency-Key
	boundPath bool     // some path parameter is not a string, or one with bounds
	request   func(*http.Request) error
	answer    func(status int, header http.Header, body []byte) error
}

// Check says what is wrong with a canonical request: a *fault.Error that names each field.
func (o *Operation) Check(r *http.Request) error { return o.request(r) }

// CheckAnswer says what is wrong with an answer: a status or content type that the operation does not have, or a body
// that does not fit its schema. body is the whole body, or one line of a stream.
func (o *Operation) CheckAnswer(status int, header http.Header, body []byte) error {
	return o.answer(status, header, body)
}

// HasBody says whether the operation reads a body of fields.
func (op *Operation) HasBody() bool { return op.Fields != nil }

// FieldType is what a field of a form or a query holds.
type FieldType uint8

// The types of fields. A flag is a yes or no in a query, where it stays a string.
const (
	StringField FieldType = iota
	BoolField
	IntField
	NumberField
	ListField
	FlagField
)

// Document is the API description, compiled: its operations and the validator of requests.
type Document struct {
	ops  map[string]*Operation // by method, a space and Echo's route
	list []*Operation
}

// Load compiles an API description. It takes some 50 ms, so it is done once.
func Load(yaml []byte) (*Document, error) {
	doc, err := libopenapi.NewDocument(yaml)
	if err != nil {
		return nil, fmt.Errorf("api spec: %w", err)
	}
	model, err := doc.BuildV3Model()
	if err != nil {
		return nil, fmt.Errorf("api spec: %w", err)
	}
	s := &Document{ops: make(map[string]*Operation)}
	items := make(map[*Operation]*v3.PathItem)
	for path, item := range model.Model.Paths.PathItems.FromOldest() {
		for method, op := range item.GetOperations().FromOldest() {
			o, err := newOperation(path, method, op)
			if err != nil {
				return nil, fmt.Errorf("api spec: %s %s: %w", strings.ToUpper(method), path, err)
			}
			items[o] = item
			s.ops[o.Method+" "+o.Route] = o
			s.list = append(s.list, o)
		}
	}
	// Only now: it compiles every schema that newOperation has left in the model.
	checks := validator.NewValidatorFromV3Model(&model.Model, config.WithoutSecurityValidation())
	for o, item := range items {
		o.request = requestCheck(checks, o, item)
	}
	return s, nil
}

// Lookup returns the operation that Echo routed to, nil if the route is not in the spec.
func (s *Document) Lookup(method, route string) *Operation { return s.ops[method+" "+route] }

// Operations returns all operations in the order of the spec. The slice must not be changed.
func (s *Document) Operations() []*Operation { return s.list }

func newOperation(path, method string, op *v3.Operation) (*Operation, error) {
	if op.OperationId == "" {
		return nil, errors.New("no operationId")
	}
	o := &Operation{
		ID:     op.OperationId,
		Method: strings.ToUpper(method),
		Tags:   op.Tags,
		Path:   path,
		Route:  strings.NewReplacer("{", ":", "}", "").Replace(path),
		Own:    strings.HasPrefix(op.Summary, "Hoplite:"),
		Query:  make(map[string]FieldType),
		answer: answerCheck(op.Responses),
	}
	// Answers are checked by tests only. The validator would compile their schemas at every start.
	op.Responses = nil
	if ext, ok := op.Extensions.Get("x-error-style"); ok {
		o.Compat, o.OAuth = ext.Value == "compat", ext.Value == "oauth"
	}
	if err := readSecurity(o, op.Security); err != nil {
		return nil, err
	}
	if ext, ok := op.Extensions.Get("x-role"); ok {
		if o.Role = ext.Value; !o.SessionOnly {
			return nil, errors.New("x-role asks for a session")
		}
	}
	for _, p := range op.Parameters {
		kind := fieldType(p.Schema)
		switch p.In {
		case "query":
			o.Query[p.Name] = kind
		case "header":
			o.headers = append(o.headers, p.Name)
		case "path":
			o.boundPath = o.boundPath || kind != StringField || bounded(p.Schema.Schema())
			if _, ok := p.Extensions.Get("x-game-id"); ok {
				o.GameParams = append(o.GameParams, p.Name)
			}
		}
	}
	return o, readBody(o, op.RequestBody)
}

func bounded(s *base.Schema) bool {
	return s.MinLength != nil || s.MaxLength != nil || len(s.Enum) > 0 || s.Pattern != ""
}

func readSecurity(o *Operation, reqs []*base.SecurityRequirement) error {
	if reqs == nil {
		return errors.New("no security")
	}
	o.Open = len(reqs) == 0
	o.SessionOnly = !o.Open
	for _, req := range reqs {
		if req.ContainsEmptyRequirement || req.Requirements.Len() == 0 {
			o.Optional = true
			continue
		}
		if scopes, ok := req.Requirements.Get("token"); ok {
			o.SessionOnly = false
			o.Scopes = append(o.Scopes, scopes...)
		}
	}
	return nil
}

func readBody(o *Operation, body *v3.RequestBody) error {
	if body == nil {
		return nil
	}
	if _, ok := body.Content.Get("text/plain"); ok {
		o.Text = true
		if ext, ok := body.Extensions.Get("x-streamed-body"); ok {
			o.Streamed = ext.Value == "true"
		}
		return nil
	}
	content, ok := body.Content.Get("application/json")
	if !ok {
		return errors.New("the body has neither application/json nor text/plain")
	}
	// Forms are JSON by the time that they are checked.
	body.Content.Delete("application/x-www-form-urlencoded")
	o.Fields = make(map[string]FieldType)
	for name, field := range content.Schema.Schema().Properties.FromOldest() {
		o.Fields[name] = fieldType(field)
	}
	return nil
}

func fieldType(proxy *base.SchemaProxy) FieldType {
	if proxy == nil {
		return StringField
	}
	schema := proxy.Schema()
	if strings.HasSuffix(proxy.GetReference(), "/Flag") {
		return FlagField
	}
	switch {
	case slices.Contains(schema.Type, "boolean"):
		return BoolField
	case slices.Contains(schema.Type, "integer"):
		return IntField
	case slices.Contains(schema.Type, "number"):
		return NumberField
	case slices.Contains(schema.Type, "array"):
		return ListField
	}
	return StringField
}

// Accepts returns the scopes that the operation takes, as the header X-Accepted-OAuth-Scopes names them.
func (o *Operation) Accepts() string { return strings.Join(o.Scopes, ", ") }

// ReadOnly says whether the operation only reads.
func (o *Operation) ReadOnly() bool { return o.Method == http.MethodGet || o.Method == http.MethodHead }
