package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"hoplite/openapi"
)

// PlayService is playing a game. The Bot and the Board API have the same calls.
type PlayService struct {
	service
	prefix string
}

// ActionOption changes an action in a game.
type ActionOption func(*call)

// Key sets the idempotency key of an action, at most 64 characters. The same
// key for the same game and player acts once, on servers that know such keys.
// Without this option each call has a fresh key.
func Key(key string) ActionOption { return func(cl *call) { cl.key = key } }

// OfferDraw offers a draw with the move, or accepts one that is offered.
func OfferDraw() ActionOption {
	return func(cl *call) { cl.query = url.Values{"offeringDraw": {"true"}} }
}

func (s PlayService) path(id, action string) string {
	return s.prefix + url.PathEscape(id) + "/" + action
}

func (s PlayService) act(ctx context.Context, id, action string, opts []ActionOption) (openapi.Ok, error) {
	cl := call{method: http.MethodPost, path: s.path(id, action)}
	for _, o := range opts {
		o(&cl)
	}
	var out openapi.Ok
	err := s.c.do(ctx, cl, &out)
	return out, err
}

// Stream yields the game: first all of it, then what happens. It ends when the
// game is over, and when the same player opens it again.
func (s PlayService) Stream(ctx context.Context, id string) iter.Seq2[GameEvent, error] {
	return stream[GameEvent](ctx, s.c, call{
		method: http.MethodGet, path: s.prefix + "stream/" + url.PathEscape(id),
	})
}

// Move plays a move in UCI notation. After an answer that was lost, a server
// that does not know idempotency keys refuses the repeated move with 400; the
// stream tells which of the two happened.
func (s PlayService) Move(ctx context.Context, id, move string, opts ...ActionOption) error {
	_, err := s.act(ctx, id, "move/"+url.PathEscape(move), opts)
	return err
}

// Chat returns what the players wrote to each other.
func (s PlayService) Chat(ctx context.Context, id string) ([]openapi.ChatMessage, error) {
	return get[[]openapi.ChatMessage](ctx, s.c, s.path(id, "chat"), nil)
}

// Say writes into one of the game's two rooms, 1 to 140 characters.
func (s PlayService) Say(ctx context.Context, id string, room openapi.ChatRoom, text string, opts ...ActionOption) error {
	form := func(cl *call) { cl.form = openapi.ChatForm{Room: room, Text: text} }
	_, err := s.act(ctx, id, "chat", append([]ActionOption{form}, opts...))
	return err
}

// Abort ends a game without a result while not every player has had a turn.
func (s PlayService) Abort(ctx context.Context, id string, opts ...ActionOption) error {
	_, err := s.act(ctx, id, "abort", opts)
	return err
}

// Resign gives the game up, or aborts it while that is possible.
func (s PlayService) Resign(ctx context.Context, id string, opts ...ActionOption) error {
	_, err := s.act(ctx, id, "resign", opts)
	return err
}

// Draw offers or accepts a draw, or declines one. The answer's note says when
// nothing happened, on servers that send one.
func (s PlayService) Draw(ctx context.Context, id string, yes bool, opts ...ActionOption) (openapi.Ok, error) {
	return s.act(ctx, id, "draw/"+yesNo(yes), opts)
}

// Takeback proposes or accepts a takeback, or declines one.
func (s PlayService) Takeback(ctx context.Context, id string, yes bool, opts ...ActionOption) (openapi.Ok, error) {
	return s.act(ctx, id, "takeback/"+yesNo(yes), opts)
}

// ClaimVictory claims a game whose opponent has left for long enough.
func (s PlayService) ClaimVictory(ctx context.Context, id string, opts ...ActionOption) error {
	_, err := s.act(ctx, id, "claim-victory", opts)
	return err
}

// ClaimDraw claims a draw from an opponent who has left for long enough, or by
// repetition.
func (s PlayService) ClaimDraw(ctx context.Context, id string, opts ...ActionOption) error {
	_, err := s.act(ctx, id, "claim-draw", opts)
	return err
}

// Claim declares something that the game's rules allow, by one of the names in
// the claims of the game's stream: "count start", say. Servers other than
// Hoplite do not know it.
func (s PlayService) Claim(ctx context.Context, id, claim string, opts ...ActionOption) error {
	_, err := s.act(ctx, id, "claim/"+url.PathEscape(strings.ReplaceAll(claim, " ", "-")), opts)
	return err
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
