package client

import (
	"context"
	"iter"
	"net/http"

	"hoplite/openapi"
)

// RelationsService is about whom the caller follows and blocks.
type RelationsService struct{ service }

// Following yields the profiles of those whom the caller follows.
func (s *RelationsService) Following(ctx context.Context) iter.Seq2[openapi.User, error] {
	return stream[openapi.User](ctx, s.c, call{method: http.MethodGet, path: "/api/rel/following"})
}

// Blocking yields the profiles of those whom the caller blocks. Hoplite only.
func (s *RelationsService) Blocking(ctx context.Context) iter.Seq2[openapi.User, error] {
	return stream[openapi.User](ctx, s.c, call{method: http.MethodGet, path: "/api/rel/blocking"})
}

// Follow follows an account.
func (s *RelationsService) Follow(ctx context.Context, name string) error {
	return s.post(ctx, "/api/rel/follow/%s", name)
}

// Unfollow ends that.
func (s *RelationsService) Unfollow(ctx context.Context, name string) error {
	return s.post(ctx, "/api/rel/unfollow/%s", name)
}

// Block blocks an account: it is not paired with the caller, and can neither
// challenge nor follow it.
func (s *RelationsService) Block(ctx context.Context, name string) error {
	return s.post(ctx, "/api/rel/block/%s", name)
}

// Unblock ends that.
func (s *RelationsService) Unblock(ctx context.Context, name string) error {
	return s.post(ctx, "/api/rel/unblock/%s", name)
}

func (s *RelationsService) post(ctx context.Context, path, name string) error {
	return s.c.do(ctx, call{method: http.MethodPost, path: pathf(path, name)}, nil)
}

// Notes returns what the caller wrote down about an account, newest first.
func (s *UsersService) Notes(ctx context.Context, name string) ([]openapi.Note, error) {
	return get[[]openapi.Note](ctx, s.c, pathf("/api/user/%s/note", name), nil)
}

// AddNote writes something down about an account, for the caller alone.
func (s *UsersService) AddNote(ctx context.Context, name, text string) error {
	form := openapi.NoteForm{Text: text}
	return s.c.do(ctx, call{method: http.MethodPost, path: pathf("/api/user/%s/note", name), json: form, once: true}, nil)
}
