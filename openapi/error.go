package openapi

import (
	"encoding/json"
	"errors"
	"sort"
	"strings"
)

// ErrorDetail is the field "error" of an error answer: a sentence, or sentences by field. Exactly one of the two
// is set.
type ErrorDetail struct {
	Text   string
	Fields map[string][]string
}

// MarshalJSON writes a string or an object, as the detail has one or the other.
func (d ErrorDetail) MarshalJSON() ([]byte, error) {
	if d.Fields != nil {
		return json.Marshal(d.Fields)
	}
	return json.Marshal(d.Text)
}

// UnmarshalJSON reads either form. A field whose value is a single string, as some servers send, counts as a list
// of one.
func (d *ErrorDetail) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*d = ErrorDetail{Text: text}
		return nil
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return errors.New("error detail is neither a string nor an object")
	}
	fields := make(map[string][]string, len(raw))
	for name, value := range raw {
		var list []string
		if json.Unmarshal(value, &list) != nil {
			var one string
			if err := json.Unmarshal(value, &one); err != nil {
				return err
			}
			list = []string{one}
		}
		fields[name] = list
	}
	*d = ErrorDetail{Fields: fields}
	return nil
}

// String joins the fields, in the order of their names, into one line.
func (d ErrorDetail) String() string {
	if d.Fields == nil {
		return d.Text
	}
	names := make([]string, 0, len(d.Fields))
	for name := range d.Fields {
		names = append(names, name)
	}
	sort.Strings(names)
	parts := make([]string, 0, len(names))
	for _, name := range names {
		parts = append(parts, name+": "+strings.Join(d.Fields[name], ", "))
	}
	return strings.Join(parts, "; ")
}
