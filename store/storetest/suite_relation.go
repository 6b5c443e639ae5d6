package storetest

import (
	"strings"
	"testing"

	"hoplite/store"
)

func follow(t testing.TB, s store.Store, from, to string, at int) {
	t.Helper()
	must(t, s.Relate(ctx, store.Relation{AccountID: from, OtherID: to, Since: minutes(at)}))
}

func block(t testing.TB, s store.Store, from, to string, at int) {
	t.Helper()
	must(t, s.Relate(ctx, store.Relation{AccountID: from, OtherID: to, Block: true, Since: minutes(at)}))
}

// pairs writes relations as "a>b" and blocks as "a|b".
func pairs(list []store.Relation) string {
	var out []string
	for _, r := range list {
		sign := ">"
		if r.Block {
			sign = "|"
		}
		out = append(out, r.AccountID+sign+r.OtherID)
	}
	return strings.Join(out, " ")
}

func testRelations(t *testing.T, s store.Store) {
	for _, n := range []string{"a", "b", "c", "d"} {
		AddAccount(t, s, n)
	}
	follow(t, s, "a", "c", 1)
	follow(t, s, "a", "b", 2)
	follow(t, s, "b", "a", 3)
	follow(t, s, "c", "a", 4)
	follow(t, s, "d", "a", 4)
	follow(t, s, "a", "c", 9) // again: nothing new
	want(t, s.Relate(ctx, store.Relation{AccountID: "a", OtherID: "nobody", Since: now}), store.ErrInvalid)

	list := func(of string, block bool) string {
		t.Helper()
		l, err := s.RelationsOf(ctx, of, block)
		must(t, err)
		n, err := s.CountRelations(ctx, of, block)
		must(t, err)
		same(t, "number", n, len(l))
		return pairs(l)
	}
	same(t, "following", list("a", false), "a>b a>c")
	same(t, "blocking", list("a", true), "")
	mine, theirs, err := s.RelationsWith(ctx, "a", []string{"b", "c", "d", "nobody"})
	must(t, err)
	same(t, "since", mine["c"], store.Relation{AccountID: "a", OtherID: "c", Since: minutes(1)})
	same(t, "mine", []int{len(mine), len(theirs)}, []int{2, 3})
	same(t, "theirs", theirs["d"].AccountID, "d")

	page, err := s.Followers(ctx, "a", nil, 2)
	must(t, err)
	same(t, "followers", pairs(page), "d>a c>a")
	page, err = s.Followers(ctx, "a", &store.FollowCursor{Since: page[1].Since, ID: page[1].AccountID}, 2)
	must(t, err)
	same(t, "the next page", pairs(page), "b>a")

	recent, err := s.FollowsSince(ctx, []string{"b", "c"}, minutes(2), 10)
	must(t, err)
	same(t, "recent", pairs(recent), "c>a b>a a>b")
	recent, err = s.FollowsSince(ctx, []string{"b", "c"}, minutes(2), 1)
	must(t, err)
	same(t, "the last one", pairs(recent), "c>a")
	recent, err = s.FollowsSince(ctx, nil, minutes(2), 1)
	must(t, err)
	same(t, "of nobody", len(recent), 0)

	// A block replaces what was there and ends the other's following.
	block(t, s, "a", "b", 5)
	same(t, "following", list("a", false), "a>c")
	same(t, "blocking", list("a", true), "a|b")
	same(t, "the blocked one follows", list("b", false), "")
	block(t, s, "d", "a", 6)
	apart, err := s.Apart(ctx, "a")
	must(t, err)
	same(t, "apart", apart, []string{"b", "d"})
	for _, c := range []struct {
		a, b string
		want bool
	}{{"a", "b", true}, {"b", "a", true}, {"a", "d", true}, {"a", "c", false}, {"b", "d", false}} {
		got, err := s.Blocked(ctx, c.a, c.b)
		must(t, err)
		same(t, "blocked "+c.a+c.b, got, c.want)
	}
	// Two may block each other; one end leaves the other's block.
	block(t, s, "b", "a", 7)
	same(t, "both", list("a", true)+" "+list("b", true), "a|b b|a")
	must(t, s.Unrelate(ctx, "a", "b", false)) // not the kind that there is
	same(t, "blocking", list("a", true), "a|b")
	must(t, s.Unrelate(ctx, "a", "b", true))
	must(t, s.Unrelate(ctx, "a", "b", true))
	same(t, "blocking", list("a", true), "")
	must(t, s.Unrelate(ctx, "a", "c", false))
	same(t, "following", list("a", false), "")
}

func testNotes(t *testing.T, s store.Store) {
	for _, n := range []string{"a", "b", "c"} {
		AddAccount(t, s, n)
	}
	add := func(id, from, to string, at int) error {
		return s.AddNote(ctx, store.Note{ID: id, From: from, To: to, Text: "of " + id + ": ψ", At: minutes(at)}, 2)
	}
	must(t, add("n1", "a", "b", 1))
	must(t, add("n2", "a", "b", 2))
	must(t, add("n3", "a", "c", 3))
	must(t, add("n4", "b", "a", 4))
	want(t, add("n5", "a", "b", 5), store.ErrConflict)
	want(t, add("n6", "a", "nobody", 6), store.ErrInvalid)
	list, err := s.NotesOf(ctx, "a", "b")
	must(t, err)
	same(t, "notes", list, []store.Note{
		{ID: "n2", From: "a", To: "b", Text: "of n2: ψ", At: minutes(2)},
		{ID: "n1", From: "a", To: "b", Text: "of n1: ψ", At: minutes(1)},
	})
	list, err = s.NotesOf(ctx, "c", "a")
	must(t, err)
	same(t, "none", len(list), 0)
}
