package store

import (
	"context"
	"time"
)

// ExternalEngine is a chess program that runs elsewhere, at a provider, and that its account lets its clients ask.
type ExternalEngine struct {
	ID        string
	AccountID string
	Name      string
	// ClientSecret is what a client shows. It is handed out again to the account, so it is kept as it is.
	ClientSecret string
	// Provider is the SHA-256 of what the provider shows. Several engines, of several accounts too, may have the same.
	Provider   [32]byte
	MaxThreads int
	MaxHash    int      // MiB
	Variants   []string // as the program calls them, without blanks
	Data       string   // of the provider's own
	Created    time.Time
}

// ExternalEngines keeps the engines that accounts have registered.
type ExternalEngines interface {
	// CreateEngine returns ErrConflict if the account has max engines already, and ErrInvalid if there is no such
	// account, or a variant has a blank.
	CreateEngine(ctx context.Context, e ExternalEngine, max int) error
	// UpdateEngine writes everything but id, account, client secret and time over what the engine was. It returns
	// ErrNotFound if the account has no engine of this id, and ErrInvalid if a variant has a blank.
	UpdateEngine(ctx context.Context, e ExternalEngine) (ExternalEngine, error)
	// EngineByID returns ErrNotFound for an unknown id.
	EngineByID(ctx context.Context, id string) (ExternalEngine, error)
	// EnginesOf returns the engines of an account, oldest first.
	EnginesOf(ctx context.Context, accountID string) ([]ExternalEngine, error)
	// HasProvider reports whether any engine has this provider.
	HasProvider(ctx context.Context, provider [32]byte) (bool, error)
	// DeleteEngine returns ErrNotFound if the account has no engine of this id.
	DeleteEngine(ctx context.Context, accountID, id string) error
	// DeleteEnginesOf deletes every engine of an account; there need not be one.
	DeleteEnginesOf(ctx context.Context, accountID string) error
}
