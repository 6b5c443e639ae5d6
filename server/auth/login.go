package auth

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"

	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

const (
	sessionIDChars = 24
	maxUserAgent   = 200
	maxSessions    = 100 // per account; the oldest end when there are more
)

// Credentials are what a person says who logs in.
type Credentials struct {
	Name, Password string
	Code           string // of the second factor
	Reopen         bool   // open the account again if its owner had closed it
	UserAgent      string
}

// LogIn opens a session. Whether the account does not exist, has no password or another one, the answer is the same
// and takes as long; only who knows the password hears more.
func (s *Service) LogIn(ctx context.Context, c Credentials) (Entry, error) {
	account, err := s.enter(ctx, c)
	if err != nil {
		return Entry{}, err
	}
	return s.openSession(ctx, account, c.UserAgent, "password")
}

// enter checks password, state and second factor.
func (s *Service) enter(ctx context.Context, c Credentials) (store.Account, error) {
	account, err := s.checkPassword(ctx, c.Name, c.Password)
	if err != nil {
		return store.Account{}, err
	}
	now := s.now()
	if err := s.checkFactor(ctx, account.ID, c.Code, now); err != nil {
		return store.Account{}, err
	}
	if !account.IsClosed() {
		return account, nil
	}
	switch {
	case account.ClosedBy != store.ClosedByOwner:
		return store.Account{}, fault.Forbidden("This account was closed by an administrator")
	case !c.Reopen:
		return store.Account{}, fault.Forbidden("You have closed this account. Log in with reopen=true to open it again.")
	}
	if err := Reopen(ctx, s.store, account.ID, account.ID, now); err != nil {
		return store.Account{}, err
	}
	s.Forget(account.ID)
	account.Closed, account.ClosedBy = time.Time{}, ""
	return account, nil
}

// openSession is the last step of every way to log in.
func (s *Service) openSession(ctx context.Context, account store.Account, userAgent, how string) (Entry, error) {
	now := s.now()
	session, row, err := s.newSession(ctx, account.ID, userAgent, now)
	if err != nil {
		return Entry{}, err
	}
	err = s.store.InTx(ctx, func(tx store.Store) error {
		if err := tx.CreateSession(ctx, row); err != nil {
			return err
		}
		return audit.AddBy(ctx, tx, now, audit.LoggedIn, account.ID, account.ID, how)
	})
	if err != nil {
		return Entry{}, err
	}
	if err := s.endOldest(ctx, account.ID); err != nil {
		return Entry{}, err
	}
	s.uses.note("", account.ID, now)
	return Entry{Account: account, Session: session, SessionExpires: row.Expires}, nil
}

// checkPassword returns the account, which may be closed, and notes a wrong password.
func (s *Service) checkPassword(ctx context.Context, name, password string) (store.Account, error) {
	wrong := fault.Unauthenticated("Wrong user name or password")
	now := s.now()
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
	if account.ID != "" {
		if err := s.guessedTooOften(ctx, account.ID, now); err != nil {
			return store.Account{}, err
		}
	}
	ok, err := s.hasher.Verify(ctx, account.PasswordHash, password)
	if err != nil {
		return store.Account{}, err
	}
	if !ok {
		if account.ID != "" {
			if err := audit.AddBy(ctx, s.store, now, audit.LoginFailed, account.ID, "", ""); err != nil {
				return store.Account{}, err
			}
		}
		return store.Account{}, wrong
	}
	if s.hasher.Outdated(account.PasswordHash) {
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

const (
	// passwordFailures is how many wrong passwords an account takes in an hour from all addresses together, apart from
	// those where its owner has logged in before: nobody can lock an owner out.
	passwordFailures = 100
	knownAddresses   = 50 // log-ins that are looked through
)

// Limit is a rule that is kept here, over all addresses.
type Limit struct {
	Name string
	Most int
	Per  time.Duration
}

const limitAccount = "login.account"

// Limits returns the rules that are kept here.
func Limits() []Limit { return []Limit{{limitAccount, passwordFailures, time.Hour}} }

func (s *Service) guessedTooOften(ctx context.Context, accountID string, now time.Time) error {
	limited := s.failedTooOften(ctx, accountID, audit.LoginFailed, passwordFailures, now)
	if limited == nil {
		return nil
	}
	before, err := s.store.Audit(ctx, store.AuditFilter{
		AccountID: accountID, Kinds: []string{string(audit.LoggedIn), string(audit.AccountCreated)}, Limit: knownAddresses,
	})
	if err != nil {
		return err
	}
	ip := api.ClientOf(ctx).IP
	for _, e := range before {
		if ip != "" && e.IP == ip {
			return nil
		}
	}
	return limited
}

// failedTooOften counts failures in the audit log, which all nodes share.
func (s *Service) failedTooOften(ctx context.Context, accountID string, kind audit.Kind, most int, now time.Time) error {
	failed, err := s.store.Audit(ctx, store.AuditFilter{AccountID: accountID, Kinds: []string{string(kind)}, Limit: most})
	if err != nil || len(failed) < most {
		return err
	}
	if wait := failed[most-1].At.Add(time.Hour).Sub(now); wait > 0 {
		return fault.Limited(limitAccount, wait, "Too many wrong tries for this account. Please wait.")
	}
	return nil
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
	if err := s.endSession(ctx, caller.AccountID, caller.SessionID); err != nil {
		return err
	}
	return audit.Add(ctx, s.store, s.now(), audit.LoggedOut, caller.AccountID, "")
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
