package server_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/server/limits"
	"hoplite/server/servertest"
)

// TestLimitsAreDocumented holds the rules against the spec: each is for an operation that exists, by a name that the
// documentation explains, and none touches a running game.
func TestLimitsAreDocumented(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	known := map[string]bool{}
	for _, op := range s.Document().Operations() {
		known[op.ID] = true
	}
	page, err := os.ReadFile("../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for id, uses := range limits.Uses() {
		if !known[id] {
			t.Errorf("limits for %s, which does not exist", id)
		}
		if strings.HasPrefix(id, "botGame") || strings.HasPrefix(id, "boardGame") || id == "apiAccountPlaying" {
			t.Errorf("%s is limited; a client that waits there loses its game", id)
		}
		for _, use := range uses {
			if !strings.Contains(text, "`"+use.Rule.Name+"`") {
				t.Errorf("docs/security.md does not explain the limit %s", use.Rule.Name)
			}
		}
	}
}

// TestLimitList asks a server for its limits, and hits one of those that it lists.
func TestLimitList(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	c, err := client.New(client.BaseURL(s.URL), client.HTTPClient(s.Client()), client.WithRetry(client.Retry{}))
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.Limits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]openapi.LimitRule{}
	for _, r := range list {
		rules[r.Name] = r
	}
	for id, uses := range limits.Uses() {
		for _, use := range uses {
			r, ok := rules[use.Rule.Name]
			if !ok || !slices.Contains(r.Operations, id) || r.Most != use.Rule.Burst || r.InForce != use.Rule.Guards {
				t.Errorf("%s: %s is listed as %+v", id, use.Rule.Name, r)
			}
		}
	}
	for range rules["token.test"].Most / 1000 {
		if _, err := c.Tokens.Test(t.Context(), slices.Repeat([]string{"lip_x"}, 1000)...); err != nil {
			t.Fatal(err)
		}
	}
	// Meanwhile some have come back, but not a thousand.
	_, err = c.Tokens.Test(t.Context(), slices.Repeat([]string{"lip_x"}, 1000)...)
	if e, ok := errors.AsType[*client.RateLimitError](err); !ok || e.Key != "token.test" {
		t.Errorf("beyond the limit: %v", err)
	}
}
