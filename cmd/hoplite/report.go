package main

import (
	"context"
	"fmt"
	"time"

	"hoplite/server/audit"
	"hoplite/server/auth"
	"hoplite/server/report"
	"hoplite/store"
)

// reportCmd holds the commands for what players complain of.
type reportCmd struct {
	List  reportListCmd  `cmd:"" help:"List the reports that wait for an answer."`
	Close reportCloseCmd `cmd:"" help:"Note what was done about a report."`
}

type reportListCmd struct {
	All  bool   `help:"Also those that somebody has dealt with."`
	User string `placeholder:"NAME" help:"Only those about this account."`
	Max  int    `default:"100" help:"How many reports (default: ${default})."`
	JSON bool   `name:"json" help:"One JSON object a line, with everything that is known."`
}

// Run prints reports, newest first.
func (c *reportListCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	return withStore(ctx, g, false, func(db store.Store) error {
		f := store.ReportFilter{Open: !c.All, AccusedID: auth.AccountID(c.User)}
		reports := store.Each(c.Max, func(last store.Report, limit int) ([]store.Report, error) {
			f.Before, f.Limit = last.ID, limit
			return db.Reports(ctx, f)
		})
		return printRecords(s.out, reports, c.JSON, reportObject, reportRow)
	})
}

func reportRow(r store.Report) string {
	return fmt.Sprintf("%s\t%s\t%s\tabout %s\tby %s\t%s\t%s", r.ID, r.Created.Format(time.DateTime), r.Reason,
		r.AccusedID, r.ReporterID, reportState(r), r.Text)
}

func reportState(r store.Report) string {
	if r.IsOpen() {
		return "open"
	}
	return fmt.Sprintf("closed by %s (%s)", r.ResolvedBy, r.Note)
}

func reportObject(r store.Report) map[string]any {
	object := map[string]any{
		"id": r.ID, "created": r.Created.UnixMilli(), "reporter": r.ReporterID, "accused": r.AccusedID, "reason": r.Reason,
		"text": r.Text, "gameId": r.GameID, "line": r.Line,
	}
	if !r.IsOpen() {
		object["resolved"], object["resolvedBy"], object["note"] = r.Resolved.UnixMilli(), r.ResolvedBy, r.Note
	}
	return object
}

type reportCloseCmd struct {
	ID   string `arg:"" help:"The report's id, as list shows it."`
	Note string `arg:"" help:"What was done about it."`
}

// Run notes it in the report and in the audit log.
func (c *reportCloseCmd) Run(ctx context.Context, g *Globals) error {
	return withStore(ctx, g, false, func(db store.Store) error {
		_, err := report.Resolve(audit.OnCommandLine(ctx), db, c.ID, c.Note, time.Now())
		return err
	})
}
