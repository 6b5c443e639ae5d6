package api

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/spec"
)

// canonicalFields drops what is unset and gives each field the type that the spec names. What cannot be converted
// stays as it is for the validator to refuse. Lichess reads fields from the query too, so its operations do here.
func canonicalFields(fields map[string]any, query url.Values, op *spec.Operation) (map[string]any, error) {
	if !op.Own && !op.OAuth { // RFC 6749 §3.2: secrets do not stand in an address
		for name, values := range query {
			if _, known := op.Fields[name]; !known {
				continue
			}
			if _, sent := fields[name]; !sent && len(values) > 0 {
				fields[name] = values[len(values)-1]
			}
		}
	}
	out := make(map[string]any, len(fields))
	for name, value := range fields {
		if value == nil || value == "" {
			continue
		}
		if !storable(name) || !storableValue(value) {
			return nil, fault.Field(strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), ""),
				"must be plain text")
		}
		if !finite(value) {
			return nil, fault.Field(name, "must have no number beyond all bounds")
		}
		kind, known := op.Fields[name]
		if !known {
			if op.Own {
				out[name] = value
			}
			continue
		}
		if value = canonicalValue(value, kind); value != nil {
			out[name] = value
		}
	}
	return out, nil
}

// storableValue looks for text that no database keeps, at any depth.
func storableValue(value any) bool {
	switch v := value.(type) {
	case string:
		return storable(v)
	case []any:
		for _, item := range v {
			if !storableValue(item) {
				return false
			}
		}
	case map[string]any:
		for name, item := range v {
			if !storable(name) || !storableValue(item) {
				return false
			}
		}
	}
	return true
}

// finite looks for numbers that no reader of JSON keeps, at any depth.
func finite(value any) bool {
	switch v := value.(type) {
	case json.Number:
		_, err := v.Float64()
		return err == nil
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !finite(item) })
	case map[string]any:
		for _, item := range v {
			if !finite(item) {
				return false
			}
		}
	}
	return true
}

func canonicalValue(value any, kind spec.FieldType) any {
	switch kind {
	case spec.BoolField:
		return canonicalBool(value)
	case spec.IntField, spec.NumberField:
		return canonicalNumber(value, kind)
	case spec.ListField:
		if text, ok := value.(string); ok {
			return splitList(text)
		}
	case spec.StringField:
		return canonicalString(value)
	}
	return value
}

func canonicalBool(value any) any {
	text := ""
	switch v := value.(type) {
	case string:
		if text = strings.TrimSpace(v); text == "" {
			return nil
		}
	case json.Number:
		text = v.String()
	default:
		return value
	}
	if b, ok := openapi.ParseFlag(text); ok {
		return b
	}
	return value
}

func canonicalNumber(value any, kind spec.FieldType) any {
	text := ""
	switch v := value.(type) {
	case string:
		text = strings.TrimSpace(v)
	case json.Number:
		text = v.String()
	default:
		return value
	}
	if text == "" {
		return nil
	}
	if kind == spec.IntField {
		text = wholeNumber(text)
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
		return value
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && f-f == 0 { // not infinite, not NaN
		return f
	}
	return value
}

// canonicalString joins lists by commas, as forms write them, and writes numbers out.
func canonicalString(value any) any {
	switch v := value.(type) {
	case json.Number:
		return v.String()
	case []any:
		parts := make([]string, 0, len(v))
		for _, item := range v {
			text, ok := item.(string)
			if !ok {
				return value
			}
			parts = append(parts, text)
		}
		if len(parts) == 0 {
			return nil
		}
		return strings.Join(parts, ",")
	}
	return value
}

func splitList(text string) []any {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' || r == '\r' })
	list := make([]any, len(parts))
	for i, p := range parts {
		list[i] = p
	}
	return list
}

// SplitNames splits a text body of names, ids or tokens at commas and white space, without empty items.
func SplitNames(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' || r == ' ' || r == '\t' })
}
