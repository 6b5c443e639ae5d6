package auth

import (
	"context"
	"time"

	"hoplite/server/fault"
)

// Mailer sends a mail, or says why it could not.
type Mailer interface {
	Send(ctx context.Context, to, subject, text string) error
}

const (
	mailQueue    = 256
	mailPatience = time.Minute
)

// later does work that sends mail, after the answer has gone out.
func (s *Service) later(work func(context.Context) error) error {
	select {
	case s.mails <- work:
		return nil
	default:
		busy := fault.Unavailable("Too many mails are waiting to be sent. Please try again.")
		busy.RetryAfter = time.Minute
		return busy
	}
}

// RunMail sends mail until ctx ends.
func (s *Service) RunMail(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case work := <-s.mails:
			one, cancel := context.WithTimeout(ctx, mailPatience)
			err := work(one)
			cancel()
			if err != nil {
				s.log.Error("mail not sent", "error", err)
			}
		}
	}
}

// notice tells an owner about a change that might not have been theirs.
type notice struct{ subject, text string }

var (
	noticePassword  = notice{"Your password was changed", "The password of your account was changed."}
	noticeFactorOn  = notice{"Second factor turned on", "From now on a log-in to your account asks for a code."}
	noticeFactorOff = notice{"Second factor turned off", "A log-in to your account no longer asks for a code."}
	noticeEmail     = notice{"Your address was changed", "Your account now has another e-mail address than this one."}
)

// tellOwner writes to the account's confirmed address, if there is one and mail can be sent. It does not fail: what it
// tells of has happened.
func (s *Service) tellOwner(ctx context.Context, accountID string, n notice) {
	if s.mail == nil {
		return
	}
	a, err := s.store.AccountByID(ctx, accountID)
	if err != nil || a.EmailConfirmed.IsZero() {
		return
	}
	s.write(a.Email, a.Name, n)
}

func (s *Service) write(email, name string, n notice) {
	text := n.text + "\n\nAccount: " + name + " at " + s.config.URL +
		"\nIf that was not you, set a new password and look at the sessions on your account's page.\n"
	if err := s.later(func(ctx context.Context) error { return s.mail.Send(ctx, email, n.subject, text) }); err != nil {
		s.log.Error("mail not sent", "error", err)
	}
}
