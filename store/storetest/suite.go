package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hoplite/store"
)

// Run checks that an implementation keeps what package store promises. The
// function returns an empty store.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	for _, c := range []struct {
		name string
		f    func(*testing.T, store.Store)
	}{
		{"accounts", testAccounts},
		{"make bot", testMakeBot},
		{"perfs", testPerfs},
		{"sessions", testSessions},
		{"tokens", testTokens},
		{"authorization codes", testAuthCodes},
		{"authorization code raced for", testAuthCodeRace},
		{"challenges", testChallenges},
		{"challenge raced for", testChallengeRace},
		{"challenges expire", testChallengesExpire},
		{"seeks", testSeeks},
		{"steps", testSteps},
		{"steps refused", testStepsRefused},
		{"steps in one batch", testStepsBatch},
		{"ratings", testRatings},
		{"ratings from both sides", testRatingsConcurrent},
		{"idempotency", testActionByID},
		{"versions", testVersions},
		{"games by deadline", testDueGames},
		{"games that began or ended lately", testGamesTurned},
		{"shifted deadlines", testShiftDeadlines},
		{"ongoing games", testOngoing},
		{"pages of games", testGamePages},
		{"games filtered", testGameFilters},
		{"games of programs", testGamesOfPrograms},
		{"leases", testLeases},
		{"leases run out", testLeasesRunOut},
		{"steps under leases", testFencedSteps},
		{"running games", testLiveGames},
		{"imports", testImports},
		{"bookmarks", testBookmarks},
		{"analyses", testAnalyses},
		{"evaluations", testEvals},
		{"external engines", testEngines},
		{"puzzles", testPuzzles},
		{"puzzle attempts", testAttempts},
		{"accounts found", testFindAccounts},
		{"audit log", testAudit},
		{"invitations", testInvites},
		{"reports", testReports},
		{"codes by mail", testMailCodes},
		{"second factors", testSecondFactors},
		{"linked identities", testLinkedIdentities},
		{"leaderboards", testTopPerfs},
		{"rating history", testRatingHistory},
		{"ratings of two pools", testRatingPools},
		{"games looked back on", testPlayed},
		{"relations", testRelations},
		{"notes", testNotes},
		{"meta", testMeta},
		{"transactions", testTransactions},
		{"odd text", testOddText},
		{"cancelled", testCancelled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.f(t, open(t))
		})
	}
}

var ctx = context.Background()

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want(t testing.TB, err, sentinel error) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Fatalf("got error %v, want %v", err, sentinel)
	}
}

func same[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

func ptr[T any](v T) *T { return &v }

// commit stores steps that must be accepted.
func commit(t testing.TB, s store.Games, steps ...store.Step) []store.StepResult {
	t.Helper()
	res, err := s.CommitSteps(ctx, steps, Rate)
	must(t, err)
	if len(res) != len(steps) {
		t.Fatalf("%d results for %d steps", len(res), len(steps))
	}
	return res
}

func game(t testing.TB, s store.Games, id string) store.Game {
	t.Helper()
	g, err := s.GameByID(ctx, id)
	must(t, err)
	return g
}

func ids[T any](list []T, id func(T) string) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = id(x)
	}
	return out
}

func gameIDs(list []store.Game) []string { return ids(list, func(g store.Game) string { return g.ID }) }

func minutes(n int) time.Time { return now.Add(time.Duration(n) * time.Minute) }
