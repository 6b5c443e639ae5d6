package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"hoplite/openapi"
)

// BoardService is playing with a person's account.
type BoardService struct{ PlayService }

// Seek looks for an opponent with a clock, and returns when the server ends the
// search: somebody was found, which the event stream tells, or nobody was.
// Ending the context takes the seek back.
func (s *BoardService) Seek(ctx context.Context, form openapi.SeekForm) error {
	cl := call{
		method: http.MethodPost, path: "/api/board/seek", form: form, accept: typeNDJSON, key: s.c.key(),
	}
	for _, err := range s.c.streamLines(ctx, cl) {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// SeekByPost looks for an opponent for a game of form.Days days a move. The
// seek stays when the call returns its id.
func (s *BoardService) SeekByPost(ctx context.Context, form openapi.SeekForm) (string, error) {
	if form.Days == 0 {
		return "", fmt.Errorf("client: a seek that stays needs days")
	}
	cl := call{method: http.MethodPost, path: "/api/board/seek", form: form, once: true}
	var raw string
	if err := s.c.do(ctx, cl, &raw); err != nil {
		return "", err
	}
	var out openapi.SeekCreated
	if err := json.Unmarshal([]byte(raw), &out); err != nil {
		return "", cl.malformed([]byte(raw), err)
	}
	return out.ID, nil
}

// Berserk halves the caller's clock in a tournament game.
func (s *BoardService) Berserk(ctx context.Context, id string, opts ...ActionOption) error {
	_, err := s.act(ctx, id, "berserk", opts)
	return err
}
