// Package tune finds weights of the evaluation: the engine plays fast games
// against itself, quiet positions of them are taken apart into the weights
// that their scores are made of, and the weights are fitted to the results
// (the method of Texel's author, with Adam as the optimiser). Each step keeps
// what it has done in a file and goes on from there.
package tune

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"

	"hoplite/engine/match"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// Play says how the games are played.
type Play struct {
	Rules   *rules.Rules
	Games   int
	Nodes   uint64 // for a move
	Plies   int    // random moves at the beginning, on average
	Seed    uint64
	Threads int // games at the same time; 0 means 1
}

// Game is one game of the engine against itself, as it is kept.
type Game struct {
	Number int      `json:"n"`
	FEN    string   `json:"fen"` // after the random moves
	Moves  []string `json:"moves"`
	// Scores are those of the searches, in centipawns for the side to move.
	Scores []int `json:"scores"`
	// Points is what the first side scored: 1, ½ or 0.
	Points float64 `json:"points"`
}

const (
	gameHash = 2 // MiB
	// decided is the score from which on, for decidedPlies moves running, a
	// game is not played to its end.
	decided      = 1500
	decidedPlies = 6
	maxPlies     = 240
	// unplayable is the score after the random moves that makes a game not
	// worth playing.
	unplayable = 500
)

// Run plays the games that the journal has not got. progress, if not nil, is
// called after each with the number of those that are there.
func (p *Play) Run(ctx context.Context, journal *match.Journal[Game], progress func(done int)) error {
	have := map[int]bool{}
	for _, g := range journal.Records() {
		have[g.Number] = true
	}
	done := len(have)
	var missing []int
	for n := range p.Games {
		if !have[n] {
			missing = append(missing, n)
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	numbers, played := make(chan int), make(chan Game)
	var players sync.WaitGroup
	for range max(p.Threads, 1) {
		players.Go(func() {
			if err := p.player(ctx, numbers, played); err != nil {
				stop(err)
			}
		})
	}
	players.Go(func() {
		defer close(numbers)
		for _, n := range missing {
			select {
			case numbers <- n:
			case <-ctx.Done():
				return
			}
		}
	})
	go func() {
		players.Wait()
		close(played)
	}()
	for g := range played {
		if err := journal.Add(g); err != nil {
			stop(err)
		} else if done++; progress != nil {
			progress(done)
		}
	}
	return context.Cause(ctx)
}

// player plays games until there are no more.
func (p *Play) player(ctx context.Context, numbers <-chan int, played chan<- Game) error {
	e := search.New(p.Rules, search.Options{Hash: gameHash})
	for n := range numbers {
		g, err := p.game(ctx, e, n)
		if err != nil {
			return err
		}
		played <- g
	}
	return nil
}

// game plays one game, which depends on nothing but its number and the seed.
func (p *Play) game(ctx context.Context, e *search.Engine, number int) (Game, error) {
	g, err := p.opening(ctx, e, number)
	if err != nil {
		return Game{}, err
	}
	out := Game{Number: number, FEN: notation.FEN(g.Position()), Points: 0.5}
	g = rules.NewGame(g.Position())
	e.NewGame()
	run := 0 // moves running that the game was decided, negative if for the second side
	for len(g.Moves()) < maxPlies {
		if end, over := g.Outcome(); over {
			out.Points = end.Points[0]
			break
		}
		if g.CanClaimDraw() {
			break
		}
		res := e.Search(ctx, g, search.Limits{Nodes: p.Nodes}, nil)
		if ctx.Err() != nil {
			return Game{}, context.Cause(ctx)
		}
		score := scoreOf(res.Score)
		out.Moves = append(out.Moves, notation.FormatMove(g.Position(), res.Best))
		out.Scores = append(out.Scores, score)
		if g.Position().Turn() != 0 {
			score = -score
		}
		if err := g.Play(res.Best); err != nil {
			return Game{}, err
		}
		if run = streak(run, score); run >= decidedPlies {
			out.Points = 1
			break
		} else if run <= -decidedPlies {
			out.Points = 0
			break
		}
	}
	return out, nil
}

// streak counts on how many moves the first side was winning, or, below zero,
// losing.
func streak(run, score int) int {
	switch {
	case score >= decided:
		return max(run, 0) + 1
	case score <= -decided:
		return min(run, 0) - 1
	}
	return 0
}

// mateScore is what a mate counts.
const mateScore = 20_000

func scoreOf(s search.Score) int {
	switch {
	case s.Mate > 0:
		return mateScore
	case s.Mate < 0:
		return -mateScore
	}
	return min(max(s.CP, -mateScore), mateScore)
}

// opening makes random moves, so many that either side may be to move, until
// the position is playable.
func (p *Play) opening(ctx context.Context, e *search.Engine, number int) (*rules.Game, error) {
	chance := rand.New(rand.NewPCG(p.Seed, uint64(number)))
	const tries = 100
	for range tries {
		o := match.Openings{Rules: p.Rules, Plies: max(p.Plies-1, 0) + chance.IntN(3), Seed: chance.Uint64()}
		g, err := o.Game(ctx, 0)
		if err != nil {
			return nil, err
		}
		e.NewGame()
		score := scoreOf(e.Search(ctx, g, search.Limits{Nodes: p.Nodes}, nil).Score)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if -unplayable <= score && score <= unplayable {
			return g, nil
		}
	}
	return nil, errors.New("tune: no random opening is playable")
}
