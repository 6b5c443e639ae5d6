package lobby

import (
	"testing"
	"time"

	"hoplite/openapi/frames"
	"hoplite/server/fault"
)

// TestQuickWidens lets two wait whose ratings are far apart.
func TestQuickWidens(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		gap    float64
		waited time.Duration
		want   bool
	}{
		{100, 0, true}, {101, 0, false}, {150, time.Second, false}, {150, 2 * time.Second, true},
		{900, 29 * time.Second, false}, {900, 30 * time.Second, true},
	} {
		l, accounts, games := newLobby(t)
		now := time.Now()
		l.Now = func() time.Time { return now }
		accounts.rating = map[string]float64{"bob": 1500 + tc.gap}
		for _, name := range []string{"ann", "bob"} {
			seek := seekBy(name)
			seek.Quick = true
			if _, err := l.Seek(t.Context(), seek); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(tc.waited)
		l.widen(t.Context())
		if got := len(games.games) == 1; got != tc.want {
			t.Errorf("%v apart after %v: paired %t", tc.gap, tc.waited, got)
		}
		if left := len(l.book.seeks); (left == 0) != tc.want {
			t.Errorf("%v apart after %v: %d seeks left", tc.gap, tc.waited, left)
		}
	}
}

// TestQuickTakesOpenSeeks pairs a quick seek with one that everybody sees, within the range that this one asks for.
func TestQuickTakesOpenSeeks(t *testing.T) {
	t.Parallel()
	l, _, games := newLobby(t)
	open := seekBy("ann")
	open.MinRating, open.MaxRating = 1450, 1550
	wait, err := l.Seek(t.Context(), open)
	if err != nil {
		t.Fatal(err)
	}
	quick := seekBy("bob")
	quick.Quick = true
	made, err := l.Seek(t.Context(), quick)
	if err != nil || made.Game == "" || len(games.games) != 1 {
		t.Fatalf("%+v, %v, %d games", made, err, len(games.games))
	}
	<-wait.Done
}

// TestQuickIsNotShown: nobody sees or takes a quick seek.
func TestQuickIsNotShown(t *testing.T) {
	t.Parallel()
	l, _, _ := newLobby(t)
	quick := seekBy("ann")
	quick.Quick = true
	l.mu.Lock()
	sub := l.Bus.Subscribe(Topic, 9)
	l.mu.Unlock()
	wait, err := l.Seek(t.Context(), quick)
	if err != nil {
		t.Fatal(err)
	}
	wait.Cancel()
	<-wait.Done
	sub.Close()
	for ev := range sub.C {
		t.Errorf("the lobby tells %+v", ev)
	}
}

// TestQuickAvoidsRepeats rather waits than plays the last opponent again.
func TestQuickAvoidsRepeats(t *testing.T) {
	t.Parallel()
	l, accounts, games := newLobby(t)
	now := time.Now()
	l.Now = func() time.Time { return now }
	accounts.played = map[string]string{"ann": "bob", "bob": "ann"}
	ask := func(name string) Wait {
		t.Helper()
		seek := seekBy(name)
		seek.Quick = true
		wait, err := l.Seek(t.Context(), seek)
		if err != nil {
			t.Fatal(err)
		}
		return wait
	}
	ask("ann")
	if wait := ask("bob"); wait.Game != "" {
		t.Fatal("the same two were paired at once")
	}
	now = now.Add(3 * time.Second)
	l.widen(t.Context())
	if len(games.games) != 0 {
		t.Fatal("the same two were paired soon")
	}
	if wait := ask("cid"); wait.Game == "" {
		t.Fatal("somebody else was not paired at once")
	}
	if p := games.games[0].Players; p[0].AccountID != "ann" && p[1].AccountID != "ann" {
		t.Errorf("players %+v, want the one who waited longest", p)
	}
	ask("ann")
	now = now.Add(repeatPause)
	l.widen(t.Context())
	if len(games.games) != 2 {
		t.Error("nobody else came, and the two still wait")
	}
}

// TestMatchPrefersOthers: of two open seeks that fit, that of the last opponent is the second choice.
func TestMatchPrefersOthers(t *testing.T) {
	t.Parallel()
	l, accounts, games := newLobby(t)
	for _, name := range []string{"bob", "cid"} {
		seek := seekBy(name)
		seek.Color = White // so that they do not pair with each other
		if _, err := l.Seek(t.Context(), seek); err != nil {
			t.Fatal(err)
		}
	}
	accounts.played = map[string]string{"ann": "bob"}
	if _, err := l.Seek(t.Context(), seekBy("ann")); err != nil {
		t.Fatal(err)
	}
	if p := games.games[0].Players; p[0].AccountID != "cid" {
		t.Errorf("players %+v, want cid", p)
	}
	accounts.played["dan"] = "bob"
	if wait, err := l.Seek(t.Context(), seekBy("dan")); err != nil || wait.Game == "" {
		t.Errorf("with nobody else there: %+v, %v", wait, err)
	}
}

func TestQuickForms(t *testing.T) {
	t.Parallel()
	l, _, _ := newLobby(t)
	n := 300
	for name, f := range map[string]frames.Seek{
		"days":  {Quick: true, Days: 3},
		"range": {Quick: true, Limit: &n, Increment: &n, Min: 1400},
	} {
		_, err := l.Ask(t.Context(), "ann", f)
		if fault.KindOf(err) != fault.KindInvalid {
			t.Errorf("quick with %s: %v", name, err)
		}
	}
}

// TestQuickKeepsBlockedApart, also when the block came while both waited.
func TestQuickKeepsBlockedApart(t *testing.T) {
	t.Parallel()
	l, accounts, games := newLobby(t)
	now := time.Now()
	l.Now = func() time.Time { return now }
	accounts.rating = map[string]float64{"bob": 1900}
	for _, name := range []string{"ann", "bob"} {
		seek := seekBy(name)
		seek.Quick = true
		if _, err := l.Seek(t.Context(), seek); err != nil {
			t.Fatal(err)
		}
	}
	accounts.blocks = [][2]string{{"bob", "ann"}}
	now = now.Add(quickPatience)
	l.widen(t.Context())
	if len(games.games) != 0 || len(l.book.seeks) != 2 {
		t.Errorf("%d games and %d seeks", len(games.games), len(l.book.seeks))
	}
}
