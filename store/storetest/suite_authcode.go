package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/store"
)

func authCode(n byte, expires time.Time) store.AuthCode {
	return store.AuthCode{
		Hash: [32]byte{n}, AccountID: "a", ClientID: "an app", ClientOrigin: "https://app.example",
		RedirectURI: "https://app.example/back?x=1", Challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
		Scopes: []string{"board:play", "puzzle:read"}, Created: now, Expires: expires,
	}
}

func testAuthCodes(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	one, two := authCode(1, minutes(2)), authCode(2, minutes(3))
	must(t, s.CreateAuthCode(ctx, one))
	must(t, s.CreateAuthCode(ctx, two))
	want(t, s.CreateAuthCode(ctx, one), store.ErrConflict)
	odd := authCode(3, minutes(2))
	odd.Scopes = []string{"two words"}
	want(t, s.CreateAuthCode(ctx, odd), store.ErrInvalid)
	odd = authCode(3, minutes(2))
	odd.AccountID = "nobody"
	want(t, s.CreateAuthCode(ctx, odd), store.ErrInvalid)

	_, err := s.UseAuthCode(ctx, [32]byte{9}, "t")
	want(t, err, store.ErrNotFound)
	_, err = s.UseAuthCode(ctx, one.Hash, "")
	want(t, err, store.ErrInvalid)
	got, err := s.UseAuthCode(ctx, one.Hash, "t1")
	must(t, err)
	one.TokenID = "t1"
	same(t, "code", got, one)
	got, err = s.UseAuthCode(ctx, one.Hash, "t2")
	want(t, err, store.ErrConflict)
	same(t, "used code", got, one)

	// A transaction that fails leaves the code as it was.
	undo := errors.New("undo")
	err = s.InTx(ctx, func(tx store.Store) error {
		if _, err := tx.UseAuthCode(ctx, two.Hash, "t3"); err != nil {
			return err
		}
		return undo
	})
	want(t, err, undo)
	_, err = s.UseAuthCode(ctx, two.Hash, "t4")
	must(t, err)

	for _, c := range []struct {
		at   time.Time
		max  int
		want int
	}{{minutes(1), 5, 0}, {minutes(2), 5, 1}, {minutes(9), 0, 0}, {minutes(9), 5, 1}, {minutes(9), 5, 0}} {
		n, err := s.SweepAuthCodes(ctx, c.at, c.max)
		must(t, err)
		same(t, "swept", n, c.want)
	}
	_, err = s.UseAuthCode(ctx, two.Hash, "t5")
	want(t, err, store.ErrNotFound)
}

func testAuthCodeRace(t *testing.T, s store.Store) {
	AddAccount(t, s, "a")
	c := authCode(1, minutes(2))
	must(t, s.CreateAuthCode(ctx, c))
	var had, late atomic.Int32
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			switch _, err := s.UseAuthCode(ctx, c.Hash, "t"+string(rune('0'+i))); {
			case err == nil:
				had.Add(1)
			case errors.Is(err, store.ErrConflict):
				late.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if had.Load() != 1 || late.Load() != 7 {
		t.Errorf("%d had the code and %d came late, want 1 and 7", had.Load(), late.Load())
	}
}
