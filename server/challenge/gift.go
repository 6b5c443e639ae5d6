package challenge

import (
	"context"
	"errors"

	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/store"
)

// In which games the players may give each other time, by Lichess's numbers of
// that preference.
const (
	givesNever  = 1
	givesCasual = 2
)

// mayGiveTime says whether the settings of all players let time be given in a game.
func (s *Service) mayGiveTime(ctx context.Context, snap *game.Snapshot, giver int) error {
	for seat, p := range snap.Players {
		if p.AccountID == "" {
			continue
		}
		a, err := s.Store.AccountByID(ctx, p.AccountID)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		switch wish := s.Settings(a).Moretime; {
		case wish == nil || *wish != givesNever && (*wish != givesCasual || !snap.Rated):
		case seat == giver:
			return fault.Invalid("Your settings do not let time be given in this game")
		default:
			return fault.Invalid("%s does not let time be given in this game", displayName(a))
		}
	}
	return nil
}
