package client

import (
	"context"
	"time"

	"hoplite/openapi/frames"
)

// do sends a frame and waits for its answer. A frame that may be repeated is sent again over the next connection, and
// after a moment if the server is not able now. ctx ends the waiting, not the action: whether it was done is then not
// known.
func (s *Socket) do(ctx context.Context, t string, d any, repeat bool) (frames.Ack, error) {
	r := &request{repeat: repeat, answer: make(chan answer, 1)}
	s.mu.Lock()
	select {
	case <-s.done:
		s.mu.Unlock()
		return frames.Ack{}, s.why()
	default:
	}
	if s.conn == nil && !repeat {
		s.mu.Unlock()
		return frames.Ack{}, ErrLost
	}
	s.last++
	id := s.last
	r.frame = frame(t, id, d)
	s.waiting[id] = r
	s.mu.Unlock()
	s.send(r.frame)
	for {
		select {
		case a := <-r.answer:
			e, refused := a.err.(*FrameError) //nolint:errorlint // made by refusalOf, never wrapped
			if !refused || !repeat || e.Code != frames.CodeUnavailable {
				if refused {
					e.Type = t
				}
				return a.ack, a.err
			}
			if sleep(ctx, max(e.Retry, 100*time.Millisecond)) != nil {
				return frames.Ack{}, context.Cause(ctx)
			}
			s.mu.Lock()
			s.waiting[id] = r
			s.mu.Unlock()
			s.send(r.frame)
		case <-ctx.Done():
			s.mu.Lock()
			delete(s.waiting, id)
			s.mu.Unlock()
			return frames.Ack{}, context.Cause(ctx)
		case <-s.done:
			return frames.Ack{}, s.why()
		}
	}
}

// settle hands an answer to whoever waits for it.
func (s *Socket) settle(id uint64, a answer) {
	s.mu.Lock()
	r := s.waiting[id]
	delete(s.waiting, id)
	s.mu.Unlock()
	if r != nil {
		r.answer <- a
	}
}

// refused handles an err frame: of a request, or of a subscription.
func (s *Socket) refused(fr frames.Frame) {
	err := refusalOf("frame", fr.D)
	s.mu.Lock()
	var sub *feed
	for _, f := range s.feeds {
		if f.id == fr.ID {
			sub = f
		}
	}
	s.mu.Unlock()
	if sub == nil {
		s.settle(fr.ID, answer{err: err})
		return
	}
	if e, ok := err.(*FrameError); ok { //nolint:errorlint // made by refusalOf, never wrapped
		e.Type = "sub"
		if e.Temporary() {
			time.AfterFunc(max(e.Retry, catchUp), func() { s.again(sub) })
			return
		}
	}
	sub.finish(err)
}

func (s *Socket) keyOr(key string) string {
	if key == "" {
		return s.c.key()
	}
	return key
}

// Move plays a move. A key is made if there is none, here and below.
func (s *Socket) Move(ctx context.Context, d frames.Move) (frames.Ack, error) {
	d.Key = s.keyOr(d.Key)
	return s.do(ctx, "move", d, true)
}

// Chat writes into the chat of a game.
func (s *Socket) Chat(ctx context.Context, d frames.Chat) (frames.Ack, error) {
	d.Key = s.keyOr(d.Key)
	return s.do(ctx, "chat", d, true)
}

// Offer offers, accepts, declines or withdraws a draw or a takeback.
func (s *Socket) Offer(ctx context.Context, d frames.Offer) (frames.Ack, error) {
	d.Key = s.keyOr(d.Key)
	return s.do(ctx, "offer", d, true)
}

// Abort ends a game while not every player has had a turn.
func (s *Socket) Abort(ctx context.Context, d frames.Abort) (frames.Ack, error) {
	d.Key = s.keyOr(d.Key)
	return s.do(ctx, "abort", d, true)
}

// Resign gives a game up, or aborts it while that is possible.
func (s *Socket) Resign(ctx context.Context, d frames.Resign) (frames.Ack, error) {
	d.Key = s.keyOr(d.Key)
	return s.do(ctx, "resign", d, true)
}

// Claim claims a game whose opponent has left, or a draw by repetition.
func (s *Socket) Claim(ctx context.Context, d frames.Claim) (frames.Ack, error) {
	d.Key = s.keyOr(d.Key)
	return s.do(ctx, "claim", d, true)
}

// Mute hides from the player what the others write in a game, or shows it again.
func (s *Socket) Mute(ctx context.Context, d frames.Mute) (frames.Ack, error) {
	d.Key = s.keyOr(d.Key)
	return s.do(ctx, "mute", d, true)
}

// Conditional replaces the caller's conditional moves in a game without a clock.
func (s *Socket) Conditional(ctx context.Context, d frames.Conditional) (frames.Ack, error) {
	d.Key = s.keyOr(d.Key)
	return s.do(ctx, "conditional", d, true)
}

// Rematch offers, accepts, declines or withdraws another game.
func (s *Socket) Rematch(ctx context.Context, d frames.Rematch) (frames.Ack, error) {
	return s.do(ctx, "rematch", d, true)
}

// Challenge invites a user, a level of the engine, or whoever knows the id. ErrLost leaves open whether it was made; with a
// clock it ends with the connection.
func (s *Socket) Challenge(ctx context.Context, d frames.Challenge) (frames.Ack, error) {
	return s.do(ctx, "challenge", d, false)
}

// Answer accepts or declines a challenge.
func (s *Socket) Answer(ctx context.Context, d frames.Answer) (frames.Ack, error) {
	return s.do(ctx, "answer", d, false)
}

// Cancel takes a challenge back.
func (s *Socket) Cancel(ctx context.Context, d frames.Cancel) (frames.Ack, error) {
	return s.do(ctx, "cancel", d, false)
}

// Seek looks for anybody to play. A seek with a clock ends with the connection; ErrLost leaves open whether it made a
// game before.
func (s *Socket) Seek(ctx context.Context, d frames.Seek) (frames.Ack, error) {
	return s.do(ctx, "seek", d, false)
}

// Unseek takes a seek back.
func (s *Socket) Unseek(ctx context.Context, d frames.Unseek) (frames.Ack, error) {
	return s.do(ctx, "unseek", d, false)
}

// Join takes somebody's seek.
func (s *Socket) Join(ctx context.Context, d frames.Join) (frames.Ack, error) {
	return s.do(ctx, "join", d, false)
}
