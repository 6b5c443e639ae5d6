package auth

import (
	"context"
	"time"

	"hoplite/store"
)

// IssueToken makes an API token for an account without asking who wants it, and returns its text. It is for the
// command line and for programs that run inside of the server.
func IssueToken(ctx context.Context, s store.Tokens, accountID, description string, scopes []string, now time.Time) (string, error) {
	token, row := newToken(accountID, description, scopes, time.Time{}, now)
	return token, s.CreateToken(ctx, row)
}
