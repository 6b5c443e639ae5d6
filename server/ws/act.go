package ws

import (
	"context"
	"errors"

	"hoplite/openapi/frames"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/game"
	"hoplite/server/stream"
)

// deed is an action of a frame, or why it is none.
type deed struct {
	game.Action
	err error
}

func move(d frames.Move) deed {
	if d.Move == "" {
		return deed{err: fault.Field("move", "is needed")}
	}
	return deed{Action: game.Action{Kind: game.Move, Move: d.Move, OfferDraw: d.Draw, ID: d.Key}}
}

func chat(d frames.Chat) deed {
	return deed{Action: game.Action{Kind: game.Chat, Room: d.Room, Text: d.Text, ID: d.Key}}
}

func abort(d frames.Abort) deed { return deed{Action: game.Action{Kind: game.Abort, ID: d.Key}} }

func resign(d frames.Resign) deed { return deed{Action: game.Action{Kind: game.Resign, ID: d.Key}} }

func offer(d frames.Offer) deed {
	a := game.Action{ID: d.Key}
	switch {
	case d.Kind == frames.OfferDraw && d.Accept:
		a.Kind = game.DrawYes
	case d.Kind == frames.OfferDraw:
		a.Kind = game.DrawNo
	case d.Kind == frames.OfferTakeback && d.Accept:
		a.Kind = game.TakebackYes
	case d.Kind == frames.OfferTakeback:
		a.Kind = game.TakebackNo
	default:
		return deed{err: fault.Field("kind", "must be draw or takeback")}
	}
	return deed{Action: a}
}

func claim(d frames.Claim) deed {
	switch d.Kind {
	case frames.ClaimVictory:
		return deed{Action: game.Action{Kind: game.ClaimVictory, ID: d.Key}}
	case frames.ClaimDraw:
		return deed{Action: game.Action{Kind: game.ClaimDraw, ID: d.Key}}
	}
	if d.Kind == "" {
		return deed{err: fault.Field("kind", "is needed")}
	}
	return deed{Action: game.Action{Kind: game.Declare, Claim: d.Kind, ID: d.Key}}
}

// act does an action in a game, in the game's lane.
func (c *conn) act(ctx context.Context, id uint64, gameID string, d deed) {
	gameID = lichess.GameID(gameID)
	c.lanes.run("game/"+gameID, func() {
		if revoked(ctx) {
			return
		}
		ctx, cancel := lasting(ctx)
		defer cancel()
		ack, err := c.done(ctx, gameID, d)
		if err != nil {
			c.fail(ctx, id, err)
			return
		}
		c.ack(id, frames.Ack{Version: &ack.Version, Note: ack.Note})
	})
}

// revoked says whether the socket's owner may not act any more. Other ends let finish what was asked for.
func revoked(ctx context.Context) bool {
	return ctx.Err() != nil && errors.Is(context.Cause(ctx), stream.ErrRevoked)
}

// done checks who acts, and acts.
func (c *conn) done(ctx context.Context, gameID string, d deed) (game.Ack, error) {
	who, err := c.need("board:play", "bot:play")
	if err == nil {
		err = d.err
	}
	if err != nil {
		return game.Ack{}, err
	}
	snap, err := c.s.Live.Snapshot(ctx, gameID)
	if err != nil {
		return game.Ack{}, err
	}
	d.Player, d.Username = snap.PlayerOf(who.AccountID), who.Name
	switch {
	case d.Kind == game.Chat:
		own := game.RoomSpectator
		if d.Player >= 0 {
			own = game.RoomPlayer
		}
		if d.Room == "" {
			d.Room = own
		}
		if d.Room != own && (d.Room == game.RoomPlayer || d.Room == game.RoomSpectator) {
			return game.Ack{}, fault.Forbidden("That room is not yours")
		}
		if !who.IsBot() {
			err = lichess.MayWrite(ctx, c.s.Blocks, who.AccountID, snap)
		}
	case d.Player < 0:
		err = fault.NotFound("Not your game")
	}
	if err != nil {
		return game.Ack{}, err
	}
	return c.s.Live.Act(ctx, gameID, d.Action)
}

// fail answers a failure, and logs one that is ours.
func (c *conn) fail(ctx context.Context, id uint64, err error) {
	e := refusal(err)
	if e.Code == frames.CodeInternal {
		c.s.Log.ErrorContext(ctx, "frame failed", "request", api.ClientOf(ctx).RequestID, "account", c.caller().AccountID, "error", err)
	}
	c.push("err", id, e)
}

// rematch offers, accepts or refuses another game.
func (c *conn) rematch(ctx context.Context, id uint64, d frames.Rematch) {
	gameID := lichess.GameID(d.Game)
	c.lanes.run("game/"+gameID, func() {
		if revoked(ctx) {
			return
		}
		ctx, cancel := lasting(ctx)
		defer cancel()
		who, err := c.need("challenge:write", "board:play", "bot:play")
		var a frames.Ack
		switch {
		case err != nil:
		case d.Accept:
			a.Game, a.Started, err = c.s.Challenges.OfferRematch(ctx, who, gameID)
		default:
			var done bool
			if done, err = c.s.Challenges.RefuseRematch(ctx, who, gameID); !done {
				a.Note = "There is no rematch to decline"
			}
		}
		if err != nil {
			c.fail(ctx, id, err)
			return
		}
		c.ack(id, a)
	})
}

// laneLobby orders what a socket does in the lobby.
const laneLobby = "lobby"

// inLobby does something in the lobby for a player.
func (c *conn) inLobby(ctx context.Context, id uint64, do func(ctx context.Context, account string) (frames.Ack, error)) {
	c.lanes.run(laneLobby, func() {
		if revoked(ctx) {
			return
		}
		who, err := c.need("board:play")
		if err == nil && who.IsBot() {
			err = fault.Forbidden("Bots do not seek games: they are challenged")
		}
		var a frames.Ack
		if err == nil {
			lasting, cancel := lasting(ctx)
			defer cancel()
			a, err = do(lasting, who.AccountID)
		}
		if err != nil {
			c.fail(ctx, id, err)
			return
		}
		c.ack(id, a)
	})
}

// seekGame looks for anybody. A seek with a clock ends with the socket.
func (c *conn) seekGame(ctx context.Context, id uint64, d frames.Seek) {
	c.inLobby(ctx, id, func(lasting context.Context, account string) (frames.Ack, error) {
		wait, err := c.s.Lobby.Ask(lasting, account, d)
		if err != nil {
			return frames.Ack{}, err
		}
		select {
		case <-wait.Done:
		default:
			c.mu.Lock()
			c.seek = &wait
			c.mu.Unlock()
			if ctx.Err() != nil { // leaveAll has been here
				wait.Cancel()
			}
		}
		return frames.Ack{Seek: wait.ID, Game: wait.Game, Started: wait.Game != ""}, nil
	})
}

func (c *conn) unseek(ctx context.Context, id uint64, d frames.Unseek) {
	c.inLobby(ctx, id, func(ctx context.Context, account string) (frames.Ack, error) {
		return frames.Ack{}, c.s.Lobby.Withdraw(ctx, account, d.Seek)
	})
}

func (c *conn) joinSeek(ctx context.Context, id uint64, d frames.Join) {
	c.inLobby(ctx, id, func(ctx context.Context, account string) (frames.Ack, error) {
		gameID, err := c.s.Lobby.Join(ctx, account, d.Seek)
		return frames.Ack{Game: gameID, Started: err == nil}, err
	})
}
