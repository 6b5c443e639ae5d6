package challenge

import (
	"context"

	"hoplite/server/fault"
	"hoplite/server/pairing"
	"hoplite/server/rating"
	"hoplite/store"
)

// Who may challenge an account, by Lichess's numbers of that preference.
const (
	fromNobody = 1
	fromNear   = 2 // whose rating is near
	fromFriend = 3 // whom the account follows
)

// nearRating is how far ratings may be apart for fromNear.
const nearRating = 300

// displayName is how Lichess names a player in a sentence.
func displayName(a store.Account) string {
	if a.Title == "" {
		return a.Name
	}
	return a.Title + " " + a.Name
}

// checkApart refuses a game between two of whom one blocks the other.
func (s *Service) checkApart(ctx context.Context, by, other string) error {
	blocked, err := s.Store.Blocked(ctx, by, other)
	if err != nil || !blocked {
		return err
	}
	a, err := s.Store.AccountByID(ctx, other)
	if err != nil {
		return err
	}
	return fault.Invalid("You cannot challenge %s.", displayName(a))
}

// checkWelcome says whether an account takes challenges from another one.
func (s *Service) checkWelcome(ctx context.Context, by string, to store.Account, t pairing.Terms) error {
	mine, theirs, err := s.Store.RelationsWith(ctx, by, []string{to.ID})
	if err != nil {
		return err
	}
	from, friend := theirs[to.ID]
	name := displayName(to)
	switch wish := s.Settings(to).Challenge; {
	case mine[to.ID].Block || from.Block:
		return fault.Invalid("You cannot challenge %s.", name)
	case wish == nil:
	case *wish == fromNobody:
		return fault.Invalid("%s does not accept challenges.", name)
	case friend:
	case *wish == fromFriend:
		return fault.Invalid("%s only accepts challenges from friends.", name)
	case *wish == fromNear:
		return s.checkNear(ctx, by, to, t)
	}
	return nil
}

// checkNear refuses a challenge from far above or below, or from where that is
// not known.
func (s *Service) checkNear(ctx context.Context, by string, to store.Account, t pairing.Terms) error {
	key := s.Games.Perf(t.Start.Variant, t.Control.Speed())
	var shown [2]int
	for i, id := range []string{by, to.ID} {
		p, err := s.Store.Perf(ctx, id, key)
		if err != nil {
			return err
		}
		if i == 0 && rating.Provisional(p.RD) {
			return fault.Invalid("Cannot challenge due to provisional %s rating.", s.Games.PerfName(key).Name)
		}
		shown[i] = rating.Shown(p.Rating)
	}
	if apart := shown[0] - shown[1]; apart > nearRating || apart < -nearRating {
		return fault.Invalid("Your %s rating is too far from %s.", s.Games.PerfName(key).Name, displayName(to))
	}
	return nil
}
