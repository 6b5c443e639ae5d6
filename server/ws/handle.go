package ws

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"
	"unicode/utf8"

	"hoplite/openapi/frames"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/live/game"
	"hoplite/server/stream"
)

const (
	// maxBad is how many messages that are no frames a socket may send.
	maxBad = 20
	// maxGuesses is how many wrong tokens a socket may send.
	maxGuesses = 3
)

// decode reads a message as a frame. Fields that nobody knows are ignored: a newer client may send them.
func decode(data []byte) (frames.Frame, error) {
	var f frames.Frame
	if !utf8.Valid(data) {
		return f, errors.New("not UTF-8")
	}
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return f, errors.New("not a JSON object")
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return frames.Frame{}, err
	}
	if f.ID > frames.MaxID {
		return frames.Frame{}, errors.New("the id is too large")
	}
	if f.T == "" {
		return f, errors.New("no type")
	}
	return f, nil
}

// body reads the d of a frame. A missing d is an empty one.
func body[D any](f frames.Frame) (D, error) {
	var d D
	if len(f.D) == 0 {
		return d, nil
	}
	if f.D[0] != '{' {
		return d, errors.New("d is not an object")
	}
	return d, json.Unmarshal(f.D, &d)
}

// handle does what a message asks for. What waits for the disk goes on in a lane, so that the socket can be read
// meanwhile.
func (c *conn) handle(ctx context.Context, data []byte) {
	f, err := decode(data)
	if err != nil {
		c.wrong(f.ID, frames.CodeMalformed, "Not a frame: "+err.Error())
		return
	}
	if f.T != "move" && f.T != "ping" && !c.s.config.Unlimited {
		if wait := c.bucket.take(c.s.Now()); wait > 0 {
			c.refuse(f.ID, fault.Limited("socket", wait, "Too many frames. Please wait a moment."))
			return
		}
	}
	switch f.T {
	case "move":
		with(c, f, func(d frames.Move) { c.act(ctx, f.ID, d.Game, move(d)) })
	case "ping":
		with(c, f, func(frames.Ping) { c.push("pong", f.ID, frames.Pong{Time: c.s.Now().UnixMilli()}) })
	case "chat":
		with(c, f, func(d frames.Chat) { c.act(ctx, f.ID, d.Game, chat(d)) })
	case "mute":
		with(c, f, func(d frames.Mute) {
			c.act(ctx, f.ID, d.Game, deed{Action: game.Action{Kind: game.Mute, On: d.On, ID: d.Key}})
		})
	case "conditional":
		with(c, f, func(d frames.Conditional) {
			c.act(ctx, f.ID, d.Game, deed{Action: game.Action{Kind: game.SetConditional, Lines: d.Lines, ID: d.Key}})
		})
	case "challenge":
		with(c, f, func(d frames.Challenge) { c.challenge(ctx, f.ID, d) })
	case "answer":
		with(c, f, func(d frames.Answer) { c.answerChallenge(ctx, f.ID, d) })
	case "cancel":
		with(c, f, func(d frames.Cancel) { c.cancelChallenge(ctx, f.ID, d) })
	case "offer":
		with(c, f, func(d frames.Offer) { c.act(ctx, f.ID, d.Game, offer(d)) })
	case "abort":
		with(c, f, func(d frames.Abort) { c.act(ctx, f.ID, d.Game, abort(d)) })
	case "resign":
		with(c, f, func(d frames.Resign) { c.act(ctx, f.ID, d.Game, resign(d)) })
	case "claim":
		with(c, f, func(d frames.Claim) { c.act(ctx, f.ID, d.Game, claim(d)) })
	case "rematch":
		with(c, f, func(d frames.Rematch) { c.rematch(ctx, f.ID, d) })
	case "seek":
		with(c, f, func(d frames.Seek) { c.seekGame(ctx, f.ID, d) })
	case "unseek":
		with(c, f, func(d frames.Unseek) { c.unseek(ctx, f.ID, d) })
	case "join":
		with(c, f, func(d frames.Join) { c.joinSeek(ctx, f.ID, d) })
	case "auth":
		with(c, f, func(d frames.Auth) { c.auth(ctx, f.ID, d) })
	case "sub":
		with(c, f, func(d frames.Sub) { c.subscribe(ctx, f.ID, d) })
	case "unsub":
		with(c, f, func(d frames.Unsub) { c.unsubscribe(ctx, f.ID, d) })
	default:
		c.wrong(f.ID, frames.CodeUnknown, "No such type of frame")
	}
}

// with reads the body of a frame and hands it to do.
func with[D any](c *conn, f frames.Frame, do func(D)) {
	d, err := body[D](f)
	if err != nil {
		c.wrong(f.ID, frames.CodeMalformed, "The d of the frame does not fit: "+err.Error())
		return
	}
	do(d)
}

// wrong answers what is no frame. A peer that goes on with it is none of ours.
func (c *conn) wrong(id uint64, code, text string) {
	c.push("err", id, frames.Err{Code: code, Error: text})
	if c.bad++; c.bad >= maxBad {
		c.end(errProtocol)
	}
}

// ack answers a frame that was done. A frame without an id wants no answer.
func (c *conn) ack(id uint64, a frames.Ack) {
	if id != 0 {
		c.push("ack", id, a)
	}
}

// refuse answers a frame that was not done, also without an id: nobody shall wait for ever.
func (c *conn) refuse(id uint64, err error) { c.push("err", id, refusal(err)) }

// refusal is an error as the client sees it.
func refusal(err error) frames.Err {
	r := api.RefusalOf(err, nil)
	e := frames.Err{
		Code: frames.CodeInternal, Error: r.Body.Error.String(), Fields: r.Body.Error.Fields,
		Retry: r.RetryAfter.Milliseconds(),
	}
	switch r.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		e.Code = frames.CodeInvalid
		if fault.KindOf(err) == fault.KindConflict {
			e.Code = frames.CodeConflict
		}
	case http.StatusUnauthorized:
		e.Code = frames.CodeUnauthenticated
	case http.StatusForbidden:
		e.Code = frames.CodeForbidden
	case http.StatusNotFound:
		e.Code = frames.CodeNotFound
	case http.StatusConflict:
		e.Code = frames.CodeConflict
	case http.StatusTooManyRequests:
		e.Code = frames.CodeLimited
	case http.StatusServiceUnavailable:
		e.Code = frames.CodeUnavailable
	}
	return e
}

// auth names the account of a socket that had none.
func (c *conn) auth(ctx context.Context, id uint64, d frames.Auth) {
	c.mu.Lock()
	known := !c.id.Anonymous
	used := len(c.games) > 0 || c.hall || c.events != nil
	c.mu.Unlock()
	switch {
	case known:
		c.refuse(id, fault.Conflict("This socket has an account already"))
		return
	case used:
		c.refuse(id, fault.Conflict("auth comes before the first subscription"))
		return
	case d.Token == "":
		c.refuse(id, fault.Field("token", "is needed"))
		return
	}
	who, err := c.authenticate(ctx, d.Token)
	if err == nil && who.Anonymous {
		err = fault.Unauthenticated("No such token")
	}
	if err != nil {
		c.refuse(id, err)
		if fault.KindOf(err) == fault.KindUnauthenticated {
			if c.guesses++; c.guesses >= maxGuesses {
				c.end(errTokens)
			}
		}
		return
	}
	c.mu.Lock()
	leave := c.exit
	c.mu.Unlock()
	c.join(ctx, who)
	leave()
	// A credential that was revoked before we stood in the hub has closed nothing.
	if _, err := c.authenticate(ctx, d.Token); api.RefusalOf(err, nil).Status == http.StatusUnauthorized {
		c.end(stream.ErrRevoked)
	}
	c.ack(id, frames.Ack{Account: account(who)})
}

// need refuses callers without an account, or without one of the scopes.
func (c *conn) need(scopes ...string) (*api.Identity, error) {
	who := c.caller()
	switch {
	case who.Anonymous:
		return nil, fault.Unauthenticated("This needs an account")
	case !who.HasAny(scopes...):
		return nil, fault.Forbidden("The token lacks the scope %s", scopes[0])
	}
	return who, nil
}

// actionPatience is how long an action may take whose socket is gone.
const actionPatience = 20 * time.Second

// lasting is a context for work that goes on when the socket is gone: what was sent last shall happen.
func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), actionPatience)
}
