package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/store"
)

func testAudit(t *testing.T, s store.Store) {
	event := func(id, kind, account string, minute int) store.AuditEvent {
		return store.AuditEvent{
			ID: id, At: minutes(minute), Kind: kind, AccountID: account, Actor: "ann", IP: "192.0.2.7", UserAgent: "curl",
			Detail: "more",
		}
	}
	one, two, three := event("1", "login", "ann", 1), event("2", "token.created", "ann", 2), event("3", "login", "bob", 3)
	for _, e := range []store.AuditEvent{two, three, one} {
		must(t, s.AddAudit(ctx, e))
	}
	want(t, s.AddAudit(ctx, one), store.ErrConflict)
	odd := event("4", "login.failed", "a\x00\xff", 4)
	odd.UserAgent = "\xc3\x28"
	must(t, s.AddAudit(ctx, odd))
	id := func(e store.AuditEvent) string { return e.ID }
	for name, c := range map[string]struct {
		f    store.AuditFilter
		want []string
	}{
		"all":       {store.AuditFilter{Limit: 9}, []string{"4", "3", "2", "1"}},
		"limited":   {store.AuditFilter{Limit: 2}, []string{"4", "3"}},
		"next page": {store.AuditFilter{Limit: 2, Before: "3"}, []string{"2", "1"}},
		"account":   {store.AuditFilter{Limit: 9, AccountID: "ann"}, []string{"2", "1"}},
		"kinds":     {store.AuditFilter{Limit: 9, Kinds: []string{"login", "logout"}}, []string{"3", "1"}},
		"both":      {store.AuditFilter{Limit: 9, Kinds: []string{"login"}, AccountID: "bob"}, []string{"3"}},
		"odd":       {store.AuditFilter{Limit: 9, AccountID: "\x00"}, nil},
	} {
		got, err := s.Audit(ctx, c.f)
		if name == "odd" && errors.Is(err, store.ErrNotFound) {
			continue
		}
		must(t, err)
		same(t, name, ids(got, id), c.want)
	}
	got, err := s.Audit(ctx, store.AuditFilter{Limit: 1, AccountID: "bob"})
	must(t, err)
	same(t, "event", got[0], three)
}

func testInvites(t *testing.T, s store.Store) {
	invite := func(n byte) store.Invite {
		return store.Invite{
			ID: fmt.Sprint("i", n), Hash: [32]byte{n}, Role: "admin", Note: "for Ann", CreatedBy: store.CommandLine,
			Created: minutes(int(n)), Expires: minutes(60),
		}
	}
	one, two, three := invite(1), invite(2), invite(3)
	for _, i := range []store.Invite{one, two, three} {
		must(t, s.CreateInvite(ctx, i))
	}
	want(t, s.CreateInvite(ctx, one), store.ErrConflict)
	got, err := s.InviteByHash(ctx, one.Hash)
	must(t, err)
	same(t, "invitation", got, one)
	_, err = s.InviteByHash(ctx, [32]byte{9})
	want(t, err, store.ErrNotFound)

	_, err = s.UseInvite(ctx, two.Hash, "ann", minutes(60))
	want(t, err, store.ErrNotFound) // too late
	var had atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			switch _, err := s.UseInvite(ctx, one.Hash, "ann", minutes(5)); {
			case err == nil:
				had.Add(1)
			case !errors.Is(err, store.ErrNotFound):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	same(t, "had it", had.Load(), 1)
	got, err = s.InviteByHash(ctx, one.Hash)
	must(t, err)
	one.UsedBy, one.Used = "ann", minutes(5)
	same(t, "used", got, one)

	_, err = s.DeleteInvite(ctx, one.ID)
	want(t, err, store.ErrConflict)
	_, err = s.DeleteInvite(ctx, "none")
	want(t, err, store.ErrNotFound)
	got, err = s.DeleteInvite(ctx, two.ID)
	must(t, err)
	same(t, "deleted", got, two)
	list, err := s.Invites(ctx, 9)
	must(t, err)
	same(t, "list", list, []store.Invite{three, one})
}

func testReports(t *testing.T, s store.Store) {
	AddAccount(t, s, "ann")
	AddAccount(t, s, "bob")
	AddAccount(t, s, "cid")
	report := func(id, by, of string, minute int) store.Report {
		return store.Report{
			ID: id, Created: minutes(minute), ReporterID: by, AccusedID: of, Reason: "chat", Text: "Ugly words", GameID: "abcd1234",
			Line: "you …",
		}
	}
	one, two, three := report("1", "ann", "bob", 1), report("2", "cid", "bob", 2), report("3", "ann", "cid", 3)
	for _, r := range []store.Report{one, two, three} {
		must(t, s.CreateReport(ctx, r))
	}
	want(t, s.CreateReport(ctx, one), store.ErrConflict)
	want(t, s.CreateReport(ctx, report("4", "ann", "nobody", 4)), store.ErrInvalid)
	got, err := s.ResolveReport(ctx, "2", "ann", "warned", minutes(9))
	must(t, err)
	two.Resolved, two.ResolvedBy, two.Note = minutes(9), "ann", "warned"
	same(t, "resolved", got, two)
	_, err = s.ResolveReport(ctx, "2", "bob", "again", minutes(10))
	want(t, err, store.ErrConflict)
	_, err = s.ResolveReport(ctx, "9", "bob", "", minutes(10))
	want(t, err, store.ErrNotFound)
	for name, c := range map[string]struct {
		f    store.ReportFilter
		want []store.Report
	}{
		"all":      {store.ReportFilter{Limit: 9}, []store.Report{three, two, one}},
		"open":     {store.ReportFilter{Limit: 9, Open: true}, []store.Report{three, one}},
		"accused":  {store.ReportFilter{Limit: 9, AccusedID: "bob"}, []store.Report{two, one}},
		"reporter": {store.ReportFilter{Limit: 9, ReporterID: "ann"}, []store.Report{three, one}},
		"page":     {store.ReportFilter{Limit: 1, Before: "3"}, []store.Report{two}},
	} {
		got, err := s.Reports(ctx, c.f)
		must(t, err)
		same(t, name, got, c.want)
	}
}

func testMailCodes(t *testing.T, s store.Store) {
	AddAccount(t, s, "ann")
	code := func(n byte, purpose string, expires int) store.MailCode {
		return store.MailCode{
			Hash: [32]byte{n}, AccountID: "ann", Purpose: purpose, Email: "ann@example.org", Created: now, Expires: minutes(expires),
		}
	}
	for _, c := range []store.MailCode{code(1, "reset", 5), code(2, "confirm", 6), code(3, "reset", 7), code(4, "reset", 8)} {
		must(t, s.CreateMailCode(ctx, c))
	}
	want(t, s.CreateMailCode(ctx, code(1, "reset", 5)), store.ErrConflict)
	_, err := s.TakeMailCode(ctx, [32]byte{1}, "confirm")
	want(t, err, store.ErrNotFound) // for another purpose
	got, err := s.TakeMailCode(ctx, [32]byte{1}, "reset")
	must(t, err)
	same(t, "code", got, code(1, "reset", 5))
	_, err = s.TakeMailCode(ctx, [32]byte{1}, "reset")
	want(t, err, store.ErrNotFound)
	n, err := s.SweepMailCodes(ctx, minutes(7), 1)
	must(t, err)
	same(t, "swept", n, 1)
	n, err = s.SweepMailCodes(ctx, minutes(7), 9)
	must(t, err)
	same(t, "swept", n, 1)
	must(t, s.DeleteMailCodesOf(ctx, "ann", "confirm"))
	must(t, s.DeleteMailCodesOf(ctx, "ann", ""))
	_, err = s.TakeMailCode(ctx, [32]byte{4}, "reset")
	want(t, err, store.ErrNotFound)
}

func testSecondFactors(t *testing.T, s store.Store) {
	AddAccount(t, s, "ann")
	_, err := s.SecondFactor(ctx, "ann")
	want(t, err, store.ErrNotFound)
	want(t, s.EnableSecondFactor(ctx, "ann", 1, now, nil), store.ErrNotFound)
	must(t, s.PutSecondFactor(ctx, store.SecondFactor{AccountID: "ann", Secret: "OLD", Created: now}))
	f := store.SecondFactor{AccountID: "ann", Secret: "NEW", Created: minutes(1)}
	must(t, s.PutSecondFactor(ctx, f))
	must(t, s.EnableSecondFactor(ctx, "ann", 7, minutes(2), [][32]byte{{1}, {2}}))
	f.Enabled, f.LastStep = minutes(2), 7
	got, err := s.SecondFactor(ctx, "ann")
	must(t, err)
	same(t, "factor", got, f)

	want(t, s.UseFactorStep(ctx, "ann", 7), store.ErrConflict)
	var had atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if s.UseFactorStep(ctx, "ann", 8) == nil {
				had.Add(1)
			}
		})
	}
	wg.Wait()
	same(t, "had the code", had.Load(), 1)
	want(t, s.UseFactorStep(ctx, "ann", 6), store.ErrConflict)

	want(t, s.UseRecoveryCode(ctx, "ann", [32]byte{9}), store.ErrNotFound)
	must(t, s.UseRecoveryCode(ctx, "ann", [32]byte{1}))
	want(t, s.UseRecoveryCode(ctx, "ann", [32]byte{1}), store.ErrNotFound)
	n, err := s.CountRecoveryCodes(ctx, "ann")
	must(t, err)
	same(t, "left", n, 1)
	must(t, s.DeleteSecondFactor(ctx, "ann"))
	must(t, s.DeleteSecondFactor(ctx, "ann"))
	n, err = s.CountRecoveryCodes(ctx, "ann")
	must(t, err)
	same(t, "none left", n, 0)
}

func testLinkedIdentities(t *testing.T, s store.Store) {
	AddAccount(t, s, "ann")
	AddAccount(t, s, "bob")
	link := store.LinkedIdentity{Issuer: "https://id.example", Subject: "s1", AccountID: "ann", Label: "ann@example", Created: now}
	must(t, s.LinkIdentity(ctx, link))
	again := link
	again.AccountID = "bob"
	want(t, s.LinkIdentity(ctx, again), store.ErrConflict)
	got, err := s.IdentityBySubject(ctx, "https://id.example", "s1")
	must(t, err)
	same(t, "identity", got, link)
	_, err = s.IdentityBySubject(ctx, "https://other.example", "s1")
	want(t, err, store.ErrNotFound)
	list, err := s.IdentitiesOf(ctx, "ann")
	must(t, err)
	same(t, "of ann", list, []store.LinkedIdentity{link})
	must(t, s.UnlinkIdentities(ctx, "ann", "https://other.example"))
	_, err = s.IdentityBySubject(ctx, "https://id.example", "s1")
	must(t, err)
	must(t, s.UnlinkIdentities(ctx, "ann", ""))
	_, err = s.IdentityBySubject(ctx, "https://id.example", "s1")
	want(t, err, store.ErrNotFound)
}

func testFindAccounts(t *testing.T, s store.Store) {
	for _, n := range []string{"Ann", "hannah", "an_x", "anyx", "bob"} {
		AddAccount(t, s, n)
	}
	must(t, s.UpdateAccount(ctx, "bob", store.AccountChange{Email: ptr("Bob@Example.org"), Role: ptr("admin"), EmailConfirmed: ptr(minutes(1))}))
	must(t, s.UpdateAccount(ctx, "hannah", store.AccountChange{Closed: ptr(minutes(3)), ClosedBy: ptr("admin"), Banned: ptr(true)}))
	must(t, s.UpdateAccount(ctx, "anyx", store.AccountChange{Closed: ptr(minutes(2)), ClosedBy: ptr("owner"), Title: ptr("BOT")}))
	must(t, s.CreateAccount(ctx, store.Account{ID: "ai1", Name: "ai1", Hidden: true, Created: now}))
	id := func(a store.Account) string { return a.ID }
	for name, c := range map[string]struct {
		f    store.AccountFilter
		want []string
	}{
		"all":     {store.AccountFilter{Limit: 9}, []string{"ai1", "an_x", "ann", "anyx", "bob", "hannah"}},
		"part":    {store.AccountFilter{Query: "ann", Limit: 9}, []string{"ann", "hannah"}},
		"pattern": {store.AccountFilter{Query: "n_x", Limit: 9}, []string{"an_x"}},
		"percent": {store.AccountFilter{Query: "%", Limit: 9}, nil},
		"address": {store.AccountFilter{Query: "bob@example.org", Limit: 9}, []string{"bob"}},
		"open":    {store.AccountFilter{State: "open", Limit: 9}, []string{"ai1", "an_x", "ann", "bob"}},
		"closed":  {store.AccountFilter{State: "closed", Limit: 9}, []string{"anyx", "hannah"}},
		"banned":  {store.AccountFilter{State: "banned", Query: "a", Limit: 9}, []string{"hannah"}},
		"admin":   {store.AccountFilter{State: "admin", Limit: 9}, []string{"bob"}},
		"bot":     {store.AccountFilter{State: "bot", Limit: 9}, []string{"anyx"}},
		"page":    {store.AccountFilter{After: "ann", Limit: 2}, []string{"anyx", "bob"}},
	} {
		got, err := s.FindAccounts(ctx, c.f)
		must(t, err)
		same(t, name, ids(got, id), c.want)
	}
	_, err := s.FindAccounts(ctx, store.AccountFilter{State: "odd", Limit: 1})
	want(t, err, store.ErrInvalid)
	got, err := s.AccountsClosedSince(ctx, minutes(2), 9)
	must(t, err)
	same(t, "closed since", ids(got, id), []string{"anyx", "hannah"})
	got, err = s.AccountsClosedSince(ctx, minutes(3), 9)
	must(t, err)
	same(t, "closed later", ids(got, id), []string{"hannah"})
	got, err = s.AccountsClosedSince(ctx, time.Time{}, 1)
	must(t, err)
	same(t, "limited", ids(got, id), []string{"anyx"})
	open, closed, err := s.CountAccounts(ctx)
	must(t, err)
	same(t, "counts", []int{open, closed}, []int{3, 2})
	a, err := s.AccountByID(ctx, "hannah")
	must(t, err)
	same(t, "state", []any{a.ClosedBy, a.Banned}, []any{"admin", true})
}
