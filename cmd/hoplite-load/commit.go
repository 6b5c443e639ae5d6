package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hoplite/store"
	"hoplite/store/gormdb"
)

// commits is a group commit and nothing else: the rows of moves, with no rules, clocks or connections.
type commits struct {
	games store.Games
	in    chan row
}

type row struct {
	step store.Step
	done chan error
}

// maxGroup is as many rows as the server commits at once.
const maxGroup = 512

func (c *commits) run() {
	var group []row
	for r := range c.in {
		group = append(group[:0], r)
	gather:
		for len(group) < maxGroup {
			select {
			case r, ok := <-c.in:
				if !ok {
					break gather
				}
				group = append(group, r)
			default:
				break gather
			}
		}
		steps := make([]store.Step, len(group))
		for i, r := range group {
			steps[i] = r.step
		}
		_, err := c.games.CommitSteps(context.Background(), steps, nil)
		for _, r := range group {
			r.done <- err
		}
	}
}

func (c *commits) commit(step store.Step) error {
	r := row{step, make(chan error, 1)}
	c.in <- r
	return <-r.done
}

// commitTable plays the script into the store.
type commitTable struct {
	*commits
	game  *store.Game
	moves []string
}

func (t *commitTable) play(_ context.Context, n int) (acked, heard time.Time, err error) {
	g := t.game
	mover := g.Turn
	g.Seq++
	g.Plies++
	g.Turn = 1 - g.Turn
	g.Moves = strings.TrimPrefix(g.Moves+" "+t.moves[n], " ")
	g.LastMove = time.Now().UTC().Truncate(time.Millisecond)
	g.TurnStart = g.LastMove
	g.ClockHistory = append(g.ClockHistory[:len(g.ClockHistory):len(g.ClockHistory)], g.Clocks[mover])
	g.Deadline = g.TurnStart.Add(g.Clocks[g.Turn])
	err = t.commit(store.Step{GameID: g.ID, State: g.GameState, Rows: []store.Action{{
		GameID: g.ID, Seq: g.Seq, Kind: "move", Player: mover, ActionID: fmt.Sprint("k", n), At: g.LastMove,
		Data: fmt.Appendf(nil, `{"uci":%q}`, t.moves[n]),
	}}})
	now := time.Now()
	return now, now, err
}

// openCommits makes a store with n games, to be closed by the function that comes with them.
func openCommits(ctx context.Context, dsn string, n int, moves []string) (tables []*commitTable, done func() error, err error) {
	db, err := gormdb.Open(ctx, dsn, gormdb.Options{Exclusive: true})
	if err != nil {
		return nil, nil, err
	}
	fail := func(err error) ([]*commitTable, func() error, error) { return nil, nil, errors.Join(err, db.Close()) }
	now := time.Now().UTC().Truncate(time.Millisecond)
	for _, name := range []string{"White", "Black"} {
		if err := db.CreateAccount(ctx, store.Account{ID: strings.ToLower(name), Name: name, Created: now}); err != nil {
			return fail(err)
		}
	}
	c := &commits{games: db, in: make(chan row, maxGroup)}
	for i := range n {
		g := &store.Game{
			ID: fmt.Sprintf("load%04d", i), Variant: "standard", Speed: "classical", Perf: "classical", Source: "friend", Created: now,
			Players:  []store.GamePlayer{{AccountID: "white", Name: "White"}, {AccountID: "black", Name: "Black"}},
			HasClock: true, Limit: 3 * time.Hour,
			GameState: store.GameState{
				Seq: 1, Status: store.StatusStarted, Winner: -1, LastMove: now, Clocks: []time.Duration{3 * time.Hour, 3 * time.Hour},
			},
		}
		begin := store.Step{New: g, Rows: []store.Action{{GameID: g.ID, Seq: 1, Kind: "start", Player: -1, At: now}}}
		if _, err := db.CommitSteps(ctx, []store.Step{begin}, nil); err != nil {
			return fail(err)
		}
		tables = append(tables, &commitTable{commits: c, game: g, moves: moves})
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.run()
	}()
	return tables, func() error {
		close(c.in)
		<-ended
		return db.Close()
	}, nil
}
