package ws_test

import (
	"bytes"
	"encoding/json"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"hoplite/openapi"
	"hoplite/openapi/frames"
)

// schemas compiles the payload of every message of asyncapi.yaml, by type of frame.
var schemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	var doc struct {
		Components struct {
			Messages map[string]struct{ Name string }
		}
	}
	for name, text := range map[string][]byte{"asyncapi.yaml": openapi.SocketSpec(), "openapi.yaml": openapi.Spec()} {
		var tree any
		if err := yaml.Unmarshal(text, &tree); err != nil {
			return nil, err
		}
		data, err := json.Marshal(tree)
		if err != nil {
			return nil, err
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if err := c.AddResource("http://spec/"+name, value); err != nil {
			return nil, err
		}
	}
	if err := yaml.Unmarshal(openapi.SocketSpec(), &doc); err != nil {
		return nil, err
	}
	compiled := map[string]*jsonschema.Schema{}
	for key, m := range doc.Components.Messages {
		s, err := c.Compile("http://spec/asyncapi.yaml#/components/messages/" + key + "/payload")
		if err != nil {
			return nil, err
		}
		compiled[m.Name] = s
	}
	return compiled, nil
})

// fits holds a frame of the server against its description.
func fits(t testing.TB, f frames.Frame, data []byte) {
	t.Helper()
	all, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	s := all[f.T]
	if s == nil {
		t.Errorf("the server sends %s, which is not described", f.T)
	} else if err := s.Validate(value); err != nil {
		t.Errorf("not as described: %v\n%s", err, data)
	}
}
