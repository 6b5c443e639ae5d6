package main

import (
	"context"
	"fmt"
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
		f := store.AuditFilter{AccountID: auth.AccountID(c.User), Kinds: audit.Kinds(c.Kind)}
		events := store.Each(c.Max, func(last store.AuditEvent, limit int) ([]store.AuditEvent, error) {
			f.Before, f.Limit = last.ID, limit
			return db.Audit(ctx, f)
		})
		return printRecords(s.out, events, c.JSON, auditObject, auditRow)
	})
}

func auditObject(e store.AuditEvent) map[string]any {
	return map[string]any{
		"id": e.ID, "at": e.At.UnixMilli(), "kind": e.Kind, "user": e.AccountID, "actor": e.Actor, "ip": e.IP,
		"userAgent": e.UserAgent, "detail": e.Detail,
	}
}

func auditRow(e store.AuditEvent) string {
	return fmt.Sprintf("%s\t%s\t%s\tby %s\t%s\t%s", e.At.Format(time.DateTime), e.Kind, orDash(e.AccountID),
		orDash(e.Actor), orDash(e.IP), e.Detail)
}
