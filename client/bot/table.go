package bot

import (
	"context"
	"iter"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"hoplite/client"
	"hoplite/openapi"
)

const (
	// unstartedThink bounds a search while no clock runs yet: the opponent waits.
	unstartedThink = 5 * time.Second
	// noClock is what the API sends as remaining time of an unlimited game.
	noClock = 2147483647
	// offerEvery is how many plies must lie between two draw offers of ours.
	offerEvery = 20
	// maxRefusals is how often the server may refuse the engine's move in one
	// position before the bot gives the game up.
	maxRefusals = 2
)

// table is one game that is being played. Its fields belong to the goroutine
// that runs it; only thinking happens elsewhere, one thought at a time.
type table struct {
	bot *Bot
	id  string
	log *slog.Logger

	seated   bool // full, game, opponent and player are set
	full     openapi.GameFull
	game     Game
	opponent openapi.StreamPlayer
	player   Player
	track    *track // nil if we do not know the variant's rules

	recMu sync.Mutex // guards rec, which a thought writes
	rec   record

	state    openapi.GameState
	moves    []string
	received time.Time
	reopen   func() // closes the stream in use, so that it is opened again

	thought  *thought
	thoughts chan *thought
	sent     bool // our move in this position was accepted
	refusals int  // of moves in this position

	declared  int  // one more than the ply of our last declaration
	lastOffer int  // ply of our last draw offer
	answered  int  // ply at which the opponent's draw offer was answered; -1 none
	takebacks int  // accepted so far
	asked     bool // the opponent's takeback proposal was answered

	abort *time.Timer
	win   *time.Timer // until the bot may claim the win
	rand  *rand.Rand
	acts  sync.WaitGroup
}

// news is a line of the game's stream together with the means to close it.
type news struct {
	client.GameEvent
	reopen func()
}

// play plays one game until it is over or the context ends.
func (b *Bot) play(ctx context.Context, id string) {
	ctx, cancel := context.WithCancel(ctx)
	t := &table{
		bot: b, id: id, log: b.log.With("game", id),
		thoughts: make(chan *thought), lastOffer: -offerEvery, answered: -1,
		abort: stoppedTimer(), win: stoppedTimer(),
		rand: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
	}
	defer t.leave(cancel)
	events := make(chan news)
	var lost error
	t.acts.Go(func() {
		defer close(events)
		for n, err := range client.Reconnect(ctx, reconnect, t.log, t.stream, func(n news) bool { return n.Final() }) {
			if err != nil {
				lost = err
				return
			}
			select {
			case events <- n:
			case <-ctx.Done():
				return
			}
		}
	})
	for {
		select {
		case n, ok := <-events:
			if !ok {
				if lost != nil {
					t.log.Warn("game cannot be played", "error", lost)
				}
				return
			}
			t.reopen = n.reopen
			if over := t.event(ctx, n.GameEvent); over {
				return
			}
		case th := <-t.thoughts:
			t.decided(ctx, th)
		case <-t.abort.C:
			t.act(ctx, "abort", func() error { return b.api.Bot.Abort(ctx, id) })
		case <-t.win.C:
			t.act(ctx, "claim victory", func() error { return b.api.Bot.ClaimVictory(ctx, id) })
		}
	}
}

func (t *table) stream(ctx context.Context) iter.Seq2[news, error] {
	return func(yield func(news, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for ev, err := range t.bot.api.Bot.Stream(ctx, t.id) {
			if !yield(news{ev, cancel}, err) {
				return
			}
		}
	}
}

// leave ends everything that the table started.
func (t *table) leave(cancel context.CancelFunc) {
	t.stopThinking()
	cancel()
	t.acts.Wait()
	t.abort.Stop()
	t.win.Stop()
	if t.player != nil {
		if err := t.player.Close(); err != nil {
			t.log.Warn("engine does not close", "error", err)
		}
	}
}

// act does something that the game can go on without.
func (t *table) act(ctx context.Context, what string, do func() error) {
	t.acts.Go(func() {
		if err := do(); err != nil && ctx.Err() == nil {
			t.log.Info("action refused", "action", what, "error", err)
		}
	})
}

// event takes in a line of the stream and reports whether the game is over.
func (t *table) event(ctx context.Context, ev client.GameEvent) (over bool) {
	switch {
	case ev.Full != nil:
		if !t.seated && !t.sit(ctx, ev.Full) {
			return true
		}
		// A fresh stream that does not know our last move asks for it again.
		t.sent = false
		return t.update(ctx, *ev.State)
	case ev.State != nil && t.seated:
		return t.update(ctx, *ev.State)
	case ev.Gone != nil:
		t.win.Stop()
		if ev.Gone.Gone && ev.Gone.ClaimWinInSeconds != nil {
			// A second more, because the server's countdown must be over.
			t.win.Reset(time.Duration(*ev.Gone.ClaimWinInSeconds+1) * time.Second)
		}
	}
	return false
}

// sit prepares for the game; false means that the bot cannot play it.
func (t *table) sit(ctx context.Context, full *openapi.GameFull) bool {
	t.full = *full
	t.game = Game{ID: full.ID, Variant: full.Variant.Key}
	switch {
	case t.isMe(full.White):
		t.game.White = true
	case t.isMe(full.Black):
	// Who plays in a game that does not name him is the server's engine.
	case full.White.AiLevel > 0:
		t.game.White = true
	case full.Black.AiLevel > 0:
	default:
		t.log.Warn("not a player of this game")
		return false
	}
	t.opponent = full.White
	if t.game.White {
		t.opponent = full.Black
	}
	if full.InitialFen != "startpos" {
		t.game.FEN = full.InitialFen
	}
	if !client.Ongoing(full.State.Status) {
		return false // it ended while we were away
	}
	t.track = t.bot.games.newTrack(t.game)
	player, err := t.bot.engine.Open(ctx, t.game)
	if err != nil {
		if ctx.Err() == nil {
			t.log.Error("engine cannot play the game", "variant", t.game.Variant, "error", err)
			t.act(ctx, "resign", func() error { return t.bot.api.Bot.Resign(ctx, t.id) })
			t.acts.Wait()
		}
		return false
	}
	t.player, t.seated = player, true
	t.log.Info("playing", "variant", t.game.Variant, "white", t.game.White, "opponent", t.opponentName())
	if plies(full.State.Moves) < 2 {
		t.say(ctx, t.bot.cfg.Chat.Greeting, t.bot.cfg.Chat.SpectatorGreeting)
	}
	return true
}

func (t *table) isMe(p openapi.StreamPlayer) bool {
	return p.ID != "" && p.ID == t.bot.id || p.ID == "" && p.Name != "" && strings.EqualFold(p.Name, t.bot.name)
}

// update takes in a state of the game and does what it asks for.
func (t *table) update(ctx context.Context, s openapi.GameState) (over bool) {
	moves := strings.Fields(s.Moves)
	if !slices.Equal(moves, t.moves) {
		t.stopThinking()
		t.sent, t.refusals, t.answered, t.asked = false, 0, -1, false
		t.recMu.Lock()
		t.rec.truncate(len(moves) + 1)
		t.recMu.Unlock()
	}
	t.state, t.moves, t.received = s, moves, time.Now()
	if !client.Ongoing(s.Status) {
		t.log.Info("game is over", "status", s.Status, "winner", s.Winner, "plies", len(moves))
		t.stopThinking()
		t.say(ctx, t.bot.cfg.Chat.Farewell, t.bot.cfg.Chat.SpectatorFarewell)
		t.acts.Wait()
		return true
	}
	mine := t.myTurn()
	t.abort.Stop()
	if after := t.bot.cfg.AbortAfter.D(); after > 0 && !mine && len(moves) < 2 && t.limited() {
		t.abort.Reset(after)
	}
	t.answerOffers(ctx)
	if mine && t.thought == nil && !t.sent {
		t.think(ctx)
	}
	return false
}

// answerOffers answers the opponent's draw offer and takeback proposal, once
// for each.
func (t *table) answerOffers(ctx context.Context) {
	draw, takeback := t.state.Bdraw, t.state.Btakeback
	if !t.game.White {
		draw, takeback = t.state.Wdraw, t.state.Wtakeback
	}
	switch {
	case !draw:
		t.answered = -1
	case t.answered < 0:
		t.answered = len(t.moves)
		t.recMu.Lock()
		yes := t.bot.cfg.Draw.accepts(&t.rec, t.situation())
		t.recMu.Unlock()
		t.log.Info("draw offer", "accepted", yes)
		t.act(ctx, "answer draw offer", func() error {
			_, err := t.bot.api.Bot.Draw(ctx, t.id, yes)
			return err
		})
	}
	switch {
	case !takeback:
		t.asked = false
	case !t.asked:
		t.asked = true
		yes := !t.full.Rated && t.takebacks < t.bot.cfg.Takebacks
		if yes {
			t.takebacks++
		}
		t.log.Info("takeback proposal", "accepted", yes)
		t.act(ctx, "answer takeback", func() error {
			_, err := t.bot.api.Bot.Takeback(ctx, t.id, yes)
			return err
		})
	}
}

func (t *table) situation() situation {
	s := situation{
		Variant: t.game.Variant, Ply: len(t.moves), OpponentRating: t.opponent.Rating, Quiet: -1,
	}
	if t.bot.cfg.Engine.Protocol == ProtocolHoplite {
		s.Level = t.bot.cfg.Engine.Level
	}
	if t.track != nil {
		if at, ok := t.track.at(t.moves); ok {
			s.LegalMoves, s.Quiet = at.legal, at.quiet
		}
	}
	return s
}

// myTurn reports whether the bot is to move.
func (t *table) myTurn() bool {
	if t.track != nil {
		if at, ok := t.track.at(t.moves); ok {
			return at.white == t.game.White
		}
	}
	// Of a game whose rules we do not know, turns of one move are the best guess.
	blackBegins := false
	if f := strings.Fields(t.game.FEN); len(f) > 1 {
		blackBegins = f[1] == "b"
	}
	return (len(t.moves)%2 == 0) != blackBegins == t.game.White
}

// limited reports whether the game has a running clock, not days or nothing.
func (t *table) limited() bool {
	return t.full.DaysPerTurn == 0 && t.full.Clock != (openapi.StreamClock{}) && t.state.Wtime < noClock
}

func (t *table) clock() Clock {
	ms := func(v int64) time.Duration { return time.Duration(v) * time.Millisecond }
	c := Clock{
		Limited: t.limited(),
		Mine:    ms(t.state.Wtime), Theirs: ms(t.state.Btime), MyInc: ms(t.state.Winc), TheirInc: ms(t.state.Binc),
	}
	// Every move in a period gives the whole of it back, and a delay is time that
	// a move need not pay for: to the search both are like an increment, of which
	// it may not use all.
	c.MyInc += ms(t.full.Clock.Byoyomi * 4 / 5)
	c.TheirInc += ms(t.full.Clock.Byoyomi * 4 / 5)
	if delay := ms(t.full.Clock.Delay); delay > 0 {
		c.Mine, c.Theirs, c.MyInc, c.TheirInc = c.Mine+delay, c.Theirs+delay, delay, delay
	}
	if !t.game.White {
		c.Mine, c.Theirs, c.MyInc, c.TheirInc = c.Theirs, c.Mine, c.TheirInc, c.MyInc
	}
	if len(t.moves) < 2 {
		c.UnstartedMoveLimit = unstartedThink
	} else {
		c.SinceReceived = time.Since(t.received)
	}
	return c
}

func (t *table) opponentName() string {
	if t.opponent.Name != "" {
		return t.opponent.Name
	}
	return "the server's engine"
}

func (t *table) opponentIsBot() bool {
	title, err := t.opponent.Title.Get()
	return t.opponent.AiLevel > 0 || err == nil && title == titleBot
}

// say writes into the two rooms of the game.
func (t *table) say(ctx context.Context, player, spectator string) {
	fill := strings.NewReplacer("{me}", t.bot.name, "{opponent}", t.opponentName(),
		"{engine}", t.bot.engine.Name(), "{game}", t.id)
	lines := []struct {
		room openapi.ChatRoom
		text string
	}{{openapi.ChatRoomPlayer, player}, {openapi.ChatRoomSpectator, spectator}}
	for _, l := range lines {
		if l.text == "" {
			continue
		}
		text := []rune(fill.Replace(l.text))
		text = text[:min(len(text), maxChat)]
		t.act(ctx, "chat", func() error { return t.bot.api.Bot.Say(ctx, t.id, l.room, string(text)) })
	}
}

func plies(moves string) int { return len(strings.Fields(moves)) }

func stoppedTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}
