package server

import (
	"fmt"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/limits"
)

// limit keeps the rules of package limits. It runs when the body is read and before it is checked, so that wrong
// requests count too.
func (s *Server) limit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		op := api.OperationOf(c)
		if op == nil || fromInside(c.Request().Context()) {
			return next(c)
		}
		mode := s.mode
		if mode == limits.Relaxed && forwarded(c.Request()) {
			mode = limits.Strict // relaxed is for this machine only
		}
		for _, use := range s.uses[op.ID] {
			if !use.Rule.Holds(mode) {
				continue
			}
			subject, counts := subjectOf(c, use)
			if !counts {
				continue
			}
			if use.Lasting {
				leave, ok := s.limiter.Enter(use.Rule, subject)
				if !ok {
					return fault.Limited(use.Rule.Name, 10*time.Second, fmt.Sprintf(use.Rule.Text, use.Rule.Burst))
				}
				defer leave()
				continue
			}
			n := 1
			if use.Items {
				n = api.BodyItems(c)
			}
			if wait, ok := s.limiter.Take(use.Rule, subject, n); !ok {
				return fault.Limited(use.Rule.Name, wait, use.Rule.Text)
			}
		}
		return next(c)
	}
}

// subjectOf returns whom a rule counts, and whether it counts this request at all.
func subjectOf(c echo.Context, use limits.Use) (subject string, counts bool) {
	ctx := c.Request().Context()
	address := limits.Subject(api.ClientOf(ctx).IP)
	caller := api.Caller(ctx)
	switch use.Who {
	case limits.PerCaller:
		if !caller.Anonymous {
			return "@" + caller.AccountID, true
		}
	case limits.PerTarget:
		// Address and account together, so that nobody can lock an account's owner out.
		if api.BodyField(c, "password") == "" {
			return "", false
		}
		return address + " " + strings.ToLower(api.BodyField(c, "username")), true
	case limits.PerEmail:
		return strings.ToLower(api.BodyField(c, "email")), true
	}
	return address, true
}
