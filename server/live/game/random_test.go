package game_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

// longGame plays plies that neither end the game nor use up its pawns.
func longGame(t testing.TB, g *table, plies int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	r := rules.NewGame(mustStart(t, g.setup))
	var buf []rules.Move
	for n := range plies {
		p := r.Position()
		buf = p.Moves(buf[:0])
		rng.Shuffle(len(buf), func(i, j int) { buf[i], buf[j] = buf[j], buf[i] })
		// In check there may be no such move; then any that goes on will do.
		if !slices.ContainsFunc(buf, func(m rules.Move) bool { return quiet(p, m) && playOn(t, r, m) }) &&
			!slices.ContainsFunc(buf, func(m rules.Move) bool { return playOn(t, r, m) }) {
			t.Fatalf("no way on at ply %d in %s", n, notation.FEN(p))
		}
		moves := r.Moves()
		text := notation.FormatMove(before(t, r), moves[len(moves)-1])
		g.now = g.now.Add(10 * time.Millisecond)
		if _, err := g.do(game.Action{Kind: game.Move, Player: n % 2, Move: text}); err != nil {
			t.Fatalf("ply %d: %v", n, err)
		}
	}
}

// quiet reports whether the move takes nothing and spends no pawn move early.
func quiet(p *rules.Position, m rules.Move) bool {
	pawn := p.Rules().PieceInfo(p.Rules().Type(p.At(m.From()))).Pawn
	return !p.IsCapture(m) && pawn == (p.HalfmoveClock() >= 80)
}

// playOn plays the move unless it ends the game.
func playOn(t testing.TB, r *rules.Game, m rules.Move) bool {
	t.Helper()
	if err := r.Play(m); err != nil {
		t.Fatal(err)
	}
	if _, over := r.Outcome(); over {
		r.Undo()
		return false
	}
	return true
}

// before returns the position before the last move.
func before(t testing.TB, r *rules.Game) *rules.Position {
	t.Helper()
	p := r.Start().Clone()
	moves := r.Moves()
	for _, m := range moves[:len(moves)-1] {
		if err := p.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func mustStart(t testing.TB, su *game.Setup) *rules.Position {
	t.Helper()
	r, err := game.RulesOf(catalogue(), su.Variant)
	if err != nil {
		t.Fatal(err)
	}
	p, err := game.StartOf(r, su.InitialFEN, su.StartNumber)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// dice turns a source of numbers into actions, most of them sensible.
type dice struct {
	g   *table
	num func(n int) int
	buf []rules.Move
	// gifts are the seconds that were given to each player.
	gifts [2]int
}

// legal returns some legal move of the present position as text.
func (d *dice) legal() string {
	s := d.g.state.Snapshot()
	p, err := notation.ParseFEN(d.g.rules, s.FEN)
	if err != nil {
		d.g.t.Fatalf("the snapshot has a FEN that cannot be read: %q: %v", s.FEN, err)
	}
	d.buf = p.Moves(d.buf[:0])
	if len(d.buf) == 0 {
		return "0000"
	}
	return notation.FormatMove(p, d.buf[d.num(len(d.buf))])
}

func (d *dice) action() game.Action {
	s := d.g.state.Snapshot()
	a := game.Action{Player: d.num(2)}
	if d.num(4) == 0 {
		a.ID = fmt.Sprint(d.num(20))
	}
	switch roll := d.num(40); {
	case roll < 24:
		a.Kind, a.Player, a.Move, a.OfferDraw = game.Move, s.Turn, d.legal(), d.num(8) == 0
	case roll < 25:
		a.Kind, a.Move = game.Move, []string{"e2e4", "", "e7e8q", "a1a1", "\x00", "e1g1"}[d.num(6)]
	case roll < 27:
		a.Kind = game.DrawYes
	case roll < 29:
		a.Kind = game.DrawNo
	case roll < 31:
		a.Kind = game.TakebackYes
	case roll < 32:
		a.Kind = game.TakebackNo
	case roll < 33:
		a.Kind, a.Room, a.Text, a.Username = game.Chat, game.RoomPlayer, "hello", "someone"
	case roll < 34:
		a.Kind, a.Seconds = game.AddTime, d.num(70)
	case roll < 35:
		a.Kind, a.Player = game.Timeout, -1
	case roll < 36:
		a.Kind, a.Wait = game.Gone, time.Second
	case roll < 37:
		a.Kind = game.Back
	case roll < 38:
		a.Kind = []game.ActionKind{game.ClaimDraw, game.ClaimVictory}[d.num(2)]
	case roll < 39:
		if a.Kind, a.Player = game.StartClocks, -1; d.num(2) == 0 {
			a.Kind, a.Player, a.Lines = game.SetConditional, 1-s.Turn, []string{d.legal()}
		}
	default:
		// Rarely anything at all: an end, an abort, nonsense.
		a.Kind, a.Player, a.Rematch = game.ActionKind(d.num(26)), d.num(4)-1, "abcdefg9"
		if d.num(6) > 0 {
			a.Kind = game.Back
		}
	}
	return a
}

// play does n actions and checks what must hold after each.
func (d *dice) play(n int) {
	g := d.g
	for range n {
		g.now = g.now.Add(time.Duration(d.num(2500)) * time.Millisecond)
		before := g.state.Snapshot()
		a := d.action()
		st, err := g.do(a)
		after := g.state.Snapshot()
		if err != nil {
			continue
		}
		if before.Over() {
			if after.Status != before.Status || after.Winner != before.Winner || len(after.Moves) != len(before.Moves) {
				g.t.Fatalf("%+v changed a finished game", a)
			}
			for _, r := range st.Rows {
				if r.Kind != game.RowChat && r.Kind != game.RowMute && r.Kind != game.RowRematch {
					g.t.Fatalf("%+v wrote a row %s after the end", a, r.Kind)
				}
			}
		}
		if a.Kind == game.AddTime && len(st.Rows) > 0 {
			d.gifts[1-a.Player] += a.Seconds
		}
		d.clocks(a, before, after)
	}
	g.replays()
}

// clocks checks that time only comes from increments and gifts.
func (d *dice) clocks(a game.Action, before, after *game.Snapshot) {
	if !after.Control.HasClock() {
		return
	}
	for p := range 2 {
		grown := after.Clocks[p] - before.ClocksAt(d.g.now)[p].Left
		allowed := time.Duration(0)
		switch {
		case a.Kind == game.Move && a.Player == p:
			allowed = after.Control.Increment
		case a.Kind == game.AddTime && a.Player == 1-p:
			allowed = time.Duration(a.Seconds) * time.Second
		case a.Kind == game.TakebackYes && len(after.Moves) < len(before.Moves):
			// It gives back what was used, and no more than there can have been.
			most := after.Control.Start() + time.Duration(d.gifts[p])*time.Second
			for _, mover := range after.Movers {
				if int(mover) == p {
					most += after.Control.Increment
				}
			}
			if after.Clocks[p] > most {
				d.g.t.Fatalf("%+v: clock %d is %v, and %v can have been", a, p, after.Clocks[p], most)
			}
			continue
		}
		// What is shown between two steps is not cut to milliseconds, and a
		// step that starts no turn leaves the clock as of the turn's start.
		if !after.ClockRunning || after.At.Equal(d.g.now) {
			if grown > allowed+time.Millisecond {
				d.g.t.Fatalf("%+v: clock %d grew by %v", a, p, grown)
			}
		}
		if after.Clocks[p] < 0 {
			d.g.t.Fatalf("%+v: clock %d is %v", a, p, after.Clocks[p])
		}
	}
}

func TestRandomGamesReplay(t *testing.T) {
	t.Parallel()
	controls := []clock.Control{
		clock.NewFischer(time.Minute, time.Second), clock.NewFischer(0, 2*time.Second), clock.NewCorrespondence(1), {},
	}
	ends := make(map[string]int)
	for _, r := range catalogue().List() {
		for seed := range uint64(12) {
			rng := rand.New(rand.NewPCG(seed, 7))
			su := setup()
			su.Variant = r.Key()
			su.StartNumber = rng.IntN(r.Starts())
			su.Control = controls[seed%uint64(len(controls))]
			if seed%3 == 0 {
				su.Players[1].Title = "BOT"
			}
			g := newTable(t, su)
			d := &dice{g: g, num: rng.IntN}
			d.play(250)
			ends[g.state.Snapshot().Status]++
		}
	}
	if len(ends) < 4 {
		t.Errorf("the games do not end in enough ways to prove anything: %v", ends)
	}
}

// FuzzApply does random commands: versions count up, clocks never grow by
// themselves, a refused action changes nothing, a finished game stays as it
// is, and the log makes the same state.
func FuzzApply(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"), uint8(0))
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 200, 100, 50, 25, 12, 6, 3, 1}, uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		list := catalogue().List()
		su := setup()
		r := list[int(which)%len(list)]
		su.Variant = r.Key()
		if which >= 128 {
			su.Control = clock.NewCorrespondence(1)
		}
		i := 0
		num := func(n int) int { // four bytes a number would waste the input
			if len(data) == 0 {
				return 0
			}
			v := int(data[i%len(data)])<<8 | int(data[(i+1)%len(data)]) + i/len(data)
			i++
			return v % n
		}
		d := &dice{g: newTable(t, su), num: num}
		d.play(min(len(data), 200))
	})
}
