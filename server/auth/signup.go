package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/store"
)

// NewAccount is what a person says who signs up.
type NewAccount struct {
	Name, Password, Email, Invite string
	UserAgent                     string
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
			invite, err := takeInvite(ctx, tx, n.Invite, now)
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
		account.Role = a.Role
		return tx.CreateSession(ctx, row2)
	})
	if err != nil {
		return Entry{}, err
	}
	s.log.Info("account made", "account", account.ID, "role", account.Role)
	return Entry{Account: account, Token: token, Scopes: row.Scopes, Session: session, SessionExpires: row2.Expires}, nil
}

func errTaken() error  { return fault.Field("username", "is taken") }
func errInvite() error { return fault.Field("invite", "is unknown, used or expired") }

// mayJoin refuses before any work is done. Whoever has an invitation passes here; whether it is good
// is decided in the transaction that uses it up.
func (s *Service) mayJoin(ctx context.Context, invite string) error {
	mode := s.config.Signup
	if mode == ByURL {
		mode = Open
		if s.config.Public {
			admins, err := s.store.Admins(ctx)
			if err != nil {
				return err
			}
			if len(admins) == 0 {
				mode = Closed
			}
		}
	}
	if mode == Open && invite == "" {
		return nil
	}
	if invite != "" {
		_, err := s.store.MetaValue(ctx, inviteKey(invite))
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

// invite is the value behind an invitation; the code itself is stored only as a hash.
type invite struct {
	Role    string    `json:"role,omitempty"`
	Expires time.Time `json:"expires"`
}

const (
	inviteChars    = 24
	metaFirstAdmin = "auth/first-admin" // the key of the pending administrator's invitation
)

func inviteKey(code string) string {
	sum := sha256.Sum256([]byte(code))
	return "invite/" + hex.EncodeToString(sum[:])
}

// NewInvite returns a code with which one person can sign up in every mode, and gets the role.
func (s *Service) NewInvite(ctx context.Context, role string, life time.Duration) (string, error) {
	return putInvite(ctx, s.store, role, s.now().Add(life))
}

func putInvite(ctx context.Context, m store.Meta, role string, expires time.Time) (string, error) {
	code := randomText(inviteChars)
	value, err := json.Marshal(invite{Role: role, Expires: expires})
	if err != nil {
		return "", err
	}
	return code, m.SetMeta(ctx, inviteKey(code), string(value))
}

func takeInvite(ctx context.Context, m store.Meta, code string, now time.Time) (invite, error) {
	text, err := m.TakeMeta(ctx, inviteKey(code))
	if errors.Is(err, store.ErrNotFound) {
		return invite{}, errInvite()
	}
	if err != nil {
		return invite{}, err
	}
	var i invite
	if err := json.Unmarshal([]byte(text), &i); err != nil {
		return invite{}, fmt.Errorf("invitation: %w", err)
	}
	if expired(i.Expires, now) {
		return invite{}, errInvite()
	}
	return i, nil
}

// FirstRun returns, while there is no administrator, a code that makes one of whoever signs up with
// it, once; and "" when there is one. Each call replaces the code of the call before.
func (s *Service) FirstRun(ctx context.Context) (string, error) {
	admins, err := s.store.Admins(ctx)
	if err != nil || len(admins) > 0 {
		return "", err
	}
	var code string
	err = s.store.InTx(ctx, func(tx store.Store) error {
		older, err := tx.MetaValue(ctx, metaFirstAdmin)
		if err == nil {
			_, err = tx.TakeMeta(ctx, older)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if code, err = putInvite(ctx, tx, api.RoleAdmin, s.now().Add(SessionLife)); err != nil {
			return err
		}
		return tx.SetMeta(ctx, metaFirstAdmin, inviteKey(code))
	})
	return code, err
}

// FirstRunNotice is what to print with a code of FirstRun. url has no final slash.
func FirstRunNotice(url, code string) string {
	return fmt.Sprintf(`There is no administrator yet. Use this once, within 30 days:
  %s/signup?invite=%s
or  curl -d username=NAME -d password=PASSWORD -d invite=%s %s/api/signup
or  hoplite user create NAME --role admin
`, url, code, code, url)
}
