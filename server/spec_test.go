package server_test

import (
	"strings"
	"testing"

	"hoplite/server/servertest"
)

// TestRoutesAreTheSpec holds routes and spec together: what is described is served, what is served is described.
func TestRoutesAreTheSpec(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	routes := map[string]bool{}
	for _, r := range s.Server.Routes() {
		routes[r.Method+" "+r.Path] = true
	}
	outside := map[string]bool{
		"GET /docs/openapi.yaml": true, "GET /docs/asyncapi.yaml": true, "GET /docs/asyncapi.json": true, "GET /api/ws": true,
	}
	for _, op := range s.Document().Operations() {
		key := op.Method + " " + op.Route
		if !routes[key] {
			t.Errorf("%s is described and not served", key)
		}
		delete(routes, key)
	}
	for key := range routes {
		if !outside[key] {
			t.Errorf("%s is served and not described", key)
		}
	}
}

// TestOperationsAreDescribed asks of every operation what the gate and the docs page need.
func TestOperationsAreDescribed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	scopes := map[string]bool{}
	for _, scope := range strings.Fields("preference:read preference:write email:read engine:read engine:write challenge:read challenge:write " +
		"puzzle:read puzzle:write follow:read follow:write board:play bot:play") {
		scopes[scope] = true
	}
	seen := map[string]bool{}
	for _, op := range s.Document().Operations() {
		if seen[op.ID] {
			t.Errorf("the id %s stands twice", op.ID)
		}
		seen[op.ID] = true
		for _, scope := range op.Scopes {
			if !scopes[scope] {
				t.Errorf("%s asks for the unknown scope %s", op.ID, scope)
			}
		}
	}
}
