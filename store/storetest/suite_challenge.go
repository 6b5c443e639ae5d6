package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/store"
)

func newChallenge(id, from, to string, created time.Time) store.Challenge {
	return store.Challenge{
		ID: id, Status: store.ChallengeCreated, ChallengerID: from, DestID: to, Variant: "spartan", Color: "random",
		FinalColor: "white", HasClock: true, Limit: 3 * time.Minute, Increment: 2 * time.Second, Created: created, Seen: created,
	}
}

func testChallenges(t *testing.T, s store.Store) {
	full := newChallenge("abcdefg1", "a", "b", now)
	full.InitialFEN, full.StartNumber, full.Rated = "8/8/8/8/8/8/8/8 w - - 0 1", 518, true
	full.Delay, full.Byoyomi, full.Periods = 2*time.Second, 30*time.Second, 3
	full.Days, full.Rules, full.OpenUsers = 2, []string{"noAbort", "noRematch"}, []string{"a", "b"}
	full.Open, full.Name, full.DeclineReason, full.RematchOf = true, "Ein Spiel", "tooFast", "gamegame"
	full.Seen, full.Expires = minutes(1), minutes(2)
	must(t, s.CreateChallenge(ctx, full))
	got, err := s.ChallengeByID(ctx, full.ID)
	must(t, err)
	same(t, "challenge", got, full)
	want(t, s.CreateChallenge(ctx, full), store.ErrConflict)
	_, err = s.ChallengeByID(ctx, "ABCDEFG1") // ids tell cases apart
	want(t, err, store.ErrNotFound)
	commit(t, s, Begin(NewGame("gamegame", now, "a", "b")))
	want(t, s.CreateChallenge(ctx, newChallenge("gamegame", "a", "b", now)), store.ErrConflict)

	full.Status, full.DestID, full.FinalColor, full.DeclineReason = store.ChallengeDeclined, "c", "black", "later"
	full.Seen, full.Expires = minutes(5), minutes(6)
	changed, err := s.ChangeChallenge(ctx, full.ID, []string{store.ChallengeCreated, store.ChallengeOffline}, store.ChallengeChange{
		Status: &full.Status, DestID: &full.DestID, FinalColor: &full.FinalColor, DeclineReason: &full.DeclineReason,
		Seen: &full.Seen, Expires: &full.Expires,
	})
	must(t, err)
	same(t, "changed", changed, full)
	unchanged, err := s.ChangeChallenge(ctx, full.ID, []string{store.ChallengeCreated}, store.ChallengeChange{Status: ptr(store.ChallengeAccepted)})
	want(t, err, store.ErrConflict)
	same(t, "with the conflict", unchanged, full)
	_, err = s.ChangeChallenge(ctx, "none", nil, store.ChallengeChange{Status: ptr(store.ChallengeAccepted)})
	want(t, err, store.ErrNotFound)
	_, err = s.ChangeChallenge(ctx, full.ID, nil, store.ChallengeChange{})
	must(t, err)

	must(t, s.CreateChallenge(ctx, newChallenge("c1", "x", "y", minutes(2))))
	must(t, s.CreateChallenge(ctx, newChallenge("c2", "x", "z", minutes(1))))
	must(t, s.CreateChallenge(ctx, newChallenge("c3", "y", "x", minutes(3))))
	must(t, s.CreateChallenge(ctx, newChallenge("c4", "", "", minutes(3))))
	in, out, err := s.ChallengesOf(ctx, "x")
	must(t, err)
	cid := func(c store.Challenge) string { return c.ID }
	same(t, "in", ids(in, cid), []string{"c3"})
	same(t, "out", ids(out, cid), []string{"c2", "c1"})
	in, out, err = s.ChallengesOf(ctx, "")
	must(t, err)
	same(t, "of nobody", len(in)+len(out), 0)
	in, _, err = s.ChallengesOf(ctx, "c")
	must(t, err)
	same(t, "declined ones", len(in), 0)
}

func testChallengeRace(t *testing.T, s store.Store) {
	must(t, s.CreateChallenge(ctx, newChallenge("race", "a", "b", now)))
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			_, err := s.ChangeChallenge(ctx, "race", []string{store.ChallengeCreated}, store.ChallengeChange{Status: ptr(store.ChallengeAccepted)})
			switch {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, store.ErrConflict):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	same(t, "accepted", won.Load(), 1)
}

func testChallengesExpire(t *testing.T, s store.Store) {
	must(t, s.CreateChallenge(ctx, newChallenge("fresh", "a", "b", minutes(10))))
	must(t, s.CreateChallenge(ctx, newChallenge("unseen", "a", "b", minutes(1))))
	late := newChallenge("late", "a", "b", minutes(2))
	late.Expires = minutes(9)
	must(t, s.CreateChallenge(ctx, late))
	open := newChallenge("open", "a", "", minutes(1))
	open.Expires = minutes(1000)
	must(t, s.CreateChallenge(ctx, open))
	done := newChallenge("done", "a", "b", minutes(1))
	done.Status = store.ChallengeCanceled
	must(t, s.CreateChallenge(ctx, done))

	list, err := s.ExpireChallenges(ctx, minutes(10), minutes(9), 100)
	must(t, err)
	same(t, "expired", ids(list, func(c store.Challenge) string { return c.ID + " " + c.Status }), []string{"unseen offline", "late offline"})
	list, err = s.ExpireChallenges(ctx, minutes(10), minutes(9), 100)
	must(t, err)
	same(t, "expired again", len(list), 0)
	n, err := s.SweepChallenges(ctx, minutes(2), 100)
	must(t, err)
	same(t, "swept", n, 2) // unseen, done
	_, err = s.ChallengeByID(ctx, "open")
	must(t, err)
	_, err = s.ChallengeByID(ctx, "done")
	want(t, err, store.ErrNotFound)
}

func testSeeks(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	one := store.Seek{
		ID: "seek1", AccountID: "a", Variant: "spartan", Days: 3, Rated: true, Color: "white", RatingMin: 1400, RatingMax: 1800,
		Created: now, Expires: minutes(60),
	}
	must(t, s.CreateSeek(ctx, one))
	want(t, s.CreateSeek(ctx, one), store.ErrConflict)
	got, err := s.SeekByID(ctx, "seek1")
	must(t, err)
	same(t, "seek", got, one)
	must(t, s.CreateSeek(ctx, store.Seek{ID: "seek2", AccountID: "b", Variant: "spartan", Color: "random", Created: minutes(1)}))
	must(t, s.CreateSeek(ctx, store.Seek{ID: "seek3", AccountID: "a", Variant: "seirawan", Color: "random", Created: minutes(2)}))
	sid := func(x store.Seek) string { return x.ID }
	for _, c := range []struct {
		variant string
		at      time.Time
		want    []string
	}{
		{"spartan", minutes(5), []string{"seek1", "seek2"}},
		{"spartan", minutes(60), []string{"seek2"}},
		{"", minutes(5), []string{"seek1", "seek2", "seek3"}},
		{"chess960", minutes(5), nil},
	} {
		list, err := s.Seeks(ctx, c.variant, c.at, 10)
		must(t, err)
		same(t, "seeks of "+c.variant, ids(list, sid), c.want)
	}
	list, err := s.SeeksOf(ctx, "a")
	must(t, err)
	same(t, "of one", ids(list, sid), []string{"seek1", "seek3"})

	var got1 atomic.Int32
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			x, err := s.TakeSeek(ctx, "seek1")
			switch {
			case err == nil && x.AccountID == "a":
				got1.Add(1)
			case !errors.Is(err, store.ErrNotFound):
				t.Error(x, err)
			}
		})
	}
	wg.Wait()
	same(t, "takers", got1.Load(), 1)
}
