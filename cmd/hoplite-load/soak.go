package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

type soakCmd struct {
	Server string        `default:"bin/hoplite" type:"existingfile" placeholder:"FILE" help:"The server's program (default: ${default})."`
	DB     string        `name:"db" placeholder:"URL" help:"An empty PostgreSQL database (default: a SQLite file in a temporary folder)."`
	Games  int           `default:"64" help:"How many games are played side by side, half of them over websockets and half over streams (default: ${default})."`
	Rate   float64       `default:"100" help:"Moves a second of all games together (default: ${default})."`
	For    time.Duration `default:"30m" help:"How long (default: ${default})."`
	Plies  int           `default:"60" help:"How long a game is; then one side resigns and the two begin another (default: ${default})."`
}

// Validate bounds what may be asked for.
func (c soakCmd) Validate() error {
	switch {
	case c.Games < 2 || c.Games > 1000:
		return fmt.Errorf("games: %d is not between 2 and 1000", c.Games)
	case c.Rate <= 0 || c.Rate > 10_000:
		return fmt.Errorf("rate: %v is not between 0 and 10000", c.Rate)
	case c.For < time.Second || c.For > 24*time.Hour:
		return fmt.Errorf("for: %v is not between 1s and 24h", c.For)
	case c.Plies < openingPlies+1 || c.Plies > scriptPlies:
		return fmt.Errorf("plies: %d is not between %d and %d", c.Plies, openingPlies+1, scriptPlies)
	}
	return nil
}

const (
	// soakSamples is how often a soak looks at the server's memory.
	soakSamples = 40
	// mostGrowth is how much more memory a server may hold in the last quarter of a soak than in its second one. The first
	// quarter fills caches and lets the collector find its pace.
	mostGrowth = 0.10
)

// Run plays whole games one after the other and fails if the server's memory grows.
func (c soakCmd) Run(ctx context.Context, out io.Writer) (err error) {
	moves, err := script()
	if err != nil {
		return err
	}
	p, end, err := startServer(ctx, c.Server, c.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	var rooms []*room
	for _, via := range []string{"socket", "bot"} {
		pairs, err := signUp(ctx, p.URL, via, min(mostPairs, c.Games/2), via == "bot")
		if err != nil {
			return err
		}
		r := &room{via: via, process: p, pairs: pairs, moves: moves[:c.Plies], link: newLink(p.URL)}
		defer r.close()
		rooms = append(rooms, r)
	}
	s := soak{soakCmd: c, rooms: rooms, end: time.Now().Add(c.For)}
	return s.run(ctx, p, out)
}

type soak struct {
	soakCmd
	rooms       []*room
	end         time.Time
	moves       atomic.Int64
	played      atomic.Int64
	samples     []int64
	acknowledge times
}

func (s *soak) run(ctx context.Context, p *process, out io.Writer) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var players sync.WaitGroup
	for i := range s.Games {
		players.Go(func() {
			if err := s.play(ctx, i); err != nil {
				stop(err)
			}
		})
	}
	fmt.Fprintf(out, "| after | games ended | moves | RSS |\n|---|---|---|---|\n")
	begin := time.Now()
	every := time.NewTicker(s.For / soakSamples)
	defer every.Stop()
	for len(s.samples) < soakSamples && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-every.C:
			used, err := p.usage()
			if err != nil {
				stop(err)
				break
			}
			s.samples = append(s.samples, used.rss)
			fmt.Fprintf(out, "| %v | %d | %d | %s |\n", time.Since(begin).Round(time.Second), s.played.Load(), s.moves.Load(), mib(used.rss))
		}
	}
	players.Wait()
	if err := context.Cause(ctx); err != nil {
		return errors.Join(err, errors.New(p.log.String()))
	}
	return s.judge(out)
}

// play plays game after game as one of the tables.
func (s *soak) play(ctx context.Context, i int) error {
	r := s.rooms[i%len(s.rooms)]
	pair := &r.pairs[i/len(s.rooms)%len(r.pairs)]
	gap := time.Duration(float64(s.Games) / s.Rate * float64(time.Second))
	for time.Now().Before(s.end) {
		if err := s.one(ctx, r, pair, gap); err != nil {
			return err
		}
		s.played.Add(1)
	}
	return nil
}

// one plays a game to its end.
func (s *soak) one(ctx context.Context, r *room, p *pair, gap time.Duration) (err error) {
	var t table
	var c io.Closer
	id, err := r.openOne(ctx, p, &t, &c)
	if c != nil {
		defer func() { err = errors.Join(err, c.Close()) }()
	}
	if err != nil {
		return err
	}
	tick := time.NewTicker(gap)
	defer tick.Stop()
	for n := openingPlies; n < len(r.moves) && time.Now().Before(s.end); n++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		sent := time.Now()
		acked, _, err := t.play(ctx, n)
		if err != nil {
			return err
		}
		s.moves.Add(1)
		s.acknowledge.add(acked.Sub(sent))
	}
	if r.via == "bot" {
		return p.players[0].Bot.Resign(ctx, id)
	}
	return p.players[0].Board.Resign(ctx, id)
}

// judge compares the memory of the last quarter with that of the second.
func (s *soak) judge(out io.Writer) error {
	quarter := len(s.samples) / 4
	early, late := mean(s.samples[quarter:2*quarter]), mean(s.samples[3*quarter:])
	growth := late/early - 1
	q := s.acknowledge.quantiles()
	fmt.Fprintf(out, "\n%d games, %d moves; acknowledged p50 %.1f ms, p99 %.1f ms; memory %+.1f %% from the second quarter to the last\n",
		s.played.Load(), s.moves.Load(), q.P50, q.P99, 100*growth)
	if growth > mostGrowth {
		return fmt.Errorf("the memory grows: %s, then %s", mib(int64(early)), mib(int64(late)))
	}
	return nil
}

func mean(samples []int64) float64 {
	sum := 0.0
	for _, x := range samples {
		sum += float64(x)
	}
	return sum / float64(len(samples))
}
