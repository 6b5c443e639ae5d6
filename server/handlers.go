package server

import (
	"hoplite/server/account"
	"hoplite/server/admin"
	"hoplite/server/analysis"
	"hoplite/server/api"
	"hoplite/server/archive"
	"hoplite/server/auth"
	"hoplite/server/catalogue"
	"hoplite/server/challenge"
	"hoplite/server/export"
	"hoplite/server/external"
	"hoplite/server/leave"
	"hoplite/server/lobby"
	"hoplite/server/play"
	"hoplite/server/puzzle"
	"hoplite/server/relation"
	"hoplite/server/report"
	"hoplite/server/standing"
	"hoplite/server/tv"
)

// Names under which the capabilities' handlers can stand beside each other in one struct.
type (
	accountHandlers   = account.Handlers
	adminHandlers     = admin.Handlers
	analysisHandlers  = analysis.Handlers
	archiveHandlers   = archive.Handlers
	authHandlers      = auth.Handlers
	catalogueHandlers = catalogue.Handlers
	challengeHandlers = challenge.Handlers
	exportHandlers    = export.Handlers
	externalHandlers  = external.Handlers
	leaveHandlers     = leave.Handlers
	lobbyHandlers     = lobby.Handlers
	playHandlers      = play.Handlers
	puzzleHandlers    = puzzle.Handlers
	relationHandlers  = relation.Handlers
	reportHandlers    = report.Handlers
	tvHandlers        = tv.Handlers
	standingHandlers  = standing.Handlers
)

// handlers answers every operation of the spec: each capability its own.
type handlers struct {
	accountHandlers
	adminHandlers
	analysisHandlers
	archiveHandlers
	authHandlers
	catalogueHandlers
	challengeHandlers
	exportHandlers
	externalHandlers
	leaveHandlers
	lobbyHandlers
	playHandlers
	puzzleHandlers
	relationHandlers
	reportHandlers
	tvHandlers
	standingHandlers
	selfHandlers
}

var _ api.StrictServerInterface = handlers{}
