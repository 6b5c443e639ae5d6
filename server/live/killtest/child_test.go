package killtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/live"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/live/livetest"
	"hoplite/store"
	"hoplite/store/gormdb"
)

// The environment that makes the test binary the server to be killed.
const (
	childDSN  = "HOPLITE_KILLTEST_DSN"
	childSeed = "HOPLITE_KILLTEST_SEED"
	childTurn = "HOPLITE_KILLTEST_TURN" // set: one game in which somebody thinks
)

const (
	// pairs is how many games go on at once, each of two accounts of its own.
	pairs = 24
	// length bounds the actions of one game.
	length = 60
)

func TestMain(m *testing.M) {
	dsn := os.Getenv(childDSN)
	if dsn == "" {
		os.Exit(m.Run())
	}
	if os.Getenv(childTurn) != "" {
		if err := think(dsn, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := serve(dsn, os.Getenv(childSeed), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs live games under load until it is killed, and writes a line for
// everything that was acknowledged:
//
//	new GAME
//	ack GAME PLAYER ID VERSION
//	end GAME
func serve(dsn, seed string, out io.Writer) error {
	ctx := context.Background()
	set, err := variant.Catalogue()
	if err != nil {
		return err
	}
	db, err := gormdb.Open(ctx, dsn, gormdb.Options{})
	if err != nil {
		return err
	}
	for n := range 2 * pairs {
		err := db.CreateAccount(ctx, store.Account{ID: name(n), Name: name(n), Created: time.Now()})
		if err != nil && !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	service := live.New(live.Deps{Store: db, Catalogue: set, Bus: bus.New(), Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	ran := make(chan error, 1)
	go func() { ran <- service.Run(ctx) }()
	<-service.Ready()

	var mu sync.Mutex
	say := func(format string, a ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(out, format+"\n", a...)
	}
	for n := range pairs {
		p := &pair{n: n, set: set, live: service, say: say, seed: seed, rng: rand.New(rand.NewPCG(uint64(n), rand.Uint64()))}
		go func() { ran <- p.play(ctx) }()
	}
	return <-ran // only on a mistake
}

func name(n int) string { return fmt.Sprintf("player-%d", n) }

// pair is two accounts that play game after game.
type pair struct {
	n     int
	set   *variant.Set
	live  *live.Service
	say   func(format string, a ...any)
	seed  string
	rng   *rand.Rand
	count int
}

func (p *pair) play(ctx context.Context) error {
	id := ""
	err := p.insist(func() error {
		going, err := p.live.Ongoing(ctx, name(2*p.n))
		if len(going) > 0 {
			id = going[0].ID
		}
		return err
	})
	if err != nil {
		return err
	}
	for {
		if id == "" {
			if id, err = p.create(ctx); err != nil {
				return err
			}
		}
		for n := range length {
			over, err := p.act(ctx, id, n == length-1)
			if err != nil {
				return err
			}
			if over {
				break
			}
		}
		id = ""
	}
}

// insist repeats what the store does not take now.
func (p *pair) insist(f func() error) error {
	for {
		err := f()
		if fault.KindOf(err) != fault.KindUnavailable {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (p *pair) create(ctx context.Context) (string, error) {
	a, b := name(2*p.n), name(2*p.n+1)
	variants := []string{"standard", "spartan", "seirawan"}
	su := game.Setup{
		ID:      live.NewID(),
		Variant: variants[p.rng.IntN(len(variants))],
		Players: []game.Player{{AccountID: a, Name: a, Rating: 1500}, {AccountID: b, Name: b, Rating: 1500}},
		Control: clock.NewFischer(10*time.Minute, time.Second),
		Rated:   true,
		Source:  "friend",
	}
	err := p.insist(func() error {
		_, err := p.live.Create(ctx, su)
		return err
	})
	if err == nil {
		p.say("new %s", su.ID)
	}
	return su.ID, err
}

// act does one action, the last one a resignation, and reports whether the
// game is over.
func (p *pair) act(ctx context.Context, id string, last bool) (bool, error) {
	var snap *game.Snapshot
	err := p.insist(func() (err error) {
		snap, err = p.live.Snapshot(ctx, id)
		return err
	})
	if err != nil {
		return false, err
	}
	if snap.Over() {
		return true, nil
	}
	a, err := livetest.RandomAction(p.set, snap, p.rng)
	if err != nil {
		return false, err
	}
	if last {
		a = game.Action{Kind: game.Resign, Player: p.rng.IntN(2)}
	}
	p.count++
	a.ID = fmt.Sprintf("%s-%d-%d", p.seed, p.n, p.count)
	var ack game.Ack
	err = p.insist(func() (err error) {
		ack, err = p.live.Act(ctx, id, a)
		return err
	})
	switch {
	case fault.KindOf(err) == fault.KindInvalid:
		return false, nil // refused, and nothing is promised
	case err != nil:
		return false, err
	case ack.Note == "":
		p.say("ack %s %d %s %d", id, a.Player, a.ID, ack.Version)
	}
	if ack.Snapshot.Over() {
		p.say("end %s", id)
	}
	return ack.Snapshot.Over(), nil
}
