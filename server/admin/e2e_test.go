package admin_test

import (
	"slices"
	"strings"
	"testing"

	"hoplite/openapi"
	"hoplite/server"
	"hoplite/server/auth"
	"hoplite/server/servertest"
)

// TestOnlyAdministrators asks every operation of administration as everybody who may not.
func TestOnlyAdministrators(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	boss := s.Admin(t, "Boss")
	made := boss.Post(t, "/api/account/tokens", map[string][]string{"description": {"mod"}, "scopes": {"web:mod"}}).Want(t, 201)
	var token struct{ Token string }
	made.JSON(t, &token)
	withToken := s.Anonymous()
	withToken.Token = token.Token
	s.SignUp(t, "Ann")
	ann := s.LogIn(t, "Ann")
	asked := 0
	for _, op := range s.Document().Operations() {
		if !strings.HasPrefix(op.Path, "/api/admin/") {
			continue
		}
		asked++
		if op.Role != "admin" || !op.SessionOnly {
			t.Errorf("%s does not ask for a session with the role", op.ID)
		}
		path := strings.NewReplacer("{username}", "Ann", "{id}", "x").Replace(op.Path)
		for who, c := range map[string]struct {
			user   *servertest.User
			status int
		}{
			"nobody":                   {s.Anonymous(), 401},
			"a player":                 {ann, 403},
			"an administrator's token": {withToken, 403},
		} {
			if a := c.user.Do(t, c.user.Request(t, op.Method, path, "", nil)); a.Status != c.status {
				t.Errorf("%s by %s: %d, want %d", op.ID, who, a.Status, c.status)
			}
		}
	}
	if asked < 12 {
		t.Errorf("only %d operations were asked", asked)
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	admin := s.Admin(t, "Boss").Client(t).Admin
	s.SignUp(t, "Ann")
	s.SignUpBot(t, "Annabot")
	ctx := t.Context()
	names := func(p openapi.AdminUsersParams) []string {
		t.Helper()
		list, err := admin.Users(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, u := range list {
			out = append(out, u.ID)
		}
		return out
	}
	if got := names(openapi.AdminUsersParams{Q: "ANN"}); !slices.Equal(got, []string{"ann", "annabot"}) {
		t.Errorf("found %v", got)
	}
	if got := names(openapi.AdminUsersParams{State: openapi.AdminUsersParamsStateBot}); !slices.Equal(got, []string{"annabot"}) {
		t.Errorf("bots %v", got)
	}
	u, err := admin.User(ctx, "Ann")
	if err != nil || u.Tokens != 1 || u.Sessions != 1 || u.SecondFactor {
		t.Fatalf("ann: %+v, %v", u, err)
	}

	ann := s.LogIn(t, "Ann")
	if err := admin.SetRole(ctx, "ann", openapi.RoleFormRoleAdmin); err != nil {
		t.Fatal(err)
	}
	if _, err := ann.Client(t).Admin.State(ctx); err != nil {
		t.Errorf("the new administrator's session: %v", err)
	}
	if err := admin.SetRole(ctx, "ann", openapi.RoleFormRoleNone); err != nil {
		t.Fatal(err)
	}
	_, err = ann.Client(t).Admin.State(ctx)
	servertest.WantStatus(t, err, 403)
	servertest.WantStatus(t, admin.SetRole(ctx, "boss", openapi.RoleFormRoleNone), 403)
	servertest.WantStatus(t, admin.CloseUser(ctx, "boss", openapi.AdminCloseForm{}), 403)
	servertest.WantStatus(t, admin.SetRole(ctx, "nobody", openapi.RoleFormRoleNone), 404)

	if err := admin.EndSessions(ctx, "ann"); err != nil {
		t.Fatal(err)
	}
	ann.Get(t, "/api/account").Want(t, 401)

	link, err := admin.ResetLink(ctx, "ann")
	if err != nil || !strings.HasPrefix(link.URL, s.URL+"/password/reset#") {
		t.Fatalf("link %+v, %v", link, err)
	}
	_, code, _ := strings.Cut(link.URL, "#")
	nobody := s.Anonymous().Client(t).Account
	if err := nobody.ResetPassword(ctx, code, "a whole new password"); err != nil {
		t.Fatal(err)
	}
	servertest.WantStatus(t, nobody.ResetPassword(ctx, code, "a whole new password"), 400)
	if _, err := nobody.LogIn(ctx, openapi.LoginForm{Username: "ann", Password: "a whole new password"}); err != nil {
		t.Error(err)
	}

	state, err := admin.State(ctx)
	if err != nil || state.Accounts != 3 || state.Version != "test" || state.Limits != "relaxed" {
		t.Errorf("state %+v, %v", state, err)
	}
	events, err := admin.Audit(ctx, openapi.AdminAuditParams{User: "ann", Kind: "role.changed,password.reset.link,sessions.ended"})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e.Kind+" "+e.Detail)
		if e.Actor != "boss" {
			t.Errorf("%s was put down to %q", e.Kind, e.Actor)
		}
	}
	if want := []string{"password.reset.link ", "sessions.ended ", "role.changed none", "role.changed admin"}; !slices.Equal(kinds, want) {
		t.Errorf("audit log %q, want %q", kinds, want)
	}
}

// TestInvites lets somebody in where sign-up is by invitation, once.
func TestInvites(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.Signup = auth.Invite }))
	ctx := t.Context()
	nobody := s.Anonymous().Client(t)
	join := func(name, code string) error {
		_, err := nobody.Account.SignUp(ctx, openapi.SignupForm{Username: name, Password: servertest.Password, Invite: code})
		return err
	}
	servertest.WantStatus(t, join("Ann", ""), 403)
	first, err := s.Server.FirstRun(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(first, "invite=")
	code, _, _ = strings.Cut(code, "\n")
	if err := join("Boss", code); err != nil {
		t.Fatal(err)
	}
	admin := s.LogIn(t, "Boss").Client(t).Admin
	made, err := admin.Invite(ctx, openapi.InviteForm{Note: "for Ann", Days: 7})
	if err != nil || made.URL != s.URL+"/signup?invite="+made.Code {
		t.Fatalf("invitation %+v, %v", made, err)
	}
	spare, err := admin.Invite(ctx, openapi.InviteForm{})
	if err != nil {
		t.Fatal(err)
	}
	if err := admin.RevokeInvite(ctx, spare.ID); err != nil {
		t.Fatal(err)
	}
	servertest.WantStatus(t, join("Ann", spare.Code), 400)
	if err := join("Ann", made.Code); err != nil {
		t.Fatal(err)
	}
	servertest.WantStatus(t, join("Bea", made.Code), 400)
	servertest.WantStatus(t, admin.RevokeInvite(ctx, made.ID), 409)
	servertest.WantStatus(t, admin.RevokeInvite(ctx, spare.ID), 404)
	list, err := admin.Invites(ctx)
	if err != nil || len(list) != 2 || list[0].UsedBy != "ann" || list[0].Note != "for Ann" || list[0].CreatedBy != "boss" {
		t.Errorf("invitations %+v, %v", list, err)
	}
	info, err := nobody.Server(ctx)
	if err != nil || info.Signup != openapi.ServerInfoSignupInvite || info.Mail {
		t.Errorf("server %+v, %v", info, err)
	}
}
