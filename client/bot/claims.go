package bot

import (
	"context"
	"slices"

	"hoplite/engine/rules"
)

// claimable returns what the bot should declare now, "" for nothing. A won game
// is claimed, and a draw unless the bot is ahead. A count, which bounds the game
// but lets the other side take a draw at once, is begun by a bot that is behind.
func (t *table) claimable() rules.Claim {
	if t.declared == len(t.moves)+1 {
		return "" // it was declared in this position already
	}
	open := func(c rules.Claim) bool { return slices.Contains(t.state.Claims, string(c)) }
	switch {
	case open(rules.ClaimWin):
		return rules.ClaimWin
	case open(rules.ClaimDraw) && t.score() <= t.bot.cfg.Draw.Score:
		return rules.ClaimDraw
	case open(rules.CountStart) && t.score() <= -drawSaves:
		return rules.CountStart
	}
	return ""
}

// score is what the bot thought of its position before, in centipawns; 0 at
// first.
func (t *table) score() int {
	t.recMu.Lock()
	defer t.recMu.Unlock()
	if n := len(t.rec.scores); n > 0 {
		return t.rec.scores[n-1]
	}
	return 0
}

// claim declares something before the bot moves. What the server does not take
// costs nothing but a moment. It runs beside the table's goroutine.
func (t *table) claim(ctx context.Context, c rules.Claim) {
	err := t.insist(ctx, func() error { return t.bot.api.Bot.Claim(ctx, t.id, string(c)) })
	if ctx.Err() == nil {
		t.log.Info("declared", "claim", string(c), "error", err)
	}
}
