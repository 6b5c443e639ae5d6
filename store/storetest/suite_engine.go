package storetest

import (
	"testing"

	"hoplite/store"
)

func testEngines(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	AddAccount(t, s, "b")
	engine := func(id, account string, minute int) store.ExternalEngine {
		return store.ExternalEngine{
			ID: id, AccountID: account, Name: "Größe 1", ClientSecret: "ees_" + id, Provider: [32]byte{1, 0xff, 31: 9},
			MaxThreads: 4, MaxHash: 1024, Variants: []string{"chess", "spartan"}, Data: "my own\nwords", Created: minutes(minute),
		}
	}
	one, two, three := engine("e1", "a", 2), engine("e2", "a", 1), engine("e3", "b", 3)
	for _, e := range []store.ExternalEngine{one, two, three} {
		must(t, s.CreateEngine(ctx, e, 2))
		got, err := s.EngineByID(ctx, e.ID)
		must(t, err)
		same(t, "engine", got, e)
	}
	want(t, s.CreateEngine(ctx, engine("e4", "a", 4), 2), store.ErrConflict)
	want(t, s.CreateEngine(ctx, one, 9), store.ErrConflict)
	want(t, s.CreateEngine(ctx, engine("e4", "nobody", 4), 2), store.ErrInvalid)
	odd := engine("e4", "b", 4)
	odd.Variants = []string{"two words"}
	want(t, s.CreateEngine(ctx, odd, 2), store.ErrInvalid)
	_, err := s.EngineByID(ctx, "none")
	want(t, err, store.ErrNotFound)
	list, err := s.EnginesOf(ctx, "a")
	must(t, err)
	same(t, "engines", list, []store.ExternalEngine{two, one})

	change := store.ExternalEngine{
		ID: "e1", AccountID: "a", Name: "other", ClientSecret: "not this", Provider: [32]byte{2}, MaxThreads: 1, MaxHash: 16,
		Variants: []string{"shogi"}, Created: minutes(50),
	}
	got, err := s.UpdateEngine(ctx, change)
	must(t, err)
	change.ClientSecret, change.Created = one.ClientSecret, one.Created
	same(t, "updated", got, change)
	got, err = s.EngineByID(ctx, "e1")
	must(t, err)
	same(t, "read back", got, change)
	odd = change
	odd.AccountID = "b"
	_, err = s.UpdateEngine(ctx, odd) // it is somebody else's
	want(t, err, store.ErrNotFound)
	odd.AccountID, odd.Variants = "a", []string{""}
	_, err = s.UpdateEngine(ctx, odd)
	want(t, err, store.ErrInvalid)

	known := func(provider [32]byte) bool {
		t.Helper()
		ok, err := s.HasProvider(ctx, provider)
		must(t, err)
		return ok
	}
	same(t, "providers", []bool{known([32]byte{2}), known(three.Provider), known([32]byte{3})}, []bool{true, true, false})
	want(t, s.DeleteEngine(ctx, "b", "e1"), store.ErrNotFound)
	must(t, s.DeleteEngine(ctx, "a", "e1"))
	want(t, s.DeleteEngine(ctx, "a", "e1"), store.ErrNotFound)
	must(t, s.DeleteEnginesOf(ctx, "a"))
	must(t, s.DeleteEnginesOf(ctx, "a"))
	list, err = s.EnginesOf(ctx, "a")
	must(t, err)
	same(t, "engines that are left", list, nil)
	same(t, "providers that are left", []bool{known([32]byte{2}), known(three.Provider)}, []bool{false, true})
}
