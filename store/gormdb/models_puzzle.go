package gormdb

import (
	"encoding/json"
	"strings"

	"hoplite/store"
)

type puzzleRow struct {
	ID         string `gorm:"primaryKey"`
	Variant    string
	FEN        string `gorm:"column:fen"`
	Moves      string
	Alts       string // JSON, "" for none
	Goal       string
	Themes     string // with a space at either end, to look for one
	Solver     string
	Rating     float64
	RD         float64 `gorm:"column:rd"`
	Vol        float64
	Plays      int64
	Popularity int64
	Source     string
	Created    int64
}

func (puzzleRow) TableName() string { return "puzzles" }

func newPuzzleRow(p store.Puzzle) (puzzleRow, error) {
	r := puzzleRow{
		ID: p.ID, Variant: p.Variant, FEN: p.FEN, Moves: words(p.Moves), Goal: p.Goal, Solver: solver(p.FEN),
		Themes: " " + words(p.Themes) + " ", Rating: p.Rating, RD: p.RD, Vol: p.Vol, Plays: int64(p.Plays),
		Popularity: int64(p.Popularity), Source: p.Source, Created: toMs(p.Created),
	}
	for _, list := range [][]string{p.Moves, p.Themes} {
		if err := checkWords(list); err != nil {
			return r, err
		}
	}
	if len(p.Alts) > 0 {
		b, err := json.Marshal(p.Alts)
		if err != nil {
			return r, err
		}
		r.Alts = string(b)
	}
	return r, nil
}

// solver is the side that the puzzle asks: the position is before the
// opponent's move.
func solver(fen string) string {
	if f := strings.Fields(fen); len(f) > 1 && f[1] == "w" {
		return "black"
	}
	return "white"
}

func (r puzzleRow) record() store.Puzzle {
	p := store.Puzzle{
		ID: r.ID, Variant: r.Variant, FEN: r.FEN, Moves: fromWords(r.Moves), Goal: r.Goal, Themes: fromWords(r.Themes),
		Rating: r.Rating, RD: r.RD, Vol: r.Vol, Plays: int(r.Plays), Popularity: int(r.Popularity), Source: r.Source,
		Created: fromMs(r.Created),
	}
	if r.Alts != "" {
		// Only newPuzzleRow writes it.
		_ = json.Unmarshal([]byte(r.Alts), &p.Alts)
	}
	return p
}

type attemptRow struct {
	AccountID   string `gorm:"primaryKey"`
	Nr          int64  `gorm:"primaryKey;autoIncrement:false"`
	PuzzleID    string
	At          int64
	Win         bool
	First       bool
	Rated       bool
	Rating      int64
	RatingDiff  int64
	PuzzleAfter int64
	Moves       string
	ActionID    string
}

func (attemptRow) TableName() string { return "puzzle_attempts" }

func (r attemptRow) record() store.PuzzleAttempt {
	return store.PuzzleAttempt{
		AccountID: r.AccountID, PuzzleID: r.PuzzleID, At: fromMs(r.At), Win: r.Win, First: r.First, Rated: r.Rated,
		Rating: int(r.Rating), RatingDiff: int(r.RatingDiff), PuzzleAfter: int(r.PuzzleAfter), Moves: r.Moves,
		ActionID: r.ActionID,
	}
}

type currentPuzzleRow struct {
	AccountID string `gorm:"primaryKey"`
	Angle     string `gorm:"primaryKey"`
	PuzzleID  string
}

func (currentPuzzleRow) TableName() string { return "current_puzzles" }
