package client

import (
	"context"
	"net/http"
	"strings"

	"hoplite/openapi"
)

// UsersService is about public profiles.
type UsersService struct{ service }

// Get returns one profile; params may be the zero value.
func (s *UsersService) Get(ctx context.Context, name string, params openapi.APIUserParams) (openapi.User, error) {
	return get[openapi.User](ctx, s.c, pathf("/api/user/%s", name), params)
}

// List returns the profiles of up to 300 accounts in the order of the names.
// Names that nobody has are skipped.
func (s *UsersService) List(ctx context.Context, names []string, params openapi.APIUsersParams) ([]openapi.User, error) {
	query, err := formValues(params)
	if err != nil {
		return nil, err
	}
	var out []openapi.User
	err = s.c.do(ctx, call{
		method: http.MethodPost, path: "/api/users", query: query, text: strings.Join(names, ","),
	}, &out)
	return out, err
}

// Status tells who is online and playing, for up to 100 accounts given in
// params.Ids, joined by commas.
func (s *UsersService) Status(ctx context.Context, params openapi.APIUsersStatusParams) ([]openapi.UserStatus, error) {
	return get[[]openapi.UserStatus](ctx, s.c, "/api/users/status", params)
}
