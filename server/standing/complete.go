package standing

import (
	"context"
	"strings"

	"hoplite/openapi"
	"hoplite/server/lichess"
	"hoplite/store"
)

const (
	matchLimit = 10
	// shortestTerm is the shortest beginning of a name that is looked for.
	shortestTerm = 3
)

// Matches returns the open accounts whose names begin with the term; with
// friends those whom the caller follows, if any of them matches.
func (s *Service) Matches(ctx context.Context, term, caller string, friends bool) ([]store.Account, error) {
	prefix, ok := lichess.AccountID(strings.TrimSpace(term))
	if !ok || len(prefix) < shortestTerm {
		return nil, nil
	}
	if friends && caller != "" {
		followed, err := s.followed(ctx, caller, prefix)
		if err != nil || len(followed) > 0 {
			return followed, err
		}
	}
	return s.d.Store.AccountsByPrefix(ctx, prefix, matchLimit)
}

func (s *Service) followed(ctx context.Context, caller, prefix string) ([]store.Account, error) {
	relations, err := s.d.Store.RelationsOf(ctx, caller, false)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range relations {
		if strings.HasPrefix(r.OtherID, prefix) {
			ids = append(ids, r.OtherID)
		}
	}
	accounts, err := s.d.Store.AccountsByID(ctx, ids)
	var open []store.Account
	for _, a := range accounts {
		if !a.IsClosed() && !a.Hidden && len(open) < matchLimit {
			open = append(open, a)
		}
	}
	return open, err
}

// Exists says whether somebody has exactly this name.
func (s *Service) Exists(ctx context.Context, name string) (bool, error) {
	id, ok := lichess.AccountID(strings.TrimSpace(name))
	if !ok {
		return false, nil
	}
	accounts, err := s.d.Store.AccountsByID(ctx, []string{id})
	return len(accounts) == 1 && !accounts[0].Hidden, err
}

// online is an account with whether it is there.
func (s *Service) online(a store.Account) openapi.OnlineUser {
	return openapi.OnlineUser{ID: a.ID, Name: a.Name, Title: openapi.Title(a.Title), Online: s.d.Presence.Online(a.ID)}
}
