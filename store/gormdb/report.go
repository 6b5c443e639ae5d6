package gormdb

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"hoplite/store"
)

type reportRow struct {
	ID         string `gorm:"primaryKey"`
	Created    int64
	ReporterID string
	AccusedID  string
	Reason     string
	Text       string
	GameID     string
	Line       string
	Resolved   int64
	ResolvedBy string
	Note       string
}

func (reportRow) TableName() string { return "reports" }

func (r reportRow) record() store.Report {
	return store.Report{
		ID: r.ID, Created: fromMs(r.Created), ReporterID: r.ReporterID, AccusedID: r.AccusedID, Reason: r.Reason, Text: r.Text,
		GameID: r.GameID, Line: r.Line, Resolved: fromMs(r.Resolved), ResolvedBy: r.ResolvedBy, Note: r.Note,
	}
}

func (q *queries) CreateReport(ctx context.Context, r store.Report) error {
	row := reportRow{
		ID: r.ID, Created: toMs(r.Created), ReporterID: r.ReporterID, AccusedID: r.AccusedID, Reason: r.Reason, Text: r.Text,
		GameID: r.GameID, Line: r.Line, Resolved: toMs(r.Resolved), ResolvedBy: r.ResolvedBy, Note: r.Note,
	}
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		return gorm.G[reportRow](tx).Create(ctx, &row)
	})
	return fail(ctx, err, "new report")
}

func (q *queries) Reports(ctx context.Context, f store.ReportFilter) ([]store.Report, error) {
	r, in := q.reader(ctx)
	find := gorm.G[reportRow](r).Order("id DESC").Limit(f.Limit)
	if f.Open {
		find = find.Where("resolved = 0")
	}
	if f.AccusedID != "" {
		find = find.Where("accused_id = ?", f.AccusedID)
	}
	if f.ReporterID != "" {
		find = find.Where("reporter_id = ?", f.ReporterID)
	}
	if f.Before != "" {
		find = find.Where("id < ?", f.Before)
	}
	rows, err := find.Find(in)
	return records[reportRow, store.Report](rows), fail(ctx, missing(err), "reports")
}

func (q *queries) ResolveReport(ctx context.Context, id, by, note string, at time.Time) (store.Report, error) {
	var row reportRow
	err := q.write(ctx, other, func(ctx context.Context, tx *gorm.DB) error {
		rows, err := gorm.G[reportRow](tx).Raw(
			"UPDATE reports SET resolved = ?, resolved_by = ?, note = ? WHERE id = ? AND resolved = 0 RETURNING *",
			toMs(at), by, note, id).Find(ctx)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			row = rows[0]
			return nil
		}
		if _, err := gorm.G[reportRow](tx).Where("id = ?", id).Take(ctx); err != nil {
			return err
		}
		return fmt.Errorf("was resolved: %w", store.ErrConflict)
	})
	if err != nil {
		return store.Report{}, fail(ctx, missing(err), "report %q", id)
	}
	return row.record(), nil
}

var _ store.Reports = (*queries)(nil)
