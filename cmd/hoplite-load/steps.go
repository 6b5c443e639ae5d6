package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// step is what was measured with so many games, each with a connection of both players.
type step struct {
	Via   string
	Games int
	// Memory of the server: all of it, and what each of these games took with its two connections.
	RSS, PerGame int64
	// Paced: at the rate that was asked for. Rush: as fast as it goes. Half: at half of that, and a bare group commit of
	// as many games at the same rate beside it.
	Paced, Rush, Half move
	CommitAtHalf      rateOf
}

// move is what moves took: until the mover had the acknowledgement, and until the opponent had heard of it.
type move struct {
	rateOf
	Heard quantiles
	// ClientCPU is what this end spent, on the same processors.
	ClientCPU microseconds
}

// A game is as long as its script: each measurement has its part of it.
const (
	pacedPlies = 200
	rushPlies  = 400
)

// measureVia starts a server and plays on it with more and more games.
func measureVia(ctx context.Context, c runCmd, via string, moves []string, note func(string, ...any)) (steps []step, err error) {
	p, end, err := startServer(ctx, c.Server, c.DB)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	note("%s: signing up", via)
	pairs, err := signUp(ctx, p.URL, via, min(mostPairs, slices.Max(c.Games)), via == "bot")
	if err != nil {
		return nil, err
	}
	r := &room{via: via, process: p, pairs: pairs, moves: moves, link: newLink(p.URL)}
	defer r.close()
	for _, n := range c.Games {
		note("%s: %d games", via, n)
		s, err := r.measure(ctx, c, n)
		if err != nil {
			return steps, fmt.Errorf("%s, %d games: %w\n%s", via, n, err, p.log)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// room is a server with the games that are open on it.
type room struct {
	via     string
	process *process
	pairs   []pair
	moves   []string
	link    *link
	closers closers
}

func (r *room) close() {
	r.closers.close()
	r.link.close()
}

// measure opens n new games and plays on them. The games of the steps before stay open, as games between moves do.
func (r *room) measure(ctx context.Context, c runCmd, n int) (step, error) {
	s := step{Via: r.via, Games: n}
	before, err := r.process.usage()
	if err != nil {
		return s, err
	}
	tables, err := r.open(ctx, n)
	if err != nil {
		return s, err
	}
	time.Sleep(time.Second) // for what goes on after the answers
	after, err := r.process.usage()
	if err != nil {
		return s, err
	}
	s.RSS, s.PerGame = after.rss, (after.rss-before.rss)/int64(n)
	first := make([]int, n)
	for i := range first {
		first[i] = openingPlies
	}
	if s.Paced, err = r.timed(func() (*outcome, error) { return keepPace(ctx, tables, first, c.Rate, c.For, pacedPlies) }); err != nil {
		return s, err
	}
	if s.Rush, err = r.timed(func() (*outcome, error) { return rush(ctx, tables, first, c.For, rushPlies) }); err != nil {
		return s, err
	}
	half := s.Rush.PerSecond / 2
	if s.Half, err = r.timed(func() (*outcome, error) { return keepPace(ctx, tables, first, half, c.For, len(r.moves)) }); err != nil {
		return s, err
	}
	s.CommitAtHalf, err = bareCommit(ctx, c, n, half, r.moves)
	return s, err
}

func (r *room) timed(play func() (*outcome, error)) (move, error) {
	before, err := r.process.usage()
	if err != nil {
		return move{}, err
	}
	own := ownCPU()
	o, err := play()
	if err != nil {
		return move{}, err
	}
	own = ownCPU() - own
	after, err := r.process.usage()
	return move{
		rateOf: o.rate(after.cpu - before.cpu), Heard: o.heard.quantiles(), ClientCPU: us(own / time.Duration(max(o.moves, 1))),
	}, err
}

// openers is how many games are begun at a time.
const openers = 16

// openingPlies are played at once, so that no game ends because its first move does not come.
const openingPlies = 2

// open begins n games, connects both players of each, and plays the first plies.
func (r *room) open(ctx context.Context, n int) ([]table, error) {
	tables := make([]table, n)
	opened := make([]io.Closer, n)
	var mu sync.Mutex
	next := 0
	err := each(make([]struct{}, min(openers, n)), func(int, struct{}) error {
		for {
			mu.Lock()
			i := next
			next++
			mu.Unlock()
			if i >= n {
				return nil
			}
			if _, err := r.openOne(ctx, &r.pairs[i%len(r.pairs)], &tables[i], &opened[i]); err != nil {
				return err
			}
		}
	})
	for _, one := range opened {
		if one != nil {
			r.closers = append(r.closers, one)
		}
	}
	return tables, err
}

// openOne begins a game and returns its id. What it has opened is in c, also if it fails.
func (r *room) openOne(ctx context.Context, p *pair, t *table, c *io.Closer) (string, error) {
	id, err := p.begin(ctx)
	if err != nil {
		return "", err
	}
	switch r.via {
	case "socket":
		*t, *c, err = openSockets(ctx, r.process.URL, p, id, r.moves)
	default:
		*t, *c, err = r.link.open(ctx, p, id, r.moves)
	}
	for n := 0; err == nil && n < openingPlies; n++ {
		_, _, err = (*t).play(ctx, n)
	}
	return id, err
}
