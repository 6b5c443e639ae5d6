package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"hoplite/server/audit"
	"hoplite/server/auth"
	"hoplite/store"
)

type userListCmd struct {
	Query string `arg:"" optional:"" help:"A part of the name, or a whole e-mail address."`
	State string `enum:",open,closed,banned,admin,bot" default:"" placeholder:"STATE" help:"Only accounts that are open, closed, banned, admin or bot."`
}

// Run prints accounts in order of name.
func (c *userListCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	return withStore(ctx, g, false, func(db store.Store) error {
		t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		f := store.AccountFilter{Query: strings.ToLower(c.Query), State: c.State}
		for a, err := range store.Each(math.MaxInt, func(last store.Account, limit int) ([]store.Account, error) {
			f.After, f.Limit = last.ID, limit
			return db.FindAccounts(ctx, f)
		}) {
			if err != nil {
				return err
			}
			state := "open"
			switch {
			case a.Banned:
				state = "banned " + a.Closed.Format(time.DateOnly)
			case a.IsClosed():
				state = "closed by " + orDash(a.ClosedBy) + " " + a.Closed.Format(time.DateOnly)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", a.Name, orDash(a.Role), orDash(a.Title), state, a.Email)
		}
		return t.Flush()
	})
}

type userCloseCmd struct {
	Name string `arg:"" help:"The user name."`
	Ban  bool   `help:"Ban the account, which everybody may see."`
	Note string `placeholder:"TEXT" help:"Why, for the audit log."`
}

// Run closes the account. A running server ends its games, challenges and streams within seconds.
func (c *userCloseCmd) Run(ctx context.Context, g *Globals) error {
	return onAccount(ctx, g, c.Name, func(ctx context.Context, db store.Store, a store.Account) error {
		return auth.Close(ctx, db, a.ID, auth.Closing{By: store.ClosedByAdmin, Ban: c.Ban, Note: c.Note}, time.Now())
	})
}

type userReopenCmd struct {
	Name string `arg:"" help:"The user name."`
}

// Run opens a closed or banned account again.
func (c *userReopenCmd) Run(ctx context.Context, g *Globals) error {
	return onAccount(ctx, g, c.Name, func(ctx context.Context, db store.Store, a store.Account) error {
		return auth.Reopen(ctx, db, a.ID, audit.Author(ctx), time.Now())
	})
}

type userEndSessionsCmd struct {
	Name string `arg:"" help:"The user name."`
}

// Run ends the account's sessions; a running server notices within seconds.
func (c *userEndSessionsCmd) Run(ctx context.Context, g *Globals) error {
	return onAccount(ctx, g, c.Name, func(ctx context.Context, db store.Store, a store.Account) error {
		return db.InTx(ctx, func(tx store.Store) error {
			if _, err := tx.DeleteSessionsOf(ctx, a.ID, ""); err != nil {
				return err
			}
			return audit.Add(ctx, tx, time.Now(), audit.SessionsEnded, a.ID, "")
		})
	})
}

type userResetLinkCmd struct {
	Name string `arg:"" help:"The user name."`
	URL  string `name:"url" default:"http://127.0.0.1:8080" placeholder:"URL" help:"Where people reach the server (default: ${default})."`
}

// Run prints a link with which the account's owner sets a new password, once, within an hour.
func (c *userResetLinkCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	return onAccount(ctx, g, c.Name, func(ctx context.Context, db store.Store, a store.Account) error {
		if a.IsClosed() {
			return fmt.Errorf("the account %q is closed", c.Name)
		}
		code, _, err := auth.ResetCode(ctx, db, a.ID, time.Now())
		if err == nil {
			_, err = fmt.Fprintln(s.out, strings.TrimSuffix(c.URL, "/")+auth.ResetPath(code))
		}
		return err
	})
}

type userTotpOffCmd struct {
	Name string `arg:"" help:"The user name."`
}

// Run turns the second factor off of somebody who has lost it.
func (c *userTotpOffCmd) Run(ctx context.Context, g *Globals) error {
	return onAccount(ctx, g, c.Name, func(ctx context.Context, db store.Store, a store.Account) error {
		return auth.DropFactor(ctx, db, a.ID, time.Now())
	})
}

// onAccount does something to an account, open or closed, in the name of the command line.
func onAccount(ctx context.Context, g *Globals, name string, do func(context.Context, store.Store, store.Account) error) error {
	ctx = audit.OnCommandLine(ctx)
	return withStore(ctx, g, false, func(db store.Store) error {
		a, err := anyUser(ctx, db, name)
		if err != nil {
			return err
		}
		return do(ctx, db, a)
	})
}
