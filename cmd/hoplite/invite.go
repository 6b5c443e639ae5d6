package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"hoplite/server/audit"
	"hoplite/server/auth"
	"hoplite/store"
)

// inviteCmd holds the commands for invitations, with which people sign up where sign-up is by invitation or closed.
type inviteCmd struct {
	Create inviteCreateCmd `cmd:"" help:"Make an invitation and print its code."`
	List   inviteListCmd   `cmd:"" help:"List invitations."`
	Revoke inviteRevokeCmd `cmd:"" help:"Take an unused invitation back."`
}

type inviteCreateCmd struct {
	URL  string `name:"url" placeholder:"URL" help:"Where the public reaches the server; then the code is printed as a link."`
	Days int    `default:"30" help:"How long the invitation is good (default: ${default})."`
	Role string `enum:",admin" default:"" placeholder:"ROLE" help:"admin, to make an administrator."`
	Note string `placeholder:"TEXT" help:"Whom it is for; only administrators see it."`
}

// Run prints the code, which cannot be seen again.
func (c *inviteCreateCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	return withStore(ctx, g, true, func(db store.Store) error {
		r := auth.InviteRequest{Role: c.Role, Note: c.Note, Life: time.Duration(c.Days) * 24 * time.Hour}
		code, _, err := auth.NewInvite(audit.OnCommandLine(ctx), db, r, time.Now())
		if err != nil {
			return err
		}
		if c.URL != "" {
			code = strings.TrimSuffix(c.URL, "/") + "/signup?invite=" + code
		}
		_, err = fmt.Fprintln(s.out, code)
		return err
	})
}

type inviteListCmd struct{}

const listed = 1000

// Run prints the invitations, newest first. Their codes are not known any more.
func (inviteListCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	return withStore(ctx, g, false, func(db store.Store) error {
		invites, err := db.Invites(ctx, listed)
		if err != nil {
			return err
		}
		t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		now := time.Now()
		for _, i := range invites {
			state := "good until " + i.Expires.Format(time.DateOnly)
			switch {
			case !i.Used.IsZero():
				state = "used by " + i.UsedBy + " " + i.Used.Format(time.DateOnly)
			case !now.Before(i.Expires):
				state = "expired " + i.Expires.Format(time.DateOnly)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", i.ID, state, orDash(i.Role), orDash(i.CreatedBy), i.Note)
		}
		return t.Flush()
	})
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

type inviteRevokeCmd struct {
	ID string `arg:"" help:"The invitation's id, as list shows it."`
}

// Run makes the invitation worthless.
func (c *inviteRevokeCmd) Run(ctx context.Context, g *Globals) error {
	return withStore(ctx, g, false, func(db store.Store) error {
		return auth.RevokeInvite(audit.OnCommandLine(ctx), db, c.ID, time.Now())
	})
}
