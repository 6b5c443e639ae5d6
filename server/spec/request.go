package spec

import (
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"github.com/pb33f/jsonschema/v6"
	"github.com/pb33f/jsonschema/v6/kind"
	validator "github.com/pb33f/libopenapi-validator"
	verrors "github.com/pb33f/libopenapi-validator/errors"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"

	"hoplite/server/fault"
)

// requestCheck returns what checks the requests of an operation.
func requestCheck(checks validator.Validator, op *Operation, item *v3.PathItem) func(*http.Request) error {
	params, body := checks.GetParameterValidator(), checks.GetRequestBodyValidator()
	return func(r *http.Request) error {
		if err := checkHeaders(r.Header, op); err != nil {
			return err
		}
		var found []*verrors.ValidationError
		note := func(_ bool, errs []*verrors.ValidationError) { found = append(found, errs...) }
		note(params.ValidateQueryParamsWithPathItem(r, item, op.Path))
		note(params.ValidateHeaderParamsWithPathItem(r, item, op.Path))
		// Other path parameters are strings without bounds: what they name exists or does not.
		if op.boundPath {
			note(params.ValidatePathParamsWithPathItem(r, item, op.Path))
		}
		if op.HasBody() {
			note(body.ValidateRequestBodyWithPathItem(r, item, op.Path))
		}
		if len(found) == 0 {
			return nil
		}
		return complaint(found)
	}
}

// checkHeaders refuses headers that are there and say nothing, or more than one thing: the validator takes the first
// for absent, and the caller of an action believes that it has a key.
func checkHeaders(header http.Header, op *Operation) error {
	for _, name := range op.headers {
		switch values := header.Values(name); {
		case len(values) > 1:
			return fault.Field(name, "must be sent once")
		case len(values) == 1 && strings.TrimSpace(values[0]) == "":
			return fault.Field(name, "must not be empty")
		}
	}
	return nil
}

// globalField holds complaints about a form as a whole.
const globalField = "global"

func complaint(found []*verrors.ValidationError) error {
	out := &fault.Error{Kind: fault.KindInvalid}
	add := func(name, text string) {
		if !slices.Contains(out.Fields[name], text) {
			out.AddField(name, text)
		}
	}
	for _, e := range found {
		if len(e.SchemaValidationErrors) == 0 {
			add(orGlobal(e.ParameterName), "is not valid")
			continue
		}
		seen := map[*jsonschema.ValidationError]bool{}
		for _, s := range e.SchemaValidationErrors {
			if s.OriginalJsonSchemaError == nil {
				add(orGlobal(e.ParameterName), paramText(e, s))
				continue
			}
			if root := s.OriginalJsonSchemaError; !seen[root] {
				seen[root] = true
				leaves(root, func(leaf *jsonschema.ValidationError) { describe(leaf, e.ParameterName, add) })
			}
		}
	}
	return out
}

func orGlobal(name string) string {
	if name == "" {
		return globalField
	}
	return name
}

func paramText(e *verrors.ValidationError, s *verrors.SchemaValidationFailure) string {
	switch {
	case strings.Contains(e.Message, "missing"):
		return "is required"
	case strings.HasSuffix(s.KeywordLocation, "/type"):
		return "must be a number"
	}
	if _, values, ok := strings.Cut(s.Reason, "enum values: ["); ok {
		return "must be one of: " + strings.TrimSuffix(values, "]")
	}
	return "is not valid"
}

// leaves visits the errors that say what is wrong; those above them only say where.
func leaves(e *jsonschema.ValidationError, visit func(*jsonschema.ValidationError)) {
	if len(e.Causes) == 0 {
		visit(e)
		return
	}
	for _, cause := range e.Causes {
		leaves(cause, visit)
	}
}

func describe(e *jsonschema.ValidationError, param string, add func(name, text string)) {
	name, within := param, ""
	if name == "" {
		name = fieldName(e.InstanceLocation)
	}
	if name != "" && param == "" {
		within = name + "."
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, missing := range k.Missing {
			add(within+missing, "is required")
		}
	case *kind.AdditionalProperties:
		for _, extra := range k.Properties {
			add(within+extra, "is not a field of this request")
		}
	default:
		add(orGlobal(name), kindText(k))
	}
}

// fieldName names a field, with the objects that hold it and a dot between them. An item of a list has the list's name.
func fieldName(location []string) string {
	if i := slices.IndexFunc(location, isIndex); i >= 0 {
		location = location[:i]
	}
	return strings.Join(location, ".")
}

func isIndex(part string) bool { return part != "" && strings.Trim(part, "0123456789") == "" }

func kindText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return "must be " + typeNames(k.Want)
	case *kind.Enum:
		return "must be one of: " + strings.Join(enumTexts(k.Want), ", ")
	case *kind.Const:
		return fmt.Sprintf("must be %v", k.Want)
	case *kind.Minimum:
		return "must be at least " + number(k.Want)
	case *kind.Maximum:
		return "must be at most " + number(k.Want)
	case *kind.MinLength:
		if k.Want == 1 {
			return "must not be empty"
		}
		return fmt.Sprintf("must have at least %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d items", k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d items", k.Want)
	}
	return "is not valid"
}

func typeNames(types []string) string {
	names := make([]string, len(types))
	for i, t := range types {
		switch t {
		case "integer":
			names[i] = "a whole number"
		case "boolean":
			names[i] = "true or false"
		case "array":
			names[i] = "a list"
		case "null":
			names[i] = "null"
		default:
			names[i] = "a " + t
		}
	}
	return strings.Join(names, " or ")
}

func enumTexts(values []any) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return texts
}

func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return r.FloatString(2)
}
