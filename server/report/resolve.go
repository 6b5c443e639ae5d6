package report

import (
	"context"
	"errors"
	"strings"
	"time"

	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

// Transactor makes changes that are done together or not at all.
type Transactor interface {
	InTx(ctx context.Context, f func(store.Store) error) error
}

// Resolve notes what was done about a report, by whom the context says
// (audit.Author).
func Resolve(ctx context.Context, st Transactor, id, note string, now time.Time) (store.Report, error) {
	note = strings.TrimSpace(note)
	if note == "" {
		return store.Report{}, fault.Field("note", "must say what was done")
	}
	var resolved store.Report
	err := st.InTx(ctx, func(tx store.Store) (err error) {
		if resolved, err = tx.ResolveReport(ctx, id, audit.Author(ctx), note, now); err != nil {
			return err
		}
		return audit.Add(ctx, tx, now, audit.ReportResolved, resolved.AccusedID, resolved.ID+": "+note)
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return store.Report{}, fault.NotFound("No such report")
	case errors.Is(err, store.ErrConflict):
		return store.Report{}, fault.Conflict("Somebody has dealt with the report already")
	}
	return resolved, err
}
