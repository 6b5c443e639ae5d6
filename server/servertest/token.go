package servertest

import (
	"crypto/rand"
	"crypto/sha256"
	"testing"
	"time"

	"hoplite/store"
)

// NewToken puts another token with these scopes into the store and returns it. It is quicker than a log-in, and takes
// any account.
func (s *Server) NewToken(t testing.TB, accountID string, scopes ...string) string {
	t.Helper()
	token := "lip_" + rand.Text() + "abcdef" // 32 characters
	err := s.Store.CreateToken(t.Context(), store.Token{
		ID: rand.Text()[:12], Hash: sha256.Sum256([]byte(token)), Prefix: "lip_", AccountID: accountID, Scopes: scopes,
		Created: time.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}
