package auth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/oauth2"

	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

// OIDCConfig names a provider at which people can log in instead of with a password.
type OIDCConfig struct {
	Issuer       string // its address
	ClientID     string
	ClientSecret string // "" for a public client
	Name         string // what the page calls it
}

// Validate says what is wrong with the configuration. The zero value is no provider.
func (c OIDCConfig) Validate() error {
	if c == (OIDCConfig{}) {
		return nil
	}
	u, err := url.Parse(c.Issuer)
	switch {
	case err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return fmt.Errorf("OIDC issuer %q is not an address", c.Issuer)
	case u.Scheme != "https" && !(u.Scheme == "http" && loopbackHost(u.Hostname())):
		return fmt.Errorf("OIDC issuer %q: must be https, unless it is on this machine", c.Issuer)
	case c.ClientID == "":
		return errors.New("OIDC: the client id is missing")
	}
	return nil
}

// CallbackPath is where the provider sends people back to; it is registered there.
const CallbackPath = "/oidc/callback"

const (
	// flowLife is how long a person may take at the provider.
	flowLife         = 10 * time.Minute
	providerPatience = 10 * time.Second

	audienceFlow     = "hoplite/oidc"          // a person is at the provider
	audienceNewcomer = "hoplite/oidc/newcomer" // the provider knows the person, and no account is linked
	audienceFactor   = "hoplite/oidc/factor"   // the provider knows the person, whose account has a second factor

	// OIDCCookie holds what is known of a log-in while the person is at the provider. It ties the answer to the browser
	// that asked.
	OIDCCookie = api.OIDCCookie
)

// flowClaims are what the cookie says. It is signed like a session, for another audience.
type flowClaims struct {
	jwt.RegisteredClaims        // ID is the state
	Nonce                string `json:"nonce,omitempty"`
	Verifier             string `json:"verifier,omitempty"`
	Link                 string `json:"link,omitempty"` // the account to link, "" for a log-in
	Next                 string `json:"next,omitempty"` // where on the page to go then
	Identity             string `json:"identity,omitempty"`
	Label                string `json:"label,omitempty"`
}

// provider is asked for its addresses when it is first needed: it may be down when the server starts.
type provider struct {
	config OIDCConfig
	client *http.Client
	mu     sync.Mutex
	found  *oidc.Provider
}

func newProvider(c OIDCConfig) *provider {
	if c == (OIDCConfig{}) {
		return nil
	}
	return &provider{config: c, client: &http.Client{Timeout: providerPatience}}
}

func (p *provider) get(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	// The provider keeps the context for fetching its keys later, so it must not end with this request.
	found, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.client), p.config.Issuer)
	if err != nil {
		return nil, fault.Unavailable("The provider does not answer. Please try again.").Because(err)
	}
	p.found = found
	return found, nil
}

func (s *Service) oauth2(p *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: s.oidc.config.ClientID, ClientSecret: s.oidc.config.ClientSecret, Endpoint: p.Endpoint(),
		RedirectURL: s.config.URL + CallbackPath, Scopes: []string{oidc.ScopeOpenID, "profile", "email"},
	}
}

// OIDCName is what the page calls the provider, "" if there is none.
func (s *Service) OIDCName() string {
	if s.oidc == nil {
		return ""
	}
	if s.oidc.config.Name != "" {
		return s.oidc.config.Name
	}
	u, err := url.Parse(s.oidc.config.Issuer)
	if err != nil {
		return s.oidc.config.Issuer
	}
	return u.Hostname()
}

// StartOIDC returns where to send a person who wants to log in at the provider, and what to keep in a cookie meanwhile.
// link is the account that the identity shall open from then on, "" for a log-in.
func (s *Service) StartOIDC(ctx context.Context, link, next string) (to, cookie string, err error) {
	if s.oidc == nil {
		return "", "", fault.Invalid("This server has no other provider to log in at")
	}
	p, err := s.oidc.get(ctx)
	if err != nil {
		return "", "", err
	}
	f := flowClaims{Nonce: randomText(tokenChars), Verifier: oauth2.GenerateVerifier(), Link: link, Next: ownPath(next)}
	f.ID = randomText(tokenChars)
	if cookie, err = s.signFlow(ctx, f, audienceFlow); err != nil {
		return "", "", err
	}
	return s.oauth2(p).AuthCodeURL(f.ID, oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)), cookie, nil
}

// ownPath keeps a path of our own page; anything else becomes "/".
func ownPath(next string) string {
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n") || len(next) > 500 {
		return "/"
	}
	return next
}

// Arrival is what a person brings back from the provider.
type Arrival struct {
	Code, State, Error string
	Cookie             string
	UserAgent          string
}

// Arrived says how a log-in at the provider ended.
type Arrived struct {
	Entry    *Entry // a session was opened
	Linked   bool   // the account was linked
	Newcomer string // a cookie: the person may sign up, and the new account will be linked
	Factor   string // a cookie: the person may log in with a code of the second factor
	Next     string
}

// errArrival is a refusal whose text may be shown: it says nothing that an attacker does not know.
func errArrival(text string) error { return fault.Invalid("%s", text) }

// FinishOIDC ends a log-in at the provider.
func (s *Service) FinishOIDC(ctx context.Context, a Arrival) (Arrived, error) {
	if s.oidc == nil {
		return Arrived{}, errArrival("This server has no other provider to log in at")
	}
	f, err := s.readFlow(ctx, a.Cookie, audienceFlow)
	if err != nil || subtle.ConstantTimeCompare([]byte(f.ID), []byte(a.State)) != 1 {
		return Arrived{}, errArrival("That log-in was not begun in this browser, or too long ago")
	}
	if a.Error != "" || a.Code == "" {
		return Arrived{}, errArrival("The provider did not let you in")
	}
	identity, err := s.redeem(ctx, a.Code, f)
	if err != nil {
		s.log.Warn("log-in at the provider refused", "error", err)
		return Arrived{}, errArrival("The provider's answer is not good")
	}
	if f.Link != "" {
		return Arrived{Linked: true, Next: f.Next}, s.link(ctx, f.Link, identity)
	}
	known, err := s.store.IdentityBySubject(ctx, identity.Issuer, identity.Subject)
	if errors.Is(err, store.ErrNotFound) {
		n := flowClaims{Identity: identity.Subject, Label: identity.Label, Next: f.Next}
		n.ID = randomText(tokenChars)
		cookie, err := s.signFlow(ctx, n, audienceNewcomer)
		return Arrived{Newcomer: cookie, Next: f.Next}, err
	}
	if err != nil {
		return Arrived{}, err
	}
	account, err := s.store.AccountByID(ctx, known.AccountID)
	if err != nil {
		return Arrived{}, err
	}
	if account.IsClosed() {
		return Arrived{}, errArrival("That account is closed")
	}
	// The provider stands for the password alone: who has turned a second factor on is asked for it everywhere.
	if factor, err := s.enabledFactor(ctx, account.ID); err != nil {
		return Arrived{}, err
	} else if factor != nil {
		n := flowClaims{Identity: identity.Subject, Next: f.Next}
		n.ID, n.Subject = randomText(tokenChars), account.ID
		cookie, err := s.signFlow(ctx, n, audienceFactor)
		return Arrived{Factor: cookie, Next: f.Next}, err
	}
	e, err := s.openSession(ctx, account, a.UserAgent, "oidc")
	return Arrived{Entry: &e, Next: f.Next}, err
}

// FinishOIDCFactor ends a log-in at the provider of an account that has a second factor.
func (s *Service) FinishOIDCFactor(ctx context.Context, cookie, code, userAgent string) (Entry, error) {
	if s.oidc == nil {
		return Entry{}, errArrival("This server has no other provider to log in at")
	}
	f, err := s.readFlow(ctx, cookie, audienceFactor)
	if err != nil {
		return Entry{}, errArrival("That log-in was not begun in this browser, or too long ago")
	}
	known, err := s.store.IdentityBySubject(ctx, s.oidc.config.Issuer, f.Identity)
	if errors.Is(err, store.ErrNotFound) || err == nil && known.AccountID != f.Subject {
		return Entry{}, errArrival("That identity does not open the account any more")
	}
	if err != nil {
		return Entry{}, err
	}
	account, err := s.openAccount(ctx, f.Subject)
	if err != nil {
		return Entry{}, err
	}
	if err := s.checkFactor(ctx, account.ID, code, s.now()); err != nil {
		return Entry{}, err
	}
	return s.openSession(ctx, account, userAgent, "oidc")
}

// redeem trades the code, and checks signature, issuer, audience, time and nonce of what comes.
func (s *Service) redeem(ctx context.Context, code string, f *flowClaims) (store.LinkedIdentity, error) {
	p, err := s.oidc.get(ctx)
	if err != nil {
		return store.LinkedIdentity{}, err
	}
	ctx = oidc.ClientContext(ctx, s.oidc.client)
	token, err := s.oauth2(p).Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return store.LinkedIdentity{}, err
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return store.LinkedIdentity{}, errors.New("no id_token")
	}
	id, err := p.VerifierContext(ctx, &oidc.Config{ClientID: s.oidc.config.ClientID}).Verify(ctx, raw)
	if err != nil {
		return store.LinkedIdentity{}, err
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(f.Nonce)) != 1 {
		return store.LinkedIdentity{}, errors.New("another nonce")
	}
	if id.Subject == "" || len(id.Subject) > 255 {
		return store.LinkedIdentity{}, errors.New("no subject")
	}
	var about struct {
		Email string `json:"email"`
		Name  string `json:"preferred_username"`
	}
	if err := id.Claims(&about); err != nil {
		return store.LinkedIdentity{}, err
	}
	label := about.Email
	if label == "" {
		label = about.Name
	}
	return store.LinkedIdentity{Issuer: s.oidc.config.Issuer, Subject: id.Subject, Label: cut(label, 200)}, nil
}

// link makes an identity open an account.
func (s *Service) link(ctx context.Context, accountID string, l store.LinkedIdentity) error {
	if _, err := s.openAccount(ctx, accountID); err != nil {
		return err
	}
	now := s.now()
	l.AccountID, l.Created = accountID, now
	err := s.store.InTx(ctx, func(tx store.Store) error { return linkIn(ctx, tx, l, now) })
	if errors.Is(err, store.ErrConflict) {
		return errArrival("That identity opens an account already")
	}
	return err
}

func linkIn(ctx context.Context, tx store.Store, l store.LinkedIdentity, now time.Time) error {
	if err := tx.LinkIdentity(ctx, l); err != nil {
		return err
	}
	return audit.AddBy(ctx, tx, now, audit.IdentityLinked, l.AccountID, l.AccountID, l.Label)
}

// newcomer reads the cookie of somebody whom the provider knows.
func (s *Service) newcomer(ctx context.Context, cookie string) (store.LinkedIdentity, error) {
	if s.oidc == nil {
		return store.LinkedIdentity{}, fault.Field("oidc", "is not offered here")
	}
	f, err := s.readFlow(ctx, cookie, audienceNewcomer)
	if err != nil || f.Identity == "" {
		return store.LinkedIdentity{}, fault.Field("oidc", "needs a log-in at the provider, at most ten minutes ago")
	}
	return store.LinkedIdentity{Issuer: s.oidc.config.Issuer, Subject: f.Identity, Label: f.Label}, nil
}

// Identities returns what opens the caller's account beside its password.
func (s *Service) Identities(ctx context.Context, caller *api.Identity) ([]store.LinkedIdentity, error) {
	if err := needSession(caller); err != nil {
		return nil, err
	}
	return s.store.IdentitiesOf(ctx, caller.AccountID)
}

// Unlink makes the caller's identities at other providers open nothing. It asks for the password, which must work then.
func (s *Service) Unlink(ctx context.Context, caller *api.Identity, password string) error {
	if err := s.ownPassword(ctx, caller, password); err != nil {
		return err
	}
	return s.store.InTx(ctx, func(tx store.Store) error {
		if err := tx.UnlinkIdentities(ctx, caller.AccountID, ""); err != nil {
			return err
		}
		return audit.Add(ctx, tx, s.now(), audit.IdentityRemoved, caller.AccountID, "")
	})
}

func (s *Service) signFlow(ctx context.Context, f flowClaims, audience string) (string, error) {
	now := s.now()
	f.Issuer, f.Audience = issuer, jwt.ClaimStrings{audience}
	f.IssuedAt, f.ExpiresAt = jwt.NewNumericDate(now), jwt.NewNumericDate(now.Add(flowLife))
	keys, err := s.keys.fresh(ctx, keysStale, now)
	if err != nil {
		return "", err
	}
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, f)
	t.Header["kid"] = keys[0].ID
	return t.SignedString(keys[0].Secret)
}

func (s *Service) readFlow(ctx context.Context, cookie, audience string) (*flowClaims, error) {
	if cookie == "" || len(cookie) > maxBearer {
		return nil, errNoSession
	}
	now := s.now()
	keys, err := s.keys.fresh(ctx, keysRetry, now)
	if err != nil {
		return nil, err
	}
	var f flowClaims
	if _, err := tokenParser(audience, now).ParseWithClaims(cookie, &f, keyFor(keys, now)); err != nil || f.ID == "" {
		return nil, errNoSession
	}
	return &f, nil
}
