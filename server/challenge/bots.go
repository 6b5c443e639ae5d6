package challenge

import (
	"context"
	"time"

	"hoplite/server/fault"
	"hoplite/server/limits"
	"hoplite/store"
)

// checkBotDay holds bots to so many games with each other a day, and with the engine. Whoever asks for too many is told to
// wait; that the other has played too many makes the request wrong, not too early.
func (s *Service) checkBotDay(ctx context.Context, rule limits.Rule, engine bool, by Player, other string) error {
	if !s.BotLimits || !by.Bot {
		return nil
	}
	wait, err := s.botWait(ctx, rule, engine, by.ID)
	if err != nil {
		return err
	}
	if wait > 0 {
		return fault.Limited(rule.Name, wait, rule.Text)
	}
	if other == "" {
		return nil
	}
	if wait, err = s.botWait(ctx, rule, engine, other); err != nil || wait == 0 {
		return err
	}
	refused := fault.Invalid("%s played %d games against other bots today, please wait before challenging them.", other, rule.Burst)
	refused.LimitKey, refused.RetryAfter = rule.Name, wait
	return refused
}

// botWait is how long it takes until the account may play another such game.
func (s *Service) botWait(ctx context.Context, rule limits.Rule, engine bool, accountID string) (time.Duration, error) {
	now := s.Now()
	made, err := s.Store.GamesOfPrograms(ctx, accountID, engine, now.Add(-rule.Per), rule.Burst)
	if err != nil || len(made) < rule.Burst {
		return 0, err
	}
	return made[rule.Burst-1].Add(rule.Per).Sub(now), nil
}

// otherBot is the bot that a bot is going to play, "" if it is none.
func otherBot(by Player, to store.Account) string {
	if by.Bot && to.IsBot() {
		return to.ID
	}
	return ""
}
