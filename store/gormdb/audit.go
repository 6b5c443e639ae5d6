package gormdb

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"hoplite/store"
)

type auditRow struct {
	ID        string `gorm:"primaryKey"`
	At        int64
	Kind      string
	AccountID string
	Actor     string
	IP        string `gorm:"column:ip"`
	UserAgent string
	Detail    string
}

func (auditRow) TableName() string { return "audit_events" }

func (r auditRow) record() store.AuditEvent {
	return store.AuditEvent{
		ID: r.ID, At: fromMs(r.At), Kind: r.Kind, AccountID: r.AccountID, Actor: r.Actor, IP: r.IP, UserAgent: r.UserAgent,
		Detail: r.Detail,
	}
}

// storable makes text of what anybody may send: PostgreSQL takes UTF-8 without zero bytes only.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

func (q *queries) AddAudit(ctx context.Context, e store.AuditEvent) error {
	row := auditRow{
		ID: e.ID, At: toMs(e.At), Kind: e.Kind, AccountID: storable(e.AccountID), Actor: e.Actor, IP: e.IP,
		UserAgent: storable(e.UserAgent), Detail: storable(e.Detail),
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[auditRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "audit of %q", e.Kind)
}

func (q *queries) Audit(ctx context.Context, f store.AuditFilter) ([]store.AuditEvent, error) {
	r, in := q.reader(ctx)
	find := gorm.G[auditRow](r).Order("id DESC").Limit(f.Limit)
	if f.AccountID != "" {
		find = find.Where("account_id = ?", f.AccountID)
	}
	if len(f.Kinds) > 0 {
		find = find.Where("kind IN ?", f.Kinds)
	}
	if f.Before != "" {
		find = find.Where("id < ?", f.Before)
	}
	rows, err := find.Find(in)
	return records[auditRow, store.AuditEvent](rows), fail(ctx, missing(err), "audit log")
}

var _ store.AuditLog = (*queries)(nil)
