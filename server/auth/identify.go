package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"time"

	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/store"
)

var _ api.Authenticator = (*Service)(nil)

func errNoToken() error { return fault.Unauthenticated("No such token") }

// Authenticate finds out who sent a token or a session. A bearer that is not good is refused; a
// cookie that is not good any more is as if none had been sent, because a browser sends it along
// until it is told otherwise, also to the log-in page.
func (s *Service) Authenticate(ctx context.Context, bearer, cookie string) (*api.Identity, error) {
	switch {
	case bearer != "":
		if len(bearer) > maxBearer {
			return nil, errNoToken()
		}
		if wellFormedToken(bearer) {
			return s.byToken(ctx, bearer)
		}
		id, err := s.bySession(ctx, bearer)
		if errors.Is(err, errNoSession) {
			return nil, errNoToken()
		}
		return id, err
	case cookie != "" && len(cookie) <= maxBearer:
		id, err := s.bySession(ctx, cookie)
		if errors.Is(err, errNoSession) {
			return &api.Identity{Anonymous: true}, nil
		}
		if err != nil {
			return nil, err
		}
		byCookie := *id
		byCookie.Cookie = true
		return &byCookie, nil
	}
	return &api.Identity{Anonymous: true}, nil
}

func (s *Service) byToken(ctx context.Context, token string) (*api.Identity, error) {
	now := s.now()
	hash := tokenHash(token)
	id, generation := s.cache.get(hash, now)
	if id != nil {
		return id, nil
	}
	t, err := s.store.TokenByHash(ctx, hash)
	if errors.Is(err, store.ErrNotFound) {
		return nil, errNoToken()
	}
	if err != nil {
		return nil, err
	}
	if expired(t.Expires, now) {
		return nil, errNoToken()
	}
	account, err := s.openAccount(ctx, t.AccountID)
	if err != nil {
		return nil, err
	}
	id = identity(account)
	id.TokenID = t.ID
	id.Scopes = t.Scopes
	if account.Role != api.RoleAdmin {
		// The role may have been taken away after the token was made.
		id.Scopes = slices.DeleteFunc(slices.Clone(t.Scopes), func(s string) bool { return s == api.ScopeWebMod })
	}
	s.remember(hash, id, t.Expires, generation, now)
	return id, nil
}

// bySession returns errNoSession for anything that is not a live session.
func (s *Service) bySession(ctx context.Context, token string) (*api.Identity, error) {
	if strings.Count(token, ".") != 2 {
		return nil, errNoSession
	}
	now := s.now()
	claims, err := s.keys.verify(ctx, token, now)
	if err != nil {
		return nil, err
	}
	k := sessionKey(claims.ID)
	id, generation := s.cache.get(k, now)
	if id != nil {
		return id, nil
	}
	row, err := s.store.SessionByID(ctx, claims.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, errNoSession
	}
	if err != nil {
		return nil, err
	}
	if row.AccountID != claims.Subject || expired(row.Expires, now) {
		return nil, errNoSession
	}
	account, err := s.openAccount(ctx, row.AccountID)
	if fault.KindOf(err) == fault.KindUnauthenticated {
		return nil, errNoSession
	}
	if err != nil {
		return nil, err
	}
	id = identity(account)
	id.SessionID = row.ID
	s.remember(k, id, row.Expires, generation, now)
	return id, nil
}

func (s *Service) openAccount(ctx context.Context, id string) (store.Account, error) {
	a, err := s.store.AccountByID(ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && a.IsClosed() {
		return store.Account{}, fault.Unauthenticated("No such user")
	}
	return a, err
}

func identity(a store.Account) *api.Identity {
	return &api.Identity{AccountID: a.ID, Name: a.Name, Title: a.Title, Role: a.Role}
}

func (s *Service) remember(k cacheKey, id *api.Identity, expires time.Time, generation uint64, now time.Time) {
	until := now.Add(cacheLife)
	if !expires.IsZero() && expires.Before(until) {
		until = expires
	}
	s.cache.put(k, id, until, generation, now)
	s.uses.note(id.TokenID, id.AccountID, now)
}

// sessionKey cannot meet a token's hash: it is the sum of a text that no token has.
func sessionKey(id string) cacheKey { return sha256.Sum256([]byte("session " + id)) }

func expired(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }
