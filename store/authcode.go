package store

import (
	"context"
	"time"
)

// AuthCode is what a person has agreed to and an application has yet to trade
// for a token. Only the SHA-256 of the code's text is kept.
type AuthCode struct {
	Hash         [32]byte
	AccountID    string
	ClientID     string
	ClientOrigin string
	RedirectURI  string
	Challenge    string // base64url of the SHA-256 of the verifier
	Scopes       []string
	Created      time.Time
	Expires      time.Time
	// TokenID is the token that the code was traded for, "" before.
	TokenID string
}

// AuthCodes keeps authorization codes.
type AuthCodes interface {
	// CreateAuthCode returns ErrConflict for a known hash.
	CreateAuthCode(ctx context.Context, c AuthCode) error
	// UseAuthCode marks the code as traded for a token and returns it. It
	// returns ErrNotFound for an unknown hash, and ErrConflict together with the
	// code if it was used before: of several callers one has it. Expired codes
	// are found until they are swept.
	UseAuthCode(ctx context.Context, hash [32]byte, tokenID string) (AuthCode, error)
	// SweepAuthCodes deletes up to limit codes that have expired by now.
	SweepAuthCodes(ctx context.Context, now time.Time, limit int) (int, error)
}
