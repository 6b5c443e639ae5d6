package admin

import (
	"context"
	"net/url"
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/report"
	"hoplite/store"
)

const (
	maxInvites = 200
	inviteDays = 30
)

// AdminInvites lists invitations.
func (h Handlers) AdminInvites(ctx context.Context, _ api.AdminInvitesRequestObject) (api.AdminInvitesResponseObject, error) {
	invites, err := h.d.Store.Invites(ctx, maxInvites)
	if err != nil {
		return nil, err
	}
	list := make(api.AdminInvites200JSONResponse, len(invites))
	for i, x := range invites {
		list[i] = openapi.InviteInfo{
			ID: x.ID, Role: x.Role, Note: x.Note, CreatedBy: x.CreatedBy, Created: millis(x.Created), Expires: millis(x.Expires),
			UsedBy: x.UsedBy, Used: millis(x.Used),
		}
	}
	return list, nil
}

// AdminInviteCreate makes an invitation.
func (h Handlers) AdminInviteCreate(ctx context.Context, r api.AdminInviteCreateRequestObject) (api.AdminInviteCreateResponseObject, error) {
	var form openapi.InviteForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	days := form.Days
	if days == 0 {
		days = inviteDays
	}
	code, i, err := h.d.Identities.Invite(ctx, string(form.Role), form.Note, time.Duration(days)*24*time.Hour)
	if err != nil {
		return nil, err
	}
	return api.AdminInviteCreate201JSONResponse{
		ID: i.ID, Code: code, URL: h.d.URL + "/signup?invite=" + url.QueryEscape(code), Expires: millis(i.Expires),
	}, nil
}

// AdminInviteRevoke takes an invitation back.
func (h Handlers) AdminInviteRevoke(ctx context.Context, r api.AdminInviteRevokeRequestObject) (api.AdminInviteRevokeResponseObject, error) {
	if err := h.d.Identities.RevokeInvite(ctx, r.ID); err != nil {
		return nil, err
	}
	return api.AdminInviteRevoke204Response{}, nil
}

func shownReport(r store.Report) openapi.ReportInfo {
	return openapi.ReportInfo{
		ID: r.ID, Created: millis(r.Created), Reporter: r.ReporterID, Accused: r.AccusedID, Reason: r.Reason, Text: r.Text,
		GameID: r.GameID, Line: r.Line, Resolved: millis(r.Resolved), ResolvedBy: r.ResolvedBy, Note: r.Note,
	}
}

// AdminReports lists reports.
func (h Handlers) AdminReports(ctx context.Context, r api.AdminReportsRequestObject) (api.AdminReportsResponseObject, error) {
	p := r.Params
	reports, err := h.d.Store.Reports(ctx, store.ReportFilter{
		Open: p.Open.Or(false), AccusedID: strings.ToLower(p.Accused), Before: p.Before, Limit: limitOf(p.Limit),
	})
	if err != nil {
		return nil, err
	}
	list := make(api.AdminReports200JSONResponse, len(reports))
	for i, x := range reports {
		list[i] = shownReport(x)
	}
	return list, nil
}

// AdminReportResolve notes what was done about a report.
func (h Handlers) AdminReportResolve(ctx context.Context, r api.AdminReportResolveRequestObject) (api.AdminReportResolveResponseObject, error) {
	note := ""
	if r.JSONBody != nil {
		note = r.JSONBody.Note
	}
	resolved, err := report.Resolve(ctx, h.d.Store, r.ID, note, h.d.Now())
	if err != nil {
		return nil, err
	}
	return api.AdminReportResolve200JSONResponse(shownReport(resolved)), nil
}

// AdminAudit shows the audit log.
func (h Handlers) AdminAudit(ctx context.Context, r api.AdminAuditRequestObject) (api.AdminAuditResponseObject, error) {
	p := r.Params
	events, err := h.d.Store.Audit(ctx, store.AuditFilter{
		AccountID: strings.ToLower(p.User), Kinds: audit.Kinds(p.Kind), Before: p.Before, Limit: limitOf(p.Limit),
	})
	if err != nil {
		return nil, err
	}
	list := make(api.AdminAudit200JSONResponse, len(events))
	for i, e := range events {
		list[i] = openapi.AuditEvent{
			ID: e.ID, At: millis(e.At), Kind: e.Kind, User: e.AccountID, Actor: e.Actor, IP: e.IP, UserAgent: e.UserAgent,
			Detail: e.Detail,
		}
	}
	return list, nil
}
