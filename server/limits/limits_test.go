package limits_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hoplite/server/limits"
)

type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func TestTake(t *testing.T) {
	t.Parallel()
	c := &clock{time.Unix(1000, 0)}
	l := limits.New(c.now)
	rule := limits.Rule{Name: "r", Burst: 10, Per: 10 * time.Second}
	for i := range 10 {
		if _, ok := l.Take(rule, "a", 1); !ok {
			t.Fatalf("request %d refused within the budget", i)
		}
	}
	wait, ok := l.Take(rule, "a", 1)
	if ok || wait != time.Second {
		t.Errorf("beyond the budget: wait %v, ok %v; want 1s, false", wait, ok)
	}
	if _, ok := l.Take(rule, "b", 10); !ok {
		t.Error("another subject pays for the first")
	}
	if _, ok := l.Take(limits.Rule{Name: "s", Burst: 1, Per: time.Second}, "a", 1); !ok {
		t.Error("another rule pays for the first")
	}
	c.t = c.t.Add(wait)
	if _, ok := l.Take(rule, "a", 1); !ok {
		t.Error("refused after the wait that was asked for")
	}
	c.t = c.t.Add(time.Hour)
	if _, ok := l.Take(rule, "a", 5000); !ok {
		t.Error("more than a budget at once must be possible when the budget is whole")
	}
	if wait, ok := l.Take(rule, "a", 1); ok || wait != time.Second {
		t.Errorf("after all was spent: wait %v, ok %v; want 1s, false", wait, ok)
	}
}

func TestEnter(t *testing.T) {
	t.Parallel()
	l := limits.New(time.Now)
	rule := limits.Rule{Name: "r", Burst: 2, Per: time.Minute}
	first, _ := l.Enter(rule, "a")
	if _, ok := l.Enter(rule, "a"); !ok {
		t.Fatal("the second is refused")
	}
	if _, ok := l.Enter(rule, "a"); ok {
		t.Fatal("a third may run")
	}
	first()
	first() // leaving twice counts once
	if _, ok := l.Enter(rule, "a"); !ok {
		t.Error("refused although one has left")
	}
	if _, ok := l.Enter(rule, "a"); ok {
		t.Error("leaving twice made two places")
	}
}

func TestForgetsWholeBudgets(t *testing.T) {
	t.Parallel()
	c := &clock{time.Unix(1000, 0)}
	l := limits.New(c.now)
	rule := limits.Rule{Name: "r", Burst: 1, Per: time.Second}
	l.Take(rule, "spent", 1)
	for i := range 200000 {
		c.t = c.t.Add(10 * time.Millisecond)
		l.Take(rule, fmt.Sprint(i), 1)
	}
	if n := l.Kept(); n > 64*1024 {
		t.Errorf("%d budgets are kept of 200000 that are whole again", n)
	}
}

func TestSubject(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ ip, want string }{
		{"192.0.2.7", "192.0.2.7"},
		{"::ffff:192.0.2.7", "192.0.2.7"},
		{"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
		{"2001:db8:1:2::9", "2001:db8:1:2::/64"},
		{"fe80::1%eth0", "fe80::/64"},
		{"", ""},
	} {
		if got := limits.Subject(tt.ip); got != tt.want {
			t.Errorf("Subject(%q) = %q, want %q", tt.ip, got, tt.want)
		}
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	// What somebody could guess a secret by is limited on every server.
	guarded := []string{"login", "oidcFactor", "accountTokenCreate", "tokenTest", "accountPassword", "accountEmailSet", "accountClose", "accountTotpEnrol",
		"accountTotpConfirm", "accountTotpDisable", "passwordReset", "passwordResetConfirm", "emailConfirm", "accountEmailResend"}
	for id, uses := range limits.Uses() {
		for _, u := range uses {
			if !u.Rule.Holds(limits.Strict) || u.Rule.Holds(limits.Off) {
				t.Errorf("%s: rule %s must hold in strict and not in off", id, u.Rule.Name)
			}
			if guards := slices.Contains(guarded, id); u.Rule.Holds(limits.Relaxed) != guards {
				t.Errorf("%s: rule %s in relaxed mode: got %v, want %v", id, u.Rule.Name, !guards, guards)
			}
		}
	}
}
