package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

const (
	// codePrefix starts authorization codes.
	codePrefix = "liu_"
	// CodeLife is how long an authorization code is good.
	CodeLife = 2 * time.Minute
	// GrantLife is how long a token is good that an application was granted. There are no refresh tokens.
	GrantLife = 365 * 24 * time.Hour

	maxClientID = 200 // characters
	minVerifier = 43  // RFC 7636 §4.1
	maxVerifier = 128
)

// OAuthError is a refusal in the form of RFC 6749.
type OAuthError struct {
	Code openapi.OAuthErrorCode
	Text string
	// Redirect is the application's address with the error; empty if the request has none that can be used.
	Redirect string
}

func (e *OAuthError) Error() string { return string(e.Code) + ": " + e.Text }

// GrantRequest is what an application asks of a person, as the parameters of /oauth say it.
type GrantRequest struct {
	ResponseType, ClientID, RedirectURI string
	ChallengeMethod, Challenge          string
	Scope, Username, State              string
}

// Asked is a grant request that is in order.
type Asked struct {
	Origin string // where the answer goes
	Scopes []string
	Denied string // the application's address with the refusal
}

// Check reads a request. An error is an *OAuthError.
func (r GrantRequest) Check() (Asked, error) {
	unusable := func(text string) (Asked, error) {
		return Asked{}, &OAuthError{Code: openapi.OAuthErrorCodeInvalidRequest, Text: text}
	}
	switch {
	case r.ClientID == "":
		return unusable("client_id is missing")
	case utf8.RuneCountInString(r.ClientID) > maxClientID:
		return unusable(fmt.Sprintf("client_id must have at most %d characters", maxClientID))
	case strings.ContainsFunc(r.ClientID, func(c rune) bool { return !unicode.IsPrint(c) }):
		return unusable("client_id must be plain text")
	case r.RedirectURI == "":
		return unusable("redirect_uri is missing")
	}
	origin, why := redirectOrigin(r.RedirectURI)
	if why != "" {
		return unusable("redirect_uri " + why)
	}
	refuse := func(code openapi.OAuthErrorCode, text string) (Asked, error) { return Asked{}, r.refusal(code, text) }
	switch {
	case r.ResponseType == "":
		return refuse(openapi.OAuthErrorCodeInvalidRequest, "response_type is missing")
	case r.ResponseType != "code":
		return refuse(openapi.OAuthErrorCodeUnsupportedResponseType, "response_type must be code")
	case r.ChallengeMethod == "":
		return refuse(openapi.OAuthErrorCodeInvalidRequest, "code_challenge_method is missing")
	case r.ChallengeMethod != "S256":
		return refuse(openapi.OAuthErrorCodeUnauthorizedClient, "code_challenge_method must be S256")
	case r.Challenge == "":
		return refuse(openapi.OAuthErrorCodeInvalidRequest, "code_challenge is missing")
	}
	if sum, err := base64.RawURLEncoding.Strict().DecodeString(r.Challenge); err != nil || len(sum) != sha256.Size {
		return refuse(openapi.OAuthErrorCodeInvalidRequest, "code_challenge must be a SHA-256 in base64url without padding")
	}
	scopes, unknown := canonicalScopes(strings.Fields(r.Scope))
	if len(unknown) > 0 {
		text := "unknown scope: " + cut(unknown[0], 64)
		if strings.Contains(r.Scope, ",") {
			text = "scopes are separated by spaces, not by commas"
		}
		return refuse(openapi.OAuthErrorCodeInvalidScope, text)
	}
	denied := r.refusal(openapi.OAuthErrorCodeAccessDenied, "The person refused")
	return Asked{Origin: origin, Scopes: scopes, Denied: denied.Redirect}, nil
}

// refusal is an error that the application hears at its redirect URI, which must be usable.
func (r GrantRequest) refusal(code openapi.OAuthErrorCode, text string) *OAuthError {
	return &OAuthError{Code: code, Text: text, Redirect: withQuery(r.RedirectURI,
		"error", string(code), "error_description", text, "state", r.State)}
}

// Approve grants an application what it asked for, and returns its address with a code. Only a session may do that:
// a token could otherwise make others that outlive it. Errors of the request are *OAuthError.
func (s *Service) Approve(ctx context.Context, caller *api.Identity, r GrantRequest) (string, error) {
	if err := needSession(caller); err != nil {
		return "", err
	}
	asked, err := r.Check()
	if err != nil {
		return "", err
	}
	account, err := s.openAccount(ctx, caller.AccountID)
	if err != nil {
		return "", err
	}
	for _, scope := range asked.Scopes {
		if scope == api.ScopeWebMod && account.Role != api.RoleAdmin {
			return "", r.refusal(openapi.OAuthErrorCodeInvalidScope, scope+" is for administrators")
		}
	}
	tokens, err := s.store.TokensOf(ctx, account.ID)
	if err != nil {
		return "", err
	}
	if len(tokens) >= maxTokens {
		return "", errTokens()
	}
	now := s.now()
	code := codePrefix + randomText(tokenChars)
	err = s.store.CreateAuthCode(ctx, store.AuthCode{
		Hash: tokenHash(code), AccountID: account.ID, ClientID: r.ClientID, ClientOrigin: asked.Origin,
		RedirectURI: r.RedirectURI, Challenge: r.Challenge, Scopes: asked.Scopes, Created: now, Expires: now.Add(CodeLife),
	})
	if err != nil {
		return "", err
	}
	return withQuery(r.RedirectURI, "code", code, "state", r.State), nil
}

// CodeExchange is what an application sends for its token.
type CodeExchange struct {
	GrantType, Code, Verifier, RedirectURI, ClientID string
}

func (x CodeExchange) check() error {
	invalid := func(text string) error {
		return &OAuthError{Code: openapi.OAuthErrorCodeInvalidRequest, Text: text}
	}
	switch {
	case x.GrantType == "":
		return invalid("grant_type is missing")
	case x.GrantType != "authorization_code":
		return &OAuthError{Code: openapi.OAuthErrorCodeUnsupportedGrantType, Text: "grant_type must be authorization_code"}
	case x.Code == "":
		return invalid("code is missing")
	case x.Verifier == "":
		return invalid("code_verifier is missing")
	case len(x.Verifier) < minVerifier:
		return invalid(fmt.Sprintf("code_verifier is too short: it must have at least %d characters", minVerifier))
	case len(x.Verifier) > maxVerifier:
		return invalid(fmt.Sprintf("code_verifier is too long: it must have at most %d characters", maxVerifier))
	case x.RedirectURI == "":
		return invalid("redirect_uri is missing")
	case x.ClientID == "":
		return invalid("client_id is missing")
	}
	return nil
}

// against says what does not fit between an exchange and the code that it sends, "" if all does.
func (x CodeExchange) against(c store.AuthCode, now time.Time) string {
	sum := sha256.Sum256([]byte(x.Verifier))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:])
	switch {
	case expired(c.Expires, now):
		return textCode
	case x.ClientID != c.ClientID:
		return "client_id is not the one that the code was given to"
	case x.RedirectURI != c.RedirectURI:
		return "redirect_uri is not the one that the code was sent to"
	case subtle.ConstantTimeCompare([]byte(challenge), []byte(c.Challenge)) != 1:
		return "code_verifier does not fit the code_challenge"
	}
	return ""
}

const textCode = "The code is unknown, used or expired"

// Exchange trades a code for a token and returns its text. A code serves one try, right or wrong. Who sends it again
// may have stolen it, or been stolen from: the token that it was traded for ends (RFC 6749 §4.1.2). Errors of the
// request are *OAuthError.
func (s *Service) Exchange(ctx context.Context, x CodeExchange) (string, error) {
	if err := x.check(); err != nil {
		return "", err
	}
	now := s.now()
	text := OAuthPrefix + randomText(tokenChars)
	id := randomText(tokenIDChars)
	var refused string
	var code store.AuthCode
	err := s.store.InTx(ctx, func(tx store.Store) (err error) {
		refused = ""
		if code, err = tx.UseAuthCode(ctx, tokenHash(x.Code), id); err != nil {
			return err
		}
		if refused = x.against(code, now); refused != "" {
			return nil // the code is used up all the same
		}
		a, err := tx.AccountByID(ctx, code.AccountID)
		if err != nil {
			return err
		}
		if a.IsClosed() {
			refused = textCode
			return nil
		}
		err = tx.CreateToken(ctx, store.Token{
			ID: id, Hash: tokenHash(text), Prefix: OAuthPrefix, AccountID: a.ID, Description: code.ClientID,
			Scopes: code.Scopes, Created: now, Expires: now.Add(GrantLife),
			ClientID: code.ClientID, ClientOrigin: code.ClientOrigin,
		})
		if err != nil {
			return err
		}
		return audit.AddBy(ctx, tx, now, audit.Granted, a.ID, a.ID, code.ClientOrigin+": "+joinScopes(code.Scopes))
	})
	switch {
	case errors.Is(err, store.ErrConflict) && code.TokenID != "":
		s.log.Warn("authorization code sent again", "account", code.AccountID, "origin", code.ClientOrigin)
		if err := s.deleteToken(ctx, code.AccountID, code.TokenID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return "", err
		}
		refused = textCode
	case errors.Is(err, store.ErrNotFound):
		refused = textCode
	case err != nil:
		return "", err
	}
	if refused != "" {
		return "", &OAuthError{Code: openapi.OAuthErrorCodeInvalidGrant, Text: refused}
	}
	s.log.Info("application granted a token", "account", code.AccountID, "origin", code.ClientOrigin)
	return text, nil
}

func errTokens() error {
	return fault.Invalid("An account can have %d tokens; please revoke one first", maxTokens)
}
