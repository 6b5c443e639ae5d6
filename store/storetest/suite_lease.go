package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hoplite/store"
)

// ttl is longer than any of the tests on leases takes.
const ttl = time.Minute

func lease(t testing.TB, s store.Leases, node string, shard int) store.Lease {
	t.Helper()
	roll, err := s.RenewLeases(ctx, node, ttl)
	must(t, err)
	i := slices.IndexFunc(roll.Leases, func(l store.Lease) bool { return l.Shard == shard })
	if i < 0 {
		t.Fatalf("no lease of shard %d", shard)
	}
	return roll.Leases[i]
}

func claim(t testing.TB, s store.Leases, node string, ttl time.Duration, shards ...int) []store.Claim {
	t.Helper()
	claims, err := s.ClaimLeases(ctx, node, ttl, shards)
	must(t, err)
	return claims
}

func testLeases(t *testing.T, s store.Store) {
	roll, err := s.RenewLeases(ctx, "a", ttl)
	must(t, err)
	same(t, "nodes", roll.Nodes, []string{"a"})
	same(t, "number of leases", len(roll.Leases), store.Shards+1)
	for i, l := range roll.Leases {
		if l.Shard != i || !l.Free() || l.Epoch != 0 {
			t.Fatalf("lease %d at the beginning: %+v", i, l)
		}
	}
	got := claim(t, s, "a", ttl, 3, 1, store.LeaderShard)
	same(t, "claims", got, []store.Claim{
		{Lease: store.Lease{Shard: 1, Node: "a", Epoch: 1, Left: ttl}, Vacant: got[0].Vacant},
		{Lease: store.Lease{Shard: 3, Node: "a", Epoch: 1, Left: ttl}, Vacant: got[1].Vacant},
		{Lease: store.Lease{Shard: store.LeaderShard, Node: "a", Epoch: 1, Left: ttl}, Vacant: got[2].Vacant},
	})
	same(t, "claims of another", len(claim(t, s, "b", ttl, 1, 3)), 0)
	same(t, "claims of one's own", len(claim(t, s, "a", ttl, 1, 3)), 0)
	if l := lease(t, s, "b", 1); l.Node != "a" || l.Epoch != 1 || l.Left <= 0 || l.Left > ttl {
		t.Fatalf("lease of another: %+v", l)
	}

	// What is given back is free at once, in a new epoch.
	must(t, s.ReleaseLeases(ctx, "b", []int{1}))
	must(t, s.ReleaseLeases(ctx, "a", []int{1, 2}))
	if l := lease(t, s, "b", 3); l.Node != "a" {
		t.Fatalf("a lease that was not given back: %+v", l)
	}
	got = claim(t, s, "b", ttl, 1)
	if len(got) != 1 || got[0].Epoch != 3 || !got[0].Handed || got[0].Vacant > ttl {
		t.Fatalf("claim of what was given back: %+v", got)
	}

	must(t, s.Leave(ctx, "a"))
	roll, err = s.RenewLeases(ctx, "b", ttl)
	must(t, err)
	same(t, "nodes without the one that left", roll.Nodes, []string{"b"})
	for _, l := range roll.Leases {
		if l.Node == "a" || !l.Free() && l.Shard != 1 {
			t.Fatalf("after its node left: %+v", l)
		}
	}
}

func testLeasesRunOut(t *testing.T, s store.Store) {
	const short = 50 * time.Millisecond
	_, err := s.RenewLeases(ctx, "a", short)
	must(t, err)
	claim(t, s, "a", short, 7, 8)
	time.Sleep(2 * short)

	// Nobody wanted it: it goes on in the same epoch.
	roll, err := s.RenewLeases(ctx, "a", short)
	must(t, err)
	if l := roll.Leases[7]; l.Node != "a" || l.Epoch != 1 || l.Left <= 0 {
		t.Fatalf("renewed late: %+v", l)
	}
	time.Sleep(2 * short)
	got := claim(t, s, "b", ttl, 7)
	if len(got) != 1 || got[0].Epoch != 2 || got[0].Handed || got[0].Vacant <= 0 {
		t.Fatalf("claim of what ran out: %+v", got)
	}
	roll, err = s.RenewLeases(ctx, "b", ttl)
	must(t, err)
	same(t, "nodes that are alive", roll.Nodes, []string{"b"})

	// Who comes too late keeps what was not taken, and loses the rest.
	roll, err = s.RenewLeases(ctx, "a", ttl)
	must(t, err)
	if l := roll.Leases[7]; l.Node != "b" || l.Epoch != 2 {
		t.Fatalf("taken by another: %+v", l)
	}
	if l := roll.Leases[8]; l.Node != "a" || l.Epoch != 1 {
		t.Fatalf("taken by nobody: %+v", l)
	}
}

// gameIn returns the id of a game of a shard.
func gameIn(shard int) string {
	for n := 0; ; n++ {
		if id := fmt.Sprintf("game%04d", n); store.ShardOf(id) == shard {
			return id
		}
	}
}

func testFencedSteps(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	mine, theirs, free := NewGame(gameIn(1), now, "a", "b"), NewGame(gameIn(2), now, "a", "b"), NewGame(gameIn(3), now, "a", "b")
	claim(t, s, "x", ttl, 1, 2)
	under := func(epoch int64, step store.Step) store.Step { step.Epoch = epoch; return step }
	for i, r := range commit(t, s, under(1, Begin(mine)), under(1, Begin(theirs)), under(1, Begin(free))) {
		if r.Lost != (i == 2) {
			t.Fatalf("step %d of the first batch: %+v", i, r)
		}
	}
	_, err := s.GameByID(ctx, free.ID)
	want(t, err, store.ErrNotFound)

	must(t, s.ReleaseLeases(ctx, "x", []int{2}))
	claim(t, s, "y", ttl, 2)
	before := game(t, s, theirs.ID)
	stale := *theirs
	results := commit(t, s, under(1, Finish(&stale, store.StatusMate, 0)), under(1, Finish(mine, store.StatusMate, 1)))
	if !results[0].Lost || results[0].Rated || results[1].Lost || !results[1].Rated {
		t.Fatalf("results: %+v", results)
	}
	same(t, "game of a lost shard", game(t, s, theirs.ID), before)
	if g := game(t, s, mine.ID); g.Status != store.StatusMate || g.Players[1].RatingDiff == nil {
		t.Fatalf("game of a held shard: %+v", g)
	}
	if r := commit(t, s, under(3, Move(theirs, "e2e4", "k"))); r[0].Lost {
		t.Fatal("a step of the new holder was lost")
	}
	// What is refused is still found beside what is lost.
	_, err = s.CommitSteps(ctx, []store.Step{under(9, Move(mine, "a2a3", "")), under(3, Begin(theirs))}, Rate)
	want(t, err, store.ErrConflict)
}
