package gormdb

import (
	"fmt"

	"hoplite/store"
)

type gameRow struct {
	ID           string `gorm:"primaryKey"`
	Variant      string
	InitialFEN   string `gorm:"column:initial_fen"`
	StartNumber  int64
	Speed        string
	Perf         string
	Rated        bool
	Source       string
	HasClock     bool
	ClockLimit   int64
	Increment    int64
	ClockDelay   int64
	Byoyomi      int64
	Periods      int64
	Seed         string
	Days         int64
	Rules        string
	RematchOf    string
	Created      int64
	Seq          int64
	Status       int64
	Winner       int64
	Reason       string
	Plies        int64
	Turn         int64
	Moves        string
	ClockHistory []byte
	Clocks       []byte
	TurnStart    int64
	Deadline     int64
	LastMove     int64
	Rematch      string
	Points       string
	Places       string
	Declared     string
	ShiftEpoch   int64 // the outage for which the deadline was last moved
}

func (gameRow) TableName() string { return "games" }

func (r gameRow) record() (store.Game, error) {
	g := store.Game{
		ID: r.ID, Variant: r.Variant, InitialFEN: r.InitialFEN, StartNumber: int(r.StartNumber), Speed: r.Speed,
		Perf: r.Perf, Rated: r.Rated, Source: r.Source, HasClock: r.HasClock, Limit: msDur(r.ClockLimit),
		Increment: msDur(r.Increment), Delay: msDur(r.ClockDelay), Byoyomi: msDur(r.Byoyomi), Periods: int(r.Periods),
		Seed: r.Seed, Days: int(r.Days), Rules: fromWords(r.Rules), RematchOf: r.RematchOf,
		Created: fromMs(r.Created),
		GameState: store.GameState{
			Seq: r.Seq, Status: store.Status(r.Status), Winner: int(r.Winner), Reason: r.Reason, Plies: int(r.Plies),
			Turn: int(r.Turn), Moves: r.Moves, TurnStart: fromMs(r.TurnStart), Deadline: fromMs(r.Deadline),
			LastMove: fromMs(r.LastMove), Rematch: r.Rematch, Places: unpackInts(r.Places),
			Declared: fromWords(r.Declared),
		},
	}
	var err error
	if g.ClockHistory, err = unpackDurations(r.ClockHistory); err == nil {
		g.Clocks, err = unpackDurations(r.Clocks)
	}
	if err == nil {
		g.Points, err = unpackFloats(r.Points)
	}
	if err != nil {
		return g, fmt.Errorf("game %s: %w", r.ID, err)
	}
	return g, nil
}

type gamePlayerRow struct {
	GameID      string `gorm:"primaryKey"`
	Seat        int64  `gorm:"primaryKey;autoIncrement:false"`
	AccountID   string
	Name        string
	Title       string
	Rating      int64
	Provisional bool
	RatingDiff  *int64
	AILevel     int64 `gorm:"column:ai_level"`
	Created     int64 // the game's, for paging through an account's games
	Live        bool  // the game is not over
}

func (gamePlayerRow) TableName() string { return "game_players" }

func (r gamePlayerRow) record() store.GamePlayer {
	p := store.GamePlayer{
		AccountID: r.AccountID, Name: r.Name, Title: r.Title, Rating: int(r.Rating), Provisional: r.Provisional,
		AILevel: int(r.AILevel),
	}
	if r.RatingDiff != nil {
		d := int(*r.RatingDiff)
		p.RatingDiff = &d
	}
	return p
}

type actionRow struct {
	GameID   string `gorm:"primaryKey"`
	Seq      int64  `gorm:"primaryKey;autoIncrement:false"`
	Kind     string
	Player   int64
	ActionID string
	At       int64
	Data     string
}

func (actionRow) TableName() string { return "actions" }

func (r actionRow) record() store.Action {
	return store.Action{
		GameID: r.GameID, Seq: r.Seq, Kind: r.Kind, Player: int(r.Player), ActionID: r.ActionID, At: fromMs(r.At),
		Data: rawJSON(r.Data),
	}
}
