package auth

import (
	"context"
	"errors"
	"time"

	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

// What administrators do through a running server: the same as on the command line, and every node hears of it.

// Invite is NewInvite with the server's store.
func (s *Service) Invite(ctx context.Context, role, note string, life time.Duration) (string, store.Invite, error) {
	return NewInvite(ctx, s.store, InviteRequest{Role: role, Note: note, Life: life}, s.now())
}

// RevokeInvite makes an unused invitation useless.
func (s *Service) RevokeInvite(ctx context.Context, id string) error {
	return RevokeInvite(ctx, s.store, id, s.now())
}

// SetRole gives or takes a role.
func (s *Service) SetRole(ctx context.Context, accountID, role string) error {
	if err := SetRole(ctx, s.store, accountID, role, s.now()); err != nil {
		return err
	}
	s.Forget(accountID)
	return nil
}

// ResetPath makes a code for a new password and returns the path at which it serves.
func (s *Service) ResetPath(ctx context.Context, accountID string) (path string, expires time.Time, err error) {
	code, expires, err := ResetCode(ctx, s.store, accountID, s.now())
	return ResetPath(code), expires, err
}

// DropFactor turns a second factor off.
func (s *Service) DropFactor(ctx context.Context, accountID string) error {
	if err := DropFactor(ctx, s.store, accountID, s.now()); err != nil {
		return err
	}
	s.tellOwner(ctx, accountID, noticeFactorOff)
	return nil
}

// Reopen opens a closed account again.
func (s *Service) Reopen(ctx context.Context, accountID string) error {
	if err := Reopen(ctx, s.store, accountID, audit.Author(ctx), s.now()); err != nil {
		return err
	}
	s.Forget(accountID)
	return nil
}

// Close ends sessions and tokens of an account, and keeps everybody out.
func (s *Service) Close(ctx context.Context, accountID, by string, ban bool, note string) error {
	return Close(ctx, s.store, accountID, Closing{By: by, Ban: ban, Note: note}, s.now())
}

// Confirm makes sure that the owner of an account is there: by its password, and the code of its second factor.
func (s *Service) Confirm(ctx context.Context, accountID, password, code string) error {
	_, err := s.checkPassword(ctx, accountID, password)
	if fault.KindOf(err) == fault.KindUnauthenticated {
		return fault.Field("password", "is not your password")
	}
	if err != nil {
		return err
	}
	err = s.checkFactor(ctx, accountID, code, s.now())
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Kind == fault.KindUnauthenticated {
		return &fault.Error{Kind: fault.KindInvalid, Fields: f.Fields} // the session itself is good
	}
	return err
}

// SecurityEvents returns what happened to the caller's account, newest first, without what only administrators may know.
func (s *Service) SecurityEvents(ctx context.Context, caller *api.Identity, before string, limit int) ([]store.AuditEvent, error) {
	if err := needSession(caller); err != nil {
		return nil, err
	}
	return s.store.Audit(ctx, store.AuditFilter{AccountID: caller.AccountID, Kinds: ownKinds(), Before: before, Limit: limit})
}

// ownKinds are the events that an account's owner may see: all but what others complain of.
func ownKinds() []string {
	var kinds []string
	for _, k := range audit.All() {
		switch k {
		case audit.ReportResolved, audit.InviteCreated, audit.InviteRevoked:
		default:
			kinds = append(kinds, string(k))
		}
	}
	return kinds
}

// SignupMode says who may sign up now.
func (s *Service) SignupMode(ctx context.Context) (Mode, error) {
	if s.config.Signup != ByURL {
		return s.config.Signup, nil
	}
	if !s.config.Public {
		return Open, nil
	}
	admins, err := s.store.Admins(ctx)
	if err != nil || len(admins) == 0 {
		return Closed, err
	}
	return Open, nil
}

// SendsMail says whether a new password can be had by mail.
func (s *Service) SendsMail() bool { return s.mail != nil }
