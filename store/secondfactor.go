package store

import (
	"context"
	"time"
)

// MailCode is a code that stands for somebody who reads an address: it was
// sent there, or an administrator handed it out. Only its SHA-256 is kept.
type MailCode struct {
	Hash      [32]byte
	AccountID string
	Purpose   string
	Email     string // where it was sent, "" if it was handed out
	Created   time.Time
	Expires   time.Time
}

// MailCodes keeps codes.
type MailCodes interface {
	// CreateMailCode returns ErrConflict for a known hash.
	CreateMailCode(ctx context.Context, c MailCode) error
	// TakeMailCode deletes the code and returns it. Of several callers one gets
	// it, the others ErrNotFound. Expired codes are found until they are swept.
	TakeMailCode(ctx context.Context, hash [32]byte, purpose string) (MailCode, error)
	// DeleteMailCodesOf deletes the account's codes for a purpose, "" for all.
	DeleteMailCodesOf(ctx context.Context, accountID, purpose string) error
	// SweepMailCodes deletes up to limit codes that have expired by now.
	SweepMailCodes(ctx context.Context, now time.Time, limit int) (int, error)
}

// SecondFactor is the secret that an account's owner shares with a program
// that shows a new code every half minute.
type SecondFactor struct {
	AccountID string
	Secret    string
	Created   time.Time
	Enabled   time.Time // zero until a first code has proved that the program has it
	LastStep  int64     // of the last code that was taken, counted in half minutes since 1970
}

// SecondFactors keeps second factors and the codes that stand in for a lost
// program.
type SecondFactors interface {
	// SecondFactor returns ErrNotFound if the account has none.
	SecondFactor(ctx context.Context, accountID string) (SecondFactor, error)
	// PutSecondFactor writes the whole record and deletes the recovery codes.
	PutSecondFactor(ctx context.Context, f SecondFactor) error
	// EnableSecondFactor makes the factor count from now on, with these recovery
	// codes, of which only the SHA-256 is kept. ErrNotFound if there is none.
	EnableSecondFactor(ctx context.Context, accountID string, step int64, at time.Time, recovery [][32]byte) error
	// UseFactorStep notes that the code of a step was taken. It returns
	// ErrConflict if that or a later one was taken before, so that a code
	// serves once.
	UseFactorStep(ctx context.Context, accountID string, step int64) error
	// UseRecoveryCode deletes the code; ErrNotFound if the account has no such.
	UseRecoveryCode(ctx context.Context, accountID string, hash [32]byte) error
	// CountRecoveryCodes returns how many are left.
	CountRecoveryCodes(ctx context.Context, accountID string) (int, error)
	// DeleteSecondFactor deletes it with its recovery codes. An account without
	// one is no error.
	DeleteSecondFactor(ctx context.Context, accountID string) error
}

// LinkedIdentity is an account at another provider that opens one of ours.
type LinkedIdentity struct {
	Issuer    string // the provider's address
	Subject   string // its name for the person, which never changes
	AccountID string
	Label     string // what the owner knows it by, such as an address
	Created   time.Time
}

// LinkedIdentities keeps such accounts.
type LinkedIdentities interface {
	// LinkIdentity returns ErrConflict if the identity opens an account already.
	LinkIdentity(ctx context.Context, l LinkedIdentity) error
	// IdentityBySubject returns ErrNotFound for an unknown one.
	IdentityBySubject(ctx context.Context, issuer, subject string) (LinkedIdentity, error)
	// IdentitiesOf returns those of an account, oldest first.
	IdentitiesOf(ctx context.Context, accountID string) ([]LinkedIdentity, error)
	// UnlinkIdentities deletes those of an account at the issuer, "" for all.
	UnlinkIdentities(ctx context.Context, accountID, issuer string) error
}
