package killtest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/server/bus"
	"hoplite/server/live"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

// limit is what each clock begins with in the game of think.
const limit = time.Minute

// open serves the games of a database until stop is called.
func open(ctx context.Context, dsn string) (service *live.Service, db *gormdb.DB, stop func() error, err error) {
	set, err := variant.Catalogue()
	if err != nil {
		return nil, nil, nil, err
	}
	if db, err = gormdb.Open(ctx, dsn, gormdb.Options{Exclusive: true}); err != nil {
		return nil, nil, nil, err
	}
	service = live.New(live.Deps{Store: db, Catalogue: set, Bus: bus.New()})
	ctx, cancel := context.WithCancel(ctx)
	ran := make(chan error, 1)
	go func() { ran <- service.Run(ctx) }()
	<-service.Ready()
	return service, db, func() error {
		cancel()
		err := <-ran
		if closeErr := db.Close(); err == nil {
			err = closeErr
		}
		return err
	}, nil
}

// think starts a game, plays three plies, says so, and leaves Black to think until the process is killed.
func think(dsn string, out io.Writer) error {
	ctx := context.Background()
	service, db, _, err := open(ctx, dsn)
	if err != nil {
		return err
	}
	for _, id := range []string{"ann", "bob"} {
		if err := db.CreateAccount(ctx, store.Account{ID: id, Name: id, Created: time.Now()}); err != nil {
			return err
		}
	}
	snap, err := service.Create(ctx, game.Setup{
		Variant: "standard", Source: "friend", Control: clock.NewFischer(limit, 0),
		Players: []game.Player{{AccountID: "ann", Name: "ann", Rating: 1500}, {AccountID: "bob", Name: "bob", Rating: 1500}},
	})
	if err != nil {
		return err
	}
	for i, m := range []string{"e2e4", "e7e5", "g1f3"} {
		if _, err := service.Act(ctx, snap.ID, game.Action{Kind: game.Move, Player: i % 2, Move: m}); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, snap.ID)
	select {} // until the kill
}

// TestKilledInMidTurn kills a server while a player thinks. Three seconds later another one finds the clock as it was
// stored, and from then on it runs again: nobody pays for the outage, nor for what was thought before it.
func TestKilledInMidTurn(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0])
		cmd.Env = append(os.Environ(), childDSN+"="+dsn, childTurn+"=1")
		cmd.Stderr = t.Output()
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var id string
		if _, err := fmt.Fscanln(bufio.NewReader(out), &id); err != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			t.Fatal(err)
		}
		time.Sleep(time.Second) // Black thinks
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		time.Sleep(3 * time.Second)

		service, db, stop, err := open(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := stop(); err != nil {
				t.Error(err)
			}
		}()
		stored, err := db.GameByID(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		before := time.Now()
		snap, err := service.Snapshot(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		since := time.Since(before) + time.Second // the clock has run since the server is up
		left := snap.ClocksAt(time.Now())
		if left[0].Left != stored.Clocks[0] {
			t.Errorf("White has %v, %v was stored", left[0].Left, stored.Clocks[0])
		}
		if got := left[1].Left; got > stored.Clocks[1] || got < stored.Clocks[1]-since {
			t.Errorf("Black has %v, %v was stored", got, stored.Clocks[1])
		}
		if stored.Clocks[1] < limit-500*time.Millisecond {
			t.Errorf("%v was stored for Black, who had played at once", stored.Clocks[1])
		}
		time.Sleep(500 * time.Millisecond)
		ack, err := service.Act(t.Context(), id, game.Action{Kind: game.Move, Player: 1, Move: "b8c6"})
		if err != nil {
			t.Fatal(err)
		}
		if used := stored.Clocks[1] - ack.Snapshot.ClocksAt(time.Now())[1].Left; used < 500*time.Millisecond || used > 2500*time.Millisecond {
			t.Errorf("the move has cost %v, want half a second and what the machine took", used)
		}
	})
}
