package play

import (
	"context"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/bus"
	"hoplite/server/lichess"
	"hoplite/server/live"
	"hoplite/server/live/game"
	"hoplite/server/stream"
)

// eventBuffer is how many events may wait for a reader that is slower than
// they come. A reader that is slower still loses its stream and begins anew.
const eventBuffer = 256

// APIStreamEvent tells the caller what happens to them.
func (h Handlers) APIStreamEvent(ctx context.Context, _ api.APIStreamEventRequestObject) (api.APIStreamEventResponseObject, error) {
	id := api.Caller(ctx)
	// Listen first: what happens while the beginning is put together comes
	// after it.
	sub := h.d.Bus.Subscribe(live.UserTopic(id.AccountID), eventBuffer)
	context.AfterFunc(ctx, sub.Close)
	ongoing, err := h.d.Live.Ongoing(ctx, id.AccountID)
	if err != nil {
		return nil, err
	}
	pending, err := h.d.Challenges.Pending(ctx, id.AccountID)
	if err != nil {
		return nil, err
	}
	slot := stream.Place("event", id)
	return stream.New(ctx, h.d.Streams, stream.OwnerOf(id), slot, func(ctx context.Context, w *stream.Writer) error {
		defer h.d.Presence.Enter(id.AccountID)()
		e := events{account: id.AccountID, games: h.d.Games, now: h.d.Now}
		for _, s := range ongoing {
			if err := e.send(w, live.GameStart{Snapshot: s}); err != nil {
				return err
			}
		}
		for _, c := range pending {
			if err := e.send(w, c); err != nil {
				return err
			}
		}
		return stream.Pump(ctx, w, sub.C, func(ev any) (bool, error) { return false, e.send(w, ev) })
	}), nil
}

// events writes the lines of one event stream. Challenges and games have the
// same ids, so each has its own account of what was told.
type events struct {
	account          string
	games            *lichess.Games
	now              func() time.Time
	playing, waiting lichess.Told
}

func (e *events) send(w *stream.Writer, ev any) error {
	switch ev := ev.(type) {
	case live.GameStart:
		if !e.playing.Starts(ev.Snapshot) {
			return nil
		}
		return w.Send(openapi.GameStartEvent{Type: "gameStart", Game: e.info(ev.Snapshot)})
	case live.GameFinish:
		if !e.playing.Ends(ev.Snapshot.ID) {
			return nil
		}
		return w.Send(openapi.GameFinishEvent{Type: "gameFinish", Game: e.info(ev.Snapshot)})
	case openapi.ChallengeEvent:
		if !e.waiting.Begins(ev.Challenge.ID) {
			return nil
		}
	case openapi.ChallengeCanceledEvent:
		e.waiting.Ends(ev.Challenge.ID)
	case openapi.ChallengeDeclinedEvent:
		e.waiting.Ends(ev.Challenge.ID)
	}
	return w.Send(ev)
}

func (e *events) info(s *game.Snapshot) openapi.GameInfo {
	e.waiting.Ends(s.ID) // the challenge has become a game
	player := s.PlayerOf(e.account)
	return e.games.GameInfo(s.For(player), player, e.now())
}

// gameStream streams a game to one of its players.
func (h Handlers) gameStream(ctx context.Context, d door, gameID string) (stream.Response, error) {
	id := api.Caller(ctx)
	gameID = lichess.GameID(gameID)
	snap, sub, err := h.d.Live.Subscribe(ctx, gameID)
	if err != nil {
		return stream.Response{}, err
	}
	context.AfterFunc(ctx, sub.Close)
	player, err := d.enter(id, snap)
	if err != nil {
		return stream.Response{}, err
	}
	// Another program with the same credential, or the same on another device, has a stream of its own.
	slot := stream.Place(live.GameTopic(gameID)+"/"+api.ClientOf(ctx).UserAgent, id)
	return stream.New(ctx, h.d.Streams, stream.OwnerOf(id), slot, func(ctx context.Context, w *stream.Writer) error {
		defer h.d.Live.Attend(gameID, player)()
		g := gameLines{door: d, player: player, now: h.d.Now, version: snap.Version}
		if err := w.Send(h.d.Games.GameFull(snap.For(player), h.d.Now())); err != nil || snap.Over() {
			return err
		}
		// Who was told by an earlier stream that the opponent is gone is told of the return too.
		if gone := snap.Gone[(player+1)%len(snap.Players)]; (gone.Gone || gone.Returned) && len(snap.Players) == 2 {
			if err := w.Send(lichess.OpponentGone(gone.Gone, gone.ClaimAt, h.d.Now())); err != nil {
				return err
			}
		}
		return g.pump(ctx, w, sub)
	}), nil
}

// gameLines writes what follows the first line of a game's stream.
type gameLines struct {
	door    door
	player  int
	now     func() time.Time
	version uint64 // of the last row that was told
}

func (g *gameLines) pump(ctx context.Context, w *stream.Writer, sub *bus.Subscription) error {
	return stream.Pump(ctx, w, sub.C, func(ev any) (bool, error) {
		switch ev := ev.(type) {
		case game.Event:
			return g.send(w, ev)
		case Notice:
			return false, w.Send(openapi.ChatLine{
				Type: "chatLine", Room: openapi.ChatRoom(game.RoomPlayer), Username: systemName, Text: string(ev),
			})
		}
		return false, nil
	})
}

// Notice is said to the players on the streams of their games when it is
// delivered on the topic of a game. Lichess's streams have no line for what a
// server has to say, and typed clients end at a line that they do not know; so
// it comes as a line of chat, as Lichess's own messages in a game do. It is in no
// log.
type Notice string

// systemName writes the server's own lines, as on Lichess. Nobody can have it.
const systemName = "lichess"

// send writes one event and says whether it was the last.
func (g *gameLines) send(w *stream.Writer, e game.Event) (last bool, err error) {
	switch {
	case e.Kind == game.EventGone && e.Gone != nil:
		if e.Gone.Player == g.player {
			return false, nil
		}
		return false, w.Send(lichess.OpponentGone(e.Gone.Gone, e.Gone.ClaimAt, g.now()))
	case e.Version <= g.version:
		return false, nil // in the first line already
	case e.Kind == game.EventChat && e.Chat != nil:
		g.version = e.Version
		if e.Chat.Room == game.RoomSpectator && g.door != botDoor || !e.Snapshot.Hears(g.player, e.Chat) {
			return false, nil
		}
		return false, w.Send(lichess.ChatLine(e.Chat))
	case e.Kind == game.EventState && e.Partial:
		// Whoever reads this line would see a turn that is over as one's own.
		g.version = e.Version
		return false, nil
	case e.Kind == game.EventState:
		g.version = e.Version
		return e.Snapshot.Over(), w.Send(lichess.GameState(e.Snapshot.For(g.player), g.now()))
	}
	return false, nil
}
