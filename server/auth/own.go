package auth

import (
	"context"
	"errors"
	"slices"
	"time"

	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

// ownPassword checks the password of a caller who wants to change what the password guards.
func (s *Service) ownPassword(ctx context.Context, caller *api.Identity, password string) error {
	if err := needSession(caller); err != nil {
		return err
	}
	a, err := s.checkPassword(ctx, caller.Name, password)
	if err == nil && a.IsClosed() {
		return fault.Unauthenticated("No such user")
	}
	if fault.KindOf(err) == fault.KindUnauthenticated {
		return fault.Field("password", "is not your password")
	}
	return err
}

// ChangePassword gives the caller's account another password and ends its other sessions.
func (s *Service) ChangePassword(ctx context.Context, caller *api.Identity, password, next string) error {
	if why := CheckPassword(caller.Name, next); why != "" {
		return fault.Field("newPassword", why)
	}
	if next == password {
		return fault.Field("newPassword", "is the one that you have")
	}
	if err := s.ownPassword(ctx, caller, password); err != nil {
		return err
	}
	return s.SetPassword(ctx, caller.AccountID, next, caller.SessionID)
}

// ChangeEmail sets the address of the caller's account, or with "" removes it. It asks for the password, because
// whoever reads the mail may one day get into the account.
func (s *Service) ChangeEmail(ctx context.Context, caller *api.Identity, password, email string) error {
	if email != "" {
		if why := CheckEmail(email); why != "" {
			return fault.Field("email", why)
		}
	}
	if err := s.ownPassword(ctx, caller, password); err != nil {
		return err
	}
	before, err := s.openAccount(ctx, caller.AccountID)
	if err != nil || before.Email == email {
		return err
	}
	now, never := s.now(), time.Time{}
	err = s.store.InTx(ctx, func(tx store.Store) error {
		if err := tx.UpdateAccount(ctx, before.ID, store.AccountChange{Email: &email, EmailConfirmed: &never}); err != nil {
			return err
		}
		// What was sent to the old address is not good for this one.
		if err := tx.DeleteMailCodesOf(ctx, before.ID, ""); err != nil {
			return err
		}
		return audit.Add(ctx, tx, now, audit.EmailChanged, before.ID, "")
	})
	if err != nil || s.mail == nil {
		return err
	}
	if !before.EmailConfirmed.IsZero() {
		s.write(before.Email, before.Name, noticeEmail)
	}
	if email != "" {
		return s.later(func(ctx context.Context) error { return s.sendConfirmation(ctx, before.ID, before.Name, email) })
	}
	return nil
}

// Sessions returns where the caller's account is logged in, newest first.
func (s *Service) Sessions(ctx context.Context, caller *api.Identity) ([]store.Session, error) {
	if err := needSession(caller); err != nil {
		return nil, err
	}
	list, err := s.store.SessionsOf(ctx, caller.AccountID)
	now := s.now()
	return slices.DeleteFunc(list, func(x store.Session) bool { return expired(x.Expires, now) }), err
}

// EndSession ends one of the caller's sessions and its streams.
func (s *Service) EndSession(ctx context.Context, caller *api.Identity, id string) error {
	if err := needSession(caller); err != nil {
		return err
	}
	row, err := s.store.SessionByID(ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && row.AccountID != caller.AccountID {
		return fault.NotFound("No such session")
	}
	if err != nil {
		return err
	}
	if err := s.endSession(ctx, row.AccountID, row.ID); err != nil {
		return err
	}
	return audit.Add(ctx, s.store, s.now(), audit.SessionsEnded, row.AccountID, "one")
}

// EndOtherSessions ends all of the caller's sessions but the one that asks.
func (s *Service) EndOtherSessions(ctx context.Context, caller *api.Identity) error {
	if err := needSession(caller); err != nil {
		return err
	}
	var ended []string
	err := s.store.InTx(ctx, func(tx store.Store) (err error) {
		if ended, err = tx.DeleteSessionsOf(ctx, caller.AccountID, caller.SessionID); err != nil {
			return err
		}
		return audit.Add(ctx, tx, s.now(), audit.SessionsEnded, caller.AccountID, "all others")
	})
	if err != nil {
		return err
	}
	for _, id := range ended {
		s.revoke(Revoked{AccountID: caller.AccountID, SessionID: id})
	}
	return nil
}
