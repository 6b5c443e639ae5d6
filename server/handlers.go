package server

import (
	"context"

	"hoplite/openapi"
	"hoplite/server/account"
	"hoplite/server/api"
	"hoplite/server/archive"
	"hoplite/server/auth"
	"hoplite/server/catalogue"
	"hoplite/server/challenge"
	"hoplite/server/export"
	"hoplite/server/lobby"
	"hoplite/server/play"
	"hoplite/server/puzzle"
	"hoplite/server/relation"
	"hoplite/server/standing"
	"hoplite/server/tv"
)

// Names under which the capabilities' handlers can stand beside each other in one struct.
type (
	accountHandlers   = account.Handlers
	archiveHandlers   = archive.Handlers
	authHandlers      = auth.Handlers
	catalogueHandlers = catalogue.Handlers
	challengeHandlers = challenge.Handlers
	exportHandlers    = export.Handlers
	lobbyHandlers     = lobby.Handlers
	playHandlers      = play.Handlers
	puzzleHandlers    = puzzle.Handlers
	relationHandlers  = relation.Handlers
	tvHandlers        = tv.Handlers
	standingHandlers  = standing.Handlers
)

// handlers answers every operation of the spec: each capability its own.
type handlers struct {
	accountHandlers
	archiveHandlers
	authHandlers
	catalogueHandlers
	challengeHandlers
	exportHandlers
	lobbyHandlers
	playHandlers
	puzzleHandlers
	relationHandlers
	tvHandlers
	standingHandlers
	selfHandlers
}

var _ api.StrictServerInterface = handlers{}

// selfHandlers answers what is about the server itself.
type selfHandlers struct{ version string }

// Healthz says that the server is up. It asks nobody else: a server whose database is lost still answers.
func (h selfHandlers) Healthz(context.Context, api.HealthzRequestObject) (api.HealthzResponseObject, error) {
	return api.Healthz200JSONResponse{Status: openapi.HealthStatusOk, Version: h.version}, nil
}
