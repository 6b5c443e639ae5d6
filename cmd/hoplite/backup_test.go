package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/server/bus"
	"hoplite/server/live"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/live/livetest"
	"hoplite/store"
	"hoplite/store/storetest"
)

// acked is what a player was told that it is done.
type acked struct {
	game    string
	version int
}

// crowd plays games on a database until it is stopped.
type crowd struct {
	mu    sync.Mutex
	acked []acked
	stop  func()
}

func (c *crowd) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.acked)
}

// until waits for so many more acknowledgements.
func (c *crowd) until(t *testing.T, more int) {
	t.Helper()
	was := c.count()
	for end := time.Now().Add(time.Minute); c.count() < was+more; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d actions in a minute", c.count()-was)
		}
	}
}

func startCrowd(t *testing.T, db store.Store) *crowd {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	service := live.New(live.Deps{Store: db, Catalogue: set, Bus: bus.New()})
	serve, stopServing := context.WithCancel(context.Background())
	ctx, stopPlaying := context.WithCancel(serve)
	c := &crowd{}
	var playing, serving sync.WaitGroup
	serving.Go(func() {
		if err := service.Run(serve); err != nil {
			t.Error(err)
		}
	})
	for n := range 8 {
		a, b := fmt.Sprintf("a%d", n), fmt.Sprintf("b%d", n)
		for _, id := range []string{a, b} {
			err := db.CreateAccount(t.Context(), store.Account{ID: id, Name: id, Created: time.Now()})
			if err != nil && !errors.Is(err, store.ErrConflict) {
				t.Fatal(err)
			}
		}
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		playing.Go(func() {
			for ctx.Err() == nil && !t.Failed() {
				c.play(ctx, t, service, set, a, b, rng)
			}
		})
	}
	c.stop = sync.OnceFunc(func() {
		stopPlaying()
		playing.Wait()
		stopServing()
		serving.Wait()
	})
	t.Cleanup(c.stop)
	return c
}

// play plays one rated game, and notes what was acknowledged.
func (c *crowd) play(ctx context.Context, t *testing.T, service *live.Service, set *variant.Set, a, b string, rng *rand.Rand) {
	snap, err := service.Create(ctx, game.Setup{
		Variant: []string{"spartan", "seirawan", "standard", "crazyhouse"}[rng.IntN(4)], Rated: true, Source: "friend",
		Players: []game.Player{{AccountID: a, Name: a, Rating: 1500}, {AccountID: b, Name: b, Rating: 1500}},
		Control: clock.NewFischer(10*time.Minute, time.Second),
	})
	for n := 0; err == nil && ctx.Err() == nil && !snap.Over(); n++ {
		act := game.Action{Kind: game.Resign, Player: snap.Turn}
		if n < 40 {
			if act, err = livetest.RandomAction(set, snap, rng); err != nil {
				break
			}
			if act.Kind != game.Move {
				continue
			}
		}
		var ack game.Ack
		if ack, err = service.Act(ctx, snap.ID, act); err != nil {
			break
		}
		snap = ack.Snapshot
		c.mu.Lock()
		c.acked = append(c.acked, acked{snap.ID, int(ack.Version)})
		c.mu.Unlock()
	}
	if err != nil && ctx.Err() == nil {
		t.Error(err)
	}
}

// TestBackupWhilePeoplePlay backs a database up under load, restores it to each kind of database, and finds everything
// there that was acknowledged before the backup began; every game replays.
func TestBackupWhilePeoplePlay(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		players := startCrowd(t, db)
		players.until(t, 300)
		promised := players.count()
		file := filepath.Join(t.TempDir(), "backup.db")
		code, out, errOut := hoplite(t, "", "--db", dsn, "backup", file)
		if code != 0 || !regexp.MustCompile(`(?m)^\d+ rows of \d+ tables are in .*backup\.db$`).MatchString(out) {
			t.Fatal(code, out, errOut)
		}
		players.until(t, 50) // the backup has stopped nobody
		players.stop()

		targets := map[string]string{"sqlite": storetest.SQLiteDSN(t)}
		if pg, ok := storetest.PostgresDSN(t); ok {
			targets["postgres"] = pg
		}
		for name, to := range targets {
			if code, out, errOut := hoplite(t, "", "--db", to, "restore", file); code != 0 {
				t.Fatal(name, code, out, errOut)
			}
			code, out, errOut := hoplite(t, "", "--db", to, "doctor")
			if code != 0 || !regexp.MustCompile(`ok +replay of [1-9]\d* games`).MatchString(out) {
				t.Fatal(name, code, out, errOut)
			}
			restored := storetest.Open(t, to)
			for _, a := range players.acked[:promised] {
				g, err := restored.GameByID(t.Context(), a.game)
				if err != nil || int(g.Seq) < a.version {
					t.Fatalf("%s: game %s is at %d after version %d was acknowledged: %v", name, a.game, g.Seq, a.version, err)
				}
			}
			// It takes up play.
			startCrowd(t, restored).until(t, 20)
			if code, _, errOut := hoplite(t, "", "--db", to, "restore", file); code != 1 || !strings.Contains(errOut, "nothing is overwritten") {
				t.Errorf("%s: restored twice: %d, %s", name, code, errOut)
			}
		}
	})
}

// TestCopyCommand moves a database, and names what is wrong without showing a password.
func TestCopyCommand(t *testing.T) {
	t.Parallel()
	from, to := storetest.SQLiteDSN(t), storetest.SQLiteDSN(t)
	storetest.AddAccount(t, storetest.Open(t, from), "Ann")
	for _, tt := range []struct {
		name     string
		args     []string
		code     int
		out, err string
	}{
		{"copy", []string{"copy", "--from", from, "--to", to}, 0, "accounts                      1\n", ""},
		{"again", []string{"copy", "--from", from, "--to", to}, 1, "", "nothing is overwritten"},
		{"no source", []string{"copy", "--from", from + "x", "--to", to + "x"}, 1, "", "there is no database " + from + "x"},
		{"no database at all", []string{"copy", "--to", to}, 2, "", "--from"},
		{"backup to a server", []string{"--db", from, "backup", "postgres://localhost/x"}, 1, "", "want the name of a file"},
		{"restore from a server", []string{"--db", to, "restore", "postgres://localhost/x"}, 1, "", "restore reads a file"},
		{"unreachable", []string{"copy", "--from", "postgres://a:secret@127.0.0.1:1/x", "--to", to + "y"}, 1, "", "read the database"},
		{"copied", []string{"--db", to, "doctor"}, 0, "ok ", ""},
	} {
		code, out, errOut := hoplite(t, "", tt.args...)
		if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(errOut, tt.err) || strings.Contains(out+errOut, "secret") {
			t.Errorf("%s: exit %d, %q, %q", tt.name, code, out, errOut)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errOut strings.Builder
	if code := run(stopped, []string{"--db", from, "backup", to + "z"}, strings.NewReader(""), &out, &errOut); code != interrupted {
		t.Errorf("a backup that was interrupted: exit %d, %s", code, errOut.String())
	}
}
