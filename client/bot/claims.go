package bot

import (
	"context"
	"slices"

	"hoplite/engine/rules"
)

// claimable returns what the bot should declare now, "" for nothing. A won game
// is claimed, a draw unless the bot is ahead, and a count is begun: it runs
// against the other side.
func (t *table) claimable() rules.Claim {
	if t.declared == len(t.moves)+1 {
		return "" // it was declared in this position already
	}
	open := func(c rules.Claim) bool { return slices.Contains(t.state.Claims, string(c)) }
	switch {
	case open(rules.ClaimWin):
		return rules.ClaimWin
	case open(rules.ClaimDraw) && !t.ahead():
		return rules.ClaimDraw
	case open(rules.CountStart):
		return rules.CountStart
	}
	return ""
}

// ahead reports whether the bot thought well of its position before.
func (t *table) ahead() bool {
	t.recMu.Lock()
	defer t.recMu.Unlock()
	n := len(t.rec.scores)
	return n > 0 && t.rec.scores[n-1] > t.bot.cfg.Draw.Score
}

// claim declares something before the bot moves. What the server does not take
// costs nothing but a moment. It runs beside the table's goroutine.
func (t *table) claim(ctx context.Context, c rules.Claim) {
	err := t.insist(ctx, func() error { return t.bot.api.Bot.Claim(ctx, t.id, string(c)) })
	if ctx.Err() == nil {
		t.log.Info("declared", "claim", string(c), "error", err)
	}
}
