package game_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/server/fault"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

var catalogue = sync.OnceValue(func() *variant.Set {
	set, err := variant.Catalogue()
	if err != nil {
		panic(err)
	}
	return set
})

var created = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// setup returns a casual 5+3 game of two people.
func setup() *game.Setup {
	return &game.Setup{
		ID:      "abcdefg1",
		Variant: "standard",
		Players: []game.Player{
			{AccountID: "anna", Name: "Anna", Rating: 1500},
			{AccountID: "bert", Name: "Bert", Rating: 1600},
		},
		Control: clock.NewFischer(5*time.Minute, 3*time.Second),
		Speed:   "blitz", Perf: "blitz", Source: "friend",
		Created: created,
	}
}

// table plays a game and holds it to what must always be so.
type table struct {
	t     testing.TB
	setup *game.Setup
	rules *rules.Rules
	state *game.State
	now   time.Time
	rows  []game.Row
}

func newTable(t testing.TB, su *game.Setup) *table {
	t.Helper()
	r, err := game.RulesOf(catalogue(), su.Variant)
	if err != nil {
		t.Fatal(err)
	}
	s, err := game.New(su, r)
	if err != nil {
		t.Fatal(err)
	}
	return &table{t: t, setup: su, rules: r, state: s, now: su.Created}
}

// do applies and releases one action and checks the promises of Apply.
func (g *table) do(a game.Action) (*game.Step, error) {
	g.t.Helper()
	before := g.state.Snapshot()
	line := slices.Clone(before.Moves)
	st, err := g.state.Apply(a, g.now)
	if err != nil {
		if _, ok := errors.AsType[*fault.Error](err); !ok {
			g.t.Fatalf("%+v: not a fault: %v", a, err)
		}
		if diff := compare(before, g.state.Snapshot()); diff != "" {
			g.t.Fatalf("%+v was refused and changed the state (-before +after):\n%s", a, diff)
		}
		return nil, err
	}
	events, snap := g.state.Release(st, g.now, game.PerPlayer[*int]{})
	if got, want := snap.Version, before.Version+uint64(len(st.Rows)); got != want {
		g.t.Fatalf("%+v: version %d after %d rows on version %d", a, got, len(st.Rows), before.Version)
	}
	finals := 0
	for i, ev := range events {
		if ev.Snapshot == nil || ev.Snapshot.Version != ev.Version {
			g.t.Fatalf("%+v: event %d has version %d and snapshot %+v", a, i, ev.Version, ev.Snapshot)
		}
		if len(st.Rows) > 0 && ev.Version != before.Version+uint64(i)+1 {
			g.t.Fatalf("%+v: event %d has version %d after %d", a, i, ev.Version, before.Version)
		}
		if ev.Kind == game.EventState && ev.Snapshot.Over() {
			finals++
		}
	}
	if len(st.Rows) > 0 && len(events) != len(st.Rows) {
		g.t.Fatalf("%+v: %d rows and %d events", a, len(st.Rows), len(events))
	}
	if st.Ended != (!before.Over() && snap.Over()) || st.Ended && finals != 1 {
		g.t.Fatalf("%+v: ended is %v, with %d final states", a, st.Ended, finals)
	}
	if !slices.Equal(before.Moves, line) {
		g.t.Fatalf("%+v changed the moves of an older snapshot", a)
	}
	g.rows = append(g.rows, st.Rows...)
	return st, nil
}

// compare tells two snapshots apart.
func compare(a, b *game.Snapshot, ignore ...string) string {
	if reflect.DeepEqual(a, b) {
		return "" // much quicker than cmp
	}
	return cmp.Diff(a, b, cmp.AllowUnexported(game.Snapshot{}), cmpopts.EquateEmpty(),
		cmpopts.EquateComparable(clock.Control{}), cmpopts.IgnoreFields(game.Snapshot{}, append(ignore, "Setup")...))
}

// replays checks that the log alone makes the same state.
func (g *table) replays() {
	g.t.Helper()
	again, err := game.Rebuild(g.setup, g.rules, g.rows)
	if err != nil {
		g.t.Fatal(err)
	}
	live := g.state.Snapshot()
	again.Resume(live.At, live.RatingDiff)
	if diff := compare(live, again.Snapshot(), "Gone"); diff != "" {
		g.t.Fatalf("the log makes another state (-live +log):\n%s", diff)
	}
}

var commands = map[string]game.ActionKind{
	"abort": game.Abort, "resign": game.Resign, "draw": game.DrawYes, "nodraw": game.DrawNo,
	"takeback": game.TakebackYes, "notakeback": game.TakebackNo, "win?": game.ClaimVictory, "draw?": game.ClaimDraw,
	"plan": game.SetConditional, "mute": game.Mute, "unmute": game.Mute,
	"say": game.Chat, "whisper": game.Chat, "give": game.AddTime, "start": game.StartClocks, "timeout": game.Timeout,
	"leave": game.Gone, "back": game.Back, "rematch": game.Rematched, "declare": game.Declare,
}

// action reads "w e2e4", "b draw", "s timeout", "w e2e4 draw", "w #id7 e2e4".
func action(words []string) (game.Action, error) {
	a := game.Action{Player: map[string]int{"w": 0, "b": 1, "y": 2, "g": 3, "s": -1, "x": 7}[words[0]]}
	a.Username = map[string]string{"w": "Anna", "b": "Bert", "s": "Sam"}[words[0]]
	words = words[1:]
	if id, ok := strings.CutPrefix(words[0], "#"); ok {
		a.ID, words = id, words[1:]
	}
	kind, known := commands[words[0]]
	if !known {
		a.Kind, a.Move = game.Move, words[0]
		a.OfferDraw = len(words) > 1 && words[1] == "draw"
		return a, nil
	}
	a.Kind = kind
	rest := strings.Join(words[1:], " ")
	var err error
	switch words[0] {
	case "say":
		a.Room, a.Text = game.RoomPlayer, rest
	case "whisper":
		a.Room, a.Text = game.RoomSpectator, rest
	case "plan":
		for line := range strings.SplitSeq(rest, " / ") {
			if line != "" {
				a.Lines = append(a.Lines, line)
			}
		}
	case "mute":
		a.On = true
	case "give":
		a.Seconds, err = strconv.Atoi(rest)
	case "leave":
		if rest != "" {
			a.Wait, err = time.ParseDuration(rest)
		}
	case "rematch":
		a.Rematch = rest
	case "declare":
		a.Claim = rest
	}
	return a, err
}

// run plays a script. Its lines are:
//
//	w e2e4          an action that must be accepted
//	w e2e5 ! text   an action that must be refused with a text
//	w draw ~ text   an action that must do nothing and say why
//	+3s             time passes
//	= what value    what the state must be, see look
func (g *table) run(script string) {
	g.t.Helper()
	for n, line := range strings.Split(script, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		where := fmt.Sprintf("line %d (%s)", n+1, line)
		if wait, ok := strings.CutPrefix(line, "+"); ok {
			d, err := time.ParseDuration(wait)
			if err != nil {
				g.t.Fatal(where, err)
			}
			g.now = g.now.Add(d)
			continue
		}
		if check, ok := strings.CutPrefix(line, "= "); ok {
			what, want, _ := strings.Cut(check, " ")
			if got := g.look(what); got != want {
				g.t.Fatalf("%s: got %q, want %q", where, got, want)
			}
			continue
		}
		text, refusal, refused := strings.Cut(line, " ! ")
		text, note, idle := strings.Cut(text, " ~ ")
		a, err := action(strings.Fields(text))
		if err != nil {
			g.t.Fatal(where, err)
		}
		st, err := g.do(a)
		switch {
		case refused && (err == nil || !strings.Contains(err.Error(), refusal)):
			g.t.Fatalf("%s: got error %v", where, err)
		case !refused && err != nil:
			g.t.Fatalf("%s: %v", where, err)
		case idle && (len(st.Rows) > 0 || !strings.Contains(st.Note, note)):
			g.t.Fatalf("%s: %d rows and note %q", where, len(st.Rows), st.Note)
		case !refused && !idle && st.Note != "":
			g.t.Fatalf("%s: nothing happened: %s", where, st.Note)
		}
	}
	g.replays()
}

func orNone(list string) string {
	if list == "" {
		return "none"
	}
	return list
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// look shows one aspect of the state as text.
func (g *table) look(what string) string {
	s := g.state.Snapshot()
	mark := func(flags ...bool) string {
		list := ""
		for i, name := range []string{"w", "b", "y", "g"} {
			if i < len(flags) && flags[i] {
				list += name
			}
		}
		return orNone(list)
	}
	switch what {
	case "result":
		return fmt.Sprint(s.Status, " ", s.Winner, " ", s.Reason)
	case "status":
		return s.Status
	case "moves":
		return strings.Join(s.Moves, " ")
	case "last":
		return s.LastMove
	case "turn":
		return strconv.Itoa(s.Turn)
	case "clocks": // as of now, seconds
		c := s.ClocksAt(g.now)
		var list []string
		for i := range s.Players {
			list = append(list, seconds(c[i].Left))
		}
		return strings.Join(list, " ")
	case "out":
		return mark(s.Out[:]...)
	case "points", "places":
		list := fmt.Sprint(s.Points)
		if what == "places" {
			list = fmt.Sprint(s.Places)
		}
		return strings.Trim(list, "[]")
	case "periods":
		c := s.ClocksAt(g.now)
		return fmt.Sprint(c[0].Periods, " ", c[1].Periods)
	case "claims":
		return orNone(strings.Join(s.Claims, ", "))
	case "history":
		return fmt.Sprint(s.ClockHistory)
	case "running":
		return strconv.FormatBool(s.ClockRunning)
	case "offer":
		return mark(s.DrawOffer[:]...)
	case "takeback":
		return mark(s.Takeback[:]...)
	case "gone":
		return mark(s.Gone[0].Gone, s.Gone[1].Gone)
	case "deadline": // seconds from now
		due, ok := g.state.Deadline()
		if !ok {
			return "none"
		}
		return seconds(due.Sub(g.now))
	case "version":
		return strconv.FormatUint(s.Version, 10)
	case "plans":
		return orNone(strings.Join(append(s.Conditional[0], s.Conditional[1]...), " / "))
	case "heard": // by White and by Black
		return fmt.Sprint(len(s.ChatFor(0, game.RoomPlayer)), " ", len(s.ChatFor(1, game.RoomPlayer)))
	case "chat":
		var lines []string
		for _, l := range s.AllChat() {
			lines = append(lines, l.Room[:1]+" "+l.Username+": "+l.Text)
		}
		return strings.Join(lines, " | ")
	case "rows":
		var kinds []string
		for _, r := range g.rows {
			kinds = append(kinds, string(r.Kind))
		}
		return strings.Join(kinds, " ")
	case "fen":
		return s.FEN
	case "check":
		return strconv.FormatBool(s.Check)
	case "rematch":
		return s.Rematch
	}
	g.t.Fatalf("cannot look at %q; commands are %v", what, slices.Sorted(maps.Keys(commands)))
	return ""
}
