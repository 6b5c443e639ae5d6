// Package game is one live game as a pure state machine: actions and the time
// go in, log rows and events come out. It does no IO, reads no clock, draws no
// random number and starts no goroutine, so that every race is a table test.
package game

import (
	"slices"
	"time"

	"hoplite/server/live/clock"
)

// Setup is what is fixed when a game is created. It never changes afterwards
// and is shared by all snapshots.
type Setup struct {
	// ID is the game's id. Service.Create makes one if it is empty.
	ID string
	// Variant is a key of the catalogue.
	Variant string
	// InitialFEN is the start position, "" for the usual start.
	InitialFEN string
	// StartNumber picks one of several starts of the variant if InitialFEN is
	// empty. Service.Create draws one if it is negative.
	StartNumber int
	// Seed decides all chance of the game, in hexadecimal digits; "" in games
	// that leave nothing to chance. Service.Create draws one.
	Seed string
	// Commitment is what the players are told of the seed before the game.
	Commitment string
	// Players are in the order of the sides: White first.
	Players []Player
	Control clock.Control
	Rated   bool
	// Speed and Perf are keys as in LICHESS_API.md §3. Service.Create fills
	// them in if they are empty.
	Speed string
	Perf  string
	// Source is how the game came about: "friend", "lobby", "ai", "api" …
	Source string
	// Rules are the agreed exceptions: noAbort, noGiveTime, noClaimWin,
	// noEarlyDraw, noRematch.
	Rules   []string
	Created time.Time
	// RematchOf is the game that this one repeats, "" if none.
	RematchOf string
}

// The exceptions of Setup.Rules that the state machine knows.
const (
	RuleNoAbort     = "noAbort"
	RuleNoGiveTime  = "noGiveTime"
	RuleNoClaimWin  = "noClaimWin"
	RuleNoEarlyDraw = "noEarlyDraw"
)

// HasRule reports whether the players agreed on the exception.
func (s *Setup) HasRule(rule string) bool { return slices.Contains(s.Rules, rule) }

// PlayerOf returns the index of the account's seat, -1 if it has none.
func (s *Setup) PlayerOf(accountID string) int {
	if accountID == "" {
		return -1
	}
	return slices.IndexFunc(s.Players, func(p Player) bool { return p.AccountID == accountID })
}

// MaxPlayers is how many seats a game can have.
const MaxPlayers = 8

// PerPlayer holds something for each seat of a game. What lies beyond the
// game's players is zero.
type PerPlayer[T any] [MaxPlayers]T

// Player is one seat of a game, as it was when the game began.
type Player struct {
	AccountID   string // "" for an anonymous player
	Name        string
	Title       string // "BOT", "GM", … or ""
	Rating      int
	Provisional bool
	AILevel     int // 1..8 for the server's engine, else 0
}

// IsBot reports whether a program plays: draws by repetition are then claimed
// by themselves.
func (p *Player) IsBot() bool { return p.Title == "BOT" || p.AILevel > 0 }
