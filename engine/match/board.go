package match

import (
	"context"
	"errors"
	"fmt"

	"hoplite/engine/foreign"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// table is one board of a match with its two players, who stay from game to
// game.
type table struct {
	match   *Match
	players [2]foreign.Player // nil while there is none
	steers  [2]*steer         // nil without processor time
}

// board plays games until there are no more, and reports each of them. It ends
// at the first game that cannot be played.
func (m *Match) board(ctx context.Context, tasks <-chan int, finished chan<- outcome) {
	t := table{match: m}
	for i, c := range m.Contestants {
		if c.Limits.CPU > 0 {
			t.steers[i] = &steer{target: c.Limits.CPU, rate: firstNodes}
			if c.Clocked {
				t.steers[i].rate = firstClock
			}
		}
	}
	defer t.dismiss(0)
	defer t.dismiss(1)
	for number := range tasks {
		rec, err := t.play(ctx, number)
		if err != nil {
			if ctx.Err() == nil {
				finished <- outcome{err: fmt.Errorf("game %d: %w", number+1, err)}
			}
			return
		}
		finished <- outcome{rec: rec}
	}
}

// dismiss ends a player.
func (t *table) dismiss(i int) {
	if t.players[i] != nil {
		t.players[i].Close()
		t.players[i] = nil
	}
}

// play plays one game. Contestant 0 has the first side in even games.
func (t *table) play(ctx context.Context, number int) (Record, error) {
	g, opening, err := t.opening(ctx, number)
	if err != nil {
		return Record{}, err
	}
	patience := t.match.Patience
	if patience == 0 {
		patience = defaultPatience
	}
	r := &referee{game: g, opening: opening, rule: t.match.Adjudicate, patience: patience}
	for side := range 2 {
		who := side ^ number&1
		limits := t.match.Contestants[who].Limits
		r.seats[side] = &seat{budget: budget{
			limits: limits, steer: t.steers[who], clocks: t.match.Contestants[who].Clocked, left: limits.Clock,
		}}
	}
	for side, s := range r.seats {
		who := side ^ number&1
		if s.player, err = t.seat(ctx, who, g, s.budget.ask(rules.Side(side), &r.seats[1-side].budget)); err != nil {
			return Record{}, fmt.Errorf("%s: %w", t.match.Contestants[who].Name, err)
		}
	}
	e, err := r.conduct(ctx)
	if err != nil {
		return Record{}, err
	}
	if e.fault {
		t.dismiss((1 - e.winner) ^ number&1) // whatever state it is in, it gets a new start
	}
	return r.record(number, e), nil
}

// seat readies a contestant's player for a game. One that has died since its
// last game is started again.
func (t *table) seat(ctx context.Context, who int, g *rules.Game, l search.Limits) (foreign.Player, error) {
	fresh := t.players[who] == nil
	if fresh {
		p, err := t.match.Contestants[who].Open(ctx)
		if err != nil {
			return nil, err
		}
		t.players[who] = p
	}
	err := t.players[who].NewGame(ctx, g, l)
	if err == nil {
		return t.players[who], nil
	}
	t.dismiss(who)
	if !fresh && (errors.Is(err, foreign.ErrExited) || errors.Is(err, foreign.ErrHung)) {
		return t.seat(ctx, who, g, l)
	}
	return nil, err
}

// opening returns the game that a game begins with and the number of its
// moves. The second game of a pair has the opening of the first, even if that
// was played by an earlier run.
func (t *table) opening(ctx context.Context, number int) (*rules.Game, int, error) {
	for _, rec := range t.match.played {
		if rec.Game == number^1 && rec.Opening <= len(rec.Moves) {
			g, err := replay(t.match.Rules, rec.FEN, rec.Moves[:rec.Opening])
			return g, rec.Opening, err
		}
	}
	g, err := t.match.Openings.Game(ctx, number/2)
	if err != nil {
		return nil, 0, err
	}
	return g, len(g.Moves()), nil
}

// Replay returns the game of a record.
func (rec *Record) Replay(r *rules.Rules) (*rules.Game, error) { return replay(r, rec.FEN, rec.Moves) }

// PGN returns the game of a record as game records hold it.
func (m *Match) PGN(rec *Record) (*notation.Record, error) {
	g, err := rec.Replay(m.Rules)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", rec.Game+1, err)
	}
	out := &notation.Record{
		Rules: m.Rules, Start: g.Start(), Result: rec.Result,
		Tags: []notation.Tag{
			{Name: "Event", Value: m.Contestants[0].Name + " - " + m.Contestants[1].Name},
			{Name: "Site", Value: "?"}, {Name: "Date", Value: "????.??.??"},
			{Name: "Round", Value: fmt.Sprintf("%d.%d", rec.Game/2+1, rec.Game&1+1)},
			{Name: "White", Value: m.Contestants[rec.First].Name},
			{Name: "Black", Value: m.Contestants[1-rec.First].Name},
			{Name: "Result", Value: rec.Result},
			{Name: "Termination", Value: rec.Reason},
		},
	}
	for _, move := range g.Moves() {
		if move.Kind().IsMove() {
			out.Moves = append(out.Moves, notation.Ply{Move: move})
		}
	}
	return out, nil
}
