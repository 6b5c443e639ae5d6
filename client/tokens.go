package client

import (
	"context"
	"net/http"
	"strings"

	"hoplite/openapi"
)

// TokensService is about API tokens.
type TokensService struct{ service }

// Test looks up to 1000 tokens up. The answer has nil for one that is not good.
func (s *TokensService) Test(ctx context.Context, tokens ...string) (openapi.TokenTestResult, error) {
	var out openapi.TokenTestResult
	err := s.c.do(ctx, call{
		method: http.MethodPost, path: "/api/token/test", text: strings.Join(tokens, ","),
	}, &out)
	return out, err
}

// RevokeOwn revokes the token that the client sends, or ends its session.
func (s *TokensService) RevokeOwn(ctx context.Context) error {
	return s.c.do(ctx, call{method: http.MethodDelete, path: "/api/token", once: true}, nil)
}

// List returns the account's tokens without their secrets. It needs a session.
// Hoplite only.
func (s *TokensService) List(ctx context.Context) ([]openapi.TokenInfo, error) {
	return get[[]openapi.TokenInfo](ctx, s.c, "/api/account/tokens", nil)
}

// Create makes a token, whose secret is shown only in this answer. It needs a
// session, or name and password in the form. Hoplite only.
func (s *TokensService) Create(ctx context.Context, form openapi.NewToken) (openapi.CreatedToken, error) {
	var out openapi.CreatedToken
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/account/tokens", json: form, once: true}, &out)
	return out, err
}

// Revoke revokes the token with this id, which is not its secret. It needs a
// session. Hoplite only.
func (s *TokensService) Revoke(ctx context.Context, id string) error {
	return s.c.do(ctx, call{method: http.MethodDelete, path: pathf("/api/account/tokens/%s", id)}, nil)
}
