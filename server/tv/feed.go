package tv

import (
	"context"
	"time"

	"hoplite/openapi"
	"hoplite/server/bus"
	"hoplite/server/lichess"
	"hoplite/server/live/game"
	"hoplite/server/stream"
	"hoplite/store"
)

// look is how often a feed looks whether another game is better.
const look = 3 * time.Second

// feed shows the best game of a channel to one reader, and goes on with the
// next one when that is over, or when another is better.
type feed struct {
	tv      *Service
	channel string
	game    string // that is shown, "" for none
	version uint64 // of it that was told
	sub     *bus.Subscription
}

func (f *feed) leave() {
	if f.sub != nil {
		f.sub.Close()
		f.sub = nil
	}
}

func (f *feed) run(ctx context.Context, w *stream.Writer) error {
	if err := f.change(ctx, w); err != nil {
		return err
	}
	looks, alive := time.NewTicker(look), time.NewTicker(stream.KeepAlive)
	defer looks.Stop()
	defer alive.Stop()
	for {
		var events <-chan any
		if f.sub != nil {
			events = f.sub.C
		}
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-alive.C:
			err = w.Blank()
		case <-looks.C:
			err = f.change(ctx, w)
		case ev, open := <-events:
			if !open {
				// Too slow for this game: it begins anew at the next look.
				f.leave()
				f.game = ""
				continue
			}
			err = f.show(w, ev)
		}
		if err != nil {
			return err
		}
	}
}

// change features the best game, unless it is featured already. Without any
// the last one stays.
func (f *feed) change(ctx context.Context, w *stream.Writer) error {
	games, err := f.tv.Games(ctx, f.channel)
	if err != nil || len(games) == 0 || games[0].ID == f.game {
		return err
	}
	snap, sub, err := f.tv.Live.Subscribe(ctx, games[0].ID)
	if err != nil {
		return err
	}
	f.leave()
	f.sub, f.game, f.version = sub, snap.ID, snap.Version
	return w.Send(f.featured(&games[0], snap))
}

func (f *feed) featured(g *store.Game, snap *game.Snapshot) openapi.TvFeatured {
	out := openapi.TvFeatured{T: "featured"}
	out.D.ID, out.D.Variant, out.D.Orientation = snap.ID, snap.Variant, lichess.Color(strongest(g.Players))
	out.D.Fen = f.fen(snap)
	shown := snap.ClocksAt(f.tv.Now())
	for i, p := range g.Players {
		seconds := int(shown[i].Left / time.Second)
		player := openapi.TvPlayer{Color: lichess.Color(i), Rating: p.Rating, AiLevel: p.AILevel, Seconds: &seconds}
		if p.AILevel == 0 {
			player.User = lightUser(p)
		}
		out.D.Players = append(out.D.Players, player)
	}
	return out
}

// fen is the position as everybody may see it.
func (f *feed) fen(snap *game.Snapshot) string {
	return f.tv.Vocabulary.FEN(snap.Variant, snap.For(game.Spectator).FEN)
}

// show writes the position that an event led to.
func (f *feed) show(w *stream.Writer, ev any) error {
	e, ok := ev.(game.Event)
	if !ok || e.Kind != game.EventState || e.Version <= f.version {
		return nil
	}
	f.version = e.Version
	if e.Row != game.RowMove && e.Row != game.RowTakeback {
		return nil
	}
	snap := e.Snapshot
	line := openapi.TvPosition{T: "fen"}
	line.D.Fen = f.fen(snap)
	if !snap.Hidden() {
		line.D.Lm = snap.LastMove
	}
	shown := snap.ClocksAt(f.tv.Now())
	white, black := int(shown[0].Left/time.Second), int(shown[1].Left/time.Second)
	line.D.Wc, line.D.Bc = &white, &black
	for i := range snap.Players {
		if len(snap.Players) > 2 {
			line.D.Clocks = append(line.D.Clocks, int(shown[i].Left/time.Second))
		}
	}
	return w.Send(line)
}
