package store

import (
	"context"
	"time"
)

// Invite lets one person sign up. Only the SHA-256 of its code is kept.
type Invite struct {
	ID        string
	Hash      [32]byte
	Role      string // of the account that it makes: "" or "admin"
	Note      string // for those who manage invitations
	CreatedBy string // account id, CommandLine, or "" for the server itself
	Created   time.Time
	Expires   time.Time
	UsedBy    string    // account id, "" while it is good
	Used      time.Time // zero while it is good
}

// Invites keeps invitations.
type Invites interface {
	// CreateInvite returns ErrConflict for a known id or hash.
	CreateInvite(ctx context.Context, i Invite) error
	// InviteByHash returns ErrNotFound for an unknown hash. Used and expired
	// invitations are found.
	InviteByHash(ctx context.Context, hash [32]byte) (Invite, error)
	// UseInvite marks the invitation as used and returns it. Of several callers
	// one has it; the others, and whoever comes too late, get ErrNotFound.
	UseInvite(ctx context.Context, hash [32]byte, by string, at time.Time) (Invite, error)
	// Invites returns the newest invitations, newest first.
	Invites(ctx context.Context, limit int) ([]Invite, error)
	// DeleteInvite returns the invitation that it deleted, ErrNotFound for an
	// unknown id, and ErrConflict for one that was used.
	DeleteInvite(ctx context.Context, id string) (Invite, error)
}
