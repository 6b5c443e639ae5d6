package auth

import (
	"testing"
	"time"

	"hoplite/store/storetest"
)

// TestStreamsOfGoneCredentials: what another process revokes, or a node that cannot be heard, and what runs out, ends
// its streams nevertheless.
func TestStreamsOfGoneCredentials(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	r := newRig(t, db, Config{})
	e := r.open(t)
	session, token := r.who(t, "", e.Session), r.who(t, e.Token, "")
	_, brief, err := r.CreateToken(t.Context(), session, TokenRequest{
		Description: "brief", Scopes: []string{"board:play"}, Expires: r.time().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	r.streams.tokens, r.streams.sessions = []string{token.TokenID, brief.ID}, []string{session.SessionID}
	check := func(what string, want ...string) {
		t.Helper()
		r.closeUnheld(t.Context())
		if len(r.streams.ids) != len(want) {
			t.Fatalf("%s: closed %v, want %v", what, r.streams.ids, want)
		}
		for _, id := range want {
			if !r.streams.has(id) {
				t.Errorf("%s: %s stays open", what, id)
			}
		}
	}
	check("all hold")
	if _, err := db.DeleteToken(t.Context(), "leonidas", token.TokenID); err != nil {
		t.Fatal(err)
	}
	check("one revoked elsewhere", "token "+token.TokenID)
	r.streams.tokens = r.streams.tokens[1:]
	r.pass(time.Hour)
	check("one expired", "token "+token.TokenID, "token "+brief.ID)
	r.streams.tokens = nil
	if err := db.DeleteSession(t.Context(), session.SessionID); err != nil {
		t.Fatal(err)
	}
	check("the session ended elsewhere", "token "+token.TokenID, "token "+brief.ID, "session "+session.SessionID)
}
