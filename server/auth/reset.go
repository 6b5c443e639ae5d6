package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

const (
	mailCodeChars = 32
	// ResetLife is how long a code is good with which a password can be set anew.
	ResetLife = time.Hour
	// ConfirmLife is how long a code is good that confirms an address.
	ConfirmLife = 7 * 24 * time.Hour

	purposeReset   = "reset"
	purposeConfirm = "confirm"
)

func mailHash(code string) [32]byte { return sha256.Sum256([]byte("mail " + code)) }

// ResetPath is the address of the page, below the server's own, at which a code serves. The code follows a # so that it
// stays out of logs and of the Referer header.
func ResetPath(code string) string { return "/password/reset#" + code }

// ResetCode makes a code with which the account's password can be set anew, once, within an hour. It is for
// administrators, who hand it to the owner.
func ResetCode(ctx context.Context, st store.Store, accountID string, now time.Time) (code string, expires time.Time, err error) {
	code, expires = randomText(mailCodeChars), now.Add(ResetLife)
	err = st.InTx(ctx, func(tx store.Store) error {
		if err := putReset(ctx, tx, accountID, code, "", now); err != nil {
			return err
		}
		return audit.Add(ctx, tx, now, audit.ResetLinkMade, accountID, "")
	})
	return code, expires, err
}

// putReset stores the code and makes the older ones of the account useless.
func putReset(ctx context.Context, tx store.Store, accountID, code, email string, now time.Time) error {
	if err := tx.DeleteMailCodesOf(ctx, accountID, purposeReset); err != nil {
		return err
	}
	return tx.CreateMailCode(ctx, store.MailCode{
		Hash: mailHash(code), AccountID: accountID, Purpose: purposeReset, Email: email, Created: now, Expires: now.Add(ResetLife),
	})
}

func errMailCode() error { return fault.Field("code", "is unknown, used or expired") }

// ResetPassword sets a password with a code, and ends every session of the account.
func (s *Service) ResetPassword(ctx context.Context, code, password string) error {
	if len(code) != mailCodeChars {
		return errMailCode()
	}
	if why := CheckPassword("", password); why != "" {
		return fault.Field("password", why)
	}
	hash, err := s.hasher.Hash(ctx, password)
	if err != nil {
		return err
	}
	now := s.now()
	var account store.Account
	var ended []string
	err = s.store.InTx(ctx, func(tx store.Store) error {
		c, err := tx.TakeMailCode(ctx, mailHash(code), purposeReset)
		if errors.Is(err, store.ErrNotFound) || err == nil && expired(c.Expires, now) {
			return errMailCode()
		}
		if err != nil {
			return err
		}
		if account, err = tx.AccountByID(ctx, c.AccountID); err != nil {
			return err
		}
		if account.IsClosed() {
			return errMailCode()
		}
		if why := CheckPassword(account.Name, password); why != "" {
			return fault.Field("password", why) // undoes the taking of the code
		}
		ended, err = setPassword(ctx, tx, account.ID, hash, "")
		if err != nil {
			return err
		}
		return audit.AddBy(ctx, tx, now, audit.PasswordReset, account.ID, account.ID, "")
	})
	if err != nil {
		return err
	}
	s.ended(account.ID, ended)
	s.tellOwner(ctx, account.ID, noticePassword)
	return nil
}

// setPassword writes the password, ends the sessions but one, and makes codes for another password useless.
func setPassword(ctx context.Context, tx store.Store, accountID, hash, exceptSession string) (ended []string, err error) {
	if err := tx.UpdateAccount(ctx, accountID, store.AccountChange{PasswordHash: &hash}); err != nil {
		return nil, err
	}
	if err := tx.DeleteMailCodesOf(ctx, accountID, purposeReset); err != nil {
		return nil, err
	}
	return tx.DeleteSessionsOf(ctx, accountID, exceptSession)
}

// ended closes the streams of sessions that were deleted.
func (s *Service) ended(accountID string, sessions []string) {
	s.Forget(accountID)
	for _, id := range sessions {
		s.revoke(Revoked{AccountID: accountID, SessionID: id})
	}
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
	ended, err := StorePassword(ctx, s.store, accountID, hash, exceptSession, s.now())
	if err != nil {
		return err
	}
	s.ended(accountID, ended)
	s.tellOwner(ctx, accountID, noticePassword)
	return nil
}

// StorePassword writes the hash of a password that was checked before, and returns the sessions that it ended.
func StorePassword(ctx context.Context, st store.Store, accountID, hash, exceptSession string, now time.Time) (ended []string, err error) {
	err = st.InTx(ctx, func(tx store.Store) (err error) {
		if ended, err = setPassword(ctx, tx, accountID, hash, exceptSession); err != nil {
			return err
		}
		return audit.Add(ctx, tx, now, audit.PasswordChanged, accountID, "")
	})
	return ended, err
}

// AskReset sends a code to the accounts with a confirmed address. Whether there is one, the answer is the same and
// comes as soon: the work is done later.
func (s *Service) AskReset(_ context.Context, email string, from api.Client) error {
	if s.mail == nil {
		return errNoMail()
	}
	if why := CheckEmail(email); why != "" {
		return fault.Field("email", why)
	}
	return s.later(func(ctx context.Context) error {
		accounts, err := s.store.AccountsByEmail(ctx, email)
		if err != nil {
			return err
		}
		for _, a := range accounts {
			if !a.EmailConfirmed.IsZero() {
				err = errors.Join(err, s.sendReset(api.WithClient(ctx, from), a))
			}
		}
		return err
	})
}

func (s *Service) sendReset(ctx context.Context, a store.Account) error {
	now := s.now()
	code := randomText(mailCodeChars)
	err := s.store.InTx(ctx, func(tx store.Store) error {
		if err := putReset(ctx, tx, a.ID, code, a.Email, now); err != nil {
			return err
		}
		return audit.AddBy(ctx, tx, now, audit.ResetAsked, a.ID, "", "")
	})
	if err != nil {
		return err
	}
	return s.mail.Send(ctx, a.Email, "A new password", fmt.Sprintf(`Somebody, probably you, asked for a new password for %s at %s.

Set it here, within an hour:
%s

If it was not you, nothing has to be done: without this link nothing changes.
`, a.Name, s.config.URL, s.config.URL+ResetPath(code)))
}

func errNoMail() error {
	return fault.Invalid("This server sends no mail. Ask its administrator for a link to set a new password.")
}

// AskConfirmation sends a code that confirms the address of the caller's account.
func (s *Service) AskConfirmation(ctx context.Context, caller *api.Identity) error {
	if err := needSession(caller); err != nil {
		return err
	}
	if s.mail == nil {
		return fault.Invalid("This server sends no mail")
	}
	a, err := s.openAccount(ctx, caller.AccountID)
	switch {
	case err != nil:
		return err
	case a.Email == "":
		return fault.Invalid("The account has no address")
	case !a.EmailConfirmed.IsZero():
		return fault.Invalid("The address is confirmed already")
	}
	return s.later(func(ctx context.Context) error { return s.sendConfirmation(ctx, a.ID, a.Name, a.Email) })
}

func (s *Service) sendConfirmation(ctx context.Context, accountID, name, email string) error {
	now := s.now()
	code := randomText(mailCodeChars)
	err := s.store.InTx(ctx, func(tx store.Store) error {
		if err := tx.DeleteMailCodesOf(ctx, accountID, purposeConfirm); err != nil {
			return err
		}
		return tx.CreateMailCode(ctx, store.MailCode{
			Hash: mailHash(code), AccountID: accountID, Purpose: purposeConfirm, Email: email, Created: now,
			Expires: now.Add(ConfirmLife),
		})
	})
	if err != nil {
		return err
	}
	return s.mail.Send(ctx, email, "Confirm your address", fmt.Sprintf(`%s at %s has this address. Confirm it here, within a week:
%s

If you do not know of this account, do nothing.
`, name, s.config.URL, s.config.URL+"/email/confirm#"+code))
}

// ConfirmEmail notes that a code arrived at the address that the account still has.
func (s *Service) ConfirmEmail(ctx context.Context, code string) error {
	if len(code) != mailCodeChars {
		return errMailCode()
	}
	now := s.now()
	return s.store.InTx(ctx, func(tx store.Store) error {
		c, err := tx.TakeMailCode(ctx, mailHash(code), purposeConfirm)
		if errors.Is(err, store.ErrNotFound) || err == nil && expired(c.Expires, now) {
			return errMailCode()
		}
		if err != nil {
			return err
		}
		a, err := tx.AccountByID(ctx, c.AccountID)
		if err != nil {
			return err
		}
		if a.Email != c.Email || a.IsClosed() {
			return errMailCode()
		}
		if err := tx.UpdateAccount(ctx, a.ID, store.AccountChange{EmailConfirmed: &now}); err != nil {
			return err
		}
		return audit.AddBy(ctx, tx, now, audit.EmailConfirmed, a.ID, a.ID, "")
	})
}
