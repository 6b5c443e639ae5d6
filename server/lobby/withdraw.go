package lobby

import (
	"context"
	"errors"

	"hoplite/server/fault"
)

// WithdrawAll takes every seek of the account back, those by correspondence too.
func (s *Service) WithdrawAll(ctx context.Context, accountID string) error {
	s.withdraw(accountID)
	seeks, err := s.Store.SeeksOf(ctx, accountID)
	for _, seek := range seeks {
		if e := s.Withdraw(ctx, accountID, seek.ID); fault.KindOf(e) != fault.KindNotFound {
			err = errors.Join(err, e)
		}
	}
	return err
}
