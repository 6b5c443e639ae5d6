package main

import (
	"errors"
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

// wander plays at random, without captures where there is a choice, and goes no way that ends the game.
func wander(start *rules.Position, seed uint64) []string {
	g := rules.NewGame(start)
	var moves []string
	quiet := 0
	for tries := 0; len(moves) < scriptPlies && tries < 200_000; tries++ {
		seed = seed*6364136223846793005 + 1442695040888963407
		p := g.Position()
		legal := p.Moves(nil)
		m := legal[(seed>>33)%uint64(len(legal))]
		pawn := unicode.IsLower(rune(notation.SAN(p, m)[0]))
		if len(legal) > 1 && (p.IsCapture(m) || pawn != (quiet > pawnEvery) && tries%64 != 0) {
			continue
		}
		text := notation.FormatMove(p, m)
		if g.Play(m) != nil {
			return nil
		}
		if _, over := g.Outcome(); over || g.CanClaimDraw() {
			g.Undo()
			continue
		}
		if quiet++; pawn {
			quiet = 0
		}
		moves = append(moves, text)
	}
	return moves
}
