package gormdb_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// TestFullDisk fills the database to a limit, and where the test may mount one,
// a real file system.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	t.Run("limit", func(t *testing.T) {
		testFull(t, storetest.SQLiteDSN(t), gormdb.Options{MaxBytes: 1 << 20}, nil)
	})
	t.Run("file system", func(t *testing.T) {
		dir := t.TempDir()
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", dir).CombinedOutput(); err != nil {
			t.Logf("this user may not mount: %v %s", err, out)
			return
		}
		t.Cleanup(func() {
			if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
				t.Errorf("umount: %v %s", err, out)
			}
		})
		ballast := filepath.Join(dir, "ballast")
		if err := os.WriteFile(ballast, make([]byte, 512<<10), 0o600); err != nil {
			t.Fatal(err)
		}
		testFull(t, filepath.Join(dir, "test.db"), gormdb.Options{}, func() {
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
		})
	})
}

func testFull(t *testing.T, dsn string, o gormdb.Options, makeRoom func()) {
	ctx := context.Background()
	db, err := gormdb.Open(ctx, dsn, o)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const big = 20 << 10
	text := strings.Repeat("x", big)
	g := storetest.NewGame("game", start, "a", "b")
	if _, err := db.CommitSteps(ctx, []store.Step{storetest.Begin(g)}, nil); err != nil {
		t.Fatal(err)
	}
	stored := 0
	for ; stored < 1000; stored++ {
		if err = db.SetMeta(ctx, fmt.Sprint("k", stored), text); err != nil {
			break
		}
	}
	if !errors.Is(err, store.ErrUnavailable) || stored < 3 {
		t.Fatalf("after %d values: %v, want ErrUnavailable", stored, err)
	}
	// The game path meets it too, says so, and leaves nothing behind.
	long := *g
	step := storetest.Move(&long, text+text, "")
	for range 3 {
		if _, err := db.CommitSteps(ctx, []store.Step{step}, nil); !errors.Is(err, store.ErrUnavailable) {
			t.Fatalf("step: %v, want ErrUnavailable", err)
		}
		var named *store.StepError
		if errors.As(err, &named) {
			t.Fatalf("a full disk is blamed on a step: %v", err)
		}
	}
	got, err := db.GameByID(ctx, "game")
	if err != nil || got.Seq != 1 {
		t.Fatalf("reading goes on: seq %d, %v", got.Seq, err)
	}
	for i := range stored {
		if v, err := db.MetaValue(ctx, fmt.Sprint("k", i)); err != nil || v != text {
			t.Fatalf("value %d of %d: %d bytes, %v", i, stored, len(v), err)
		}
	}
	if makeRoom != nil {
		makeRoom()
	} else {
		for i := range 4 { // its pages are used again
			if _, err := db.TakeMeta(ctx, fmt.Sprint("k", i)); err != nil {
				t.Fatalf("making room: %v", err)
			}
		}
	}
	if _, err := db.CommitSteps(ctx, []store.Step{step}, nil); err != nil {
		t.Fatalf("with room again: %v", err)
	}
	if err := db.CheckDurability(ctx); err != nil {
		t.Fatal(err)
	}
}

// TestLostPostgres crashes a server under load and starts it again.
func TestLostPostgres(t *testing.T) {
	t.Parallel()
	srv := storetest.PrivatePostgres(t)
	if srv == nil {
		return
	}
	ctx := context.Background()
	db, err := gormdb.Open(ctx, srv.DSN, gormdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	storetest.AddAccount(t, db, "a")

	var (
		wg    sync.WaitGroup
		stop  atomic.Bool
		acked [4]atomic.Int64 // last acknowledged seq by game
		lost  atomic.Int64
	)
	for i := range acked {
		g := storetest.NewGame(fmt.Sprint("game", i), start, "a", "b")
		if _, err := db.CommitSteps(ctx, []store.Step{storetest.Begin(g)}, nil); err != nil {
			t.Fatal(err)
		}
		acked[i].Store(1)
		wg.Go(func() {
			for !stop.Load() {
				next := *g
				_, err := db.CommitSteps(ctx, []store.Step{storetest.Move(&next, "m", "")}, nil)
				switch {
				case err == nil:
					*g = next
					acked[i].Store(g.Seq)
				case errors.Is(err, store.ErrUnavailable):
					lost.Add(1)
					time.Sleep(20 * time.Millisecond)
				case errors.Is(err, store.ErrStale):
					// The commit came through, its answer did not: load it again.
					stored, err := db.GameByID(ctx, g.ID)
					if err == nil {
						*g = stored
					} else if !errors.Is(err, store.ErrUnavailable) {
						t.Errorf("game: %v", err)
					}
				default:
					t.Errorf("step: %v", err)
					return
				}
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	srv.Stop()
	if err := db.SetMeta(ctx, "k", "v"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("write: %v, want ErrUnavailable", err)
	}
	if _, err := db.AccountByID(ctx, "a"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("read: %v, want ErrUnavailable", err)
	}
	if err := db.Ping(ctx); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("ping: %v, want ErrUnavailable", err)
	}
	if err := db.InTx(ctx, func(store.Store) error { return nil }); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("transaction: %v, want ErrUnavailable", err)
	}
	var before [len(acked)]int64
	for i := range acked {
		before[i] = acked[i].Load()
	}
	srv.Start()
	deadline := time.Now().Add(30 * time.Second)
	for i := range acked { // all go on by themselves
		for acked[i].Load() <= before[i] {
			if time.Now().After(deadline) {
				t.Fatalf("game %d does not go on", i)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	stop.Store(true)
	wg.Wait()
	if lost.Load() == 0 {
		t.Error("nobody noticed the outage")
	}
	for i := range acked {
		g, err := db.GameByID(ctx, fmt.Sprint("game", i))
		if err != nil {
			t.Fatal(err)
		}
		log, err := db.LogOf(ctx, g.ID, 0)
		if err != nil || int64(len(log)) != g.Seq || g.Seq < acked[i].Load() {
			t.Errorf("game %d: %d rows, seq %d, acknowledged %d, %v", i, len(log), g.Seq, acked[i].Load(), err)
		}
	}
}

func TestDurability(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	storetest.Each(t, func(t *testing.T, db *gormdb.DB) {
		if err := db.CheckDurability(ctx); err != nil {
			t.Fatal(err)
		}
	})
	dsn, ok := storetest.PostgresDSN(t)
	if !ok {
		return
	}
	var d *gormdb.DurabilityError
	_, err := gormdb.Open(ctx, dsn+"&synchronous_commit=off", gormdb.Options{})
	if !errors.As(err, &d) || d.Setting != "synchronous_commit" || d.Value != "off" {
		t.Fatalf("synchronous_commit=off: %v", err)
	}
	srv := storetest.PrivatePostgres(t, "fsync=off")
	_, err = gormdb.Open(ctx, srv.DSN, gormdb.Options{})
	if !errors.As(err, &d) || d.Setting != "fsync" {
		t.Fatalf("fsync=off: %v", err)
	}
	db, err := gormdb.Open(ctx, srv.DSN, gormdb.Options{Volatile: true})
	if err != nil {
		t.Fatalf("accepted: %v", err)
	}
	db.Close()
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	junk := filepath.Join(dir, "junk.db")
	if err := os.WriteFile(junk, []byte(strings.Repeat("this is no database", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, dsn string
		o         gormdb.Options
		err       error
	}{
		{"no folder", filepath.Join(dir, "none", "x.db"), gormdb.Options{}, store.ErrUnavailable},
		{"not there", filepath.Join(dir, "none.db"), gormdb.Options{MustExist: true}, store.ErrNotFound},
		{"a folder", dir, gormdb.Options{}, store.ErrUnavailable},
		{"junk", junk, gormdb.Options{}, store.ErrUnavailable},
		{"no server", "postgres://x@127.0.0.1:1/x?sslmode=disable", gormdb.Options{}, store.ErrUnavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			db, err := gormdb.Open(ctx, c.dsn, c.o)
			if !errors.Is(err, c.err) {
				t.Fatalf("got %v, want %v", err, c.err)
			}
			if db != nil {
				t.Fatal("an open database beside the error")
			}
		})
	}
	for _, dsn := range []string{"", ":memory:", "file::memory:?cache=shared", "postgres://%zz"} {
		if _, err := gormdb.Open(ctx, dsn, gormdb.Options{}); err == nil {
			t.Errorf("%q was opened", dsn)
		}
	}
	// Names that mean something in a URI are just names.
	odd := filepath.Join(dir, "a b?c#d%41.db")
	storetest.Open(t, odd)
	if _, err := os.Stat(odd); err != nil {
		t.Fatal(err)
	}
}
