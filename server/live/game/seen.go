package game

import (
	"crypto/sha256"
	"encoding/hex"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// Spectator is the viewer who is no player of the game.
const Spectator = rules.Spectator

// UnseenMove stands for a move of which the viewer did not see anything.
const UnseenMove = "?"

// sight is what one viewer may know of a position.
type sight struct {
	fen   string
	legal []string
}

// sights are those of the spectators and of each player in turn.
func (s *State) sights() []sight {
	p := s.game.Position()
	list := make([]sight, len(s.cur.Players)+1)
	for i := range list {
		v := p.View(i - 1)
		list[i].fen = notation.ViewFEN(v)
		for _, m := range v.Moves() {
			list[i].legal = append(list[i].legal, notation.FormatMove(p, m))
		}
	}
	return list
}

// Hidden reports whether there is something that not everybody may know now.
func (s *Snapshot) Hidden() bool { return s.seen != nil && !s.Over() }

// For returns the state as a viewer may know it: a player, or Spectator. It is
// the one way of a state to anybody outside; in a game that hides nothing, and
// once a game is over, it is the state itself.
func (s *Snapshot) For(viewer int) *Snapshot {
	if !s.Hidden() {
		return s
	}
	if viewer < 0 || viewer >= len(s.Players) {
		viewer = Spectator
	}
	c, setup, mine := *s, *s.Setup, s.seen[viewer+1]
	// Nobody may reckon from the terms what the view keeps back.
	setup.Seed, setup.StartNumber = "", 0
	c.Setup, c.Viewed, c.Legal = &setup, true, mine.legal
	c.FEN, c.StartFEN = mine.fen, ""
	c.Check, c.Claims, c.Declared, c.seen = false, nil, nil, nil
	c.Moves = make([]string, len(s.Moves))
	c.LastMove = ""
	for i, move := range s.Moves {
		c.Moves[i] = UnseenMove
		if viewer >= 0 && int(s.Movers[i]) == viewer {
			c.Moves[i] = move
		}
		c.LastMove = c.Moves[i]
	}
	return &c
}

// Commitment is what is told of a seed before the game: the SHA-256 of the
// game's id, a slash and the seed in hexadecimal digits.
func Commitment(gameID, seed string) string {
	sum := sha256.Sum256([]byte(gameID + "/" + seed))
	return hex.EncodeToString(sum[:])
}
