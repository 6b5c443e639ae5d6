package lichess

import (
	"context"

	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/store"
)

// Relations tells how accounts stand to each other.
type Relations interface {
	RelationsWith(ctx context.Context, accountID string, others []string) (mine, theirs map[string]store.Relation, err error)
}

// MayWrite refuses a line in the rooms of a game of which a player blocks the
// writer. Do not ask it for bots: a program gives a game up whose chat fails.
func MayWrite(ctx context.Context, r Relations, writer string, s *game.Snapshot) error {
	var others []string
	for _, p := range s.Players {
		if p.AccountID != "" && p.AccountID != writer {
			others = append(others, p.AccountID)
		}
	}
	if len(others) == 0 {
		return nil
	}
	_, theirs, err := r.RelationsWith(ctx, writer, others)
	if err != nil {
		return err
	}
	for _, relation := range theirs {
		if relation.Block {
			return fault.Forbidden("A player of this game blocks you")
		}
	}
	return nil
}
