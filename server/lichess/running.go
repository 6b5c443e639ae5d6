package lichess

import (
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"

	"github.com/oapi-codegen/nullable"
)

// GameInfo is a game as one of its players sees it, at the time now: the
// payload of gameStart and gameFinish and an entry of the list of games being
// played.
func (g *Games) GameInfo(s *game.Snapshot, player int, now time.Time) openapi.GameInfo {
	other := opponentOf(s, player)
	me, opponent := s.Players[player], s.Players[other]
	variant := g.VariantName(s.Variant)
	info := openapi.GameInfo{
		ID:         s.ID,
		GameID:     s.ID,
		FullID:     FullID(s.ID, player),
		Fen:        g.FEN(s.Variant, s.FEN),
		Color:      Color(player),
		LastMove:   displayMove(s.LastMove),
		Source:     s.Source,
		Status:     Status(s.Status),
		Variant:    openapi.GameVariantName{Key: variant.Key, Name: variant.Name},
		Speed:      openapi.Speed(s.Speed),
		Perf:       s.Perf,
		Rated:      s.Rated,
		HasMoved:   s.HasMoved(player),
		Opponent:   openapi.GameOpponent{Username: opponent.Name, Rating: opponent.Rating, RatingDiff: s.RatingDiff[other]},
		IsMyTurn:   !s.Over() && s.Turn == player,
		Winner:     winner(s.Winner),
		Reason:     s.Reason,
		Rating:     me.Rating,
		RatingDiff: s.RatingDiff[player],
		Compat:     Compat(me.IsBot(), s.Control, s.Source),
	}
	if len(s.Players) > 2 {
		info.Seat = &player
	}
	switch {
	case opponent.AILevel > 0:
		info.Opponent = openapi.GameOpponent{Username: EngineName(opponent.AILevel), Ai: opponent.AILevel}
		info.Opponent.ID = nullable.NewNullNullable[string]()
	case opponent.AccountID == "":
		info.Opponent.Username = "Anonymous"
		info.Opponent.ID = nullable.NewNullNullable[string]()
	default:
		info.Opponent.ID = nullable.NewNullableWithValue(opponent.AccountID)
		if opponent.Title != "" {
			info.Opponent.Username = opponent.Title + " " + opponent.Name
		}
	}
	if s.Control.Kind != clock.Unlimited {
		shown := s.ClocksAt(now)[player]
		left := int(shown.Left / time.Second)
		info.SecondsLeft = &left
		if s.Control.Kind == clock.Byoyomi {
			info.Periods = &shown.Periods
		}
	}
	return info
}

// GameFull is the first line of a game's stream.
func (g *Games) GameFull(s *game.Snapshot, now time.Time) openapi.GameFull {
	full := openapi.GameFull{
		Type:       "gameFull",
		ID:         s.ID,
		Variant:    g.VariantName(s.Variant),
		Speed:      openapi.Speed(s.Speed),
		Perf:       openapi.PerfName{Name: g.PerfName(s.Perf).Name},
		Rated:      s.Rated,
		CreatedAt:  s.Created.UnixMilli(),
		White:      streamPlayer(s.Players[0]),
		Black:      streamPlayer(s.Players[1]),
		InitialFen: g.InitialFEN(s),
		State:      GameState(s, now),
		Commitment: s.Commitment,
	}
	if len(s.Players) > 2 {
		for _, p := range s.Players {
			full.Seats = append(full.Seats, streamPlayer(p))
		}
	}
	switch {
	case s.Control.HasClock():
		full.Clock = openapi.StreamClock{
			Initial:   s.Control.Initial().Milliseconds(),
			Increment: s.Control.Increment.Milliseconds(),
			Delay:     s.Control.Delay.Milliseconds(),
			Byoyomi:   s.Control.Period.Milliseconds(),
			Periods:   s.Control.Periods,
		}
	case s.Control.Kind == clock.Correspondence:
		full.DaysPerTurn = s.Control.Days
	}
	return full
}

// startpos stands for the start position of a game that has only one.
const startpos = "startpos"

// InitialFEN is the start position as game streams give it: "startpos", or a
// FEN where the game could have begun elsewhere, even if it began as usual.
func (g *Games) InitialFEN(s *game.Snapshot) string {
	if s.InitialFEN == "" && !g.KingRook(s.Variant) {
		return startpos
	}
	return g.FEN(s.Variant, s.StartFEN)
}

func streamPlayer(p game.Player) openapi.StreamPlayer {
	if p.AILevel > 0 {
		return openapi.StreamPlayer{AiLevel: p.AILevel}
	}
	sp := openapi.StreamPlayer{ID: p.AccountID, Name: p.Name, Rating: p.Rating, Provisional: p.Provisional}
	sp.Title = nullable.NewNullNullable[string]()
	if p.Title != "" {
		sp.Title.Set(p.Title)
	}
	return sp
}

// GameState is the state of a game at the time now as its stream gives it.
func GameState(s *game.Snapshot, now time.Time) openapi.GameState {
	left := s.ClocksAt(now)
	inc := s.Control.Increment.Milliseconds()
	state := openapi.GameState{
		Type:      "gameState",
		Moves:     strings.Join(s.Moves, " "),
		Wtime:     left[0].Left.Milliseconds(),
		Btime:     left[1].Left.Milliseconds(),
		Winc:      inc,
		Binc:      inc,
		Status:    openapi.GameStatusName(s.Status),
		Winner:    winner(s.Winner),
		Reason:    s.Reason,
		Wdraw:     s.DrawOffer[0],
		Bdraw:     s.DrawOffer[1],
		Wtakeback: s.Takeback[0],
		Btakeback: s.Takeback[1],
		Rematch:   s.Rematch,
		Version:   int64(s.Version),
		Claims:    s.Claims,
	}
	if len(s.Players) > 2 {
		state.Seats = seatStates(s, left)
	}
	if s.Viewed {
		state.View = openapi.GameView{Fen: s.FEN, Turn: s.Turn, Moves: s.Legal}
	}
	if s.Over() {
		state.Seed = s.Seed
	}
	if s.Control.Kind == clock.Byoyomi {
		state.Wperiods, state.Bperiods = &left[0].Periods, &left[1].Periods
	}
	return state
}

// seatStates is how the players of a game of more than two stand.
func seatStates(s *game.Snapshot, left game.PerPlayer[clock.Reading]) []openapi.SeatState {
	list := make([]openapi.SeatState, len(s.Players))
	for i := range list {
		list[i] = openapi.SeatState{
			Time: left[i].Left.Milliseconds(), Out: s.Out[i], Draw: s.DrawOffer[i], Takeback: s.Takeback[i],
		}
		if s.Control.Kind == clock.Byoyomi {
			list[i].Periods = &left[i].Periods
		}
		if s.Points != nil {
			list[i].Points = float32(s.Points[i])
		}
		if s.Places != nil {
			list[i].Place = s.Places[i]
		}
	}
	return list
}

// ChatLine is a line of a game's chat as its stream gives it.
func ChatLine(l *game.ChatLine) openapi.ChatLine {
	return openapi.ChatLine{
		Type:     "chatLine",
		Room:     openapi.ChatRoom(l.Room),
		Username: l.Username,
		Text:     l.Text,
	}
}

// OpponentGone says at the time now that the opponent left or came back.
func OpponentGone(gone bool, claimAt, now time.Time) openapi.OpponentGone {
	line := openapi.OpponentGone{Type: "opponentGone", Gone: gone}
	if gone && !claimAt.IsZero() {
		seconds := int(max(0, claimAt.Sub(now)+time.Second-1) / time.Second)
		line.ClaimWinInSeconds = &seconds
	}
	return line
}

// ChatMessages lists the lines of a room; an empty list is no null.
func ChatMessages(lines []game.ChatLine) []openapi.ChatMessage {
	messages := make([]openapi.ChatMessage, 0, len(lines))
	for _, l := range lines {
		messages = append(messages, openapi.ChatMessage{Text: l.Text, User: l.Username})
	}
	return messages
}
