package gormdb_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

// TestConcurrent has eight writers, half of them on the game path, beside
// eight readers. Nobody fails, nothing is lost, and readers see whole steps.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		const writers, rounds, batch = 8, 30, 5
		ctx := context.Background()
		storetest.AddAccount(t, db, "a")
		var wg, readers sync.WaitGroup
		var done atomic.Bool
		games := make([]*store.Game, writers/2*batch)
		for i := range games {
			games[i] = storetest.NewGame(fmt.Sprintf("g%d", i), start, "a", "b")
			if _, err := db.CommitSteps(ctx, []store.Step{storetest.Begin(games[i])}, nil); err != nil {
				t.Fatal(err)
			}
		}
		for w := range writers {
			wg.Go(func() {
				for r := range rounds {
					var err error
					if w%2 == 0 {
						steps := make([]store.Step, batch)
						for i := range steps {
							steps[i] = storetest.Move(games[w/2*batch+i], "m", "")
						}
						_, err = db.CommitSteps(ctx, steps, nil)
					} else {
						err = db.InTx(ctx, func(tx store.Store) error {
							p, err := tx.LockPerf(ctx, "a", "blitz")
							if err != nil {
								return err
							}
							p.Games++
							return errors.Join(tx.SavePerf(ctx, p), tx.SetMeta(ctx, fmt.Sprint("w", w), fmt.Sprint(r)))
						})
					}
					if err != nil {
						t.Errorf("writer %d, round %d: %v", w, r, err)
						return
					}
				}
			})
		}
		for r := range 8 {
			readers.Go(func() {
				for !done.Load() {
					err := db.InTx(ctx, func(store.Store) error { return nil })
					if r > 0 {
						var g store.Game
						if g, err = db.GameByID(ctx, fmt.Sprintf("g%d", r)); err == nil && int64(g.Plies) != g.Seq-1 {
							err = fmt.Errorf("half a step: %d plies at seq %d", g.Plies, g.Seq)
						}
					}
					if err != nil {
						t.Errorf("reader %d: %v", r, err)
						return
					}
				}
			})
		}
		wg.Wait()
		done.Store(true)
		readers.Wait()
		p, err := db.Perf(ctx, "a", "blitz")
		if err != nil || p.Games != writers/2*rounds {
			t.Errorf("%d of %d increments, %v", p.Games, writers/2*rounds, err)
		}
		for _, g := range games {
			log, err := db.LogOf(ctx, g.ID, 0)
			if err != nil || len(log) != rounds+1 {
				t.Errorf("game %s: %d rows, want %d, %v", g.ID, len(log), rounds+1, err)
			}
		}
	})
}

// TestGamesFirst holds SQLite's write connection while others queue for it.
func TestGamesFirst(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	ctx := context.Background()
	storetest.AddAccount(t, db, "a")
	storetest.AddAccount(t, db, "b")
	var games []*store.Game
	for i := range 12 {
		g := storetest.NewGame(fmt.Sprintf("g%d", i), start, "a", "b")
		if _, err := db.CommitSteps(ctx, []store.Step{storetest.Begin(g)}, nil); err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	var order []string // written inside transactions, which come one by one
	var wg sync.WaitGroup
	release := make(chan struct{})
	held := make(chan struct{})
	wg.Go(func() {
		if err := db.InTx(ctx, func(store.Store) error { close(held); <-release; return nil }); err != nil {
			t.Error(err)
		}
	})
	<-held
	for range 2 {
		wg.Go(func() {
			err := db.InTx(ctx, func(store.Store) error { order = append(order, "other"); return nil })
			if err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(50 * time.Millisecond) // let them queue before the games
	for _, g := range games {
		step := storetest.Finish(g, store.StatusMate, 0)
		wg.Go(func() {
			_, err := db.CommitSteps(ctx, []store.Step{step}, func(a, b store.Perf, _ float64, _ time.Time) (store.Perf, store.Perf) {
				order = append(order, "game")
				return a, b
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	close(release)
	wg.Wait()
	// Games pass the others that came before them, but not for ever.
	want := slices.Repeat([]string{"game"}, 12)
	want = slices.Insert(want, 8, "other")
	want = append(want, "other")
	if !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		ctx := context.Background()
		first, err := gormdb.Open(ctx, dsn, gormdb.Options{Exclusive: true})
		if err != nil {
			t.Fatal(err)
		}
		_, err = gormdb.Open(ctx, dsn, gormdb.Options{Exclusive: true})
		var locked *store.LockedError
		if want := fmt.Sprintf("already served by pid %d", os.Getpid()); !errors.As(err, &locked) || locked.Error() != want {
			t.Fatalf("second server: %v, want %q", err, want)
		}
		// An administrator's command works beside the server.
		beside, err := gormdb.Open(ctx, dsn, gormdb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		storetest.AddAccount(t, beside, "a")
		if err := errors.Join(beside.Close(), first.Close()); err != nil {
			t.Fatal(err)
		}
		again, err := gormdb.Open(ctx, dsn, gormdb.Options{Exclusive: true})
		if err != nil {
			t.Fatalf("after the first has gone: %v", err)
		}
		if _, err := again.AccountByID(ctx, "a"); err != nil {
			t.Error(err)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestLockAfterOutage takes the lock from a server whose database has gone away
// for a moment: of two servers one goes on.
func TestLockAfterOutage(t *testing.T) {
	t.Parallel()
	srv := storetest.PrivatePostgres(t)
	if srv == nil {
		return
	}
	ctx := context.Background()
	open := func() *gormdb.DB {
		t.Helper()
		db, err := gormdb.Open(ctx, srv.DSN, gormdb.Options{Exclusive: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	until := func(what string, ok func() bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal(what)
			}
		}
	}
	taken := func() bool {
		db, err := gormdb.Open(ctx, srv.DSN, gormdb.Options{Exclusive: true})
		if err == nil {
			db.Close()
		}
		return err != nil
	}
	first := open()
	srv.Stop()
	srv.Start()
	until("the lock was not taken again", taken)
	if err := first.SetMeta(ctx, "k", "first"); err != nil {
		t.Fatal(err)
	}
	// Another server gets in between.
	srv.Stop()
	second := make(chan *gormdb.DB)
	go func() {
		for {
			if db, err := gormdb.Open(ctx, srv.DSN, gormdb.Options{Exclusive: true}); err == nil {
				second <- db
				return
			} else if errors.As(err, new(*store.LockedError)) {
				close(second) // the first was quicker
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	srv.Start()
	db := <-second
	if db == nil {
		if err := first.SetMeta(ctx, "k", "first"); err != nil {
			t.Fatal(err)
		}
		return
	}
	until("the server that lost the lock writes on", func() bool {
		return errors.Is(first.SetMeta(ctx, "k", "late"), store.ErrUnavailable)
	})
	if err := db.SetMeta(ctx, "k", "second"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	until("the lock did not come back", func() bool { return first.SetMeta(ctx, "k", "first") == nil })
}

// fsyncEnv tells the test's own program, run under strace, to be the one that
// commits.
const fsyncEnv = "HOPLITE_TEST_FSYNC_DB"

// TestFsync looks at the system calls: between the last write to the log and
// each acknowledgement the log is synced.
func TestFsync(t *testing.T) {
	if dsn := os.Getenv(fsyncEnv); dsn != "" {
		commitAndAcknowledge(t, dsn)
		return
	}
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Log("there is no strace; TestDurability checks the settings")
		return
	}
	trace := storetest.SQLiteDSN(t) + ".trace"
	c := exec.Command(strace, "-f", "-y", "-e", "trace=write,pwrite64,fsync,fdatasync", "-e", "signal=none", "-o", trace,
		os.Args[0], "-test.run=^TestFsync$", "-test.count=1")
	c.Env = append(os.Environ(), fsyncEnv+"="+storetest.SQLiteDSN(t))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	acks, writes, synced := 0, 0, false
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		switch {
		case strings.Contains(line, "pwrite64(") && strings.Contains(line, "-wal>"):
			writes++
			synced = false
		case (strings.Contains(line, "fsync(") || strings.Contains(line, "fdatasync(")) && strings.Contains(line, "-wal>"):
			synced = true
		case strings.Contains(line, "ACKNOWLEDGED"):
			acks++
			if writes == 0 || !synced {
				t.Errorf("acknowledgement %d after %d writes, synced: %v", acks, writes, synced)
			}
			writes, synced = 0, false
		}
	}
	if acks != 20 {
		t.Errorf("%d acknowledgements seen, want 20", acks)
	}
}

func commitAndAcknowledge(t *testing.T, dsn string) {
	db := storetest.Open(t, dsn)
	g := storetest.NewGame("g", start, "a", "b")
	ctx := context.Background()
	if _, err := db.CommitSteps(ctx, []store.Step{storetest.Begin(g)}, nil); err != nil {
		t.Fatal(err)
	}
	fmt.Println("ACKNOWLEDGED")
	for i := range 19 {
		var err error
		if i%2 == 0 {
			_, err = db.CommitSteps(ctx, []store.Step{storetest.Move(g, "m", "")}, nil)
		} else {
			err = db.SetMeta(ctx, "k", fmt.Sprint(i))
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("ACKNOWLEDGED")
	}
}
