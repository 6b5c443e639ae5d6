package challenge

import (
	"context"
	"errors"
	"slices"

	"hoplite/server/fault"
)

// WithdrawAll cancels the account's challenges and declines those that it has got. An open challenge of another in which
// it has taken a place stays: whoever comes second is told that the account is gone.
func (s *Service) WithdrawAll(ctx context.Context, accountID string) error {
	in, out, err := s.List(ctx, accountID)
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range slices.Concat(in, out) {
		if _, err := s.Cancel(ctx, Player{ID: accountID}, c.ID); fault.KindOf(err) != fault.KindNotFound {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
