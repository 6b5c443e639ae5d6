package challenge

import (
	"context"
	"errors"
	"slices"

	"hoplite/server/fault"
	"hoplite/store"
)

// WithdrawAll cancels the account's challenges and declines those that it has got. An open challenge of another in which
// it has taken a place stays: whoever comes second is told that the account is gone.
func (s *Service) WithdrawAll(ctx context.Context, accountID string) error {
	return s.withdraw(ctx, accountID, func(store.Challenge) bool { return true })
}

// WithdrawBetween does so with the challenges between the account and another.
func (s *Service) WithdrawBetween(ctx context.Context, accountID, otherID string) error {
	return s.withdraw(ctx, accountID, func(c store.Challenge) bool { return c.ChallengerID == otherID || c.DestID == otherID })
}

func (s *Service) withdraw(ctx context.Context, accountID string, which func(store.Challenge) bool) error {
	in, out, err := s.List(ctx, accountID)
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range slices.Concat(in, out) {
		if !which(c) {
			continue
		}
		if _, err := s.Cancel(ctx, Player{ID: accountID}, c.ID); fault.KindOf(err) != fault.KindNotFound {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
