// Package audit notes what happens to accounts and what administrators do, in a log that only grows.
package audit

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"hoplite/server/api"
	"hoplite/store"
)

// Kind says what happened. The kinds are documented in docs/security.md and never change their meaning.
type Kind string

// What happens to an account by its owner, or by somebody who would like to be.
const (
	AccountCreated  Kind = "account.created"
	LoggedIn        Kind = "login"
	LoginFailed     Kind = "login.failed"
	CodeFailed      Kind = "login.code.failed" // the password was right, the second factor was not
	LoggedOut       Kind = "logout"
	SessionsEnded   Kind = "sessions.ended"
	PasswordChanged Kind = "password.changed"
	PasswordReset   Kind = "password.reset"
	ResetAsked      Kind = "password.reset.asked"
	EmailChanged    Kind = "email.changed"
	EmailConfirmed  Kind = "email.confirmed"
	TokenCreated    Kind = "token.created"
	TokenRevoked    Kind = "token.revoked"
	Granted         Kind = "oauth.granted"
	FactorEnabled   Kind = "totp.enabled"
	FactorDisabled  Kind = "totp.disabled"
	RecoveryUsed    Kind = "totp.recovery"
	IdentityLinked  Kind = "oidc.linked"
	IdentityRemoved Kind = "oidc.unlinked"
	Exported        Kind = "account.exported"
	Closed          Kind = "account.closed"
	Reopened        Kind = "account.reopened"
)

// What administrators do.
const (
	Banned         Kind = "account.banned"
	RoleChanged    Kind = "role.changed"
	ResetLinkMade  Kind = "password.reset.link"
	InviteCreated  Kind = "invite.created"
	InviteRevoked  Kind = "invite.revoked"
	ReportResolved Kind = "report.resolved"
)

const (
	idChars   = 10
	maxDetail = 500
	maxAgent  = 200
)

// NewID returns an id that sorts after those made in earlier milliseconds.
func NewID(now time.Time) string {
	return fmt.Sprintf("%011x%s", now.UnixMilli(), strings.ToLower(rand.Text()[:idChars]))
}

// Log is where events go: the store, or the transaction that they are part of.
type Log interface {
	AddAudit(ctx context.Context, e store.AuditEvent) error
}

// Add notes that something happened to an account. Who did it, and from where, is read from the context of the request.
func Add(ctx context.Context, to Log, now time.Time, kind Kind, accountID, detail string) error {
	return add(ctx, to, now, kind, accountID, Author(ctx), detail)
}

// AddBy is Add for somebody whom the request does not name yet, such as one who is just logging in.
func AddBy(ctx context.Context, to Log, now time.Time, kind Kind, accountID, by, detail string) error {
	return add(ctx, to, now, kind, accountID, by, detail)
}

func add(ctx context.Context, to Log, now time.Time, kind Kind, accountID, by, detail string) error {
	client := api.ClientOf(ctx)
	return to.AddAudit(ctx, store.AuditEvent{
		ID: NewID(now), At: now, Kind: string(kind), AccountID: clip(accountID, 64), Actor: by,
		IP: client.IP, UserAgent: clip(client.UserAgent, maxAgent), Detail: clip(detail, maxDetail),
	})
}

func clip(s string, n int) string {
	if len(s) > n {
		s = s[:n]
	}
	return s
}

type commandLineKey struct{}

// OnCommandLine returns a context whose events are put down to the command line.
func OnCommandLine(ctx context.Context) context.Context {
	return context.WithValue(ctx, commandLineKey{}, true)
}

// Author returns who does what is noted now: an account, store.CommandLine, or "" for the server itself.
func Author(ctx context.Context) string {
	if on, _ := ctx.Value(commandLineKey{}).(bool); on {
		return store.CommandLine
	}
	return api.Caller(ctx).AccountID
}

// Kinds reads a list of kinds, separated by commas.
func Kinds(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// All returns every kind.
func All() []Kind {
	return []Kind{
		AccountCreated, LoggedIn, LoginFailed, CodeFailed, LoggedOut, SessionsEnded, PasswordChanged, PasswordReset,
		ResetAsked, EmailChanged, EmailConfirmed, TokenCreated, TokenRevoked, Granted, FactorEnabled, FactorDisabled,
		RecoveryUsed, IdentityLinked, IdentityRemoved, Exported, Closed, Reopened, Banned, RoleChanged,
		ResetLinkMade, InviteCreated, InviteRevoked, ReportResolved,
	}
}
