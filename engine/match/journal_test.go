package match_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/match"
)

// openJournal opens the journal of a test's match.
func openJournal(t *testing.T, path string) *match.Journal[match.Record] {
	t.Helper()
	j, err := match.OpenJournal[match.Record](path, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

// games returns what a match came to, without what depends on the clock.
func games(recs []match.Record) map[int]match.Record {
	out := map[int]match.Record{}
	for _, rec := range recs {
		rec.CPU = [2]float64{}
		out[rec.Game] = rec
	}
	return out
}

// A match that is killed in the middle of a line goes on and comes to the same
// as one that was never disturbed.
func TestMatchGoesOn(t *testing.T) {
	t.Parallel()
	const pairs = 3
	dir := t.TempDir()
	ours := func(j *match.Journal[match.Record]) *match.Match {
		m := newMatch(t, "spartan", "name=other,nodes=60")
		m.Games, m.Boards, m.Journal = 2*pairs, 2, j
		return m
	}
	whole := openJournal(t, filepath.Join(dir, "whole"))
	want, err := ours(whole).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	path := filepath.Join(dir, "cut")
	ctx, stop := context.WithCancel(t.Context())
	first := openJournal(t, path)
	m := ours(first)
	m.OnGame = func(rec *match.Record, _ *match.Summary) {
		if rec != nil {
			stop()
		}
	}
	if s, err := m.Run(ctx); !errors.Is(err, context.Canceled) || s == nil {
		t.Fatalf("called off: %v, %v", s, err)
	}
	first.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, `{"game":5,"fen`...), 0o600); err != nil {
		t.Fatal(err)
	}
	second := openJournal(t, path)
	if n := len(second.Records()); n == 0 || n >= 2*pairs {
		t.Fatalf("%d games were kept", n)
	}
	got, err := ours(second).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Tally != want.Tally || got.Faults != want.Faults {
		t.Errorf("%+v, want %+v", got, want)
	}
	if diff := cmp.Diff(games(whole.Records()), games(second.Records())); diff != "" {
		t.Errorf("other games were played (-want +got):\n%s", diff)
	}
	second.Close()
	third := openJournal(t, path)
	if again, err := ours(third).Run(t.Context()); err != nil || again.Tally != want.Tally {
		t.Errorf("a complete match: %+v, %v", again, err)
	}
}

func TestJournalOfAnotherMatch(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	openJournal(t, path).Close()
	if _, err := match.OpenJournal[match.Record](path, "another"); !errors.Is(err, match.ErrOtherMatch) {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(path, []byte("\"test\"\n{]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := match.OpenJournal[match.Record](path, "test"); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v", err)
	}
}

// A test ends a match as soon as it is decided, and a later run has nothing to
// play.
func TestSequentialTestEndsTheMatch(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	run := func() *match.Summary {
		m := newMatch(t, "standard", "name=weak,depth=1,option.Skill Level=1")
		m.Adjudicate.MaxPlies = 0
		m.Contestants[0].Limits = match.Limits{Nodes: 3000}
		m.Games, m.SPRT = 400, &match.SPRT{Elo0: 0, Elo1: 400, Alpha: 0.1, Beta: 0.1}
		m.Journal = openJournal(t, path)
		s, err := m.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m.Journal.Close()
		return s
	}
	s := run()
	if s.Verdict != match.AcceptH1 || s.Games() >= 400 {
		t.Fatalf("%q after %d games", s.Verdict, s.Games())
	}
	if again := run(); again.Tally != s.Tally {
		t.Errorf("%s after %s", again.Tally, s.Tally)
	}
}
