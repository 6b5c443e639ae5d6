package api_test

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHeaderParameters: a key that says nothing is refused, since its caller believes that the action has one.
func TestHeaderParameters(t *testing.T) {
	t.Parallel()
	e := newGate(t)
	for _, tt := range []struct {
		name   string
		keys   []string
		status int
		want   string
	}{
		{"none", nil, 200, ""},
		{"one", []string{"a"}, 200, ""},
		{"an empty one", []string{""}, 400, `{"error":{"Idempotency-Key":["must not be empty"]}}`},
		{"a blank one", []string{" "}, 400, `{"error":{"Idempotency-Key":["must not be empty"]}}`},
		{"two", []string{"a", "b"}, 400, `{"error":{"Idempotency-Key":["must be sent once"]}}`},
		{"a long one", []string{strings.Repeat("a", 65)}, 400, `{"error":{"Idempotency-Key":["must have at most 64 characters"]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("POST", "http://localhost/api/board/game/abcd1234/resign", nil)
			r.Header.Set("Authorization", "Bearer all")
			for _, key := range tt.keys {
				r.Header.Add("Idempotency-Key", key)
			}
			if w := record(e, r); w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
				t.Errorf("status %d: %swant %d: %s", w.Code, w.Body, tt.status, tt.want)
			}
		})
	}
}

// TestPathBounds: a path parameter is held to what the spec says about it.
func TestPathBounds(t *testing.T) {
	t.Parallel()
	e := newGate(t)
	for _, tt := range []struct {
		path   string
		status int
	}{
		{"/api/board/game/abcd1234/claim/count-start", 200},
		{"/api/board/game/abcd1234/claim/" + strings.Repeat("a", 41), 400},
		{"/api/round/abcd1234/add-time/15", 200},
		{"/api/round/abcd1234/add-time/4", 400},
		{"/api/round/abcd1234/add-time/NaN", 400},
		{"/api/round/abcd1234/add-time/1e999", 400},
		{"/api/round/abcd1234/add-time/99999999999999999999", 400},
	} {
		if w := (request{"POST", tt.path, "", "", "all"}).send(e); w.Code != tt.status {
			t.Errorf("%s: status %d: %s", tt.path, w.Code, w.Body)
		}
	}
}
