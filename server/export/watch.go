package export

import (
	"context"
	"slices"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/stream"
)

// spectators is the room that everybody may read.
const spectators = game.RoomSpectator

// StreamGame shows a game to spectators, some plies late while it is played.
func (h Handlers) StreamGame(ctx context.Context, r api.StreamGameRequestObject) (api.StreamGameResponseObject, error) {
	snap, sub, err := h.d.Live.Subscribe(ctx, lichess.GameID(r.ID))
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, sub.Close)
	rs, ok := h.d.Games.Rules(snap.Variant)
	if !ok {
		return nil, fault.NotFound("No such game")
	}
	start, err := snap.Start(rs)
	if err != nil {
		return nil, err
	}
	v := &viewer{games: h.d.Games, on: game.NewLine(start)}
	id := api.Caller(ctx)
	return stream.New(ctx, h.d.Streams, stream.OwnerOf(id), "", func(ctx context.Context, w *stream.Writer) error {
		if err := v.begin(w, snap); err != nil || snap.Over() {
			return err
		}
		return stream.Pump(ctx, w, sub.C, func(ev any) (bool, error) {
			e, ok := ev.(game.Event)
			if !ok || e.Kind != game.EventState {
				return false, nil
			}
			return e.Snapshot.Over(), v.follow(w, e.Snapshot)
		})
	}), nil
}

// watchedPlies is how much of a game its spectators see.
func watchedPlies(s *game.Snapshot) int {
	switch {
	case s.Over():
		return len(s.Moves)
	case s.Hidden():
		return 0 // what a move shows may be known to one player only
	}
	return max(0, len(s.Moves)-delayPlies)
}

// viewer writes a game to one spectator. Its line has come to the position that
// was shown last, so that each ply is played once.
type viewer struct {
	games *lichess.Games
	on    *game.Line
	shown []string
}

// begin writes the description and all positions that may be seen.
func (v *viewer) begin(w *stream.Writer, s *game.Snapshot) error {
	n := watchedPlies(s)
	end := game.NewLine(v.on.Start())
	if err := end.Follow(s.Moves[:n], declaredBefore(s.Declared, n, len(s.Moves)), nil); err != nil {
		return err
	}
	if err := w.Send(v.describe(s, end.Position(), s.Moves[:n])); err != nil {
		return err
	}
	if err := w.Send(v.line(s)); err != nil {
		return err
	}
	return v.follow(w, s)
}

// follow writes what a new state lets the spectator see.
func (v *viewer) follow(w *stream.Writer, s *game.Snapshot) error {
	if err := v.advance(w, s); err != nil || !s.Over() {
		return err
	}
	return w.Send(v.describe(s, v.on.Position(), v.shown))
}

// advance writes a line for each ply that is new. A takeback that reaches
// what was shown goes back to the last common position first.
func (v *viewer) advance(w *stream.Writer, s *game.Snapshot) error {
	target := s.Moves[:watchedPlies(s)]
	common := 0
	for common < min(len(v.shown), len(target)) && v.shown[common] == target[common] {
		common++
	}
	if common < len(v.shown) {
		if err := v.show(w, s, common); err != nil {
			return err
		}
	}
	for n := common + 1; n <= len(target); n++ {
		if err := v.show(w, s, n); err != nil {
			return err
		}
	}
	return nil
}

// show brings the line to so many plies and writes the position.
func (v *viewer) show(w *stream.Writer, s *game.Snapshot, plies int) error {
	v.shown = s.Moves[:plies:plies]
	if err := v.on.Follow(v.shown, declaredBefore(s.Declared, plies, len(s.Moves)), nil); err != nil {
		return err
	}
	return w.Send(v.line(s))
}

// line is the position that is shown now, with the clocks as they were then.
func (v *viewer) line(s *game.Snapshot) openapi.WatchMove {
	line := openapi.WatchMove{Fen: v.fen(s, v.on.Position())}
	if s.Hidden() {
		line.Fen = s.For(game.Spectator).FEN
	}
	if n := len(v.shown); n > 0 {
		line.Lm = v.shown[n-1]
	}
	if s.Control.HasClock() {
		var left, periods game.PerPlayer[int]
		for i := range s.Players {
			left[i], periods[i] = int(s.Control.Initial()/time.Second), s.Control.Read(s.Control.Start()).Periods
		}
		for i := range min(len(v.shown), len(s.Movers)) {
			if after, ok := s.ClockAfter(i); ok {
				left[s.Movers[i]], periods[s.Movers[i]] = int(after.Left/time.Second), after.Periods
			}
		}
		line.Wc, line.Bc = &left[0], &left[1]
		if s.Control.Kind == clock.Byoyomi {
			line.Wperiods, line.Bperiods = &periods[0], &periods[1]
		}
		if n := len(s.Players); n > 2 {
			line.Clocks = slices.Clone(left[:n])
		}
	}
	return line
}

func (v *viewer) fen(s *game.Snapshot, p *rules.Position) string {
	return v.games.FEN(s.Variant, notation.FEN(p))
}

// describe is the first and the last line: the game as it may be seen, at the
// position at.
func (v *viewer) describe(s *game.Snapshot, at *rules.Position, moves []string) openapi.WatchGame {
	startedAt := 2*(v.on.Start().FullMoves()-1) + int(v.on.Start().Turn())
	d := openapi.WatchGame{
		ID: s.ID, Variant: v.games.VariantName(s.Variant), Speed: openapi.Speed(s.Speed), Perf: s.Perf, Rated: s.Rated,
		InitialFen: v.fen(s, v.on.Start()), Fen: v.fen(s, at), Player: lichess.Color(int(at.Turn())),
		Turns: startedAt + len(moves), StartedAtTurn: startedAt, Source: s.Source, Status: lichess.Status(s.Status),
		CreatedAt: s.Created.UnixMilli(), Reason: s.Reason,
		Players: openapi.WatchPlayers{White: watchPlayer(s.Players[0]), Black: watchPlayer(s.Players[1])},
	}
	if len(s.Players) > 2 {
		for _, p := range s.Players {
			d.Seats = append(d.Seats, watchPlayer(p))
		}
	}
	if s.Hidden() {
		d.InitialFen, d.Fen = "", s.For(game.Spectator).FEN
		d.Player, d.Turns = lichess.Color(s.Turn), startedAt+len(s.Moves)
	}
	if n := len(moves); n > 0 {
		d.LastMove = moves[n-1]
	}
	if s.Winner >= 0 {
		d.Winner = lichess.Color(s.Winner)
	}
	return d
}

func watchPlayer(p game.Player) openapi.WatchPlayer {
	if p.AILevel > 0 {
		return openapi.WatchPlayer{AiLevel: p.AILevel}
	}
	if p.AccountID == "" {
		return openapi.WatchPlayer{}
	}
	return openapi.WatchPlayer{
		User:   openapi.LightUser{ID: p.AccountID, Name: p.Name, Title: openapi.Title(p.Title)},
		Rating: p.Rating, Provisional: p.Provisional,
	}
}
