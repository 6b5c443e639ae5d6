package server

import (
	"context"
	"log/slog"

	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/analysis"
	"hoplite/server/auth"
	"hoplite/server/export"
	"hoplite/server/external"
	"hoplite/server/live"
	"hoplite/server/lobby"
	"hoplite/server/node"
)

// connect ties the services to those of the other nodes. What is published on the bus and must be heard everywhere has
// its form here.
func (v *services) connect(ctx context.Context, log func(string) *slog.Logger) error {
	r := node.NewRelay(v.node, v.bus, log("relay"))
	node.Carry[auth.Revoked](r, "revoked")
	node.Carry[openapi.ChallengeEvent](r, "challenge")
	node.Carry[openapi.ChallengeCanceledEvent](r, "challengeCanceled")
	node.Carry[openapi.ChallengeDeclinedEvent](r, "challengeDeclined")
	node.Carry[openapi.ChallengeOutcome](r, "challengeOutcome")
	node.Carry[frames.LobbySeek](r, "seek")
	node.Carry[frames.SeekGone](r, "seekGone")
	node.Carry[lobby.Over](r, "seekOver")
	node.Carry[export.AddedGames](r, "addedGames")
	node.Carry[analysis.Changed](r, "analysis")
	node.Carry[external.Idle](r, "engineIdle")
	node.Carry[external.Removed](r, "engineRemoved")
	node.Carry[external.ToWork](r, "engineWork")
	node.Carry[external.ToProvider](r, "engineProvider")
	// A game travels as its id: whoever tells of it needs the whole of it.
	node.CarryAs(r, "gameStart",
		func(ev live.GameStart) string { return ev.Snapshot.ID },
		func(ctx context.Context, id string) (ev live.GameStart, err error) {
			ev.Snapshot, err = v.live.Snapshot(ctx, id)
			return ev, err
		})
	node.CarryAs(r, "gameFinish",
		func(ev live.GameFinish) string { return ev.Snapshot.ID },
		func(ctx context.Context, id string) (ev live.GameFinish, err error) {
			ev.Snapshot, err = v.live.Snapshot(ctx, id)
			return ev, err
		})
	if err := r.Start(ctx); err != nil {
		return err
	}
	if err := v.streams.Share(ctx, v.node); err != nil {
		return err
	}
	return v.presence.Share(ctx, v.node)
}
