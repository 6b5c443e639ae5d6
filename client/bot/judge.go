package bot

import (
	"errors"
	"fmt"
	"slices"

	"hoplite/engine/search"
)

// ResignRules say when the bot gives up a game.
type ResignRules struct {
	Enabled        bool `yaml:"enabled"`
	MinLevel       int  `yaml:"min_level"`  // our own engine below this level never resigns: people should get their mate
	Score          int  `yaml:"score"`      // centipawns, negative
	Moves          int  `yaml:"moves"`      // own moves in a row at or below Score
	AfterMove      int  `yaml:"after_move"` // never earlier
	OpponentRating int  `yaml:"opponent_rating"`
	LegalMoves     int  `yaml:"legal_moves"` // with fewer moves of its own, stalemate may be near
}

// DrawRules say when the bot offers and takes a draw.
type DrawRules struct {
	Offer       bool     `yaml:"offer"`
	Accept      bool     `yaml:"accept"`
	Score       int      `yaml:"score"` // at most this far from equal, centipawns
	Plies       int      `yaml:"plies"` // for this long
	Quiet       int      `yaml:"quiet"` // plies without capture or pawn move
	AfterMove   int      `yaml:"after_move"`
	NotVariants []string `yaml:"not_variants"` // where draws are rare
}

// DefaultResignRules give up what is surely lost against someone able to win it.
func DefaultResignRules() ResignRules {
	return ResignRules{Enabled: true, MinLevel: 5, Score: -900, Moves: 4, AfterMove: 15, OpponentRating: 1200, LegalMoves: 5}
}

// DefaultDrawRules take a draw in dead equal positions without progress.
func DefaultDrawRules() DrawRules {
	return DrawRules{Offer: true, Accept: true, Score: 15, Plies: 12, Quiet: 20, AfterMove: 40}
}

func (r ResignRules) validate() error {
	if r.Enabled && (r.Score >= 0 || r.Moves < 1) {
		return fmt.Errorf("resign: score %d must be negative and moves %d at least 1", r.Score, r.Moves)
	}
	return nil
}

func (r DrawRules) validate() error {
	if r.Score < 0 || r.Plies < 0 || r.Quiet < 0 {
		return errors.New("draw: negative number")
	}
	return nil
}

// record is what the bot remembers of its own evaluations in one game.
type record struct {
	plies  []int // ply before which the score was given
	scores []int // centipawns of the own side
}

// add notes the score of the position after so many plies. After a takeback
// the later scores are forgotten.
func (r *record) add(ply int, s search.Score) {
	r.truncate(ply)
	r.plies = append(r.plies, ply)
	r.scores = append(r.scores, s.Centipawns())
}

func (r *record) truncate(ply int) {
	n, _ := slices.BinarySearch(r.plies, ply)
	r.plies, r.scores = r.plies[:n], r.scores[:n]
}

// situation is the position that a verdict is asked about.
type situation struct {
	Variant        string
	Ply            int
	Level          int // 0 for an engine without levels
	OpponentRating int // 0 if unknown
	LegalMoves     int // of the bot; 0 if unknown
	Quiet          int // plies since a capture or pawn move; -1 if unknown
}

// resigns reports whether the bot should give up.
func (r ResignRules) resigns(rec *record, s situation) bool {
	switch {
	case !r.Enabled,
		s.Level > 0 && s.Level < r.MinLevel,
		s.Ply < 2*r.AfterMove,
		s.OpponentRating > 0 && s.OpponentRating < r.OpponentRating,
		s.LegalMoves > 0 && s.LegalMoves < r.LegalMoves,
		len(rec.scores) < r.Moves:
		return false
	}
	last := rec.scores[len(rec.scores)-r.Moves:]
	return slices.Max(last) <= r.Score
}

// fair reports whether the position is a draw as far as the bot can tell.
func (r DrawRules) fair(rec *record, s situation) bool {
	if s.Ply < 2*r.AfterMove || s.Quiet < r.Quiet || slices.Contains(r.NotVariants, s.Variant) {
		return false
	}
	// Enough own scores that reach back r.Plies plies.
	n := len(rec.plies)
	for i := n - 1; i >= 0; i-- {
		if rec.scores[i] > r.Score || rec.scores[i] < -r.Score {
			return false
		}
		if rec.plies[i] <= s.Ply-r.Plies {
			return true
		}
	}
	return false
}

// accepts answers an offer of the opponent: also a draw that saves a lost game.
func (r DrawRules) accepts(rec *record, s situation) bool {
	if !r.Accept {
		return false
	}
	if r.fair(rec, s) {
		return true
	}
	n := len(rec.scores)
	return n > 0 && rec.scores[n-1] <= -drawSaves && s.Ply >= 2
}

// drawSaves is how far behind the bot must be to take any draw.
const drawSaves = 300
