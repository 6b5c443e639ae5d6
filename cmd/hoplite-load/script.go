package main

import (
	"errors"
	"math/rand/v2"
	"slices"
	"unicode"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// scriptPlies is less than what ends a game by its length.
const scriptPlies = 590

// pawnEvery bounds how long a game goes without a move that cannot be taken back.
const pawnEvery = 90

// script returns the moves of one long game of chess that nothing ends: every load plays it, so that runs compare.
func script() ([]string, error) {
	set, err := variant.Catalogue()
	if err != nil {
		return nil, err
	}
	r, ok := set.Get("standard")
	if !ok {
		return nil, errors.New("the catalogue has no chess")
	}
	start, err := r.Start(0)
	if err != nil {
		return nil, err
	}
	for seed := uint64(1); seed < 1000; seed++ {
		if moves := wander(start, seed); len(moves) == scriptPlies {
			return moves, nil
		}
	}
	return nil, errors.New("no game is long enough")
}

// wander plays at random: without captures where there is a choice, with pawns when it is time for one, and no way that ends
// the game.
func wander(start *rules.Position, seed uint64) []string {
	g := rules.NewGame(start)
	rng := rand.New(rand.NewPCG(seed, 0))
	var moves []string
	quiet := 0
	for len(moves) < scriptPlies {
		p := g.Position()
		legal := p.Moves(nil)
		rng.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
		pawn := func(m rules.Move) bool { return unicode.IsLower(rune(notation.SAN(p, m)[0])) }
		rank := func(m rules.Move) int {
			switch {
			case p.IsCapture(m):
				return 2
			case pawn(m) != (quiet >= pawnEvery):
				return 1
			}
			return 0
		}
		slices.SortStableFunc(legal, func(a, b rules.Move) int { return rank(a) - rank(b) })
		before := len(moves)
		for _, m := range legal {
			text, isPawn := notation.FormatMove(p, m), pawn(m)
			if g.Play(m) != nil {
				return nil
			}
			if _, over := g.Outcome(); over || g.CanClaimDraw() {
				g.Undo()
				continue
			}
			if quiet++; isPawn {
				quiet = 0
			}
			moves = append(moves, text)
			break
		}
		if len(moves) == before {
			return nil
		}
	}
	return moves
}
