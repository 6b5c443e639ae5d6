// Package report takes complaints of players about players.
package report

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/game"
	"hoplite/store"
)

// Records is what the service reads and writes.
type Records interface {
	AccountByID(ctx context.Context, id string) (store.Account, error)
	store.Reports
}

// Games knows what was written in the chat of games.
type Games interface {
	Snapshot(ctx context.Context, gameID string) (*game.Snapshot, error)
	ChatLog(ctx context.Context, gameID, room string) ([]game.ChatLine, error)
}

// Handlers answer the operation.
type Handlers struct {
	store Records
	games Games
	now   func() time.Time
}

// NewHandlers returns the handlers.
func NewHandlers(s Records, games Games, now func() time.Time) Handlers {
	return Handlers{store: s, games: games, now: now}
}

const maxText = 2000 // characters

// ReportCreate files a report.
func (h Handlers) ReportCreate(ctx context.Context, r api.ReportCreateRequestObject) (api.ReportCreateResponseObject, error) {
	var form openapi.ReportForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	caller := api.Caller(ctx)
	accused, err := h.store.AccountByID(ctx, strings.ToLower(form.Username))
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && accused.Hidden:
		return nil, fault.NotFound("No such user: %s", form.Username)
	case err != nil:
		return nil, err
	case accused.ID == caller.AccountID:
		return nil, fault.Field("username", "is your own")
	case utf8.RuneCountInString(form.Text) > maxText:
		return nil, fault.Field("text", "is too long")
	}
	gameID := ""
	if form.GameID != "" {
		gameID = lichess.GameID(form.GameID)
		if err := h.checkGame(ctx, gameID, accused, caller.AccountID, form.Line); err != nil {
			return nil, err
		}
	} else if form.Line != "" {
		return nil, fault.Field("gameId", "must say in which game the line was written")
	}
	now := h.now()
	filed := store.Report{
		ID: audit.NewID(now), Created: now, ReporterID: caller.AccountID, AccusedID: accused.ID,
		Reason: string(form.Reason), Text: strings.TrimSpace(form.Text), GameID: gameID, Line: form.Line,
	}
	if err := h.store.CreateReport(ctx, filed); err != nil {
		return nil, err
	}
	return api.ReportCreate201JSONResponse{ID: filed.ID}, nil
}

// checkGame makes sure that what is reported happened where the reporter could see it: nobody can put words into
// somebody's mouth.
func (h Handlers) checkGame(ctx context.Context, gameID string, accused store.Account, reporter, line string) error {
	snap, err := h.games.Snapshot(ctx, gameID)
	if fault.KindOf(err) == fault.KindNotFound {
		return fault.Field("gameId", "is no game")
	}
	if err != nil || line == "" {
		return err
	}
	rooms := []string{game.RoomSpectator}
	if snap.PlayerOf(reporter) >= 0 {
		rooms = append(rooms, game.RoomPlayer)
	}
	for _, room := range rooms {
		lines, err := h.games.ChatLog(ctx, gameID, room)
		if err != nil {
			return err
		}
		for _, l := range lines {
			if l.Text == line && strings.EqualFold(l.Username, accused.Name) {
				return nil
			}
		}
	}
	return fault.Field("line", "was not written by "+accused.Name+" there")
}
