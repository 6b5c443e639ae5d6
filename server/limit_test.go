package server_test

import (
	"strings"
	"testing"

	"hoplite/openapi"
	"hoplite/server/limits"
	"hoplite/server/servertest"
)

// TestLimitsAreDocumented holds the rules against the spec: each is for an operation that exists, by a name that the
// description explains, and none touches a running game.
func TestLimitsAreDocumented(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	known := map[string]bool{}
	for _, op := range s.Document().Operations() {
		known[op.ID] = true
	}
	_, text, _ := strings.Cut(string(openapi.Spec()), "**Limits.**")
	text, _, _ = strings.Cut(text, "**Who is calling.**")
	for id, uses := range limits.Uses() {
		if !known[id] {
			t.Errorf("limits for %s, which does not exist", id)
		}
		if strings.HasPrefix(id, "botGame") || strings.HasPrefix(id, "boardGame") || id == "apiAccountPlaying" {
			t.Errorf("%s is limited; a client that waits there loses its game", id)
		}
		for _, use := range uses {
			if !strings.Contains(text, "`"+use.Rule.Name+"`") {
				t.Errorf("the description does not explain the limit %s", use.Rule.Name)
			}
		}
	}
}
