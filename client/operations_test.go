package client_test

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/openapi/frames"
)

// operation is what the specification says about one call.
type operation struct {
	method, path, id string
	pattern          *regexp.Regexp
}

func operations(t *testing.T) []operation {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `yaml:"operationId"`
		} `yaml:"paths"`
	}
	if err := yaml.Unmarshal(openapi.Spec(), &doc); err != nil {
		t.Fatal(err)
	}
	variable := regexp.MustCompile(`\\\{[^}]*\\\}`)
	var ops []operation
	for path, methods := range doc.Paths {
		pattern := regexp.MustCompile("^" + variable.ReplaceAllString(regexp.QuoteMeta(path), `([^/]+)`) + "$")
		for method, op := range methods {
			if op.OperationID != "" {
				ops = append(ops, operation{strings.ToUpper(method), path, op.OperationID, pattern})
			}
		}
	}
	// Fixed paths win over those with a variable, as in the router.
	slices.SortFunc(ops, func(a, b operation) int {
		return strings.Count(a.path, "{") - strings.Count(b.path, "{")
	})
	return ops
}

// TestEveryOperationHasAMethod calls every method of every service and sees
// which operations of the specification were asked for. A request that the
// specification does not know fails as well.
func TestEveryOperationHasAMethod(t *testing.T) {
	t.Parallel()
	ops := operations(t)
	var mu sync.Mutex
	asked := map[string]bool{}
	var strays []string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == frames.Path {
			// The websocket has a description of its own, asyncapi.yaml.
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		i := slices.IndexFunc(ops, func(o operation) bool { return o.method == r.Method && o.pattern.MatchString(r.URL.Path) })
		if i < 0 {
			strays = append(strays, r.Method+" "+r.URL.Path)
		} else {
			asked[ops[i].id] = true
		}
		io.WriteString(w, "{}")
	}, client.WithRetry(client.Retry{}))
	services := reflect.ValueOf(c).Elem()
	for i := range services.NumField() {
		if services.Type().Field(i).IsExported() {
			callAll(t, services.Field(i))
		}
	}
	callAll(t, reflect.ValueOf(c))
	for _, o := range ops {
		if !asked[o.id] {
			t.Errorf("no method calls %s %s (%s)", o.method, o.path, o.id)
		}
	}
	for _, s := range strays {
		t.Errorf("request %s is not in the specification", s)
	}
}

// callAll calls the methods of a service with made-up arguments and drains the
// streams that they return.
func callAll(t *testing.T, service reflect.Value) {
	t.Helper()
	for i := range service.NumMethod() {
		m := service.Method(i)
		mt := m.Type()
		if mt.NumIn() == 0 {
			continue // an accessor
		}
		var args []reflect.Value
		for j := range mt.NumIn() {
			if mt.IsVariadic() && j == mt.NumIn()-1 {
				break
			}
			args = append(args, argument(t, mt.In(j)))
		}
		for _, out := range m.Call(args) {
			if out.Kind() != reflect.Func || out.IsNil() {
				continue
			}
			yield := reflect.MakeFunc(out.Type().In(0), func([]reflect.Value) []reflect.Value {
				return []reflect.Value{reflect.ValueOf(false)}
			})
			out.Call([]reflect.Value{yield})
		}
	}
}

func argument(t *testing.T, typ reflect.Type) reflect.Value {
	t.Helper()
	switch {
	case typ == reflect.TypeFor[context.Context]():
		return reflect.ValueOf(t.Context())
	case typ == reflect.TypeFor[io.ReadCloser]():
		return reflect.ValueOf(http.NoBody)
	case typ.Kind() == reflect.Interface:
		return reflect.ValueOf(io.Discard)
	case typ.Kind() == reflect.String:
		return reflect.ValueOf("abcd1234").Convert(typ)
	case typ.Kind() == reflect.Int:
		return reflect.ValueOf(10)
	case typ == reflect.TypeFor[openapi.SeekForm]():
		return reflect.ValueOf(openapi.SeekForm{Days: 1})
	}
	return reflect.Zero(typ)
}
