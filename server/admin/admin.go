// Package admin answers administrators: who is here, who may come, what players complain of, what was done. Its
// operations are for sessions with the role admin; the spec says so, and the gate holds it.
package admin

import (
	"context"
	"errors"
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/store"
)

// Records is what administrators read and write.
type Records interface {
	store.Accounts
	store.Invites
	store.Reports
	store.AuditLog
	SessionsOf(ctx context.Context, accountID string) ([]store.Session, error)
	TokensOf(ctx context.Context, accountID string) ([]store.Token, error)
	SecondFactor(ctx context.Context, accountID string) (store.SecondFactor, error)
	CountOngoing(ctx context.Context, accountID string) (int, error)
	InTx(ctx context.Context, f func(store.Store) error) error
}

// Identities decides who gets in.
type Identities interface {
	Invite(ctx context.Context, role, note string, life time.Duration) (code string, i store.Invite, err error)
	RevokeInvite(ctx context.Context, id string) error
	SetRole(ctx context.Context, accountID, role string) error
	EndSessions(ctx context.Context, accountID string) error
	// ResetPath makes a code for a new password, and returns the path of the page at which it serves.
	ResetPath(ctx context.Context, accountID string) (path string, expires time.Time, err error)
	DropFactor(ctx context.Context, accountID string) error
	Reopen(ctx context.Context, accountID string) error
}

// Closer closes accounts and ends what they have open.
type Closer interface {
	Close(ctx context.Context, accountID, by string, ban bool, note string) error
}

// Deps is what the handlers need.
type Deps struct {
	Store      Records
	Identities Identities
	Closer     Closer
	State      func(ctx context.Context) (openapi.AdminState, error) // what the server knows of itself
	URL        string                                                // without a final slash
	Now        func() time.Time
}

// Handlers answer the operations of administration.
type Handlers struct{ d *Deps }

// NewHandlers returns the handlers.
func NewHandlers(d Deps) Handlers { return Handlers{d: &d} }

const defaultLimit = 50

func limitOf(asked int) int {
	if asked <= 0 {
		return defaultLimit
	}
	return asked
}

func done() api.DoneJSONResponse { return api.DoneJSONResponse{Ok: true} }

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// find returns the account that a path names.
func (h Handlers) find(ctx context.Context, name string) (store.Account, error) {
	a, err := h.d.Store.AccountByID(ctx, strings.ToLower(name))
	if errors.Is(err, store.ErrNotFound) {
		return a, fault.NotFound("No such user: %s", name)
	}
	return a, err
}

// other is find for what administrators do to others only: nobody shall lock themselves out by mistake.
func (h Handlers) other(ctx context.Context, name string) (store.Account, error) {
	a, err := h.find(ctx, name)
	if err == nil && a.ID == api.Caller(ctx).AccountID {
		return a, fault.Forbidden("Not to your own account: ask another administrator, or use the command line")
	}
	if err == nil && a.Hidden {
		return a, fault.Forbidden("This account is the server's own")
	}
	return a, err
}

// AdminState says how the server is.
func (h Handlers) AdminState(ctx context.Context, _ api.AdminStateRequestObject) (api.AdminStateResponseObject, error) {
	state, err := h.d.State(ctx)
	if err != nil {
		return nil, err
	}
	if state.Accounts, state.ClosedAccounts, err = h.d.Store.CountAccounts(ctx); err != nil {
		return nil, err
	}
	open, err := h.d.Store.Reports(ctx, store.ReportFilter{Open: true, Limit: 200})
	state.OpenReports = len(open)
	return api.AdminState200JSONResponse(state), err
}
