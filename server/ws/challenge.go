package ws

import (
	"context"

	"hoplite/openapi/frames"
	"hoplite/server/api"
)

// withChallenges does something with challenges for an account, in the order of the socket's frames.
func (c *conn) withChallenges(ctx context.Context, id uint64, do func(ctx context.Context, who *api.Identity) (frames.Ack, error)) {
	c.lanes.run(laneLobby, func() {
		if revoked(ctx) {
			return
		}
		who, err := c.need("challenge:write", "board:play", "bot:play")
		var a frames.Ack
		if err == nil {
			lasting, cancel := lasting(ctx)
			defer cancel()
			a, err = do(lasting, who)
		}
		if err != nil {
			c.fail(ctx, id, err)
			return
		}
		c.ack(id, a)
	})
}

// challenge invites somebody. A challenge with a clock lives as long as the socket.
func (c *conn) challenge(ctx context.Context, id uint64, d frames.Challenge) {
	c.withChallenges(ctx, id, func(lasting context.Context, who *api.Identity) (frames.Ack, error) {
		made, started, alive, err := c.s.Challenges.Challenge(lasting, who, d)
		if err == nil && alive != nil {
			go alive(ctx)
		}
		return frames.Ack{Game: made, Started: started}, err
	})
}

func (c *conn) answerChallenge(ctx context.Context, id uint64, d frames.Answer) {
	c.withChallenges(ctx, id, func(ctx context.Context, who *api.Identity) (frames.Ack, error) {
		started, err := c.s.Challenges.Answer(ctx, who, d)
		a := frames.Ack{Started: started}
		if d.Accept {
			a.Game = d.Challenge
		}
		return a, err
	})
}

func (c *conn) cancelChallenge(ctx context.Context, id uint64, d frames.Cancel) {
	c.withChallenges(ctx, id, func(ctx context.Context, who *api.Identity) (frames.Ack, error) {
		return frames.Ack{}, c.s.Challenges.Cancel(ctx, who, d.Challenge)
	})
}
