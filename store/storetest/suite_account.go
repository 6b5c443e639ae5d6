package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"hoplite/store"
)

func testAccounts(t *testing.T, s store.Store) {
	full := store.Account{
		ID: "leonidas", Name: "Leonidas", PasswordHash: "$argon2id$…", Email: "Leo@Sparta.example", Title: "BOT",
		Role: "admin", Hidden: true, Created: now, Seen: minutes(1), Closed: minutes(2), Kid: true, Language: "el-GR",
		Profile: json.RawMessage(`{"bio":"ΜΟΛΩΝ ΛΑΒΕ"}`), Prefs: json.RawMessage(`{"dark":1}`),
		Count: store.Count{All: 7, Rated: 6, Win: 3, Loss: 2, Draw: 2, AI: 1, PlayTime: 90 * time.Second},
	}
	must(t, s.CreateAccount(ctx, full))
	got, err := s.AccountByID(ctx, "leonidas")
	must(t, err)
	same(t, "account", got, full)
	want(t, s.CreateAccount(ctx, store.Account{ID: "leonidas", Name: "LEONIDAS", Created: now}), store.ErrConflict)
	_, err = s.AccountByID(ctx, "xerxes")
	want(t, err, store.ErrNotFound)

	for _, n := range []string{"Ann", "anna", "anne", "bea", "an_x"} {
		AddAccount(t, s, n)
	}
	name := func(a store.Account) string { return a.ID }
	list, err := s.AccountsByID(ctx, []string{"bea", "nobody", "ann", "bea", "leonidas"})
	must(t, err)
	same(t, "in the order asked", ids(list, name), []string{"bea", "ann", "leonidas"})
	list, err = s.AccountsByID(ctx, nil)
	must(t, err)
	same(t, "none asked", len(list), 0)

	must(t, s.UpdateAccount(ctx, "anna", store.AccountChange{Closed: ptr(minutes(3))}))
	list, err = s.AccountsByPrefix(ctx, "an", 10)
	must(t, err)
	same(t, "by prefix, without the closed", ids(list, name), []string{"an_x", "ann", "anne"})
	list, err = s.AccountsByPrefix(ctx, "ann", 1)
	must(t, err)
	same(t, "limited", ids(list, name), []string{"ann"})
	list, err = s.AccountsByPrefix(ctx, "leo", 10)
	must(t, err)
	same(t, "hidden", ids(list, name), nil)

	change := store.AccountChange{
		Name: ptr("BEA"), PasswordHash: ptr("h"), Email: ptr("bea@example.org"), Title: ptr("BOT"), Role: ptr("admin"),
		Hidden: ptr(false), Seen: ptr(minutes(4)), Kid: ptr(true), Language: ptr("de"),
		Profile: ptr(json.RawMessage(`{"bio":""}`)), Prefs: ptr(json.RawMessage(`{}`)),
	}
	must(t, s.UpdateAccount(ctx, "bea", change))
	got, err = s.AccountByID(ctx, "bea")
	must(t, err)
	same(t, "changed", got, store.Account{
		ID: "bea", Name: "BEA", PasswordHash: "h", Email: "bea@example.org", Title: "BOT", Role: "admin", Created: now,
		Seen: minutes(4), Kid: true, Language: "de", Profile: json.RawMessage(`{"bio":""}`), Prefs: json.RawMessage(`{}`),
	})
	// Zero values are values.
	must(t, s.UpdateAccount(ctx, "bea", store.AccountChange{Role: ptr(""), Kid: ptr(false), Seen: ptr(time.Time{}), Profile: ptr(json.RawMessage(nil))}))
	got, err = s.AccountByID(ctx, "bea")
	must(t, err)
	same(t, "emptied", []any{got.Role, got.Kid, got.Seen.IsZero(), len(got.Profile)}, []any{"", false, true, 0})
	want(t, s.UpdateAccount(ctx, "bea", store.AccountChange{Name: ptr("Bob")}), store.ErrInvalid)
	want(t, s.UpdateAccount(ctx, "nobody", store.AccountChange{Kid: ptr(true)}), store.ErrNotFound)
	want(t, s.UpdateAccount(ctx, "nobody", store.AccountChange{}), store.ErrNotFound)

	must(t, s.UpdateAccount(ctx, "bea", store.AccountChange{Role: ptr("admin")}))
	list, err = s.Admins(ctx)
	must(t, err)
	same(t, "open administrators", ids(list, name), []string{"bea"})
	list, err = s.AccountsByEmail(ctx, "BEA@example.org")
	must(t, err)
	same(t, "by address", ids(list, name), []string{"bea"})
	list, err = s.AccountsByEmail(ctx, "")
	must(t, err)
	same(t, "without address", len(list), 0)
}

func testMakeBot(t *testing.T, s store.Store) {
	for _, n := range []string{"robot", "player", "other"} {
		AddAccount(t, s, n)
	}
	for range 2 { // the second time it is one already
		must(t, s.MakeBot(ctx, "robot"))
	}
	a, err := s.AccountByID(ctx, "robot")
	must(t, err)
	same(t, "title", a.Title, "BOT")
	commit(t, s, Begin(NewGame("game0001", now, "player", "other")))
	want(t, s.MakeBot(ctx, "player"), store.ErrConflict)
	want(t, s.MakeBot(ctx, "nobody"), store.ErrNotFound)
	a, err = s.AccountByID(ctx, "player")
	must(t, err)
	same(t, "title", a.Title, "")
	commit(t, s, Begin(NewGame("game0002", now, "robot", "other")))
	must(t, s.MakeBot(ctx, "robot"))
}

func testPerfs(t *testing.T, s store.Store) {
	for _, n := range []string{"a", "b", "c", "d"} {
		AddAccount(t, s, n)
	}
	p, err := s.Perf(ctx, "a", "spartan")
	must(t, err)
	same(t, "unrated", p, store.Perf{AccountID: "a", Key: "spartan", Rating: 1500, RD: 500, Vol: 0.09})
	full := store.Perf{
		AccountID: "a", Key: "spartan", Rating: 1612.25, RD: 80.5, Vol: 0.0601, Games: 12, Progress: -7,
		Recent: []int{1600, 1605, 1612}, Updated: minutes(5),
	}
	must(t, s.SavePerf(ctx, full))
	p, err = s.Perf(ctx, "a", "spartan")
	must(t, err)
	same(t, "rating", p, full)
	full.Rating, full.Recent = 1700, nil
	must(t, s.SavePerf(ctx, full))
	blitz := store.Perf{AccountID: "a", Key: "blitz", Rating: 1400, RD: 100, Vol: 0.06, Games: 3}
	must(t, s.SavePerf(ctx, blitz))
	list, err := s.PerfsOf(ctx, "a")
	must(t, err)
	same(t, "all of one", list, []store.Perf{blitz, full})
	want(t, s.SavePerf(ctx, store.NewPerf("nobody", "blitz")), store.ErrInvalid)

	must(t, s.SavePerf(ctx, store.Perf{AccountID: "b", Key: "spartan", Rating: 1900, RD: 300, Vol: 0.06, Games: 1}))
	must(t, s.SavePerf(ctx, store.Perf{AccountID: "c", Key: "spartan", Rating: 1800, RD: 60, Vol: 0.06, Games: 9}))
	must(t, s.SavePerf(ctx, store.Perf{AccountID: "d", Key: "spartan", Rating: 1850, RD: 60, Vol: 0.06, Games: 9}))
	must(t, s.UpdateAccount(ctx, "d", store.AccountChange{Closed: ptr(now)}))
	all, err := s.PerfsOfAll(ctx, []string{"a", "c", "nobody"})
	must(t, err)
	same(t, "of several", []int{len(all["a"]), len(all["c"]), len(all["nobody"])}, []int{2, 1, 0})

	// Ten transactions that add one each.
	var wg sync.WaitGroup
	errs := make(chan error, 10)
	for range 10 {
		wg.Go(func() {
			errs <- s.InTx(ctx, func(tx store.Store) error {
				p, err := tx.LockPerf(ctx, "a", store.PuzzleKey("spartan"))
				if err != nil {
					return err
				}
				p.Games++
				return tx.SavePerf(ctx, p)
			})
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		must(t, err)
	}
	p, err = s.Perf(ctx, "a", store.PuzzleKey("spartan"))
	must(t, err)
	same(t, "locked sum", p.Games, 10)
	if _, err := s.LockPerf(ctx, "a", "x"); err == nil {
		t.Fatal("a lock outside a transaction would not hold")
	}
}

func testSessions(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	add := func(id, account string, created, expires time.Time) store.Session {
		x := store.Session{ID: id, AccountID: account, Created: created, Expires: expires, UserAgent: "Mozilla"}
		must(t, s.CreateSession(ctx, x))
		return x
	}
	one := add("s1", "a", minutes(0), minutes(10))
	add("s2", "a", minutes(1), minutes(20))
	add("s3", "a", minutes(2), minutes(30))
	add("t1", "b", minutes(0), minutes(10))
	got, err := s.SessionByID(ctx, "s1")
	must(t, err)
	same(t, "session", got, one)
	want(t, s.CreateSession(ctx, one), store.ErrConflict)
	want(t, s.CreateSession(ctx, store.Session{ID: "x", AccountID: "nobody"}), store.ErrInvalid)
	_, err = s.SessionByID(ctx, "none")
	want(t, err, store.ErrNotFound)
	held, err := s.HeldSessions(ctx, []string{"none", "s1", "s2", "s3"}, minutes(10))
	must(t, err)
	slices.Sort(held)
	same(t, "held", held, []string{"s2", "s3"})
	list, err := s.SessionsOf(ctx, "a")
	must(t, err)
	sid := func(x store.Session) string { return x.ID }
	same(t, "newest first", ids(list, sid), []string{"s3", "s2", "s1"})
	must(t, s.DeleteSession(ctx, "s1"))
	want(t, s.DeleteSession(ctx, "s1"), store.ErrNotFound)
	ended, err := s.DeleteSessionsOf(ctx, "a", "s3")
	must(t, err)
	same(t, "ended", ended, []string{"s2"})
	n, err := s.SweepSessions(ctx, minutes(10), 5)
	must(t, err)
	same(t, "swept", n, 1)
	_, err = s.SessionByID(ctx, "t1")
	want(t, err, store.ErrNotFound)
	_, err = s.SessionByID(ctx, "s3")
	must(t, err)
}

func testTokens(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	add := func(n byte, account string) store.Token {
		x := store.Token{
			ID: fmt.Sprint("id", n), Hash: [32]byte{n, 0xff, 31: n}, Prefix: "lip_", AccountID: account, Description: "für den Bot",
			Scopes: []string{"bot:play", "challenge:read"}, Created: minutes(int(n)), Expires: minutes(100),
			ClientID: "an app", ClientOrigin: "https://app.example",
		}
		must(t, s.CreateToken(ctx, x))
		return x
	}
	one := add(1, "a")
	two, three := add(2, "a"), add(3, "b")
	got, err := s.TokenByHash(ctx, one.Hash)
	must(t, err)
	same(t, "token", got, one)
	_, err = s.TokenByHash(ctx, [32]byte{9})
	want(t, err, store.ErrNotFound)
	twin := one
	twin.ID = "other"
	want(t, s.CreateToken(ctx, twin), store.ErrConflict)
	odd := store.Token{ID: "odd", Hash: [32]byte{8}, AccountID: "a", Scopes: []string{"two words"}}
	want(t, s.CreateToken(ctx, odd), store.ErrInvalid)

	list, err := s.TokensByHash(ctx, [][32]byte{three.Hash, {7}, one.Hash})
	must(t, err)
	same(t, "known ones", len(list), 2)
	many := make([][32]byte, 1000)
	for i := range many {
		many[i] = [32]byte{200, byte(i), byte(i >> 8)}
	}
	many[999] = two.Hash
	list, err = s.TokensByHash(ctx, many)
	must(t, err)
	same(t, "a thousand", ids(list, func(x store.Token) string { return x.ID }), []string{"id2"})

	held, err := s.HeldTokens(ctx, []string{"id1", "id3", "none"}, minutes(99))
	must(t, err)
	slices.Sort(held)
	same(t, "held", held, []string{"id1", "id3"})
	held, err = s.HeldTokens(ctx, []string{"id1"}, minutes(100))
	must(t, err)
	same(t, "expired", len(held), 0)

	must(t, s.UseToken(ctx, "id1", minutes(50)))
	must(t, s.UseToken(ctx, "id1", minutes(40))) // late, from another node
	must(t, s.UseToken(ctx, "none", minutes(40)))
	one.Used = minutes(50)
	list, err = s.TokensOf(ctx, "a")
	must(t, err)
	same(t, "newest first", list, []store.Token{two, one})
	_, err = s.DeleteToken(ctx, "b", "id1")
	want(t, err, store.ErrNotFound)
	gone, err := s.DeleteToken(ctx, "a", "id1")
	must(t, err)
	same(t, "deleted", gone, one)
	_, err = s.TokenByHash(ctx, one.Hash)
	want(t, err, store.ErrNotFound)
	list, err = s.DeleteTokensOf(ctx, "a")
	must(t, err)
	same(t, "all deleted", list, []store.Token{two})
	_, err = s.TokenByHash(ctx, three.Hash)
	must(t, err)
}

func testOddText(t *testing.T, s store.Store) {
	for _, id := range []string{"a\x00b", "\xff\xfe", "'; DROP TABLE accounts; --", "%", "", "ａ"} {
		if _, err := s.AccountByID(ctx, id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("account %q: %v", id, err)
		}
		if _, err := s.GameByID(ctx, id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("game %q: %v", id, err)
		}
		if _, err := s.ChallengeByID(ctx, id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("challenge %q: %v", id, err)
		}
		if _, err := s.SessionByID(ctx, id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("session %q: %v", id, err)
		}
		if _, err := s.PuzzleByID(ctx, id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("puzzle %q: %v", id, err)
		}
	}
	AddAccount(t, s, "a")
	must(t, s.CreateSession(ctx, store.Session{ID: "s", AccountID: "a", Created: now, UserAgent: "curl \xff\x00 \u202e"}))
	got, err := s.SessionByID(ctx, "s")
	must(t, err)
	same(t, "user agent", got.UserAgent, "curl \uFFFD\uFFFD \u202e")
	text := json.RawMessage(`{"bio":"💥 \u0000 O'Neill \"?\" $1"}`)
	must(t, s.UpdateAccount(ctx, "a", store.AccountChange{Profile: &text}))
	a, err := s.AccountByID(ctx, "a")
	must(t, err)
	same(t, "profile", string(a.Profile), string(text))
}
