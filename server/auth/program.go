package auth

import (
	"context"
	"time"

	"hoplite/server/audit"
	"hoplite/store"
)

// IssueToken makes an API token for an account without asking who wants it, and returns its text. It is for the
// command line and for programs that run inside of the server.
func IssueToken(ctx context.Context, s store.Store, accountID, description string, scopes []string, now time.Time) (string, error) {
	token, row := newToken(accountID, description, scopes, time.Time{}, now)
	return token, s.InTx(ctx, func(tx store.Store) error {
		if err := tx.CreateToken(ctx, row); err != nil {
			return err
		}
		return audit.Add(ctx, tx, now, audit.TokenCreated, accountID, description+": "+joinScopes(scopes))
	})
}
