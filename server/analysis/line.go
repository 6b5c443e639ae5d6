package analysis

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live"
	"hoplite/server/live/game"
	"hoplite/store"
)

// positions are the game before its first ply and after each.
func (s *Service) positions(ctx context.Context, a *store.Analysis) ([]*rules.Game, error) {
	r, ok := s.Games.Rules(a.Variant)
	if !ok {
		return nil, fmt.Errorf("no game is called %q", a.Variant)
	}
	g := store.Game{InitialFEN: a.FEN, StartNumber: r.UsualStart()}
	if a.GameID != "" {
		var err error
		if g, err = s.Store.GameByID(ctx, a.GameID); err != nil {
			return nil, err
		}
	}
	declared, err := game.ParseDeclared(g.Declared)
	if err != nil {
		return nil, err
	}
	start, err := live.StartOf(&g, r)
	if err != nil {
		return nil, err
	}
	line := game.NewLine(start)
	games := []*rules.Game{line.Game().Clone()}
	moves := strings.Fields(a.Moves)
	for i := range moves {
		if err := line.Follow(moves[:i+1], game.DeclaredBefore(declared, i+1), nil); err != nil {
			return nil, err
		}
		games = append(games, line.Game().Clone())
	}
	return games, nil
}

// ofPosition is the analysis that a form asks for which names no game. The error says what is wrong with it.
func (s *Service) ofPosition(variant, fen, moves string) (store.Analysis, *rules.Game, error) {
	if variant == "" {
		variant = s.Games.Usual()
	}
	r, ok := s.Games.Rules(variant)
	if !ok {
		return store.Analysis{}, nil, fault.Field("variant", "unknown variant "+variant)
	}
	if err := lichess.Analysable(r); err != nil {
		return store.Analysis{}, nil, err
	}
	line, err := lichess.ReadLine(r, fen, strings.Fields(moves), "fen", "moves")
	if err != nil {
		return store.Analysis{}, nil, err
	}
	a := store.Analysis{Variant: variant, Total: 1, Moves: strings.Join(line.Moves, " ")}
	if fen != "" {
		a.FEN = notation.FEN(line.Game.Start())
	}
	return a, line.Game, nil
}

// ofGame is the analysis of a game that is over.
func (s *Service) ofGame(ctx context.Context, id string) (store.Analysis, error) {
	g, err := s.Store.GameByID(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return store.Analysis{}, fault.NotFound("No such game")
	}
	if err != nil {
		return store.Analysis{}, err
	}
	r, ok := s.Games.Rules(g.Variant)
	switch {
	case !ok:
		return store.Analysis{}, fault.Invalid("This server does not know the game any more")
	case !g.Status.Over():
		return store.Analysis{}, fault.Invalid("The game is not over")
	case g.Moves == "":
		return store.Analysis{}, fault.Invalid("Nobody has moved in this game")
	}
	if err := lichess.Analysable(r); err != nil {
		return store.Analysis{}, err
	}
	return store.Analysis{
		GameID: g.ID, Variant: g.Variant, FEN: g.InitialFEN, Moves: g.Moves, Total: g.Plies + 1,
	}, nil
}

// playing reports whether an account plays a game that stands in this position.
func (s *Service) playing(ctx context.Context, accountID string, g *rules.Game) (bool, error) {
	ongoing, err := s.Live.Ongoing(ctx, accountID)
	if err != nil {
		return false, err
	}
	r, epd := g.Position().Rules(), notation.EPD(g.Position())
	for _, snap := range ongoing {
		if snap.Variant != r.Key() {
			continue
		}
		if p, err := notation.ParseFEN(r, snap.FEN); err == nil && notation.EPD(p) == epd {
			return true, nil
		}
	}
	return false, nil
}
