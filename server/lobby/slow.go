package lobby

import (
	"context"
	"errors"
	"time"

	"hoplite/server/fault"
	"hoplite/server/live/clock"
	"hoplite/store"
)

const (
	// slowLife is how long a correspondence seek waits.
	slowLife = 14 * 24 * time.Hour
	// maxSlow is how many correspondence seeks one account may have.
	maxSlow = 10
	// slowPage is how many stored seeks are looked at for one that fits.
	slowPage = 500
)

// seekSlowHere is SeekSlow where the book is: one at a time pairs.
func (s *Service) seekSlowHere(ctx context.Context, seek Seek) (id, game string, err error) {
	if err := s.looker(ctx, &seek); err != nil {
		return "", "", err
	}
	s.slow.Lock()
	defer s.slow.Unlock()
	stored, err := s.Store.Seeks(ctx, seek.Variant, s.Now(), slowPage)
	if err != nil {
		return "", "", err
	}
	for _, candidate := range stored {
		game, err := s.takeSlow(ctx, candidate, &seek)
		if game != "" || err != nil {
			return seek.ID, game, err
		}
	}
	mine, err := s.Store.SeeksOf(ctx, seek.Account)
	if err != nil {
		return "", "", err
	}
	if len(mine) >= maxSlow {
		return "", "", fault.Invalid("You already have %d correspondence seeks", maxSlow)
	}
	err = s.Store.CreateSeek(ctx, store.Seek{
		ID: seek.ID, AccountID: seek.Account, Variant: seek.Variant, Days: seek.Control.Days, Rated: seek.Rated,
		Color: seek.Color.String(), RatingMin: seek.MinRating, RatingMax: seek.MaxRating,
		Created: seek.Created, Expires: seek.Created.Add(slowLife),
	})
	if err != nil {
		return "", "", err
	}
	s.tell(&seek)
	return seek.ID, "", nil
}

// takeSlow pairs the seek with a stored one if they fit, and returns the game.
func (s *Service) takeSlow(ctx context.Context, candidate store.Seek, seek *Seek) (game string, err error) {
	if candidate.AccountID == seek.Account || candidate.Days != seek.Control.Days || candidate.Rated != seek.Rated {
		return "", nil // spares looking up its owner
	}
	other := slowSeek(candidate)
	if err := s.seeker(ctx, &other); err != nil {
		if errors.Is(err, store.ErrNotFound) {
			return "", nil
		}
		return "", err
	}
	other.ID, other.Created = candidate.ID, candidate.Created
	if !other.fits(seek) {
		return "", nil
	}
	taken, err := s.Store.TakeSeek(ctx, candidate.ID)
	if errors.Is(err, store.ErrNotFound) {
		return "", nil // another node was faster
	}
	if err != nil {
		return "", err
	}
	s.tellGone(&other)
	game, err = s.pair(ctx, &other, seek)
	if err != nil {
		if back := s.Store.CreateSeek(context.WithoutCancel(ctx), taken); back != nil {
			s.Log.Error("seek lost", "seek", taken.ID, "error", back)
		} else {
			s.tell(&other)
		}
	}
	return game, err
}

// slowSeek is a stored seek without what is known of its owner.
func slowSeek(stored store.Seek) Seek {
	return Seek{
		ID: stored.ID, Account: stored.AccountID, Variant: stored.Variant, Control: clock.NewCorrespondence(stored.Days),
		Rated: stored.Rated, Color: ParseColor(stored.Color),
		MinRating: stored.RatingMin, MaxRating: stored.RatingMax, Created: stored.Created,
	}
}
