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
		t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
		lines := json.NewEncoder(s.out)
		err := eachOf(c.Max, func(last *store.Report, limit int) ([]store.Report, error) {
			f := store.ReportFilter{Open: !c.All, AccusedID: auth.AccountID(c.User), Limit: limit}
			if last != nil {
				f.Before = last.ID
			}
			return db.Reports(ctx, f)
		}, func(r store.Report) error {
			if c.JSON {
				return lines.Encode(reportLine(r))
			}
			_, err := fmt.Fprintf(t, "%s\t%s\t%s\tabout %s\tby %s\t%s\t%s\n", r.ID, r.Created.Format(time.DateTime), r.Reason,
				r.AccusedID, r.ReporterID, reportState(r), r.Text)
			return err
		})
		return errors.Join(err, t.Flush())
	})
}

func reportState(r store.Report) string {
	if r.IsOpen() {
		return "open"
	}
	return fmt.Sprintf("closed by %s (%s)", r.ResolvedBy, r.Note)
}

func reportLine(r store.Report) map[string]any {
	line := map[string]any{
		"id": r.ID, "created": r.Created.UnixMilli(), "reporter": r.ReporterID, "accused": r.AccusedID, "reason": r.Reason,
		"text": r.Text, "gameId": r.GameID, "line": r.Line,
	}
	if !r.IsOpen() {
		line["resolved"], line["resolvedBy"], line["note"] = r.Resolved.UnixMilli(), r.ResolvedBy, r.Note
	}
	return line
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
