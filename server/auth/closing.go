package auth

import (
	"context"
	"errors"
	"time"

	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

// Closing says how an account is closed.
type Closing struct {
	By   string // store.ClosedByOwner or store.ClosedByAdmin
	Ban  bool   // for breaking the rules, which everybody may see
	Note string // for the audit log
}

// Close ends an account: from now on nobody gets in, its sessions and tokens are gone, and its name stays taken. What it
// has open elsewhere, such as games, is for the running servers to end, which look for closed accounts.
// It returns fault.KindConflict if the account is closed already, unless a closed one is to be banned.
func Close(ctx context.Context, st store.Store, accountID string, c Closing, now time.Time) error {
	return st.InTx(ctx, func(tx store.Store) error {
		a, err := tx.AccountByID(ctx, accountID)
		if errors.Is(err, store.ErrNotFound) {
			return fault.NotFound("No such user")
		}
		if err != nil {
			return err
		}
		if a.IsClosed() && (!c.Ban || a.Banned) {
			return fault.Conflict("The account is closed already")
		}
		if err := tx.UpdateAccount(ctx, accountID, store.AccountChange{Closed: &now, ClosedBy: &c.By, Banned: &c.Ban}); err != nil {
			return err
		}
		if _, err := tx.DeleteSessionsOf(ctx, accountID, ""); err != nil {
			return err
		}
		if _, err := tx.DeleteTokensOf(ctx, accountID); err != nil {
			return err
		}
		if err := tx.DeleteMailCodesOf(ctx, accountID, ""); err != nil {
			return err
		}
		if err := tx.DeleteEnginesOf(ctx, accountID); err != nil { // their secrets let others in
			return err
		}
		kind := audit.Closed
		if c.Ban {
			kind = audit.Banned
		}
		return audit.Add(ctx, tx, now, kind, accountID, c.Note)
	})
}

// Reopen lets an account's owner in again. Sessions, tokens and games do not come back.
func Reopen(ctx context.Context, st store.Store, accountID, by string, now time.Time) error {
	return st.InTx(ctx, func(tx store.Store) error {
		a, err := tx.AccountByID(ctx, accountID)
		if errors.Is(err, store.ErrNotFound) {
			return fault.NotFound("No such user")
		}
		if err != nil {
			return err
		}
		if !a.IsClosed() {
			return fault.Conflict("The account is open")
		}
		never, nobody, no := time.Time{}, "", false
		if err := tx.UpdateAccount(ctx, accountID, store.AccountChange{Closed: &never, ClosedBy: &nobody, Banned: &no}); err != nil {
			return err
		}
		return audit.AddBy(ctx, tx, now, audit.Reopened, accountID, by, "")
	})
}

// SetRole makes an account an administrator's, or takes that away with "".
func SetRole(ctx context.Context, st store.Store, accountID, role string, now time.Time) error {
	return st.InTx(ctx, func(tx store.Store) error {
		if err := tx.UpdateAccount(ctx, accountID, store.AccountChange{Role: &role}); err != nil {
			return err
		}
		detail := role
		if role == "" {
			detail = "none"
		}
		return audit.Add(ctx, tx, now, audit.RoleChanged, accountID, detail)
	})
}

// Expel ends everything that an account has open on this server's nodes, after Close.
func (s *Service) Expel(accountID string) { s.revoke(Revoked{AccountID: accountID, Closed: true}) }

// EndSessions ends all sessions of an account, for an administrator.
func (s *Service) EndSessions(ctx context.Context, accountID string) error {
	var ended []string
	err := s.store.InTx(ctx, func(tx store.Store) (err error) {
		if ended, err = tx.DeleteSessionsOf(ctx, accountID, ""); err != nil {
			return err
		}
		return audit.Add(ctx, tx, s.now(), audit.SessionsEnded, accountID, "")
	})
	if err == nil {
		s.ended(accountID, ended)
	}
	return err
}
