package lobby

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/pairing"
	"hoplite/store"
)

// shelf is a store of accounts and correspondence seeks.
type shelf struct {
	mu     sync.Mutex
	seeks  []store.Seek
	closed map[string]bool
	blocks [][2]string
	rating map[string]float64 // by account; the usual one for others
	played map[string]string  // the last opponent by account
}

func (s *shelf) Apart(_ context.Context, id string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var apart []string
	for _, b := range s.blocks {
		switch id {
		case b[0]:
			apart = append(apart, b[1])
		case b[1]:
			apart = append(apart, b[0])
		}
	}
	return apart, nil
}

func (s *shelf) Games(_ context.Context, f store.GameFilter) ([]store.Game, error) {
	other := s.played[f.AccountID]
	if other == "" {
		return nil, nil
	}
	return []store.Game{{Players: []store.GamePlayer{{AccountID: f.AccountID}, {AccountID: other}}}}, nil
}

func (s *shelf) AccountByID(_ context.Context, id string) (store.Account, error) {
	a := store.Account{ID: id, Name: id}
	if s.closed[id] {
		a.Closed = time.Unix(1, 0)
	}
	return a, nil
}

func (s *shelf) Perf(_ context.Context, id, key string) (store.Perf, error) {
	p := store.NewPerf(id, key)
	if r := s.rating[id]; r != 0 {
		p.Rating = r
	}
	return p, nil
}

func (s *shelf) CreateSeek(_ context.Context, seek store.Seek) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seeks = append(s.seeks, seek)
	return nil
}

func (s *shelf) SeekByID(_ context.Context, id string) (store.Seek, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, seek := range s.seeks {
		if seek.ID == id {
			return seek, nil
		}
	}
	return store.Seek{}, store.ErrNotFound
}

func (s *shelf) TakeSeek(_ context.Context, id string) (store.Seek, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, seek := range s.seeks {
		if seek.ID == id {
			s.seeks = append(s.seeks[:i:i], s.seeks[i+1:]...)
			return seek, nil
		}
	}
	return store.Seek{}, store.ErrNotFound
}

func (s *shelf) SeeksOf(_ context.Context, id string) ([]store.Seek, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var of []store.Seek
	for _, seek := range s.seeks {
		if seek.AccountID == id {
			of = append(of, seek)
		}
	}
	return of, nil
}

func (s *shelf) Seeks(_ context.Context, key string, _ time.Time, _ int) ([]store.Seek, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var of []store.Seek
	for _, seek := range s.seeks {
		if seek.Variant == key {
			of = append(of, seek)
		}
	}
	return of, nil
}

// table notes the games that are made, or fails.
type table struct {
	mu    sync.Mutex
	games []game.Setup
	err   error
}

func (t *table) Create(_ context.Context, s game.Setup) (*game.Snapshot, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return nil, t.err
	}
	t.games = append(t.games, s)
	return &game.Snapshot{Setup: &s}, nil
}

func newLobby(t *testing.T) (*Service, *shelf, *table) {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	accounts, games := &shelf{closed: map[string]bool{}}, &table{}
	return NewService(Deps{
		Store: accounts, Maker: &pairing.Maker{Accounts: accounts, Games: games, Perf: perfKey, Now: time.Now},
		Games: lichess.NewGames(set), Bus: bus.New(), Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}), accounts, games
}

func seekBy(account string) Seek {
	return Seek{Account: account, Variant: "standard", Control: clock.NewFischer(10*time.Minute, 0), Color: Random}
}

func over(w Wait) bool {
	select {
	case <-w.Done:
		return true
	default:
		return false
	}
}

func TestSeekPairs(t *testing.T) {
	t.Parallel()
	s, _, games := newLobby(t)
	ann := seekBy("ann")
	ann.Color = Black
	first, err := s.Seek(t.Context(), ann)
	if err != nil || over(first) {
		t.Fatalf("first seek: over %t, %v", over(first), err)
	}
	if _, err := s.Seek(t.Context(), seekBy("ann")); fault.KindOf(err) != fault.KindLimited {
		t.Errorf("a second seek of the same player: %v, want a limit", err)
	}
	second, err := s.Seek(t.Context(), seekBy("bob"))
	if err != nil || !over(second) || !over(first) {
		t.Fatalf("second seek: over %t, first over %t, %v", over(second), over(first), err)
	}
	if len(games.games) != 1 {
		t.Fatalf("%d games, want 1", len(games.games))
	}
	g := games.games[0]
	if g.Players[0].AccountID != "bob" || g.Players[1].AccountID != "ann" || g.Source != "lobby" {
		t.Errorf("game %+v", g)
	}
	// Nothing is left of either.
	third, err := s.Seek(t.Context(), seekBy("ann"))
	if err != nil || over(third) {
		t.Errorf("third seek: over %t, %v", over(third), err)
	}
	third.Cancel()
	third.Cancel()
}

func TestCanceledSeekIsNotPaired(t *testing.T) {
	t.Parallel()
	s, _, games := newLobby(t)
	first, err := s.Seek(t.Context(), seekBy("ann"))
	if err != nil {
		t.Fatal(err)
	}
	first.Cancel()
	second, err := s.Seek(t.Context(), seekBy("bob"))
	if err != nil || over(second) || len(games.games) != 0 {
		t.Errorf("paired with a canceled seek: %v", err)
	}
}

func TestFailedPairingKeepsTheFirstSeek(t *testing.T) {
	t.Parallel()
	s, _, games := newLobby(t)
	first, err := s.Seek(t.Context(), seekBy("ann"))
	if err != nil {
		t.Fatal(err)
	}
	games.err = fault.Unavailable("no")
	if _, err := s.Seek(t.Context(), seekBy("bob")); fault.KindOf(err) != fault.KindUnavailable {
		t.Fatalf("pairing on a full disk: %v", err)
	}
	games.err = nil
	if over(first) {
		t.Fatal("the first seek ended without a game")
	}
	if second, err := s.Seek(t.Context(), seekBy("bob")); err != nil || !over(second) || !over(first) {
		t.Errorf("second try: %v", err)
	}
}

func TestSeekOfAClosedAccountIsDropped(t *testing.T) {
	t.Parallel()
	s, accounts, games := newLobby(t)
	first, err := s.Seek(t.Context(), seekBy("ann"))
	if err != nil {
		t.Fatal(err)
	}
	accounts.closed["ann"] = true
	second, err := s.Seek(t.Context(), seekBy("bob"))
	if err != nil || over(second) || !over(first) || len(games.games) != 0 {
		t.Errorf("first over %t, second over %t, %d games, %v", over(first), over(second), len(games.games), err)
	}
}

// TestBlockedAreNotPaired: whoever blocked whom, and also when the block came while the first one waited.
func TestBlockedAreNotPaired(t *testing.T) {
	t.Parallel()
	s, accounts, games := newLobby(t)
	first, err := s.Seek(t.Context(), seekBy("ann"))
	if err != nil {
		t.Fatal(err)
	}
	accounts.blocks = [][2]string{{"ann", "bob"}, {"eve", "ann"}}
	for _, name := range []string{"bob", "eve"} {
		w, err := s.Seek(t.Context(), seekBy(name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "bob" && (over(w) || over(first)) || len(games.games) != 0 && games.games[0].Players[0].AccountID == "ann" {
			t.Fatalf("%s was paired with ann", name)
		}
	}
	// Bob and Eve have nothing against each other.
	if len(games.games) != 1 || over(first) {
		t.Fatalf("%d games, ann's seek over: %t", len(games.games), over(first))
	}
	if _, err := s.Join(t.Context(), "bob", first.ID); fault.KindOf(err) != fault.KindInvalid {
		t.Errorf("a blocked player took the seek: %v", err)
	}
	// An ended block does not outlive itself in the seek that waits.
	accounts.blocks = nil
	if w, err := s.Seek(t.Context(), seekBy("bob")); err != nil || !over(w) || !over(first) {
		t.Errorf("not paired after the block ended: %v", err)
	}
}

func TestBlockedAreNotPairedByDays(t *testing.T) {
	t.Parallel()
	s, accounts, games := newLobby(t)
	slow := func(account string) Seek {
		seek := seekBy(account)
		seek.Control = clock.NewCorrespondence(3)
		return seek
	}
	id, _, err := s.SeekSlow(t.Context(), slow("ann"))
	if err != nil {
		t.Fatal(err)
	}
	accounts.blocks = [][2]string{{"ann", "bob"}}
	if _, game, err := s.SeekSlow(t.Context(), slow("bob")); err != nil || game != "" || len(games.games) != 0 {
		t.Fatalf("paired in game %q: %v", game, err)
	}
	if _, err := s.Join(t.Context(), "bob", id); fault.KindOf(err) != fault.KindInvalid {
		t.Errorf("a blocked player took the seek: %v", err)
	}
}

// TestManySeeksAtOnce: every player gets one game, whatever the order.
func TestManySeeksAtOnce(t *testing.T) {
	t.Parallel()
	s, _, games := newLobby(t)
	const players = 100
	var wg sync.WaitGroup
	for i := range players {
		wg.Go(func() {
			w, err := s.Seek(context.Background(), seekBy(string(rune('a'+i/26))+string(rune('a'+i%26))))
			if err != nil {
				t.Error(err)
				return
			}
			<-w.Done
		})
	}
	wg.Wait()
	seen := map[string]int{}
	for _, g := range games.games {
		for _, p := range g.Players {
			seen[p.AccountID]++
		}
	}
	if len(games.games) != players/2 || len(seen) != players {
		t.Errorf("%d games of %d players, want %d of %d", len(games.games), len(seen), players/2, players)
	}
}

func TestSlowSeeks(t *testing.T) {
	t.Parallel()
	s, accounts, games := newLobby(t)
	slow := func(account string, days int) Seek {
		seek := seekBy(account)
		seek.Control = clock.NewCorrespondence(days)
		return seek
	}
	id, _, err := s.SeekSlow(t.Context(), slow("ann", 3))
	if err != nil || len(id) != 8 || len(accounts.seeks) != 1 {
		t.Fatalf("id %q, %d seeks, %v", id, len(accounts.seeks), err)
	}
	if _, _, err := s.SeekSlow(t.Context(), slow("bob", 2)); err != nil || len(games.games) != 0 {
		t.Fatalf("other days were paired: %v", err)
	}
	games.err = errors.New("no game")
	if _, _, err := s.SeekSlow(t.Context(), slow("eve", 3)); err == nil || len(accounts.seeks) != 2 {
		t.Fatalf("a failed pairing left %d seeks, want 2: %v", len(accounts.seeks), err)
	}
	games.err = nil
	if _, _, err := s.SeekSlow(t.Context(), slow("eve", 3)); err != nil || len(games.games) != 1 || len(accounts.seeks) != 1 {
		t.Fatalf("%d games, %d seeks, %v", len(games.games), len(accounts.seeks), err)
	}
	for range maxSlow {
		if _, _, err := s.SeekSlow(t.Context(), slow("ann", 5)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.SeekSlow(t.Context(), slow("ann", 5)); fault.KindOf(err) != fault.KindInvalid {
		t.Errorf("one seek too many: %v", err)
	}
}

func TestReadForm(t *testing.T) {
	t.Parallel()
	s, _, _ := newLobby(t)
	f := func(x float32) *float32 { return &x }
	n := func(x int) *int { return &x }
	for _, test := range []struct {
		name  string
		form  openapi.SeekForm
		want  clock.Control
		wrong string // the field, "" if all is well
	}{
		{"rapid", openapi.SeekForm{Time: f(10), Increment: n(5)}, clock.NewFischer(10*time.Minute, 5*time.Second), ""},
		{"half a minute and much increment", openapi.SeekForm{Time: f(0.5), Increment: n(30)}, clock.NewFischer(30*time.Second, 30*time.Second), ""},
		{"blitz", openapi.SeekForm{Time: f(5), Increment: n(0)}, clock.Control{}, "global"},
		{"an odd number of minutes", openapi.SeekForm{Time: f(10.1), Increment: n(0)}, clock.Control{}, "global"},
		{"days", openapi.SeekForm{Days: 2}, clock.NewCorrespondence(2), ""},
		{"odd days", openapi.SeekForm{Days: 4}, clock.Control{}, "days"},
		{"nothing", openapi.SeekForm{}, clock.Control{}, "time"},
		{"no increment", openapi.SeekForm{Time: f(10)}, clock.Control{}, "increment"},
		{"an unknown game", openapi.SeekForm{Time: f(10), Increment: n(0), Variant: "nonsense"}, clock.Control{}, "variant"},
		{"a position", openapi.SeekForm{Time: f(10), Increment: n(0), Variant: "fromPosition"}, clock.Control{}, "variant"},
		{"a broken range", openapi.SeekForm{Time: f(10), Increment: n(0), RatingRange: "high"}, clock.Control{}, "ratingRange"},
		{"a turned range", openapi.SeekForm{Time: f(10), Increment: n(0), RatingRange: "1800-1500"}, clock.Control{}, "ratingRange"},
		{"a rated variant by days", openapi.SeekForm{Days: 2, Variant: "spartan", Rated: true}, clock.Control{}, "rated"},
	} {
		t.Run(test.name, func(t *testing.T) {
			seek, bad := s.read(test.form)
			if test.wrong == "" && (len(bad) > 0 || seek.Control != test.want) {
				t.Errorf("%+v, complaints %v", seek.Control, bad)
			}
			if test.wrong != "" && len(bad[test.wrong]) == 0 {
				t.Errorf("complaints %v, want one about %s", bad, test.wrong)
			}
		})
	}
	seek, bad := s.read(openapi.SeekForm{Time: f(10), Increment: n(0), RatingRange: "1500-1800", Color: "black"})
	if len(bad) > 0 || seek.MinRating != 1500 || seek.MaxRating != 1800 || seek.Color != Black || seek.Variant != "standard" {
		t.Errorf("seek %+v, complaints %v", seek, bad)
	}
}

func perfKey(variant string, _ clock.Speed) string { return variant }
