package report_test

import (
	"testing"

	"hoplite/openapi"
	"hoplite/server/servertest"
)

// TestReport reports a line of chat, which must have been written, and has it dealt with.
func TestReport(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	var c struct{ ID string }
	ann.Post(t, "/api/challenge/Bob", map[string][]string{"clock.limit": {"300"}, "clock.increment": {"3"}}).Want(t, 200).JSON(t, &c)
	bob.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, 200)
	bob.Post(t, "/api/board/game/"+c.ID+"/chat", map[string][]string{"room": {"player"}, "text": {"you lose"}}).Want(t, 200)

	ctx := t.Context()
	users := s.LogIn(t, "Ann").Client(t).Users
	form := openapi.ReportForm{Username: "BOB", Reason: openapi.ReportFormReasonChat, GameID: c.ID, Line: "you lose", Text: " Again. "}
	id, err := users.Report(ctx, form)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*openapi.ReportForm){
		"a line that was not written": func(f *openapi.ReportForm) { f.Line = "you win" },
		"a line without a game":       func(f *openapi.ReportForm) { f.GameID = "" },
		"a line of somebody else":     func(f *openapi.ReportForm) { s.SignUp(t, "Cid"); f.Username = "Cid" },
		"oneself":                     func(f *openapi.ReportForm) { f.Username = "Ann" },
		"a game that is not there":    func(f *openapi.ReportForm) { f.GameID = "abcd1234" },
		"an unknown reason":           func(f *openapi.ReportForm) { f.Reason = "taste" },
	} {
		bad := form
		change(&bad)
		_, err := users.Report(ctx, bad)
		if servertest.WantStatus(t, err, 400) == "" {
			t.Errorf("%s is refused without a word", name)
		}
	}
	// A spectator has not seen the players' room.
	_, err = s.LogIn(t, "Cid").Client(t).Users.Report(ctx, form)
	servertest.WantStatus(t, err, 400)
	_, err = users.Report(ctx, openapi.ReportForm{Username: "nobody", Reason: openapi.ReportFormReasonCheat})
	servertest.WantStatus(t, err, 404)
	_, err = ann.Client(t).Users.Report(ctx, form)
	servertest.WantStatus(t, err, 403) // a token does not do

	admin := s.Admin(t, "Boss").Client(t).Admin
	open, err := admin.Reports(ctx, openapi.AdminReportsParams{Open: openapi.FlagTrue, Accused: "Bob"})
	if err != nil || len(open) != 1 || open[0].ID != id || open[0].Line != "you lose" || open[0].Reporter != "ann" || open[0].Text != "Again." {
		t.Fatalf("reports %+v, %v", open, err)
	}
	if state, err := admin.State(ctx); err != nil || state.OpenReports != 1 {
		t.Errorf("state %+v, %v", state, err)
	}
	if done, err := admin.ResolveReport(ctx, id, "talked to him"); err != nil || done.ResolvedBy != "boss" || done.Note != "talked to him" {
		t.Errorf("resolved %+v, %v", done, err)
	}
	_, err = admin.ResolveReport(ctx, id, "again")
	servertest.WantStatus(t, err, 409)
	_, err = admin.ResolveReport(ctx, "none", "again")
	servertest.WantStatus(t, err, 404)
	if open, err := admin.Reports(ctx, openapi.AdminReportsParams{Open: openapi.FlagTrue}); err != nil || len(open) != 0 {
		t.Errorf("still open: %+v, %v", open, err)
	}
}
