package export

import (
	"context"
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live"
	"hoplite/server/live/game"
	"hoplite/server/stream"
)

// Streams of what begins and finishes: the games of listed users against each
// other, and listed games.

const (
	// maxFollowed is how many users one stream may name, and maxFollowedIDs how
	// many games: twice as many for callers with an account.
	maxFollowed    = 300
	maxFollowedIDs = 500
	// followBuffer is how many games may begin or finish before a slow reader
	// loses its stream.
	followBuffer = 1024
)

// GamesByUsers streams the games between listed users.
func (h Handlers) GamesByUsers(ctx context.Context, r api.GamesByUsersRequestObject) (api.GamesByUsersResponseObject, error) {
	users := map[string]bool{}
	if r.Body != nil {
		for _, name := range splitList(*r.Body) {
			users[strings.ToLower(name)] = true
		}
	}
	if len(users) > maxFollowed {
		return nil, fault.Invalid("At most %d users", maxFollowed)
	}
	between := func(s *game.Snapshot) bool {
		for _, p := range s.Players {
			if p.AccountID == "" || !users[p.AccountID] {
				return false
			}
		}
		return true
	}
	f := h.follow(ctx, between)
	if r.Params.WithCurrentGames.Or(false) {
		known := map[string]bool{}
		for id := range users {
			ongoing, err := h.d.Live.Ongoing(ctx, id)
			if err != nil {
				return nil, err
			}
			for _, s := range ongoing {
				if between(s) && !known[s.ID] {
					known[s.ID] = true
					f.first = append(f.first, s)
				}
			}
		}
	}
	return f.response(ctx), nil
}

// GamesByIds streams what becomes of listed games.
func (h Handlers) GamesByIds(ctx context.Context, r api.GamesByIdsRequestObject) (api.GamesByIdsResponseObject, error) {
	most := maxFollowedIDs
	if !api.Caller(ctx).Anonymous {
		most *= 2
	}
	ids := map[string]bool{}
	add := func(list []string) error {
		for _, id := range list {
			ids[lichess.GameID(id)] = true
		}
		if len(ids) > most {
			return fault.Invalid("At most %d games", most)
		}
		return nil
	}
	var list []string
	if r.Body != nil {
		list = splitList(*r.Body)
	}
	if err := add(list); err != nil {
		return nil, err
	}
	f := h.follow(ctx, func(s *game.Snapshot) bool { return ids[s.ID] })
	var err error
	if f.first, err = h.snapshots(ctx, list); err != nil {
		return nil, err
	}
	more := h.d.Bus.Subscribe(addTopic(r.StreamID), 64)
	context.AfterFunc(ctx, more.Close)
	f.more = more.C
	f.added = func(ctx context.Context, list []string) ([]*game.Snapshot, error) {
		if err := add(list); err != nil {
			return nil, nil // full; whoever added them was told by the bound in the description
		}
		return h.snapshots(ctx, list)
	}
	return f.response(ctx), nil
}

// addTopic carries the [AddedGames] of the streams of a name.
func addTopic(streamID string) string { return "follow/" + streamID }

// AddedGames are games that somebody adds to a stream.
type AddedGames struct{ IDs []string }

// GamesByIdsAdd adds games to the open streams of a name.
func (h Handlers) GamesByIdsAdd(_ context.Context, r api.GamesByIdsAddRequestObject) (api.GamesByIdsAddResponseObject, error) {
	var list []string
	if r.Body != nil {
		list = splitList(*r.Body)
	}
	if len(list) > 2*maxFollowedIDs {
		return nil, fault.Invalid("At most %d games", 2*maxFollowedIDs)
	}
	h.d.Bus.Publish(addTopic(r.StreamID), AddedGames{list})
	return api.GamesByIdsAdd200JSONResponse{DoneJSONResponse: api.DoneJSONResponse{Ok: true}}, nil
}

// snapshots returns the games of the ids that exist.
func (h Handlers) snapshots(ctx context.Context, ids []string) ([]*game.Snapshot, error) {
	var list []*game.Snapshot
	for _, id := range ids {
		snap, err := h.d.Live.Snapshot(ctx, lichess.GameID(id))
		if fault.KindOf(err) == fault.KindNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, snap)
	}
	return list, nil
}

// followed is one stream of games that begin and finish.
type followed struct {
	h     Handlers
	wants func(*game.Snapshot) bool
	sub   *bus.Subscription
	first []*game.Snapshot
	more  <-chan any // nil where nothing can be added
	added func(ctx context.Context, ids []string) ([]*game.Snapshot, error)
	said  map[string]bool // of the latest games whether they were over
}

// follow listens from now on: what happens while the beginning is put together
// comes after it.
func (h Handlers) follow(ctx context.Context, wants func(*game.Snapshot) bool) *followed {
	sub := h.d.Bus.Subscribe(live.GamesTopic, followBuffer)
	context.AfterFunc(ctx, sub.Close)
	return &followed{h: h, wants: wants, sub: sub}
}

func (f *followed) response(ctx context.Context) stream.Response {
	return stream.New(ctx, f.h.d.Streams, stream.OwnerOf(api.Caller(ctx)), "", f.run)
}

func (f *followed) run(ctx context.Context, w *stream.Writer) error {
	for _, snap := range f.first {
		f.news(snap)
	}
	if err := send(w, f.first); err != nil {
		return err
	}
	alive := time.NewTicker(stream.KeepAlive)
	defer alive.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-alive.C:
			err = w.Blank()
		case ev, open := <-f.more:
			added, ok := ev.(AddedGames)
			switch {
			case !open:
				return nil
			case ok:
				var list []*game.Snapshot
				if list, err = f.added(ctx, added.IDs); err == nil {
					err = send(w, list)
				}
			}
		case ev, open := <-f.sub.C:
			if !open {
				return nil
			}
			var snap *game.Snapshot
			switch ev := ev.(type) {
			case live.GameStart:
				snap = ev.Snapshot
			case live.GameFinish:
				snap = ev.Snapshot
			}
			if snap != nil && f.wants(snap) && f.news(snap) {
				err = w.Send(followedGame(snap))
			}
		}
		if err != nil {
			return err
		}
	}
}

// news notes how a game stands and reports whether the reader does not know
// that: what happened lately is told again when a node has died.
func (f *followed) news(s *game.Snapshot) bool {
	if over, known := f.said[s.ID]; known && (over || !s.Over()) {
		return false
	}
	if f.said == nil || len(f.said) >= 4*followBuffer {
		f.said = make(map[string]bool) // nothing that is told again is that old
	}
	f.said[s.ID] = s.Over()
	return true
}

func send(w *stream.Writer, games []*game.Snapshot) error {
	for _, s := range games {
		if err := w.Send(followedGame(s)); err != nil {
			return err
		}
	}
	return nil
}

// followedGame says of a game only what was so before its first move, and how
// it ended.
func followedGame(s *game.Snapshot) openapi.FollowedGame {
	status := lichess.Status(s.Status)
	out := openapi.FollowedGame{
		ID: s.ID, Rated: s.Rated, Variant: s.Variant, Speed: openapi.Speed(s.Speed), Perf: s.Perf,
		CreatedAt: s.Created.UnixMilli(), Status: status.ID, StatusName: status.Name, DaysPerTurn: s.Control.Days,
	}
	if s.Control.HasClock() {
		out.Clock = openapi.ExportClock{
			Initial: int(s.Control.Limit / time.Second), Increment: int(s.Control.Increment / time.Second),
			TotalTime: int(s.Control.Estimate() / time.Second), Delay: int(s.Control.Delay / time.Second),
			Byoyomi: int(s.Control.Period / time.Second), Periods: s.Control.Periods,
		}
	}
	player := func(p game.Player) openapi.FollowedPlayer {
		if p.AILevel > 0 {
			return openapi.FollowedPlayer{AiLevel: p.AILevel}
		}
		return openapi.FollowedPlayer{UserID: p.AccountID, Rating: p.Rating, Provisional: p.Provisional}
	}
	out.Players.White, out.Players.Black = player(s.Players[0]), player(s.Players[1])
	if s.Winner >= 0 {
		out.Winner = lichess.Color(s.Winner)
	}
	return out
}
