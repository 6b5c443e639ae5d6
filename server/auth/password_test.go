package auth

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"hoplite/server/fault"
)

func TestPasswordRoundTrip(t *testing.T) {
	t.Parallel()
	h := NewHasher()
	stored, err := h.Hash(t.Context(), "caf\u00e9 au lait")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("stored = %q, want the parameters in it", stored)
	}
	if h.Outdated(stored) {
		t.Error("a fresh string is outdated")
	}
	again, err := h.Hash(t.Context(), "caf\u00e9 au lait")
	if err != nil || again == stored {
		t.Errorf("two hashes of one password are equal (%v): no salt", err)
	}
	for _, c := range []struct {
		label, stored, password string
		want                    bool
	}{
		{"same", stored, "caf\u00e9 au lait", true},
		{"decomposed accent", stored, "cafe\u0301 au lait", true},
		{"other case", stored, "Caf\u00e9 au lait", false},
		{"longer", stored, "caf\u00e9 au lait ", false},
		{"empty", stored, "", false},
		{"no account", "", "caf\u00e9 au lait", false},
	} {
		got, err := h.Verify(t.Context(), c.stored, c.password)
		if err != nil || got != c.want {
			t.Errorf("%s: Verify = %v, %v, want %v", c.label, got, err, c.want)
		}
	}
}

func TestOldParametersStayReadable(t *testing.T) {
	t.Parallel()
	h := NewHasher()
	cheap := params{memory: 64, passes: 1, lanes: 1}
	sum, err := h.sum(t.Context(), "old password", []byte("0123456789abcdef"), cheap, 32)
	if err != nil {
		t.Fatal(err)
	}
	stored := cheap.format([]byte("0123456789abcdef"), sum)
	ok, err := h.Verify(t.Context(), stored, "old password")
	if err != nil || !ok || !h.Outdated(stored) {
		t.Errorf("Verify = %v, %v; Outdated = %v", ok, err, h.Outdated(stored))
	}
}

func TestDamagedStoredPassword(t *testing.T) {
	t.Parallel()
	h := NewHasher()
	for _, stored := range []string{
		"x", "$argon2id$", "$2b$12$abcdefghijklmnopqrstuv",
		"$argon2i$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
		"$argon2id$v=16$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
		"$argon2id$v=19$m=4194304,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
		"$argon2id$v=19$m=64,t=4000,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
		"$argon2id$v=19$m=64,t=0,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
		"$argon2id$v=19$m=64,t=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZg",
		"$argon2id$v=19$m=64,t=1,p=1$$MDEyMzQ1Njc4OWFiY2RlZg",
		"$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$",
		"$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$!!!!",
	} {
		if ok, err := h.Verify(t.Context(), stored, "x"); ok || !errors.Is(err, errStoredPassword) {
			t.Errorf("Verify(%q) = %v, %v", stored, ok, err)
		}
	}
}

// The third caller waits, and the one after a full queue is sent away.
func TestHasherQueueIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewHasher()
		for range hashesAtOnce {
			h.running <- struct{}{} // two hashes that do not end
		}
		h.callers.Add(hashesAtOnce)
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error, hashesWaiting)
		for range hashesWaiting {
			go func() {
				_, err := h.Hash(ctx, "whatever else")
				results <- err
			}()
		}
		synctest.Wait()
		_, err := h.Hash(ctx, "one too many")
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.KindUnavailable || f.RetryAfter <= 0 {
			t.Errorf("the caller after a full queue got %v, want unavailable with a time to retry", err)
		}
		cancel()
		for range hashesWaiting {
			if err := <-results; !errors.Is(err, context.Canceled) {
				t.Errorf("a waiting caller that gave up got %v", err)
			}
		}
		if got := h.callers.Load(); got != hashesAtOnce {
			t.Errorf("%d callers counted after all left, want the %d that run", got, hashesAtOnce)
		}
	})
}
