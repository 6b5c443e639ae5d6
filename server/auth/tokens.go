package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

const (
	tokenIDChars   = 12
	maxDescription = 200 // characters
	maxTokens      = 500 // per account
	maxTested      = 1000
	// maxExpiry keeps times within what clients can turn into a date.
	maxExpiry = 100 * 365 * 24 * time.Hour
)

// TokenRequest is what a person wants of a new token. Name and Password are for callers without a
// session.
type TokenRequest struct {
	Description    string
	Scopes         []string
	Expires        time.Time // zero for never
	Name, Password string
	Code           string // of the second factor, with a password
}

// CreateToken makes a personal token and returns its text, which nobody can see again. A token
// cannot make another one: a leaked one would then outlive its revocation.
func (s *Service) CreateToken(ctx context.Context, caller *api.Identity, r TokenRequest) (string, store.Token, error) {
	account, err := s.tokenOwner(ctx, caller, r)
	if err != nil {
		return "", store.Token{}, err
	}
	now := s.now()
	refused := &fault.Error{Kind: fault.KindInvalid}
	description := strings.TrimSpace(r.Description)
	switch {
	case description == "":
		refused.AddField("description", "must say what the token is for")
	case utf8.RuneCountInString(description) > maxDescription:
		refused.AddField("description", fmt.Sprintf("must have at most %d characters", maxDescription))
	case !utf8.ValidString(description) || strings.ContainsFunc(description, unicode.IsControl):
		refused.AddField("description", "must be plain text")
	}
	scopes, unknown := canonicalScopes(r.Scopes)
	for _, scope := range unknown {
		refused.AddField("scopes", "unknown scope: "+cut(scope, 64))
	}
	for _, scope := range scopes {
		if scope == api.ScopeWebMod && account.Role != api.RoleAdmin {
			refused.AddField("scopes", scope+" is for administrators")
		}
	}
	switch {
	case expired(r.Expires, now):
		refused.AddField("expires", "must lie in the future")
	case r.Expires.Sub(now) > maxExpiry:
		refused.AddField("expires", "is too far away; leave it out for a token that does not end")
	}
	if len(refused.Fields) > 0 {
		return "", store.Token{}, refused
	}
	others, err := s.store.TokensOf(ctx, account.ID)
	if err != nil {
		return "", store.Token{}, err
	}
	if len(others) >= maxTokens {
		return "", store.Token{}, errTokens()
	}
	token, row := newToken(account.ID, description, scopes, r.Expires, now)
	err = s.store.InTx(ctx, func(tx store.Store) error {
		if err := tx.CreateToken(ctx, row); err != nil {
			return err
		}
		return audit.AddBy(ctx, tx, now, audit.TokenCreated, account.ID, account.ID, row.Description+": "+joinScopes(scopes))
	})
	return token, row, err
}

// tokenOwner finds whose token is asked for, by session or password.
func (s *Service) tokenOwner(ctx context.Context, caller *api.Identity, r TokenRequest) (store.Account, error) {
	if r.Password != "" {
		name := r.Name
		if name == "" {
			name = caller.Name
		}
		return s.enter(ctx, Credentials{Name: name, Password: r.Password, Code: r.Code})
	}
	switch {
	case caller.SessionID != "":
		if r.Name != "" && AccountID(r.Name) != caller.AccountID {
			return store.Account{}, fault.Field("username", "is not the one of this session")
		}
		return s.openAccount(ctx, caller.AccountID)
	case caller.TokenID != "":
		return store.Account{}, fault.Forbidden("A token cannot make a token: log in, or send the password")
	}
	return store.Account{}, fault.Unauthenticated("Missing authorization header")
}

func newToken(accountID, description string, scopes []string, expires, now time.Time) (string, store.Token) {
	token := PersonalPrefix + randomText(tokenChars)
	return token, store.Token{
		ID: randomText(tokenIDChars), Hash: tokenHash(token), Prefix: PersonalPrefix,
		AccountID: accountID, Description: description, Scopes: scopes, Created: now, Expires: expires,
	}
}

// Tokens returns the caller's tokens, newest first. A token may not look at its siblings.
func (s *Service) Tokens(ctx context.Context, caller *api.Identity) ([]store.Token, error) {
	if err := needSession(caller); err != nil {
		return nil, err
	}
	return s.store.TokensOf(ctx, caller.AccountID)
}

// DeleteToken revokes one of the caller's tokens and ends its streams.
func (s *Service) DeleteToken(ctx context.Context, caller *api.Identity, id string) error {
	if err := needSession(caller); err != nil {
		return err
	}
	err := s.deleteToken(ctx, caller.AccountID, id)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrInvalid) {
		return fault.NotFound("No such token")
	}
	return err
}

func needSession(caller *api.Identity) error {
	switch {
	case caller.SessionID != "":
		return nil
	case caller.Anonymous:
		return fault.Unauthenticated("Missing authorization header")
	}
	return fault.Forbidden("This needs a session: log in first")
}

func (s *Service) deleteToken(ctx context.Context, accountID, id string) error {
	var t store.Token
	err := s.store.InTx(ctx, func(tx store.Store) (err error) {
		if t, err = tx.DeleteToken(ctx, accountID, id); err != nil {
			return err
		}
		return audit.Add(ctx, tx, s.now(), audit.TokenRevoked, accountID, t.Description)
	})
	if err != nil {
		return err
	}
	s.revoke(Revoked{AccountID: accountID, TokenID: t.ID})
	return nil
}

// Revoke ends the credential that the caller used: its token, or its session.
func (s *Service) Revoke(ctx context.Context, caller *api.Identity) error {
	if caller.Anonymous {
		return fault.Unauthenticated("Missing authorization header")
	}
	if caller.TokenID == "" {
		return s.LogOut(ctx, caller)
	}
	err := s.deleteToken(ctx, caller.AccountID, caller.TokenID)
	if errors.Is(err, store.ErrNotFound) {
		return errNoToken()
	}
	return err
}

// Tested is what a token is good for.
type Tested struct {
	AccountID string
	Scopes    []string
	Expires   time.Time // zero for never
}

// TestTokens says what each of a list of tokens is good for. The list is separated by commas or line
// ends; the answer has one entry for each token as it was sent, nil for one that is not good.
func (s *Service) TestTokens(ctx context.Context, list string) (map[string]*Tested, error) {
	sent := splitTokens(list)
	if len(sent) > maxTested {
		return nil, fault.Invalid("At most %d tokens at once", maxTested)
	}
	answer := make(map[string]*Tested, len(sent))
	byHash := make(map[[32]byte]string, len(sent))
	hashes := make([][32]byte, 0, len(sent))
	for _, token := range sent {
		if _, seen := answer[token]; seen {
			continue
		}
		answer[token] = nil
		if wellFormedToken(token) {
			h := tokenHash(token)
			byHash[h] = token
			hashes = append(hashes, h)
		}
	}
	if len(hashes) == 0 {
		return answer, nil
	}
	rows, err := s.store.TokensByHash(ctx, hashes)
	if err != nil {
		return nil, err
	}
	owners := make([]string, 0, len(rows))
	for _, t := range rows {
		owners = append(owners, t.AccountID)
	}
	accounts, err := s.store.AccountsByID(ctx, owners)
	if err != nil {
		return nil, err
	}
	open := make(map[string]store.Account, len(accounts))
	for _, a := range accounts {
		if !a.IsClosed() {
			open[a.ID] = a
		}
	}
	now := s.now()
	for _, t := range rows {
		if _, ok := open[t.AccountID]; ok && !expired(t.Expires, now) {
			answer[byHash[t.Hash]] = &Tested{AccountID: t.AccountID, Scopes: t.Scopes, Expires: t.Expires}
		}
	}
	return answer, nil
}

func splitTokens(list string) []string {
	parts := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' })
	tokens := parts[:0]
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			tokens = append(tokens, p)
		}
	}
	return tokens
}
