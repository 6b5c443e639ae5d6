package auth

import (
	"context"
	"errors"
	"time"

	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

// NewAccount is what a person says who signs up.
type NewAccount struct {
	Name, Password, Email, Invite string
	UserAgent                     string
	// Newcomer is the cookie of somebody who comes from the other provider, "" to link nothing.
	Newcomer string
}

// Entry is what opens an account: the session always, a new token after sign-up.
type Entry struct {
	Account        store.Account
	Token          string // shown once
	Scopes         []string
	Session        string // the JWT
	SessionExpires time.Time
}

// SignUp makes an account, with a token for programs and a session for the browser.
func (s *Service) SignUp(ctx context.Context, n NewAccount) (Entry, error) {
	refused := &fault.Error{Kind: fault.KindInvalid}
	if why := CheckName(n.Name); why != "" {
		refused.AddField("username", why)
	}
	if why := CheckPassword(n.Name, n.Password); why != "" {
		refused.AddField("password", why)
	}
	if n.Email != "" {
		if why := CheckEmail(n.Email); why != "" {
			refused.AddField("email", why)
		}
	}
	if len(refused.Fields) > 0 {
		return Entry{}, refused
	}
	var linked *store.LinkedIdentity
	if n.Newcomer != "" {
		l, err := s.newcomer(ctx, n.Newcomer)
		if err != nil {
			return Entry{}, err
		}
		linked = &l
	}
	if err := s.mayJoin(ctx, n.Invite); err != nil {
		return Entry{}, err
	}
	// Asked before the costly hash; the insert decides.
	if _, err := s.store.AccountByID(ctx, AccountID(n.Name)); err == nil {
		return Entry{}, errTaken()
	} else if !errors.Is(err, store.ErrNotFound) {
		return Entry{}, err
	}
	hash, err := s.hasher.Hash(ctx, n.Password)
	if err != nil {
		return Entry{}, err
	}

	now := s.now()
	account := store.Account{
		ID: AccountID(n.Name), Name: n.Name, PasswordHash: hash, Email: n.Email,
		Created: now, Seen: now, Language: "en-US",
	}
	token, row := newToken(account.ID, "Made at sign-up", playerScopes(), time.Time{}, now)
	session, row2, err := s.newSession(ctx, account.ID, n.UserAgent, now)
	if err != nil {
		return Entry{}, err
	}
	err = s.store.InTx(ctx, func(tx store.Store) error {
		a := account
		if n.Invite != "" {
			invite, err := takeInvite(ctx, tx, n.Invite, a.ID, now)
			if err != nil {
				return err
			}
			a.Role = invite.Role
		}
		if err := tx.CreateAccount(ctx, a); err != nil {
			if errors.Is(err, store.ErrConflict) {
				return errTaken()
			}
			return err
		}
		if err := tx.CreateToken(ctx, row); err != nil {
			return err
		}
		if linked != nil {
			l := *linked
			l.AccountID, l.Created = a.ID, now
			if err := linkIn(ctx, tx, l, now); errors.Is(err, store.ErrConflict) {
				return fault.Field("oidc", "opens an account already")
			} else if err != nil {
				return err
			}
		}
		account.Role = a.Role
		if err := tx.CreateSession(ctx, row2); err != nil {
			return err
		}
		return audit.AddBy(ctx, tx, now, audit.AccountCreated, a.ID, a.ID, a.Role)
	})
	if err != nil {
		return Entry{}, err
	}
	if n.Email != "" && s.mail != nil {
		// The account is made whether or not the mail goes out: another can be asked for.
		err := s.later(func(ctx context.Context) error { return s.sendConfirmation(ctx, account.ID, account.Name, n.Email) })
		if err != nil {
			s.log.Warn("address not asked to confirm", "account", account.ID, "error", err)
		}
	}
	s.log.Info("account made", "account", account.ID, "role", account.Role)
	return Entry{Account: account, Token: token, Scopes: row.Scopes, Session: session, SessionExpires: row2.Expires}, nil
}

func errTaken() error { return fault.Field("username", "is taken") }

// mayJoin refuses before any work is done. Whoever has an invitation passes here; whether it is good
// is decided in the transaction that uses it up.
func (s *Service) mayJoin(ctx context.Context, invite string) error {
	mode, err := s.SignupMode(ctx)
	if err != nil {
		return err
	}
	if mode == Open && invite == "" {
		return nil
	}
	if invite != "" {
		_, err := s.store.InviteByHash(ctx, inviteHash(invite))
		if errors.Is(err, store.ErrNotFound) {
			return errInvite()
		}
		return err
	}
	if mode == Invite {
		return fault.Forbidden("Sign-up needs an invitation here")
	}
	return fault.Forbidden("Sign-up is closed here")
}
