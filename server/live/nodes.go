package live

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/server/node"
	"hoplite/store"
)

// A service that shares the games with others does three things beside its own.
// It passes actions on to the node that has the game. It follows the games of
// other nodes that somebody watches here: the node of a game tells the rows of
// each step, and the followers play them on a copy of the game, so that they
// have the same states and events; a gap in the versions is filled from the
// log. And when a shard changes hands the game stays where it is for its
// subscribers: the same entry goes on, as the owner's or as a copy, and makes up
// for what it has missed.

// The calls that nodes make to each other.
const (
	opAct    = "act"
	opCreate = "create"
	opLook   = "look"
)

// lookPatience is how long a reader waits for the owner of a game. What the
// store knows is then good enough: all but when the turn began, to the
// millisecond, and who has left.
const lookPatience = time.Second

type actQuestion struct {
	Game   string
	Action game.Action
}

type actAnswer struct {
	Version uint64
	Note    string
	Now     lookAnswer
	News    []*news
}

type createQuestion struct{ Setup game.Setup }

type lookQuestion struct{ Game string }

type lookAnswer struct {
	Version uint64
	Present game.Present
}

// serve answers the calls of other nodes.
func (s *Service) serve(n *node.Node) {
	node.Serve(n, opAct, func(ctx context.Context, q actQuestion) (any, error) {
		if err := s.enter(ctx); err != nil {
			return nil, err
		}
		defer s.exit()
		ack, told, err := s.act(ctx, q.Game, q.Action, s.now())
		if err != nil {
			return nil, err
		}
		return actAnswer{Version: ack.Version, Note: ack.Note, Now: lookAt(ack.Snapshot), News: told}, nil
	})
	node.Serve(n, opCreate, func(ctx context.Context, q createQuestion) (any, error) {
		if err := s.enter(ctx); err != nil {
			return nil, err
		}
		defer s.exit()
		snap, err := s.create(ctx, q.Setup)
		if err != nil {
			return nil, err
		}
		return lookAt(snap), nil
	})
	node.Serve(n, opLook, func(ctx context.Context, q lookQuestion) (any, error) {
		if err := s.enter(ctx); err != nil {
			return nil, err
		}
		defer s.exit()
		snap, err := s.snapshotHere(ctx, q.Game)
		if err != nil {
			return nil, err
		}
		return lookAt(snap), nil
	})
}

func lookAt(snap *game.Snapshot) lookAnswer {
	return lookAnswer{Version: snap.Version, Present: snap.Present()}
}

// hold returns the epoch in which this node has the game; 0 if there is only one
// node.
func (s *Service) hold(gameID string) (epoch int64, ok bool) {
	if s.node == nil {
		return 0, true
	}
	return s.node.Holds(store.ShardOf(gameID))
}

// actThere has another node do the action. It returns node.ErrHere if the game
// has come here meanwhile. An action without an id gets one, so that asking
// again does it once.
func (s *Service) actThere(ctx context.Context, gameID string, a *game.Action) (game.Ack, error) {
	if a.ID == "" {
		a.ID = "node/" + rand.Text()
	}
	var answer actAnswer
	err := s.node.Call(ctx, store.ShardOf(gameID), opAct, true, actQuestion{gameID, *a}, &answer)
	if err != nil {
		return game.Ack{}, err
	}
	snap, err := s.mirrored(ctx, gameID, &answer.Now, answer.News)
	if err != nil {
		return game.Ack{}, err
	}
	return game.Ack{Version: answer.Version, Note: answer.Note, Snapshot: snap}, nil
}

// createThere has another node make the game.
func (s *Service) createThere(ctx context.Context, su game.Setup) (*game.Snapshot, error) {
	var answer lookAnswer
	if err := s.node.Call(ctx, store.ShardOf(su.ID), opCreate, true, createQuestion{su}, &answer); err != nil {
		return nil, err
	}
	return s.mirrored(ctx, su.ID, &answer, nil)
}

// snapshotThere asks the node that has the game for its state.
func (s *Service) snapshotThere(ctx context.Context, gameID string) (*game.Snapshot, error) {
	now, err := s.look(ctx, gameID)
	if errors.Is(err, node.ErrHere) {
		return s.Snapshot(ctx, gameID)
	}
	if err != nil {
		return nil, err
	}
	return s.mirrored(ctx, gameID, now, nil)
}

// look asks for the version of a game and what is in no log; nil if nobody has
// the game at the moment. It returns node.ErrHere if the game has come here.
func (s *Service) look(ctx context.Context, gameID string) (*lookAnswer, error) {
	patient, cancel := context.WithTimeout(ctx, lookPatience)
	defer cancel()
	var answer lookAnswer
	err := s.node.Call(patient, store.ShardOf(gameID), opLook, true, lookQuestion{gameID}, &answer)
	switch {
	case err == nil:
		return &answer, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded), fault.KindOf(err) == fault.KindUnavailable:
		return nil, nil
	}
	return nil, err
}
