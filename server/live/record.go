package live

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hoplite/engine/rules"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/rating"
	"hoplite/store"
)

// recordOf returns the stored form of a game that begins.
func recordOf(snap *game.Snapshot) store.Game {
	su := snap.Setup
	g := store.Game{
		ID:          su.ID,
		Variant:     su.Variant,
		InitialFEN:  su.InitialFEN,
		StartNumber: su.StartNumber,
		Seed:        su.Seed,
		Speed:       su.Speed,
		Perf:        su.Perf,
		Rated:       su.Rated,
		Source:      su.Source,
		Limit:       su.Control.Limit,
		Increment:   su.Control.Increment,
		Delay:       su.Control.Delay,
		Byoyomi:     su.Control.Period,
		Periods:     su.Control.Periods,
		Days:        su.Control.Days,
		HasClock:    su.Control.HasClock(),
		Rules:       su.Rules,
		RematchOf:   su.RematchOf,
		Created:     su.Created,
		GameState:   stateOf(snap),
	}
	for _, p := range su.Players {
		g.Players = append(g.Players, store.GamePlayer{
			AccountID: p.AccountID, Name: p.Name, Title: p.Title,
			Rating: p.Rating, Provisional: p.Provisional, AILevel: p.AILevel,
		})
	}
	return g
}

// stateOf returns what the steps of a game change.
func stateOf(snap *game.Snapshot) store.GameState {
	status, ok := store.ParseStatus(snap.Status)
	if !ok {
		status = store.StatusUnknownFinish
	}
	gs := store.GameState{
		Seq:          int64(snap.Version),
		Status:       status,
		Winner:       snap.Winner,
		Reason:       snap.Reason,
		Plies:        len(snap.Moves),
		Turn:         snap.Turn,
		Moves:        strings.Join(snap.Moves, " "),
		Declared:     game.DeclaredWords(snap.Declared),
		ClockHistory: snap.ClockHistory,
		LastMove:     snap.LastMoveAt,
		Points:       snap.Points,
		Places:       snap.Places,
		Rematch:      snap.Rematch,
	}
	if snap.Control.HasClock() {
		gs.Clocks = slices.Clone(snap.Clocks[:len(snap.Players)])
	}
	if snap.ClockRunning || snap.Control.Kind == clock.Correspondence && !snap.Over() {
		gs.TurnStart = snap.At
	}
	if due, ok := snap.Deadline(); ok {
		gs.Deadline = due
	}
	return gs
}

// setupOf returns the terms of a stored game.
func setupOf(g *store.Game) *game.Setup {
	su := &game.Setup{
		ID:          g.ID,
		Variant:     g.Variant,
		InitialFEN:  g.InitialFEN,
		StartNumber: g.StartNumber,
		Seed:        g.Seed,
		Control:     ControlOf(g),
		Rated:       g.Rated,
		Speed:       g.Speed,
		Perf:        g.Perf,
		Source:      g.Source,
		Rules:       g.Rules,
		Created:     g.Created,
		RematchOf:   g.RematchOf,
	}
	if g.Seed != "" {
		su.Commitment = game.Commitment(g.ID, g.Seed)
	}
	for _, p := range g.Players {
		su.Players = append(su.Players, game.Player{
			AccountID: p.AccountID, Name: p.Name, Title: p.Title,
			Rating: p.Rating, Provisional: p.Provisional, AILevel: p.AILevel,
		})
	}
	return su
}

// StartOf is the position that a stored game begins with.
func StartOf(g *store.Game, r *rules.Rules) (*rules.Position, error) { return setupOf(g).Start(r) }

// ControlOf is the time control of a stored game.
func ControlOf(g *store.Game) clock.Control {
	return clock.Terms{
		HasClock: g.HasClock, Limit: g.Limit, Increment: g.Increment, Delay: g.Delay, Byoyomi: g.Byoyomi,
		Periods: g.Periods, Days: g.Days,
	}.Control()
}

func diffsOf(g *store.Game) (diff game.PerPlayer[*int]) {
	for i := range min(len(g.Players), len(diff)) {
		diff[i] = g.Players[i].RatingDiff
	}
	return diff
}

// turnStart returns when the present turn of a stored game goes on. On a clock
// nobody pays for the pause. The deadlines of correspondence games were moved in
// the store.
func turnStart(g *store.Game, p pause) time.Time {
	t := g.TurnStart
	if t.IsZero() {
		t = g.LastMove
	}
	if t.IsZero() {
		t = g.Created
	}
	if g.HasClock {
		return p.resume(t)
	}
	return t
}

// deadlineOf returns when time alone changes a stored game, without its log.
func deadlineOf(g *store.Game, p pause) (time.Time, bool) {
	if g.Status.Over() || g.Deadline.IsZero() {
		return time.Time{}, false
	}
	snap := game.Snapshot{
		Setup:        setupOf(g),
		Turn:         g.Turn,
		Status:       game.StatusStarted,
		At:           turnStart(g, p),
		ClockRunning: g.HasClock && !g.TurnStart.IsZero(),
	}
	copy(snap.Clocks[:], g.Clocks)
	return snap.Deadline()
}

// rowsOf returns the part of a stored log after a version in the state machine's terms.
func rowsOf(actions []store.Action, after uint64) ([]game.Row, error) {
	rows := make([]game.Row, len(actions))
	for i, a := range actions {
		if want := int64(after) + int64(i) + 1; a.Seq != want {
			return nil, fmt.Errorf("row %d stands where row %d is expected", a.Seq, want)
		}
		rows[i] = game.Row{
			Kind: game.RowKind(a.Kind), Player: a.Player, ActionID: a.ActionID, At: a.At, Data: a.Data,
		}
	}
	return rows, nil
}

// stepOf returns what the store has to make durable for a step of the game.
func stepOf(st *game.Step) store.Step {
	snap := st.Last()
	out := store.Step{GameID: snap.ID, State: stateOf(snap)}
	first := int64(snap.Version) - int64(len(st.Rows)) + 1
	for i, r := range st.Rows {
		out.Rows = append(out.Rows, store.Action{
			GameID: snap.ID, Seq: first + int64(i), Kind: string(r.Kind), Player: r.Player,
			ActionID: r.ActionID, At: r.At, Data: r.Data,
		})
	}
	if !st.Ended {
		return out
	}
	g := recordOf(snap)
	out.Counts = store.FinishCounts(&g)
	if accounts, ok := ratedPlayers(snap); ok {
		first, second := snap.Players[0].Title, snap.Players[1].Title
		out.Rate = &store.RateRequest{
			Keys:     [2]string{rating.Pool(snap.Perf, first, second), rating.Pool(snap.Perf, second, first)},
			Accounts: accounts, Score: score(snap.Winner), At: snap.LastMoveAt,
		}
	}
	return out
}

// ratedPlayers returns whose ratings the finished game changes: those of two
// different accounts, in a rated game with a result.
func ratedPlayers(snap *game.Snapshot) (accounts [2]string, ok bool) {
	if !snap.Rated || !snap.Decided() || len(snap.Players) != len(accounts) {
		return accounts, false
	}
	for i, p := range snap.Players {
		if p.AccountID == "" || p.AILevel > 0 {
			return accounts, false
		}
		accounts[i] = p.AccountID
	}
	return accounts, accounts[0] != accounts[1]
}

// score returns the first player's share of the point.
func score(winner int) float64 {
	switch winner {
	case 0:
		return 1
	case 1:
		return 0
	}
	return 0.5
}

// sameGame reports whether a stored game is the one that a setup asks for.
func sameGame(stored *game.Setup, su *game.Setup) bool {
	return stored.Variant == su.Variant && slices.EqualFunc(stored.Players, su.Players,
		func(a, b game.Player) bool { return a.AccountID == b.AccountID })
}
