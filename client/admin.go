package client

import (
	"context"
	"net/http"

	"hoplite/openapi"
)

// AdminService is for accounts with the role admin. It needs a session. Hoplite
// only.
type AdminService struct{ service }

// State returns the state of the server.
func (s *AdminService) State(ctx context.Context) (openapi.AdminState, error) {
	return get[openapi.AdminState](ctx, s.c, "/api/admin/state", nil)
}

// Users finds accounts, in order of name.
func (s *AdminService) Users(ctx context.Context, p openapi.AdminUsersParams) ([]openapi.AdminUser, error) {
	return get[[]openapi.AdminUser](ctx, s.c, "/api/admin/users", map[string]any{
		"q": text(p.Q), "state": text(string(p.State)), "after": text(p.After), "limit": limit(p.Limit),
	})
}

// User returns one account with what it has open.
func (s *AdminService) User(ctx context.Context, name string) (openapi.AdminUser, error) {
	return get[openapi.AdminUser](ctx, s.c, pathf("/api/admin/users/%s", name), nil)
}

// SetRole makes somebody an administrator ("admin"), or takes that away ("none").
func (s *AdminService) SetRole(ctx context.Context, name string, role openapi.RoleFormRole) error {
	return s.do(ctx, pathf("/api/admin/users/%s/role", name), openapi.RoleForm{Role: role}, nil)
}

// CloseUser closes an account, or bans it.
func (s *AdminService) CloseUser(ctx context.Context, name string, form openapi.AdminCloseForm) error {
	return s.do(ctx, pathf("/api/admin/users/%s/close", name), form, nil)
}

// ReopenUser opens a closed or banned account again.
func (s *AdminService) ReopenUser(ctx context.Context, name string) error {
	return s.do(ctx, pathf("/api/admin/users/%s/reopen", name), nil, nil)
}

// EndSessions ends every session of an account.
func (s *AdminService) EndSessions(ctx context.Context, name string) error {
	return s.do(ctx, pathf("/api/admin/users/%s/end-sessions", name), nil, nil)
}

// ResetLink makes a link with which an account sets a new password, once.
func (s *AdminService) ResetLink(ctx context.Context, name string) (openapi.ResetLink, error) {
	var out openapi.ResetLink
	err := s.do(ctx, pathf("/api/admin/users/%s/reset-link", name), nil, &out)
	return out, err
}

// DropTotp turns an account's second factor off.
func (s *AdminService) DropTotp(ctx context.Context, name string) error {
	return s.do(ctx, pathf("/api/admin/users/%s/totp-off", name), nil, nil)
}

// Invites lists the newest invitations.
func (s *AdminService) Invites(ctx context.Context) ([]openapi.InviteInfo, error) {
	return get[[]openapi.InviteInfo](ctx, s.c, "/api/admin/invites", nil)
}

// Invite makes an invitation, whose code is shown only in this answer.
func (s *AdminService) Invite(ctx context.Context, form openapi.InviteForm) (openapi.CreatedInvite, error) {
	var out openapi.CreatedInvite
	err := s.do(ctx, "/api/admin/invites", form, &out)
	return out, err
}

// RevokeInvite takes an unused invitation back.
func (s *AdminService) RevokeInvite(ctx context.Context, id string) error {
	return s.c.do(ctx, call{method: http.MethodDelete, path: pathf("/api/admin/invites/%s", id)}, nil)
}

// Reports lists reports by players, newest first.
func (s *AdminService) Reports(ctx context.Context, p openapi.AdminReportsParams) ([]openapi.ReportInfo, error) {
	return get[[]openapi.ReportInfo](ctx, s.c, "/api/admin/reports", map[string]any{
		"open": text(string(p.Open)), "accused": text(p.Accused), "before": text(p.Before), "limit": limit(p.Limit),
	})
}

// ResolveReport notes what was done about a report.
func (s *AdminService) ResolveReport(ctx context.Context, id, note string) (openapi.ReportInfo, error) {
	var out openapi.ReportInfo
	err := s.do(ctx, pathf("/api/admin/reports/%s", id), openapi.ResolveForm{Note: note}, &out)
	return out, err
}

// Audit reads the audit log, newest first.
func (s *AdminService) Audit(ctx context.Context, p openapi.AdminAuditParams) ([]openapi.AuditEvent, error) {
	return get[[]openapi.AuditEvent](ctx, s.c, "/api/admin/audit", map[string]any{
		"user": text(p.User), "kind": text(p.Kind), "before": text(p.Before), "limit": limit(p.Limit),
	})
}

func (s *AdminService) do(ctx context.Context, path string, form, out any) error {
	return s.c.do(ctx, call{method: http.MethodPost, path: path, json: form, once: true}, out)
}

// text is nil, which leaves a parameter out, for no text.
func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// limit is nil for 0.
func limit(n int) any {
	if n == 0 {
		return nil
	}
	return n
}
