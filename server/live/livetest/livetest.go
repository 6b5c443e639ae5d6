// Package livetest plays live games at random, for tests.
package livetest

import (
	"math/rand/v2"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/live/game"
)

// RandomAction returns some action that fits the state more often than not:
// most often a legal move, else an offer, an answer, or a line of chat.
func RandomAction(c game.Catalogue, snap *game.Snapshot, rng *rand.Rand) (game.Action, error) {
	player := rng.IntN(2)
	switch rng.IntN(12) {
	case 0:
		return game.Action{Kind: game.DrawYes, Player: player}, nil
	case 1:
		return game.Action{Kind: game.DrawNo, Player: player}, nil
	case 2:
		return game.Action{Kind: game.TakebackYes, Player: player}, nil
	case 3:
		return game.Action{
			Kind: game.Chat, Player: player, Room: game.RoomPlayer, Text: "hm", Username: snap.Players[player].Name,
		}, nil
	}
	r, err := game.RulesOf(c, snap.Variant)
	if err != nil {
		return game.Action{}, err
	}
	p, err := notation.ParseFEN(r, snap.FEN)
	if err != nil {
		return game.Action{}, err
	}
	moves := p.Moves([]rules.Move(nil))
	if len(moves) == 0 {
		return game.Action{Kind: game.Resign, Player: snap.Turn}, nil
	}
	m := moves[rng.IntN(len(moves))]
	return game.Action{Kind: game.Move, Player: snap.Turn, Move: notation.FormatMove(p, m)}, nil
}
