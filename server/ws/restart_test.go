package ws_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/openapi/frames"
	"hoplite/server/servertest"
	"hoplite/store"
	"hoplite/store/storetest"
)

// forgetful is a store that commits and, when told to, says that it failed: the power goes between the disk and the
// acknowledgement.
type forgetful struct {
	store.Store
	fail *atomic.Bool
}

func (f forgetful) CommitSteps(ctx context.Context, steps []store.Step, rate store.RateFunc) ([]store.StepResult, error) {
	results, err := f.Store.CommitSteps(ctx, steps, rate)
	if err == nil && f.fail.CompareAndSwap(true, false) {
		return nil, errors.New("the connection to the database was lost")
	}
	return results, err
}

// TestMoveWithoutAnswer commits a move whose answer is lost on the way. The client is told that it is not known, sends
// the move again with its key, and it has been played once.
func TestMoveWithoutAnswer(t *testing.T) {
	t.Parallel()
	var fail atomic.Bool
	s := servertest.Start(t, servertest.Store(func(st store.Store) store.Store { return forgetful{st, &fail} }))
	p := play(t, s, nil)
	c, watcher := as(t, s, p.white), as(t, s, p.black)
	watcher.do("sub", p.sub())
	m := frames.Move{Game: p.game, Move: "e2e4", Key: "once"}
	fail.Store(true)
	c.refused("move", m, frames.CodeUnavailable)
	if ack := c.do("move", m); ack.Version == nil || *ack.Version != 1 {
		t.Errorf("version %v, want 1", ack.Version)
	}
	var e frames.Event
	watcher.want("event", &e)
	if e.Version != 1 || e.Ply == nil || e.Ply.SAN != "e4" {
		t.Errorf("event %+v", e)
	}
	// The same with another key is another wish.
	m.Key = "twice"
	c.refused("move", m, frames.CodeInvalid)
}

// TestServerEndsInMidMove stops the server at a random moment after a move was sent, starts it again on the same
// database, and sends the move again with its key.
func TestServerEndsInMidMove(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	s := servertest.Start(t, servertest.DSN(dsn))
	p := play(t, s, nil)
	viewer, _ := dial(t, s, nil)
	viewer.do("sub", p.sub())
	moves := []string{"e2e4", "e7e5", "g1f3"}
	for i, text := range moves {
		u := []string{p.white.Token, p.black.Token}[i%2]
		c, _ := dial(t, s, nil)
		c.do("auth", frames.Auth{Token: u})
		m := frames.Move{Game: p.game, Move: text, Key: "move " + text}
		c.write("move", 50, m)
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		s.Stop()
		if code, bye := viewer.closed(); code != frames.CloseRestart || bye.Code != frames.CloseRestart {
			t.Errorf("closed with %d after bye %+v, want %d", code, bye, frames.CloseRestart)
		}
		s = servertest.Start(t, servertest.DSN(dsn))
		c, _ = dial(t, s, nil)
		c.do("auth", frames.Auth{Token: u})
		if ack := c.do("move", m); ack.Version == nil || *ack.Version != uint64(i+1) {
			t.Errorf("move %s: version %v, want %d", text, ack.Version, i+1)
		}
		viewer, _ = dial(t, s, nil)
		viewer.do("sub", since(p.game, uint64(i)))
		var e frames.Event
		viewer.want("event", &e)
		if e.Version != uint64(i+1) || e.Ply == nil || e.Ply.Move != text {
			t.Errorf("after the restart: event %+v", e)
		}
	}
	if rows, err := s.Store.LogOf(t.Context(), p.game, 0); err != nil || len(rows) != len(moves) {
		t.Errorf("%d rows, %v; want %d", len(rows), err, len(moves))
	}
}
