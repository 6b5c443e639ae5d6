package house_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/server/live/game"
	"hoplite/server/servertest"
)

const (
	// shortGame is how many turns the guest of TestEveryGame plays before it
	// gives up.
	shortGame = 4
	// gamesAtOnce keeps the engine's few workers from making anybody wait.
	gamesAtOnce = 8
	// everyGame bounds the whole test on a machine of its own.
	everyGame = 3 * time.Minute
)

// TestEveryGame plays the beginning of each game of the catalogue over the Bot
// API against the engine at level 1: random moves in the guest's turns, however
// many plies they have, each answer held against the spec, and a record that
// can be read back. The clocks change from game to game.
func TestEveryGame(t *testing.T) {
	t.Parallel()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	s := servertest.Start(t)
	open(t, s, nil, 1)
	c := clientOf(t, s, s.SignUpBot(t, "Guest").Token)
	online(t, c, "hoplite-novice")
	ctx, cancel := context.WithTimeout(t.Context(), everyGame)
	defer cancel()
	places := make(chan struct{}, gamesAtOnce)
	limit, none := 600, 0
	clocks := []openapi.AiForm{
		{ClockLimit: &limit, ClockIncrement: &none},
		{ClockLimit: &limit, ClockDelay: 3},
		{ClockLimit: &limit, ClockByoyomi: 30, ClockPeriods: 2},
	}
	t.Run("games", func(t *testing.T) {
		for i, r := range set.List() {
			form := clocks[i%len(clocks)]
			form.Level, form.Variant = 1, r.Key()
			form.Color = []openapi.ColorChoice{"white", "black"}[i%2]
			t.Run(r.Key(), func(t *testing.T) {
				t.Parallel()
				places <- struct{}{}
				defer func() { <-places }()
				g := &guest{c: c, rules: r, side: i % 2, rng: rand.New(rand.NewPCG(1, uint64(i)))}
				if err := g.play(ctx, form); err != nil {
					t.Fatal(err)
				}
				g.record(ctx, t, set)
			})
		}
	})
}

// guest plays one game at random.
type guest struct {
	c     *client.Client
	rules *rules.Rules
	side  int
	rng   *rand.Rand

	id    string
	line  *game.Line
	moves []string
	turns int // of its own, begun
	last  int // ply at which the last of them began
}

// play plays until the guest has had enough turns or the game is over.
func (g *guest) play(ctx context.Context, form openapi.AiForm) error {
	made, err := g.c.Challenges.AI(ctx, form)
	if err != nil {
		return err
	}
	g.id = made.ID
	start, err := notation.ParseFEN(g.rules, made.Fen)
	if err != nil {
		return fmt.Errorf("the start position: %w", err)
	}
	g.line, g.last = game.NewLine(start), -1
	for ev, err := range g.c.Bot.Stream(ctx, g.id) {
		if err != nil {
			return err
		}
		if ev.State == nil {
			continue
		}
		g.moves = strings.Fields(ev.State.Moves)
		if !client.Ongoing(ev.State.Status) {
			return nil
		}
		if err := g.answer(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("the stream ended before the game: %w", ctx.Err())
}

// answer moves if it is the guest's turn.
func (g *guest) answer(ctx context.Context) error {
	if err := g.line.Follow(g.moves, nil, nil); err != nil {
		return err
	}
	p := g.line.Position()
	if int(p.Turn()) != g.side || g.last == len(g.moves) {
		return nil
	}
	g.last = len(g.moves)
	if g.turns++; g.turns > shortGame {
		return g.c.Bot.Resign(ctx, g.id)
	}
	// The plies of a turn go together where the rules let them.
	now := p.Clone()
	var turn []string
	for len(turn) == 0 || now.Turn() == p.Turn() && len(turn) < 3 {
		legal := now.Moves(nil)
		if len(legal) == 0 {
			break
		}
		m := legal[g.rng.IntN(len(legal))]
		turn = append(turn, notation.FormatMove(now, m))
		if err := now.Play(m); err != nil {
			return err
		}
		if _, over := now.Outcome(); over {
			break
		}
	}
	return g.c.Bot.Move(ctx, g.id, strings.Join(turn, ","))
}

// record exports the game and reads it back.
func (g *guest) record(ctx context.Context, t *testing.T, set *variant.Set) {
	t.Helper()
	text, err := g.c.Games.PGN(ctx, g.id, openapi.GamePgnParams{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rec, err := range notation.ReadPGN(set, strings.NewReader(text)) {
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		n++
		var moves []string
		p := rec.Start.Clone()
		for _, ply := range rec.Moves {
			moves = append(moves, notation.FormatMove(p, ply.Move))
			if err := p.Play(ply.Move); err != nil {
				t.Fatal(err)
			}
		}
		if rec.Rules.Key() != g.rules.Key() || !slices.Equal(moves, g.moves) {
			t.Errorf("a record of %s with %v, want %s with %v:\n%s", rec.Rules.Key(), moves, g.rules.Key(), g.moves, text)
		}
	}
	if n != 1 {
		t.Errorf("%d records in\n%s", n, text)
	}
	t.Logf("%d plies", len(g.moves))
}
