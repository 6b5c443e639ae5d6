package api

import (
	"context"
	"slices"
)

// Identity is who a request comes from: the owner of a token or of a session, or nobody in particular.
type Identity struct {
	AccountID string // lower case; empty for an anonymous caller
	Name      string // as displayed
	Title     string // "BOT" or another title, or empty
	Role      string // "admin" or empty
	Scopes    []string
	TokenID   string // set when an API token was sent
	SessionID string // set when a session was sent, as a cookie or as a bearer
	Cookie    bool   // the session came as a cookie
	Anonymous bool
}

// Has says whether the caller may do what scope stands for. A session may do everything but what is reserved to
// moderators, which needs the role.
func (id *Identity) Has(scope string) bool {
	if id == nil || id.Anonymous {
		return false
	}
	if id.SessionID != "" {
		return scope != ScopeWebMod || id.Role == RoleAdmin
	}
	return slices.Contains(id.Scopes, scope)
}

// HasAny says whether one of the scopes suffices. An empty list asks for no scope, only for an account.
func (id *Identity) HasAny(scopes ...string) bool {
	if id == nil || id.Anonymous {
		return false
	}
	return len(scopes) == 0 || slices.ContainsFunc(scopes, id.Has)
}

// IsBot says whether the account is one that a program plays.
func (id *Identity) IsBot() bool { return id != nil && id.Title == TitleBot }

// TitleBot is the title of accounts that programs play.
const TitleBot = "BOT"

// RoleAdmin is the role of those who run the server.
const RoleAdmin = "admin"

// ScopeWebMod is the scope reserved to moderators.
const ScopeWebMod = "web:mod"

// Scopes returns every scope that a token can have, in the order in which they are documented.
func Scopes() []string {
	return []string{
		"preference:read", "preference:write", "email:read", "engine:read", "engine:write",
		"challenge:read", "challenge:write", "challenge:bulk", "study:read", "study:write",
		"tournament:write", "racer:write", "puzzle:read", "puzzle:write", "team:read", "team:write", "team:lead",
		"follow:read", "follow:write", "msg:write", "board:play", "bot:play", ScopeWebMod,
	}
}

// Authenticator finds out who sent a token or a session. Either argument may be empty; bearer wins. It returns a
// fault.Error of kind Unauthenticated for one that is unknown, expired or revoked, and an anonymous identity when
// both are empty.
type Authenticator interface {
	Authenticate(ctx context.Context, bearer, cookie string) (*Identity, error)
}

type callerKey struct{}

// WithCaller returns a context that carries the caller.
func WithCaller(ctx context.Context, id *Identity) context.Context {
	return context.WithValue(ctx, callerKey{}, id)
}

// Caller returns who sent the request. It is never nil: without a token or a session it is an anonymous identity.
func Caller(ctx context.Context) *Identity {
	if id, ok := ctx.Value(callerKey{}).(*Identity); ok && id != nil {
		return id
	}
	return &Identity{Anonymous: true}
}

// Client is what the connection tells about a caller.
type Client struct {
	IP        string // of the peer, or as a trusted proxy gives it
	UserAgent string
	RequestID string
	Secure    bool   // the browser speaks https with us or with the proxy before us
	OIDC      string // the cookie OIDCCookie
	Accept    string // the header, by which exports choose between PGN and JSON
}

type clientKey struct{}

// WithClient returns a context that carries facts about the connection.
func WithClient(ctx context.Context, c Client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientOf returns the facts about the connection; zero outside of a request.
func ClientOf(ctx context.Context) Client {
	c, _ := ctx.Value(clientKey{}).(Client)
	return c
}
