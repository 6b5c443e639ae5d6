package challenge

import (
	"context"
	"slices"
	"strings"
	"time"

	"hoplite/openapi/frames"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/pairing"
	"hoplite/store"
)

// Invite makes the challenge of a frame and announces it, or begins the game if
// it is against the engine. alive, where it is not nil, keeps the challenge
// until its context ends or somebody answers.
func (s *Service) Invite(ctx context.Context, by Player, f frames.Challenge) (id string, started bool, alive func(context.Context), err error) {
	terms, bad := pairing.Form{
		Clock: clock.Form{
			Limit: f.Limit, Increment: f.Increment, Delay: f.Delay, Byoyomi: f.Byoyomi, Periods: f.Periods, Days: f.Days,
		},
		Rated: f.Rated, Color: f.Color, Variant: f.Variant, FEN: f.FEN, Rules: f.Rules, Message: f.Message,
	}.Terms(s.Games, pairing.Pick)
	if f.Level != 0 {
		id, err = s.inviteEngine(ctx, by, f, terms, bad)
		return id, err == nil, nil, err
	}
	if f.User == "" && slices.Contains(terms.Rules, game.RuleNoAbort) {
		bad["rules"] = append(bad["rules"], "noAbort is reserved")
	}
	if len(bad) > 0 {
		return "", false, nil, frameFault(bad)
	}
	var c store.Challenge
	name := strings.TrimSpace(f.User)
	switch {
	case name == "":
		c, err = s.CreateOpen(ctx, by, terms, "", nil, time.Time{})
	default:
		if c, err = s.Create(ctx, by, name, strings.ToLower(name), terms); err == nil {
			s.Announce(ctx, c)
		}
	}
	if err != nil || !c.Expires.IsZero() {
		return c.ID, false, nil, err
	}
	return c.ID, false, func(ctx context.Context) { s.pings(ctx, c.ID) }, nil
}

// inviteEngine begins a game against a level of the engine.
func (s *Service) inviteEngine(ctx context.Context, by Player, f frames.Challenge, terms pairing.Terms, bad map[string][]string) (string, error) {
	if f.User != "" {
		bad["level"] = append(bad["level"], "goes without a user")
	}
	s.checkEngine(by, f.Level, terms, bad)
	if len(bad) > 0 {
		return "", frameFault(bad)
	}
	snap, _, err := s.PlayEngine(ctx, by, f.Level, terms)
	if err != nil {
		return "", err
	}
	return snap.ID, nil
}

// checkEngine adds what the engine cannot play.
func (s *Service) checkEngine(by Player, level int, terms pairing.Terms, bad map[string][]string) {
	if level < 1 || level > 8 {
		bad["level"] = append(bad["level"], "must be between 1 and 8")
	}
	if by.Bot && !lichess.BotSpeed(terms.Control) {
		bad["clock.limit"] = append(bad["clock.limit"], "Invalid speed")
	}
	if s.Games.Hides(terms.Start.Variant) {
		bad["variant"] = append(bad["variant"], "the engine does not play games in which something is hidden")
	}
}

// frameFault is a refusal with the names that frames have for the fields of a
// clock.
func frameFault(bad map[string][]string) error {
	fields := make(map[string][]string, len(bad))
	for field, texts := range bad {
		fields[strings.TrimPrefix(field, "clock.")] = texts
	}
	return fieldsError(fields)
}

// Reply accepts a challenge or declines it, and says whether its game has begun.
func (s *Service) Reply(ctx context.Context, by Player, f frames.Answer) (started bool, err error) {
	if f.Challenge == "" {
		return false, fault.Field("challenge", "is needed")
	}
	if !f.Accept {
		return false, s.Decline(ctx, by, f.Challenge, f.Reason)
	}
	if err := s.Accept(ctx, by, f.Challenge, f.Color); err != nil {
		return false, err
	}
	c, err := s.load(ctx, f.Challenge)
	return c.Status == store.ChallengeAccepted, err
}

// TakeBack withdraws a challenge that has not become a game.
func (s *Service) TakeBack(ctx context.Context, by Player, id string) error {
	done, err := s.Cancel(ctx, by, id)
	if err == nil && !done {
		err = fault.Invalid("The game has begun")
	}
	return err
}
