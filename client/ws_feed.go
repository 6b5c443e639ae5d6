package client

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"sync"
	"time"

	"hoplite/openapi/frames"
)

// GameUpdate is something about a game that is followed; exactly one of its fields is set.
type GameUpdate struct {
	Game  *frames.Game  // the whole game: at the beginning, and when events were missed that cannot be had
	Event *frames.Event // each version once and in order
	Now   *frames.Now   // how the clocks stand and who is away
}

// LobbyUpdate is something about the lobby; exactly one of its fields is set.
type LobbyUpdate struct {
	All   *frames.Lobby // every open seek, in place of what was known
	Added *frames.LobbySeek
	Gone  *frames.SeekGone
}

// ErrSlowReader ends a stream whose reader lets too much wait.
var ErrSlowReader = errors.New("the reader of the stream is too slow")

// errFollowed says that the socket follows the topic already.
var errFollowed = errors.New("this socket follows that already")

const (
	feedLimit = 4096
	// catchUp is how long a client waits for what the keep-alive has announced before it asks.
	catchUp = time.Second
)

// feed is one subscription. Its fields but items, err and wake are guarded by the socket's mu.
type feed struct {
	sub     frames.Sub
	id      uint64 // of the last sub frame
	known   bool   // version counts
	version uint64
	wake    chan struct{}

	mu    sync.Mutex
	items []any
	err   error
}

func (f *feed) give(item any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return
	}
	f.items = append(f.items, item)
	if len(f.items) > feedLimit {
		f.err = ErrSlowReader
	}
	f.stir()
}

func (f *feed) finish(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
	f.stir()
}

func (f *feed) stir() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// take returns what waits, and the error once nothing does.
func (f *feed) take() ([]any, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	items := f.items
	f.items = nil
	if len(items) == 0 {
		return nil, f.err
	}
	return items, nil
}

// Game follows a game until ctx ends or the loop is left. The last thing that it yields may be an error: the game cannot
// be followed, or the socket has ended.
func (s *Socket) Game(ctx context.Context, id string) iter.Seq2[GameUpdate, error] {
	return follow[GameUpdate](ctx, s, frames.Sub{Topic: frames.TopicGame, Game: id})
}

// BareGame is Game without scenes, for programs that know the rules.
func (s *Socket) BareGame(ctx context.Context, id string) iter.Seq2[GameUpdate, error] {
	return follow[GameUpdate](ctx, s, frames.Sub{Topic: frames.TopicGame, Game: id, Bare: true})
}

// Lobby follows the open seeks.
func (s *Socket) Lobby(ctx context.Context) iter.Seq2[LobbyUpdate, error] {
	return follow[LobbyUpdate](ctx, s, frames.Sub{Topic: frames.TopicLobby})
}

// Events follows what happens to the account. After each connection it begins with all that goes on.
func (s *Socket) Events(ctx context.Context) iter.Seq2[frames.Me, error] {
	return follow[frames.Me](ctx, s, frames.Sub{Topic: frames.TopicEvents})
}

// TV follows what is on: the best game on each channel that has one.
func (s *Socket) TV(ctx context.Context) iter.Seq2[frames.TV, error] {
	return follow[frames.TV](ctx, s, frames.Sub{Topic: frames.TopicTV})
}

func follow[T any](ctx context.Context, s *Socket, sub frames.Sub) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		f := &feed{sub: sub, wake: make(chan struct{}, 1)}
		if err := s.add(f); err != nil {
			yield(none, err)
			return
		}
		defer s.remove(f)
		for {
			items, err := f.take()
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range items {
				if v, ok := item.(T); ok && !yield(v, nil) {
					return
				}
			}
			if len(items) > 0 {
				continue
			}
			select {
			case <-f.wake:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (s *Socket) add(f *feed) error {
	key := f.sub.Topic + "/" + f.sub.Game
	s.mu.Lock()
	if s.feeds[key] != nil {
		s.mu.Unlock()
		return errFollowed
	}
	select {
	case <-s.done:
		s.mu.Unlock()
		return s.why()
	default:
	}
	s.feeds[key] = f
	data := s.subscribe(f)
	s.mu.Unlock()
	s.send(data)
	return nil
}

func (s *Socket) remove(f *feed) {
	key := f.sub.Topic + "/" + f.sub.Game
	s.mu.Lock()
	mine := s.feeds[key] == f
	if mine {
		delete(s.feeds, key)
	}
	s.mu.Unlock()
	if mine {
		s.send(frame("unsub", 0, frames.Unsub{Topic: f.sub.Topic, Game: f.sub.Game}))
	}
}

// subscribe is the frame that begins a feed or takes it up again. The caller holds mu.
func (s *Socket) subscribe(f *feed) []byte {
	s.last++
	f.id = s.last
	sub := f.sub
	if f.known {
		v := f.version
		sub.Version = &v
	}
	return frame("sub", f.id, sub)
}

// again asks for what a feed has missed.
func (s *Socket) again(f *feed) {
	s.mu.Lock()
	if s.feeds[f.sub.Topic+"/"+f.sub.Game] != f || s.conn == nil {
		s.mu.Unlock()
		return
	}
	data := s.subscribe(f)
	s.mu.Unlock()
	s.send(data)
}

// receive handles one frame. It runs on the reader's goroutine; what has to be sent goes by another.
func (s *Socket) receive(fr frames.Frame) {
	switch fr.T {
	case "ack":
		var a frames.Ack
		if json.Unmarshal(fr.D, &a) == nil {
			s.settle(fr.ID, answer{ack: a})
		}
	case "err":
		s.refused(fr)
	case "game":
		var g frames.Game
		if json.Unmarshal(fr.D, &g) == nil {
			s.whole(&g)
		}
	case "event":
		var e frames.Event
		if json.Unmarshal(fr.D, &e) == nil {
			s.event(&e)
		}
	case "announce":
		var a frames.Announce
		if json.Unmarshal(fr.D, &a) == nil {
			s.mu.Lock()
			s.notice = &a
			s.mu.Unlock()
		}
	case "now":
		var n frames.Now
		if json.Unmarshal(fr.D, &n) == nil {
			s.tell(frames.TopicGame, n.Game, GameUpdate{Now: &n})
		}
	case "live":
		var l frames.Live
		if json.Unmarshal(fr.D, &l) == nil {
			s.alive(&l)
		}
	case "lobby":
		var l frames.Lobby
		if json.Unmarshal(fr.D, &l) == nil {
			s.tell(frames.TopicLobby, "", LobbyUpdate{All: &l})
		}
	case "seek+":
		var l frames.LobbySeek
		if json.Unmarshal(fr.D, &l) == nil {
			s.tell(frames.TopicLobby, "", LobbyUpdate{Added: &l})
		}
	case "seek-":
		var g frames.SeekGone
		if json.Unmarshal(fr.D, &g) == nil {
			s.tell(frames.TopicLobby, "", LobbyUpdate{Gone: &g})
		}
	case "tv":
		var tv frames.TV
		if json.Unmarshal(fr.D, &tv) == nil {
			s.tell(frames.TopicTV, "", tv)
		}
	case "me":
		var m frames.Me
		if json.Unmarshal(fr.D, &m) == nil {
			s.tell(frames.TopicEvents, "", m)
		}
	}
}

func (s *Socket) tell(topic, game string, item any) {
	s.mu.Lock()
	f := s.feeds[topic+"/"+game]
	s.mu.Unlock()
	if f != nil {
		f.give(item)
	}
}

func (s *Socket) whole(g *frames.Game) {
	s.mu.Lock()
	f := s.feeds[frames.TopicGame+"/"+g.Game]
	if f != nil {
		f.known, f.version = true, g.Version
	}
	s.mu.Unlock()
	if f != nil {
		f.give(GameUpdate{Game: g})
	}
}

func (s *Socket) event(e *frames.Event) {
	s.mu.Lock()
	f := s.feeds[frames.TopicGame+"/"+e.Game]
	if f == nil || !f.known || e.Version <= f.version {
		s.mu.Unlock()
		return
	}
	gap := e.Version > f.version+1
	if !gap {
		f.version = e.Version
	}
	s.mu.Unlock()
	if gap {
		go s.again(f)
		return
	}
	f.give(GameUpdate{Event: e})
}

// alive looks whether the server knows more than has come.
func (s *Socket) alive(l *frames.Live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lag = time.Duration(l.Lag) * time.Millisecond
	s.offset = time.Until(time.UnixMilli(l.Time)) + s.lag/2
	for id, version := range l.Games {
		f := s.feeds[frames.TopicGame+"/"+id]
		if f == nil || !f.known || f.version >= version {
			continue
		}
		time.AfterFunc(catchUp, func() {
			s.mu.Lock()
			behind := f.version < version
			s.mu.Unlock()
			if behind {
				s.again(f)
			}
		})
	}
}
