package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gorilla/websocket"

	"hoplite/openapi/frames"
)

// hearing is how long an answer may take before a load gives up.
const hearing = time.Minute

var errNotHeard = errors.New("no answer within a minute")

// seat is one player's end. Its reader decodes nothing: it would take the processors from the server.
type seat struct {
	acks  chan time.Time
	heard chan time.Time // of the opponent's moves
	fault chan error
}

func newSeat() seat {
	return seat{acks: make(chan time.Time, 1), heard: make(chan time.Time, 1), fault: make(chan error, 1)}
}

// wait returns when one of the channels of a seat had something.
func (s *seat) wait(ctx context.Context, c <-chan time.Time) (time.Time, error) {
	timer := time.NewTimer(hearing)
	defer timer.Stop()
	select {
	case at := <-c:
		return at, nil
	case err := <-s.fault:
		return time.Time{}, err
	case <-timer.C:
		return time.Time{}, errNotHeard
	case <-ctx.Done():
		return time.Time{}, ctx.Err()
	}
}

// socketSeat plays over the websocket.
type socketSeat struct {
	seat
	conn *websocket.Conn
}

// socketTable is a game whose players each have a socket.
type socketTable struct {
	game  string
	moves []string
	seats [2]*socketSeat
}

func openSockets(ctx context.Context, base string, p *pair, game string, moves []string) (*socketTable, io.Closer, error) {
	t := &socketTable{game: game, moves: moves}
	for i := range t.seats {
		s, err := openSocket(ctx, base, p.tokens[i], game, i)
		if err != nil {
			return nil, t, err
		}
		t.seats[i] = s
	}
	return t, t, nil
}

// Close ends both sockets, and with them their readers.
func (t *socketTable) Close() error {
	for _, s := range t.seats {
		if s != nil {
			_ = s.conn.Close()
		}
	}
	return nil
}

func openSocket(ctx context.Context, base, token, game string, index int) (*socketSeat, error) {
	dialer := websocket.Dialer{
		Subprotocols: []string{frames.Protocol}, HandshakeTimeout: hearing, ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10,
	}
	conn, _, err := dialer.DialContext(ctx, "ws"+base[len("http"):]+frames.Path, http.Header{})
	if err != nil {
		return nil, err
	}
	s := &socketSeat{newSeat(), conn}
	for _, frame := range []string{
		fmt.Sprintf(`{"t":"auth","id":1,"d":{"token":%q}}`, token),
		fmt.Sprintf(`{"t":"sub","id":2,"d":{"topic":"game","game":%q,"bare":true}}`, game),
	} {
		if err := conn.WriteMessage(websocket.TextMessage, []byte(frame)); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	go s.read(index)
	for range 2 {
		if _, err := s.wait(ctx, s.acks); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return s, nil
}

// read tells of acknowledgements, and of every event of a ply that is the opponent's.
func (s *socketSeat) read(index int) {
	for ply := 0; ; {
		_, data, err := s.conn.ReadMessage()
		now := time.Now()
		switch {
		case err != nil:
			s.fault <- err
			return
		case bytes.HasPrefix(data, []byte(`{"t":"ack"`)):
			s.acks <- now
		case bytes.HasPrefix(data, []byte(`{"t":"event"`)):
			if ply%2 != index {
				s.heard <- now
			}
			ply++
		case bytes.HasPrefix(data, []byte(`{"t":"err"`)), bytes.HasPrefix(data, []byte(`{"t":"bye"`)):
			s.fault <- fmt.Errorf("the server said %s", data)
			return
		}
	}
}

func (t *socketTable) play(ctx context.Context, n int) (acked, heard time.Time, err error) {
	mover, other := t.seats[n%2], t.seats[1-n%2]
	if err = mover.conn.WriteMessage(websocket.TextMessage, moveFrame(t.game, t.moves[n], n)); err != nil {
		return acked, heard, err
	}
	if acked, err = mover.wait(ctx, mover.acks); err != nil {
		return acked, heard, err
	}
	heard, err = other.wait(ctx, other.heard)
	return acked, heard, err
}
