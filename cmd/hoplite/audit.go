package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"hoplite/server/audit"
	"hoplite/server/auth"
	"hoplite/store"
)

type auditCmd struct {
	User string `placeholder:"NAME" help:"Only what concerns this account."`
	Kind string `placeholder:"KIND,…" help:"Only these kinds, such as login.failed,role.changed."`
	Max  int    `default:"100" help:"How many events (default: ${default})."`
	JSON bool   `name:"json" help:"One JSON object a line, with everything that is known."`
}

// Run prints the audit log, newest first.
func (c *auditCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	return withStore(ctx, g, false, func(db store.Store) error {
		t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		lines := json.NewEncoder(s.out)
		err := eachOf(c.Max, func(last *store.AuditEvent, limit int) ([]store.AuditEvent, error) {
			f := store.AuditFilter{AccountID: auth.AccountID(c.User), Kinds: audit.Kinds(c.Kind), Limit: limit}
			if last != nil {
				f.Before = last.ID
			}
			return db.Audit(ctx, f)
		}, func(e store.AuditEvent) error {
			if c.JSON {
				return lines.Encode(map[string]any{
					"id": e.ID, "at": e.At.UnixMilli(), "kind": e.Kind, "user": e.AccountID, "actor": e.Actor, "ip": e.IP,
					"userAgent": e.UserAgent, "detail": e.Detail,
				})
			}
			_, err := fmt.Fprintf(t, "%s\t%s\t%s\tby %s\t%s\t%s\n", e.At.Format(time.DateTime), e.Kind, orDash(e.AccountID),
				orDash(e.Actor), orDash(e.IP), e.Detail)
			return err
		})
		return errors.Join(err, t.Flush())
	})
}
