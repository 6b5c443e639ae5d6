package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

const (
	inviteChars   = 24
	inviteIDChars = 10
	maxNote       = 200 // characters
	// MaxInviteLife bounds how long an invitation is good.
	MaxInviteLife = 365 * 24 * time.Hour

	metaFirstAdmin = "auth/first-admin" // the id of the pending administrator's invitation
)

func inviteHash(code string) [32]byte { return sha256.Sum256([]byte(code)) }

func errInvite() error { return fault.Field("invite", "is unknown, used or expired") }

// InviteRequest says what an invitation is to be like.
type InviteRequest struct {
	Role string // of the account that it makes
	Note string
	Life time.Duration
}

// NewInvite makes a code with which one person can sign up in every mode, and gets the role. The code cannot be seen again.
func NewInvite(ctx context.Context, s store.Store, r InviteRequest, now time.Time) (code string, i store.Invite, err error) {
	note := strings.TrimSpace(r.Note)
	switch {
	case r.Role != "" && r.Role != api.RoleAdmin:
		return "", i, fault.Field("role", "must be admin, or left out")
	case r.Life <= 0 || r.Life > MaxInviteLife:
		return "", i, fault.Field("expires", "must lie in the future, within a year")
	case utf8.RuneCountInString(note) > maxNote || strings.ContainsFunc(note, unicode.IsControl):
		return "", i, fault.Field("note", fmt.Sprintf("must be plain text of at most %d characters", maxNote))
	}
	err = s.InTx(ctx, func(tx store.Store) (err error) {
		code, i, err = putInvite(ctx, tx, r, now)
		return err
	})
	return code, i, err
}

func putInvite(ctx context.Context, tx store.Store, r InviteRequest, now time.Time) (string, store.Invite, error) {
	code := randomText(inviteChars)
	e := audit.Author(ctx)
	i := store.Invite{
		ID: randomText(inviteIDChars), Hash: inviteHash(code), Role: r.Role, Note: strings.TrimSpace(r.Note), CreatedBy: e,
		Created: now, Expires: now.Add(r.Life),
	}
	if err := tx.CreateInvite(ctx, i); err != nil {
		return "", i, err
	}
	return code, i, audit.Add(ctx, tx, now, audit.InviteCreated, e, strings.TrimSpace(i.ID+" "+i.Role))
}

// RevokeInvite makes an unused invitation useless.
func RevokeInvite(ctx context.Context, s store.Store, id string, now time.Time) error {
	err := s.InTx(ctx, func(tx store.Store) error {
		if _, err := tx.DeleteInvite(ctx, id); err != nil {
			return err
		}
		return audit.Add(ctx, tx, now, audit.InviteRevoked, audit.Author(ctx), id)
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return fault.NotFound("No such invitation")
	case errors.Is(err, store.ErrConflict):
		return fault.Conflict("The invitation was used: it cannot be taken back")
	}
	return err
}

func takeInvite(ctx context.Context, s store.Invites, code, account string, now time.Time) (store.Invite, error) {
	i, err := s.UseInvite(ctx, inviteHash(code), account, now)
	if errors.Is(err, store.ErrNotFound) {
		return i, errInvite()
	}
	return i, err
}

// FirstRun returns, while there is no administrator, a code that makes one of whoever signs up with
// it, once; and "" when there is one. Each call replaces the code of the call before.
func (s *Service) FirstRun(ctx context.Context) (string, error) {
	admins, err := s.store.Admins(ctx)
	if err != nil || len(admins) > 0 {
		return "", err
	}
	now := s.now()
	var code string
	err = s.store.InTx(ctx, func(tx store.Store) error {
		older, err := tx.MetaValue(ctx, metaFirstAdmin)
		if err == nil {
			_, err = tx.DeleteInvite(ctx, older)
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrConflict) {
			return err
		}
		var i store.Invite
		r := InviteRequest{Role: api.RoleAdmin, Note: "first administrator", Life: SessionLife}
		if code, i, err = putInvite(ctx, tx, r, now); err != nil {
			return err
		}
		return tx.SetMeta(ctx, metaFirstAdmin, i.ID)
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
