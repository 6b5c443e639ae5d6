package match

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// Openings make the beginnings of the pairs of games: lines that were given,
// one after the other, or random moves.
type Openings struct {
	Rules *rules.Rules
	// Lines are given openings; empty: random ones.
	Lines []*rules.Game
	// Plies is the number of random moves.
	Plies int
	// Seed drives them. Equal seeds make equal openings.
	Seed uint64
	// Balance is the greatest advantage of a side after a random opening, in
	// centipawns by a short search; 0: it is not looked at.
	Balance int
}

const (
	judgeNodes = 4_000 // of the search that looks whether an opening is balanced
	judgeHash  = 1     // MiB
	tries      = 300   // random openings for a pair before the latest is taken as it is
)

// Game returns the opening of a pair as a game of its own. It depends on
// nothing but the openings and the number.
func (o *Openings) Game(ctx context.Context, pair int) (*rules.Game, error) {
	if len(o.Lines) > 0 {
		return o.Lines[pair%len(o.Lines)].Clone(), nil
	}
	chance := rand.New(rand.NewPCG(o.Seed, uint64(pair)))
	var judge *search.Engine
	if o.Balance > 0 {
		judge = search.New(o.Rules, search.Options{Hash: judgeHash})
	}
	var last *rules.Game
	for range tries {
		g, err := o.random(chance)
		if err != nil {
			return nil, err
		}
		if g == nil {
			continue
		}
		last = g
		if judge == nil {
			return g, nil
		}
		judge.NewGame()
		score := judge.Search(ctx, g, search.Limits{Nodes: judgeNodes}, nil).Score
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if score.Mate == 0 && -o.Balance <= score.CP && score.CP <= o.Balance {
			return g, nil
		}
	}
	if last == nil {
		return nil, fmt.Errorf("openings: %d random plies always end the game", o.Plies)
	}
	return last, nil
}

// random plays random moves; nil if they end the game.
func (o *Openings) random(chance *rand.Rand) (*rules.Game, error) {
	number := o.Rules.UsualStart()
	if o.Rules.Shuffled() {
		number = chance.IntN(o.Rules.Starts())
	}
	start, err := o.Rules.Start(number)
	if err != nil {
		return nil, err
	}
	g := rules.NewGame(start)
	for range o.Plies {
		moves := g.Position().Moves(nil)
		if len(moves) == 0 {
			return nil, nil
		}
		if err := g.Play(moves[chance.IntN(len(moves))]); err != nil {
			return nil, err
		}
		if _, over := g.Outcome(); over {
			return nil, nil
		}
	}
	return g, nil
}

// ReadOpenings reads lines of a position, moves, or both: "FEN", "moves e2e4
// e7e5", "FEN moves e2e4". Empty lines and those that begin with # count
// nothing.
func ReadOpenings(r *rules.Rules, in io.Reader) ([]*rules.Game, error) {
	var list []*rules.Game
	sc := bufio.NewScanner(in)
	for number := 1; sc.Scan(); number++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		g, err := readOpening(r, line)
		if err != nil {
			return nil, fmt.Errorf("openings, line %d: %w", number, err)
		}
		list = append(list, g)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("openings: %w", err)
	}
	if len(list) == 0 {
		return nil, errors.New("openings: the file has none")
	}
	return list, nil
}

func readOpening(r *rules.Rules, line string) (*rules.Game, error) {
	fen, moves := line, ""
	if rest, ok := strings.CutPrefix(line, "moves "); ok {
		fen, moves = "", rest
	} else if before, after, ok := strings.Cut(line, " moves "); ok {
		fen, moves = before, after
	}
	g, err := replay(r, fen, strings.Fields(moves))
	if err != nil {
		return nil, err
	}
	if out, over := g.Outcome(); over {
		return nil, fmt.Errorf("the game is over: %s", out.Reason)
	}
	return g, nil
}

// replay plays moves from a position, "" for the usual start. Declarations
// stand among the moves by their names, with hyphens.
func replay(r *rules.Rules, fen string, moves []string) (*rules.Game, error) {
	start, err := r.Start(r.UsualStart())
	if fen != "" {
		start, err = notation.ParseFEN(r, fen)
	}
	if err != nil {
		return nil, err
	}
	g := rules.NewGame(start)
	for i, text := range moves {
		if claim, ok := claimOf(text); ok {
			err = g.Declare(claim)
		} else {
			var m rules.Move
			if m, err = notation.ParseMove(g.Position(), text); err == nil {
				err = g.Play(m)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return g, nil
}

// texts writes the moves of a game as replay reads them.
func texts(g *rules.Game) []string {
	p := g.Start().Clone()
	var u rules.Undo
	list := make([]string, 0, len(g.Moves()))
	for _, m := range g.Moves() {
		if m.Kind().IsMove() {
			list = append(list, notation.FormatMove(p, m))
		} else {
			list = append(list, strings.ReplaceAll(string(m.Claim()), " ", "-"))
		}
		p.Make(m, &u)
	}
	return list
}

func claimOf(text string) (rules.Claim, bool) {
	for _, c := range []rules.Claim{rules.CountStart, rules.CountStop, rules.ClaimDraw, rules.ClaimWin} {
		if text == strings.ReplaceAll(string(c), " ", "-") {
			return c, true
		}
	}
	return "", false
}
