package auth

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"

	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/store"
)

const (
	sessionIDChars = 24
	maxUserAgent   = 200
	maxSessions    = 100 // per account; the oldest end when there are more
)

// LogIn opens a session. Whether the account does not exist, is closed, has no password or another
// one, the answer is the same and takes as long.
func (s *Service) LogIn(ctx context.Context, name, password, userAgent string) (Entry, error) {
	account, err := s.checkPassword(ctx, name, password)
	if err != nil {
		return Entry{}, err
	}
	now := s.now()
	session, row, err := s.newSession(ctx, account.ID, userAgent, now)
	if err != nil {
		return Entry{}, err
	}
	if err := s.store.CreateSession(ctx, row); err != nil {
		return Entry{}, err
	}
	if err := s.endOldest(ctx, account.ID); err != nil {
		return Entry{}, err
	}
	s.uses.note("", account.ID, now)
	return Entry{Account: account, Session: session, SessionExpires: row.Expires}, nil
}

func (s *Service) checkPassword(ctx context.Context, name, password string) (store.Account, error) {
	wrong := fault.Unauthenticated("Wrong user name or password")
	var account store.Account
	if len(name) <= maxName && len(password) <= maxPassword && utf8.ValidString(name) {
		var err error
		account, err = s.store.AccountByID(ctx, AccountID(name))
		if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrInvalid) {
			return store.Account{}, err
		}
	} else {
		password = "" // too long to be one: costs no more than the others
	}
	stored := account.PasswordHash
	if account.IsClosed() {
		stored = ""
	}
	ok, err := s.hasher.Verify(ctx, stored, password)
	if err != nil {
		return store.Account{}, err
	}
	if !ok {
		return store.Account{}, wrong
	}
	if s.hasher.Outdated(stored) {
		hash, err := s.hasher.Hash(ctx, password)
		if err != nil {
			return store.Account{}, err
		}
		if err := s.store.UpdateAccount(ctx, account.ID, store.AccountChange{PasswordHash: &hash}); err != nil {
			return store.Account{}, err
		}
	}
	return account, nil
}

func (s *Service) newSession(ctx context.Context, accountID, userAgent string, now time.Time) (string, store.Session, error) {
	row := store.Session{
		ID: randomText(sessionIDChars), AccountID: accountID,
		Created: now, Expires: now.Add(SessionLife).Truncate(time.Second), UserAgent: cut(userAgent, maxUserAgent),
	}
	token, err := s.keys.sign(ctx, sessionClaims{
		Subject: accountID, ID: row.ID,
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(row.Expires),
	}, now)
	return token, row, err
}

// endOldest keeps a program that logs in for every request from filling the table.
func (s *Service) endOldest(ctx context.Context, accountID string) error {
	rows, err := s.store.SessionsOf(ctx, accountID)
	if err != nil {
		return err
	}
	for _, row := range rows[min(len(rows), maxSessions):] {
		if err := s.endSession(ctx, accountID, row.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) endSession(ctx context.Context, accountID, id string) error {
	err := s.store.DeleteSession(ctx, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	s.revoke(Revoked{AccountID: accountID, SessionID: id})
	return nil
}

// LogOut ends the caller's session with its streams. A caller without one has nothing to end.
func (s *Service) LogOut(ctx context.Context, caller *api.Identity) error {
	if caller.SessionID == "" {
		return nil
	}
	return s.endSession(ctx, caller.AccountID, caller.SessionID)
}

// SetPassword changes the password and ends every session but the caller's own ("" for none).
// Tokens stay: they are listed and revoked one by one.
func (s *Service) SetPassword(ctx context.Context, accountID, password, exceptSession string) error {
	if why := CheckPassword(accountID, password); why != "" {
		return fault.Field("password", why)
	}
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	var ended []string
	err = s.store.InTx(ctx, func(tx store.Store) error {
		if err := tx.UpdateAccount(ctx, accountID, store.AccountChange{PasswordHash: &hash}); err != nil {
			return err
		}
		ended, err = tx.DeleteSessionsOf(ctx, accountID, exceptSession)
		return err
	})
	if err != nil {
		return err
	}
	s.Forget(accountID)
	for _, id := range ended {
		s.revoke(Revoked{AccountID: accountID, SessionID: id})
	}
	return nil
}

// cut returns at most n bytes of valid text.
func cut(text string, n int) string {
	if len(text) > n {
		text = text[:n]
	}
	valid := make([]rune, 0, len(text))
	for _, r := range text {
		if r != utf8.RuneError && r != 0 {
			valid = append(valid, r)
		}
	}
	return string(valid)
}
