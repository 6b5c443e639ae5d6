package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// link holds the connections of players who use the Bot API: one for each stream, and some that carry the moves.
type link struct {
	base    string
	streams *http.Transport
	posts   *http.Transport
}

// mostPosts bounds the connections that carry moves.
const mostPosts = 256

func newLink(base string) *link {
	return &link{
		base:    base,
		streams: &http.Transport{DisableCompression: true, ReadBufferSize: 1 << 10, WriteBufferSize: 1 << 10},
		posts:   &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: mostPosts, MaxConnsPerHost: mostPosts},
	}
}

func (l *link) close() {
	l.streams.CloseIdleConnections()
	l.posts.CloseIdleConnections()
}

// botTable is a game whose players each follow it over a stream.
type botTable struct {
	link    *link
	game    string
	moves   []string
	tokens  [2]string
	seats   [2]*streamSeat
	clients *http.Client
}

type streamSeat struct {
	seat
	body io.Closer
}

// open opens the streams of a game.
func (l *link) open(ctx context.Context, p *pair, game string, moves []string) (*botTable, io.Closer, error) {
	t := &botTable{link: l, game: game, moves: moves, tokens: p.tokens, clients: &http.Client{Transport: l.posts}}
	for i := range t.seats {
		s, err := l.stream(ctx, p.tokens[i], game, i)
		if err != nil {
			return nil, t, err
		}
		t.seats[i] = s
	}
	return t, t, nil
}

// Close ends both streams, and with them their readers.
func (t *botTable) Close() error {
	for _, s := range t.seats {
		if s != nil {
			_ = s.body.Close()
		}
	}
	return nil
}

func (l *link) stream(ctx context.Context, token, game string, index int) (*streamSeat, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.base+"/api/bot/game/stream/"+game, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := (&http.Client{Transport: l.streams}).Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(answer.Body)
		return nil, errors.Join(fmt.Errorf("stream of game %s: %d %s", game, answer.StatusCode, body), answer.Body.Close())
	}
	s := &streamSeat{newSeat(), answer.Body}
	go s.read(answer.Body, index)
	_, err = s.wait(ctx, s.acks)
	return s, err
}

// read acknowledges the first line, the whole game, and tells of every state after a ply that is the opponent's.
func (s *streamSeat) read(body io.Reader, index int) {
	lines := bufio.NewReaderSize(body, 1<<10)
	for ply := -1; ; {
		line, err := lines.ReadBytes('\n')
		now := time.Now()
		switch {
		case err != nil:
			s.fault <- err
			return
		case len(line) == 1: // a keep-alive
		case ply < 0:
			ply = 0
			s.acks <- now
		case bytes.Contains(line, []byte(`"type":"gameState"`)):
			if ply%2 != index {
				s.heard <- now
			}
			ply++
		}
	}
}

func (t *botTable) play(ctx context.Context, n int) (acked, heard time.Time, err error) {
	if err = post(ctx, t.clients, movePath(t.link.base, t.game, t.moves[n]), t.tokens[n%2]); err != nil {
		return acked, heard, err
	}
	acked = time.Now()
	other := t.seats[1-n%2]
	heard, err = other.wait(ctx, other.heard)
	return acked, heard, err
}
