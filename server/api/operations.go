package api

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
	Path   string // as in the spec: /api/user/{username}
	Route  string // as in Echo: /api/user/:username

	// Who may call it.
	Scopes      []string // any one suffices; none asks for an account only
	Open        bool     // nobody is asked who they are
	Optional    bool     // works without an account
	SessionOnly bool     // a token does not do

	// What it takes.
	Own        bool // ours, not Lichess's: strict about its fields
	Compat     bool // form errors are written twice, as old Lichess clients read them
	OAuth      bool // errors of the request have the form of RFC 6749
	Text       bool // the body is plain text
	Fields     map[string]FieldType
	Query      map[string]FieldType
	GameParams []string // path parameters that hold a game's id

	typedPath bool // some path parameter is not a string
	item      *v3.PathItem
	responses *v3.Responses
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
	ops       map[string]*Operation // by method, a space and Echo's route
	list      []*Operation
	validator validator.Validator
}

// LoadDocument compiles an API description. It takes some 50 ms, so it is done once.
func LoadDocument(yaml []byte) (*Document, error) {
	doc, err := libopenapi.NewDocument(yaml)
	if err != nil {
		return nil, fmt.Errorf("api spec: %w", err)
	}
	model, err := doc.BuildV3Model()
	if err != nil {
		return nil, fmt.Errorf("api spec: %w", err)
	}
	s := &Document{ops: make(map[string]*Operation)}
	for path, item := range model.Model.Paths.PathItems.FromOldest() {
		for method, op := range item.GetOperations().FromOldest() {
			o, err := newOperation(path, method, item, op)
			if err != nil {
				return nil, fmt.Errorf("api spec: %s %s: %w", strings.ToUpper(method), path, err)
			}
			s.ops[o.Method+" "+o.Route] = o
			s.list = append(s.list, o)
		}
	}
	s.validator = validator.NewValidatorFromV3Model(&model.Model, config.WithoutSecurityValidation())
	return s, nil
}

// Lookup returns the operation that Echo routed to, nil if the route is not in the spec.
func (s *Document) Lookup(method, route string) *Operation { return s.ops[method+" "+route] }

// Operations returns all operations in the order of the spec. The slice must not be changed.
func (s *Document) Operations() []*Operation { return s.list }

func newOperation(path, method string, item *v3.PathItem, op *v3.Operation) (*Operation, error) {
	if op.OperationId == "" {
		return nil, errors.New("no operationId")
	}
	o := &Operation{
		ID:     op.OperationId,
		Method: strings.ToUpper(method),
		Path:   path,
		Route:  strings.NewReplacer("{", ":", "}", "").Replace(path),
		Own:    strings.HasPrefix(op.Summary, "Hoplite:"),
		Query:  make(map[string]FieldType),
		item:   item,
		// Answers are checked by tests only. The validator would compile their schemas at every start.
		responses: op.Responses,
	}
	op.Responses = nil
	if ext, ok := op.Extensions.Get("x-error-style"); ok {
		o.Compat, o.OAuth = ext.Value == "compat", ext.Value == "oauth"
	}
	if err := o.readSecurity(op.Security); err != nil {
		return nil, err
	}
	for _, p := range op.Parameters {
		kind := fieldType(p.Schema)
		switch p.In {
		case "query":
			o.Query[p.Name] = kind
		case "path":
			o.typedPath = o.typedPath || kind != StringField
			if _, ok := p.Extensions.Get("x-game-id"); ok {
				o.GameParams = append(o.GameParams, p.Name)
			}
		}
	}
	return o, o.readBody(op.RequestBody)
}

func (o *Operation) readSecurity(reqs []*base.SecurityRequirement) error {
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

func (o *Operation) readBody(body *v3.RequestBody) error {
	if body == nil {
		return nil
	}
	if _, ok := body.Content.Get("text/plain"); ok {
		o.Text = true
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
