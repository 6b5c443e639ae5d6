// Package export hands out games: as JSON and PGN, one or many, the caller's
// running ones, and as a stream for spectators.
package export

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/bus"
	"hoplite/server/lichess"
	"hoplite/server/live"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/stream"
	"hoplite/store"
)

// Store is what the exports read.
type Store interface {
	AccountByID(ctx context.Context, id string) (store.Account, error)
	GameByID(ctx context.Context, id string) (store.Game, error)
	GamesByID(ctx context.Context, ids []string) ([]store.Game, error)
	Games(ctx context.Context, f store.GameFilter) ([]store.Game, error)
	CurrentGame(ctx context.Context, accountID string) (store.Game, error)
	AnalysesOf(ctx context.Context, gameIDs []string) ([]store.Analysis, error)
	store.Archive
}

// Live is what the exports need of the games being played.
type Live interface {
	Subscribe(ctx context.Context, gameID string) (*game.Snapshot, *bus.Subscription, error)
	Ongoing(ctx context.Context, accountID string) ([]*game.Snapshot, error)
	ChatLog(ctx context.Context, gameID, room string) ([]game.ChatLine, error)
	Snapshot(ctx context.Context, gameID string) (*game.Snapshot, error)
}

// Deps is what the handlers need; all fields are required.
type Deps struct {
	Store    Store
	Live     Live
	Games    *lichess.Games
	Channels Channels
	Bus      *bus.Bus
	Streams  *stream.Hub
	URL      string // of the server as people see it, without a final slash
	Now      func() time.Time
}

// Handlers answer the operations that hand out games.
type Handlers struct{ d *Deps }

// NewHandlers returns the handlers.
func NewHandlers(d Deps) Handlers { return Handlers{d: &d} }

const (
	// delayPlies of a running game are withheld, so that nobody gets help on
	// the position on the board; freePlies are shown in any case.
	delayPlies = 3
	freePlies  = 5
)

// shownPlies is how much of a game an export shows.
func shownPlies(plies int, over bool) int {
	if over {
		return plies
	}
	return min(plies, max(plies-delayPlies, freePlies))
}

// options say what an export contains.
type options struct {
	moves, pgnInJSON, tags, clocks, lastFEN bool
	bookmarked                              bool // says which games the caller has bookmarked
	evals, accuracy                         bool // of games that the engine has looked at
}

// played is a game replayed as far as it is shown.
type played struct {
	*store.Game
	control clock.Control
	start   *rules.Position
	end     *rules.Position
	plies   []notation.Ply
	uci     []string
	movers  []uint8 // the side that made each ply
	hidden  bool    // the game goes on and does not show everything to everybody

	declared []game.Declared // as far as it is shown
	reviewed *reviewed       // nil if the engine has not looked at it, or nobody wants to know
}

// replay plays the shown part of a stored game.
func (h Handlers) replay(ctx context.Context, g *store.Game, o options) (*played, error) {
	r, ok := h.d.Games.Rules(g.Variant)
	if !ok {
		return nil, fmt.Errorf("game %s: unknown variant %s", g.ID, g.Variant)
	}
	hidden := r.Hides() && !g.Status.Over()
	start, err := live.StartOf(g, r)
	if hidden {
		// What nobody may know is in no record, not even in how it begins.
		start, err = r.Start(r.UsualStart())
	}
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", g.ID, err)
	}
	declared, err := game.ParseDeclared(g.Declared)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", g.ID, err)
	}
	line := game.NewLine(start)
	p := &played{Game: g, control: live.ControlOf(g), start: start}
	moves := strings.Fields(g.Moves)
	p.uci = moves[:shownPlies(len(moves), g.Status.Over())]
	if p.hidden = hidden; hidden {
		p.uci = nil
	}
	p.declared = declaredBefore(declared, len(p.uci), len(moves))
	err = line.Follow(p.uci, p.declared, func(i int, before *rules.Position, m rules.Move) {
		ply := notation.Ply{Move: m, SAN: notation.SAN(before, m)}
		if g.HasClock && i < len(g.ClockHistory) {
			ply.Clock, ply.HasClock = p.control.Read(g.ClockHistory[i]).Left, true
		}
		p.plies = append(p.plies, ply)
		p.movers = append(p.movers, uint8(before.Turn()))
	})
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", g.ID, err)
	}
	p.end = line.Position()
	return p, h.review(ctx, p, o)
}

// declaredBefore are the declarations that go with the first shown of so many
// plies. What was declared after the last of them is not older than what is
// withheld.
func declaredBefore(all []game.Declared, shown, plies int) []game.Declared {
	if shown == plies {
		return all
	}
	return game.DeclaredBefore(all, shown)
}

// json is a game as JSON, as far as it is shown, for the caller.
func (h Handlers) json(ctx context.Context, g *store.Game, o options, caller string) (openapi.Game, error) {
	p, err := h.replay(ctx, g, o)
	if err != nil {
		return openapi.Game{}, err
	}
	out := openapi.Game{
		ID: g.ID, Rated: g.Rated, Variant: g.Variant, Speed: openapi.Speed(g.Speed), Perf: g.Perf,
		CreatedAt: g.Created.UnixMilli(), LastMoveAt: lastMoveAt(g).UnixMilli(),
		Status: openapi.GameStatusName(g.Status.String()), Source: g.Source,
		Players:    openapi.ExportPlayers{White: exportPlayer(g.Players[0]), Black: exportPlayer(g.Players[1])},
		InitialFen: h.initialFEN(p), Reason: g.Reason, DaysPerTurn: g.Days,
	}
	if g.Winner >= 0 {
		out.Winner = lichess.Color(g.Winner)
	}
	if len(g.Players) > 2 {
		out.Seats = exportSeats(g)
	}
	for i, player := range g.Players {
		if caller != "" && player.AccountID == caller {
			out.FullID = lichess.FullID(g.ID, i)
		}
	}
	if g.Seed != "" {
		out.Commitment = game.Commitment(g.ID, g.Seed)
		if g.Status.Over() {
			out.Seed = g.Seed
		}
	}
	if g.HasClock {
		limit, inc := int(g.Limit/time.Second), int(g.Increment/time.Second)
		out.Clock = openapi.ExportClock{
			Initial: limit, Increment: inc, TotalTime: int(p.control.Estimate() / time.Second),
			Delay: int(g.Delay / time.Second), Byoyomi: int(g.Byoyomi / time.Second), Periods: g.Periods,
		}
	}
	if o.moves {
		moves := sanLine(p)
		out.Moves = &moves
	}
	if o.clocks {
		for _, ply := range p.plies {
			if ply.HasClock {
				out.Clocks = append(out.Clocks, int(ply.Clock/(10*time.Millisecond)))
			}
		}
	}
	if r := p.reviewed; r != nil {
		out.Players.White.Analysis, out.Players.Black.Analysis = r.player(0, o.accuracy), r.player(1, o.accuracy)
		if o.evals {
			out.Analysis = r.moves()
		}
	}
	if o.pgnInJSON {
		out.Pgn = h.pgn(p, o)
	}
	if o.lastFEN && !p.hidden {
		out.LastFen = h.d.Games.FEN(g.Variant, notation.FEN(p.end))
		if n := len(p.uci); n > 0 {
			out.LastMove = p.uci[n-1]
		}
	}
	return out, nil
}

// initialFEN is the start position where it is not the game's only one.
func (h Handlers) initialFEN(p *played) string {
	if p.hidden || p.InitialFEN == "" && p.Seed == "" && !h.d.Games.KingRook(p.Variant) {
		return ""
	}
	return notation.XFEN(p.start)
}

// lastMoveAt is when the game last changed: when it began, before a move.
func lastMoveAt(g *store.Game) time.Time {
	if g.LastMove.IsZero() {
		return g.Created
	}
	return g.LastMove
}

func sanLine(p *played) string {
	var b strings.Builder
	for i, ply := range p.plies {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ply.SAN)
	}
	return b.String()
}

// exportSeats lists the players of a game of more than two with what came of
// it for each of them.
func exportSeats(g *store.Game) []openapi.ExportSeat {
	seats := make([]openapi.ExportSeat, len(g.Players))
	for i, p := range g.Players {
		seats[i].Player = exportPlayer(p)
		if i < len(g.Points) {
			points := float32(g.Points[i])
			seats[i].Points = &points
		}
		if i < len(g.Places) {
			seats[i].Place = g.Places[i]
		}
	}
	return seats
}

func exportPlayer(p store.GamePlayer) openapi.ExportPlayer {
	switch {
	case p.AILevel > 0:
		return openapi.ExportPlayer{AiLevel: p.AILevel}
	case p.AccountID == "":
		return openapi.ExportPlayer{Name: p.Name, Rating: p.Rating}
	}
	return openapi.ExportPlayer{
		User:   openapi.LightUser{ID: p.AccountID, Name: p.Name, Title: openapi.Title(p.Title)},
		Rating: p.Rating, RatingDiff: p.RatingDiff, Provisional: p.Provisional,
	}
}

// wantsJSON says whether the request asks for JSON; everything else, a plain
// */* too, gets PGN.
func wantsJSON(ctx context.Context) bool {
	accept := api.ClientOf(ctx).Accept
	return strings.Contains(accept, "application/json") || strings.Contains(accept, stream.ContentType)
}
