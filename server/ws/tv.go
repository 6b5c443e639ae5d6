package ws

import (
	"context"
	"slices"
	"time"

	"hoplite/openapi/frames"
)

// zap is how often a socket that follows TV looks whether other games are on.
const zap = 3 * time.Second

// followTV shows the channels to the socket, and each change.
func (c *conn) followTV(ctx context.Context, id uint64) error {
	shown, err := c.s.TV.Channels(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	if c.tv != nil {
		c.tv()
	}
	c.tv = cancel
	c.mu.Unlock()
	c.ack(id, frames.Ack{})
	c.push("tv", 0, frames.TV{Channels: shown})
	go func() {
		look := time.NewTicker(zap)
		defer look.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-look.C:
			}
			// What cannot be read now is read the next time.
			if now, err := c.s.TV.Channels(ctx); err == nil && ctx.Err() == nil && !slices.Equal(now, shown) {
				shown = now
				c.push("tv", 0, frames.TV{Channels: shown})
			}
		}
	}()
	return nil
}

// leaveTV ends it.
func (c *conn) leaveTV() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tv != nil {
		c.tv()
		c.tv = nil
	}
}
