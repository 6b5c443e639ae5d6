package openapi_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"hoplite/openapi"
	"hoplite/openapi/frames"
)

// schema is the part of a schema that the tests look at.
type schema struct {
	Ref        string            `yaml:"$ref"`
	Required   []string          `yaml:"required"`
	Properties map[string]schema `yaml:"properties"`
	Enum       []string          `yaml:"enum"`
	Const      string            `yaml:"const"`
	Items      *schema           `yaml:"items"`
	OneOf      []schema          `yaml:"oneOf"`
}

type socketMessage struct {
	Name     string
	Payload  schema
	Summary  string
	Examples []struct{ Payload map[string]any }
}

type socketDocument struct {
	Asyncapi   string
	Operations map[string]struct {
		Action   string
		Messages []schema
	}
	Channels map[string]struct {
		Address  string
		Messages map[string]schema
	}
	Components struct {
		Messages map[string]socketMessage
		Schemas  map[string]schema
	}
}

func socketSpec(t *testing.T) socketDocument {
	t.Helper()
	var doc socketDocument
	if err := yaml.Unmarshal(openapi.SocketSpec(), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestFramesAreDescribed holds the types of frame and asyncapi.yaml together, both ways and field by field.
func TestFramesAreDescribed(t *testing.T) {
	t.Parallel()
	doc := socketSpec(t)
	if got := doc.Channels["socket"].Address; got != frames.Path {
		t.Errorf("the channel's address is %s, want %s", got, frames.Path)
	}
	sent := map[string]string{}
	for name, from := range map[string]string{"fromClient": frames.FromClient, "fromServer": frames.FromServer} {
		for _, m := range doc.Operations[name].Messages {
			sent[m.Ref[strings.LastIndexByte(m.Ref, '/')+1:]] = from
		}
	}
	described := map[string]string{}
	for key, m := range doc.Components.Messages {
		described[m.Name] = key
		if doc.Channels["socket"].Messages[key].Ref != "#/components/messages/"+key {
			t.Errorf("the channel lacks the message %s", key)
		}
		if m.Summary == "" || len(m.Examples) == 0 {
			t.Errorf("%s lacks a summary or an example", key)
		}
	}
	seen := map[string]bool{}
	for _, f := range frames.Types() {
		key, ok := described[f.T]
		if !ok {
			t.Errorf("%s is not described", f.T)
			continue
		}
		delete(described, f.T)
		m := doc.Components.Messages[key]
		if sent[key] != f.From || m.Payload.Properties["t"].Const != f.T {
			t.Errorf("%s: sent by %q with t %q, want %q", f.T, sent[key], m.Payload.Properties["t"].Const, f.From)
		}
		fits(t, doc, f.T, reflect.TypeOf(f.D), m.Payload.Properties["d"], seen)
		for _, e := range m.Examples {
			exampleFits(t, f, e.Payload)
		}
	}
	for name := range described {
		t.Errorf("%s is described and does not exist", name)
	}
	if got := doc.Components.Schemas["Code"].Enum; !slices.Equal(got, frames.Codes()) {
		t.Errorf("codes %v, want %v", got, frames.Codes())
	}
}

// fits compares a struct with its schema, and the structs in it with theirs.
func fits(t *testing.T, doc socketDocument, where string, typ reflect.Type, s schema, seen map[string]bool) {
	t.Helper()
	name, ours := strings.CutPrefix(s.Ref, "#/components/schemas/")
	if !ours || seen[name] {
		return
	}
	seen[name] = true
	s = doc.Components.Schemas[name]
	missing := map[string]bool{}
	for field := range s.Properties {
		missing[field] = true
	}
	for i := range typ.NumField() {
		field := typ.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		property, ok := s.Properties[tag]
		if !ok {
			t.Errorf("%s: %s has no property %s", where, name, tag)
			continue
		}
		delete(missing, tag)
		if required := slices.Contains(s.Required, tag); required == strings.HasPrefix(options, "omit") {
			t.Errorf("%s: %s.%s is required: %t, but its options are %q", where, name, tag, required, options)
		}
		switch {
		case property.Items != nil:
			property = *property.Items
		case len(property.OneOf) > 0:
			property = property.OneOf[0]
		}
		inner := field.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && inner.PkgPath() == typ.PkgPath() {
			fits(t, doc, where, inner, property, seen)
		}
	}
	for field := range missing {
		t.Errorf("%s: %s.%s is described and does not exist", where, name, field)
	}
}

// exampleFits reads an example as its frame and writes it again.
func exampleFits(t *testing.T, f frames.Type, example map[string]any) {
	t.Helper()
	data, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	var frame frames.Frame
	if err := json.Unmarshal(data, &frame); err != nil {
		t.Fatalf("%s: %v", f.T, err)
	}
	d := reflect.New(reflect.TypeOf(f.D))
	dec := json.NewDecoder(strings.NewReader(string(frame.D)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(d.Interface()); err != nil {
		t.Errorf("%s: the example does not fit: %v", f.T, err)
		return
	}
	written, err := json.Marshal(d.Interface())
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if json.Unmarshal(written, &got) != nil || json.Unmarshal(frame.D, &want) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: the example reads back as %s, want %s", f.T, written, frame.D)
	}
}
