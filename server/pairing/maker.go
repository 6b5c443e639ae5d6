package pairing

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/rating"
	"hoplite/store"
)

// Accounts is what a Maker needs to know of players.
type Accounts interface {
	AccountByID(ctx context.Context, id string) (store.Account, error)
	Perf(ctx context.Context, accountID, key string) (store.Perf, error)
}

// Creator makes a game durable and announces it.
type Creator interface {
	Create(ctx context.Context, s game.Setup) (*game.Snapshot, error)
}

// Maker makes games between accounts. Its fields do not change after the
// first call.
type Maker struct {
	Accounts Accounts
	Games    Creator
	// Perf returns under which key games of a variant are rated at a speed.
	Perf func(variant string, s clock.Speed) string
	Now  func() time.Time
}

// Order is a game to be made.
type Order struct {
	ID        string // "" for a new one
	Variant   string
	FEN       string
	Number    int // of a shuffled start, if FEN is empty
	Control   clock.Control
	Rated     bool
	Rules     []string
	Source    string
	RematchOf string
}

// Order returns the game that the terms describe.
func (t Terms) Order(id, source string) Order {
	return Order{
		ID: id, Variant: t.Start.Variant, FEN: t.Start.FEN, Number: t.Start.Number,
		Control: t.Control, Rated: t.Rated, Rules: t.Rules, Source: source,
	}
}

// Start makes the game between two accounts, which may be the engine's. It
// returns once the game is durable and announced to both.
func (m *Maker) Start(ctx context.Context, o Order, white, black string) (*game.Snapshot, error) {
	speed := o.Control.Speed()
	perf := m.Perf(o.Variant, speed)
	setup := game.Setup{
		ID: o.ID, Variant: o.Variant, InitialFEN: o.FEN, StartNumber: o.Number,
		Control: o.Control, Rated: o.Rated, Speed: string(speed), Perf: perf,
		Source: o.Source, Rules: o.Rules, Created: m.Now(), RematchOf: o.RematchOf,
	}
	if setup.ID == "" {
		setup.ID = lichess.NewID()
	}
	var accounts [2]store.Account
	for i, id := range []string{white, black} {
		a, err := m.Accounts.AccountByID(ctx, id)
		if errors.Is(err, store.ErrNotFound) || err == nil && a.IsClosed() {
			return nil, fault.Invalid("No such user: %s", id)
		}
		if err != nil {
			return nil, err
		}
		accounts[i] = a
	}
	for i, a := range accounts {
		p, err := m.player(ctx, a, rating.Pool(perf, a.Title, accounts[1-i].Title))
		if err != nil {
			return nil, err
		}
		setup.Players = append(setup.Players, p)
	}
	return m.Games.Create(ctx, setup)
}

// player is an account as it sits down, with its rating under the key.
func (m *Maker) player(ctx context.Context, a store.Account, key string) (game.Player, error) {
	if level := EngineLevel(a); level > 0 {
		return game.Player{AccountID: a.ID, Name: a.Name, AILevel: level}, nil
	}
	p, err := m.Accounts.Perf(ctx, a.ID, key)
	if err != nil {
		return game.Player{}, err
	}
	return game.Player{
		AccountID: a.ID, Name: a.Name, Title: a.Title,
		Rating: rating.Shown(p.Rating), Provisional: rating.Provisional(p.RD),
	}, nil
}

// EngineAccount is the hidden account that plays a level of the engine.
func EngineAccount(level int) string { return "ai" + string(rune('0'+level)) }

// EngineLevel is the inverse of [EngineAccount]: 0 for everybody else.
func EngineLevel(a store.Account) int {
	if a.Hidden && len(a.ID) == 3 && a.ID[:2] == "ai" && a.ID[2] >= '1' && a.ID[2] <= '8' {
		return int(a.ID[2] - '0')
	}
	return 0
}

// Pick draws a number below n: the start of a shuffled game, or a side.
func Pick(n int) int { return rand.IntN(n) }

// FinalColor settles a wish: random becomes white or black.
func FinalColor(color string) string {
	if lichess.PlayerOf(color) >= 0 {
		return color
	}
	return string(lichess.Color(Pick(2)))
}
