package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"hoplite/openapi"
)

// ChallengesService is about invitations to a game.
type ChallengesService struct{ service }

// List returns the challenges that wait for an answer, the caller's or the
// other side's.
func (s *ChallengesService) List(ctx context.Context) (openapi.ChallengeList, error) {
	return get[openapi.ChallengeList](ctx, s.c, "/api/challenge", nil)
}

// Create challenges an account. An answer that was lost is not asked for again,
// since that would challenge twice.
func (s *ChallengesService) Create(ctx context.Context, name string, form openapi.ChallengeForm) (openapi.Challenge, error) {
	form.KeepAliveStream = false
	var out openapi.Challenge
	err := s.c.do(ctx, call{
		method: http.MethodPost, path: pathf("/api/challenge/%s", name), form: form, once: true,
	}, &out)
	return out, err
}

// ChallengeNews is a line of a kept-alive challenge: first the challenge, last
// what became of it.
type ChallengeNews struct {
	Challenge *openapi.Challenge
	Done      openapi.ChallengeOutcomeDone // "" in the first line
}

// UnmarshalJSON tells the two lines apart.
func (n *ChallengeNews) UnmarshalJSON(data []byte) error {
	var outcome openapi.ChallengeOutcome
	if err := json.Unmarshal(data, &outcome); err != nil {
		return err
	}
	*n = ChallengeNews{Done: outcome.Done}
	if outcome.Done != "" {
		return nil
	}
	n.Challenge = new(openapi.Challenge)
	return json.Unmarshal(data, n.Challenge)
}

// CreateAndWait challenges an account and keeps the challenge alive for as long
// as the iteration goes on; it ends with the outcome. Leaving it early lets the
// challenge expire.
func (s *ChallengesService) CreateAndWait(ctx context.Context, name string, form openapi.ChallengeForm) iter.Seq2[ChallengeNews, error] {
	form.KeepAliveStream = true
	return stream[ChallengeNews](ctx, s.c, call{
		method: http.MethodPost, path: pathf("/api/challenge/%s", name), form: form,
	})
}

// Show returns one of the caller's challenges, also when it is over.
func (s *ChallengesService) Show(ctx context.Context, id string) (openapi.Challenge, error) {
	return get[openapi.Challenge](ctx, s.c, pathf("/api/challenge/%s/show", id), nil)
}

// Accept accepts a challenge; color counts for open ones only and may be "".
// When a try whose answer was lost did accept it, the next try is answered with
// 404; the event stream knows then.
func (s *ChallengesService) Accept(ctx context.Context, id string, color openapi.Color) error {
	cl := call{method: http.MethodPost, path: pathf("/api/challenge/%s/accept", id)}
	if color != "" {
		cl.query = url.Values{"color": {string(color)}}
	}
	return s.c.do(ctx, cl, nil)
}

// Decline declines a challenge; an empty reason is a general one.
func (s *ChallengesService) Decline(ctx context.Context, id, reason string) error {
	return s.c.do(ctx, call{
		method: http.MethodPost, path: pathf("/api/challenge/%s/decline", id), form: openapi.DeclineForm{Reason: reason},
	}, nil)
}

// Cancel withdraws a challenge, or aborts the game that it has become. The
// opponent's token is needed only for a game that cannot be aborted any more.
func (s *ChallengesService) Cancel(ctx context.Context, id, opponentToken string) error {
	cl := call{method: http.MethodPost, path: pathf("/api/challenge/%s/cancel", id)}
	if opponentToken != "" {
		cl.query = url.Values{"opponentToken": {opponentToken}}
	}
	return s.c.do(ctx, cl, nil)
}

// AI starts a game against the server's engine.
func (s *ChallengesService) AI(ctx context.Context, form openapi.AiForm) (openapi.AiGame, error) {
	var out openapi.AiGame
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/challenge/ai", form: form, once: true}, &out)
	return out, err
}

// Open makes a challenge that whoever has the link may accept.
func (s *ChallengesService) Open(ctx context.Context, form openapi.OpenForm) (openapi.Challenge, error) {
	var out openapi.Challenge
	err := s.c.do(ctx, call{method: http.MethodPost, path: "/api/challenge/open", form: form, once: true}, &out)
	return out, err
}

// StartClocks starts both clocks of a game before the first moves. token2 is
// not needed against the server's engine.
func (s *ChallengesService) StartClocks(ctx context.Context, gameID, token1, token2 string) error {
	q := url.Values{"token1": {token1}}
	if token2 != "" {
		q.Set("token2", token2)
	}
	return s.c.do(ctx, call{method: http.MethodPost, path: pathf("/api/challenge/%s/start-clocks", gameID), query: q}, nil)
}

// AddTime gives the opponent 5 to 60 more seconds.
func (s *ChallengesService) AddTime(ctx context.Context, gameID string, seconds int) error {
	return s.c.do(ctx, call{
		method: http.MethodPost, once: true,
		path: pathf("/api/round/%s/add-time/%s", gameID, strconv.Itoa(seconds)),
	}, nil)
}
