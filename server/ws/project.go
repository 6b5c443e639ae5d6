package ws

import (
	"encoding/json"
	"slices"

	"hoplite/openapi/frames"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

// Whoever receives a game is one of its players, by seat, or a spectator. What each of them may know is decided in this
// file and nowhere else.
const spectator = -1

// roomOf is the chat room that a seat reads.
func roomOf(seat int) string {
	if seat == spectator {
		return game.RoomSpectator
	}
	return game.RoomPlayer
}

// note is an event with what all its receivers share, encoded once for each kind of receiver.
type note struct {
	ev    game.Event
	ply   *frames.Ply
	scene *scene // nil where nobody needs it
	done  []told
}

// sight is what tells the receivers of a game apart.
type sight struct {
	seat int
	bare bool // without scenes
}

// told is the message of a note for one kind of receiver.
type told struct {
	by sight
	message
}

// newNote reads an event in its place in the game: l is the line before it, and follows it. drawn asks for the scene.
func newNote(l *line, ev game.Event, drawn bool) (*note, error) {
	n := &note{ev: ev}
	switch ev.Row {
	case game.RowMove, game.RowDeclare, game.RowRetire, game.RowTakeback, game.RowEnd:
	default:
		return n, nil
	}
	if err := l.follow(ev.Snapshot); err != nil {
		return nil, err
	}
	if ev.Row == game.RowMove && len(l.plies) > 0 {
		ply := l.plies[len(l.plies)-1]
		n.ply = &ply
	}
	if !drawn {
		return n, nil
	}
	sc, err := l.scene(ev.Snapshot)
	if err != nil {
		return nil, err
	}
	n.scene = &sc
	return n, nil
}

// message is the frame of the event for a receiver. The caller holds the lock of whatever shares the note.
func (n *note) message(by sight) message {
	for i := range n.done {
		if n.done[i].by == by {
			return n.done[i].message
		}
	}
	m := message{data: envelope("event", 0, n.event(by)), game: n.ev.Snapshot.ID, version: n.ev.Version}
	n.done = append(n.done, told{by, m})
	return m
}

func (n *note) event(by sight) []byte {
	seat := by.seat
	snap := n.ev.Snapshot
	f := frames.Event{Game: snap.ID, Version: n.ev.Version, Kind: string(n.ev.Row)}
	if n.unheard(seat) {
		f.Kind = frames.KindSkip
		return marshal(f)
	}
	f.At = n.ev.At.UnixMilli()
	if n.ev.Player >= 0 {
		f.Seat = &n.ev.Player
	}
	switch n.ev.Row {
	case game.RowChat:
		line := chatLine(*n.ev.Chat)
		f.Chat = &line
		return marshal(f)
	case game.RowRematch:
		f.Rematch = snap.Rematch
		return marshal(f)
	case game.RowMute:
		f.Muted, f.Heard = snap.Muted[seat], heard(snap, seat)
		return marshal(f)
	case game.RowConditional:
		f.Conditional = conditional(snap, seat)
		return marshal(f)
	}
	plies := len(snap.Moves)
	f.Ply, f.Plies, f.Seconds = n.ply, &plies, n.ev.Seconds
	if n.ply != nil && unseen(snap, plies-1, seat) {
		f.Ply = &frames.Ply{Move: game.UnseenMove, SAN: game.UnseenMove}
	}
	if snap.Over() {
		f.Seed = snap.Seed
	}
	f.Status, f.Winner, f.Reason = snap.Status, winner(snap), snap.Reason
	f.Clock, f.DrawOffer, f.Takeback = clockOf(snap), seats(snap.DrawOffer), seats(snap.Takeback)
	f.RatingDiff, f.Out, f.Points, f.Places = diffs(snap), seats(snap.Out), snap.Points, snap.Places
	f.Conditional, f.Abortable = conditional(snap, seat), snap.MayAbort()
	data := marshal(f)
	if n.scene == nil || by.bare {
		return data
	}
	// The scene is encoded already; going through a RawMessage would read it again.
	data = append(data[:len(data)-1], `,"scene":`...)
	return append(append(data, n.scene.of(seat)...), '}')
}

// unheard reports whether the event is not for a seat.
func (n *note) unheard(seat int) bool {
	switch n.ev.Row {
	case game.RowChat:
		return n.ev.Chat.Room != roomOf(seat) || !n.ev.Snapshot.Hears(seat, n.ev.Chat)
	case game.RowMute, game.RowConditional:
		return n.ev.Player != seat
	}
	return false
}

// conditional is what a seat has foreseen.
func conditional(snap *game.Snapshot, seat int) []string {
	if seat < 0 || seat >= len(snap.Conditional) {
		return nil
	}
	return snap.Conditional[seat]
}

// heard is the end of the chat as a seat may read it.
func heard(snap *game.Snapshot, seat int) []frames.ChatLine {
	list := []frames.ChatLine{}
	lines := snap.ChatFor(seat, roomOf(seat))
	for _, line := range lines[max(0, len(lines)-chatShown):] {
		list = append(list, chatLine(line))
	}
	return list
}

// unseen reports whether a seat may not know a ply.
func unseen(snap *game.Snapshot, ply, seat int) bool {
	return snap.Hidden() && int(snap.Movers[ply]) != seat
}

// chatShown is how many lines of a chat come with the whole game.
const chatShown = 200

// whole is the game as a receiver sees it.
func whole(games *lichess.Games, snap *game.Snapshot, l *line, by sight) (frames.Game, error) {
	seat := by.seat
	var drawn json.RawMessage
	if !by.bare {
		sc, err := l.scene(snap)
		if err != nil {
			return frames.Game{}, err
		}
		drawn = sc.of(seat)
	}
	name := games.VariantName(snap.Variant)
	g := frames.Game{
		Game: snap.ID, Version: snap.Version,
		Variant:    frames.Variant{Key: name.Key, Name: name.Name, Short: name.Short},
		InitialFEN: games.FEN(snap.Variant, snap.For(seat).StartFEN),
		Control:    lichess.Control(snap.Control), Speed: snap.Speed, Perf: snap.Perf,
		Rated: snap.Rated, Source: snap.Source, Rules: snap.Rules, Created: snap.Created.UnixMilli(),
		Moves: slices.Clip(l.plies), Status: snap.Status, Winner: winner(snap), Reason: snap.Reason,
		Clock: clockOf(snap), DrawOffer: seats(snap.DrawOffer), Takeback: seats(snap.Takeback),
		RatingDiff: diffs(snap), Away: away(snap), RematchOf: snap.RematchOf, Rematch: snap.Rematch,
		Chat: heard(snap, seat), Conditional: conditional(snap, seat), Abortable: snap.MayAbort(), Scene: drawn,
	}
	if g.Moves == nil {
		g.Moves = []frames.Ply{}
	}
	if snap.Hidden() {
		g.Moves = slices.Clone(g.Moves)
		for i := range g.Moves {
			if unseen(snap, i, seat) {
				g.Moves[i] = frames.Ply{Move: game.UnseenMove, SAN: game.UnseenMove}
			}
		}
	}
	g.Out, g.Points, g.Places = seats(snap.Out), snap.Points, snap.Places
	g.Commitment = snap.Commitment
	if snap.Over() {
		g.Seed = snap.Seed
	}
	if seat != spectator {
		g.Seat, g.Muted = &seat, snap.Muted[seat]
	}
	for _, p := range snap.Players {
		g.Players = append(g.Players, player(p))
	}
	for ply := range snap.ClockHistory {
		after, _ := snap.ClockAfter(ply)
		g.Clocks = append(g.Clocks, after.Left.Milliseconds())
	}
	return g, nil
}

func player(p game.Player) frames.Player {
	if p.AILevel > 0 {
		return frames.Player{Name: lichess.EngineName(p.AILevel), AI: p.AILevel}
	}
	f := frames.Player{ID: p.AccountID, Name: p.Name, Title: p.Title, Rating: p.Rating, Provisional: p.Provisional}
	if f.Name == "" {
		f.Name = "Anonymous"
	}
	return f
}

func chatLine(l game.ChatLine) frames.ChatLine {
	f := frames.ChatLine{Room: l.Room, User: l.Username, Text: l.Text, At: l.At.UnixMilli()}
	if l.Username == game.SystemName {
		f.User = ""
	}
	return f
}

// present is what of a game is in no log.
func present(snap *game.Snapshot) frames.Now {
	return frames.Now{Game: snap.ID, Version: snap.Version, Clock: clockOf(snap), Away: away(snap)}
}

// clockOf is the clock of a state, nil in a game without limits.
func clockOf(snap *game.Snapshot) *frames.Clock {
	c := &frames.Clock{From: snap.At.UnixMilli()}
	if snap.Control.Kind == clock.Unlimited {
		return nil
	}
	c.Running = snap.ClockRunning || snap.Control.Kind == clock.Correspondence && !snap.Over()
	shown := snap.ClocksAt(snap.At)
	for i := range snap.Players {
		c.Left = append(c.Left, shown[i].Left.Milliseconds())
		if snap.Control.Kind == clock.Byoyomi {
			c.Periods = append(c.Periods, shown[i].Periods)
		}
	}
	if _, at, ok := snap.Expiration(); ok {
		c.StartBy = at.UnixMilli()
	}
	return c
}

func winner(snap *game.Snapshot) *int {
	if snap.Winner < 0 {
		return nil
	}
	return &snap.Winner
}

// seats lists the seats that are set.
func seats(set game.PerPlayer[bool]) []int {
	var list []int
	for i, yes := range set {
		if yes {
			list = append(list, i)
		}
	}
	return list
}

func diffs(snap *game.Snapshot) []*int {
	if snap.RatingDiff == (game.PerPlayer[*int]{}) {
		return nil
	}
	return slices.Clone(snap.RatingDiff[:len(snap.Players)])
}

func away(snap *game.Snapshot) []frames.Away {
	var list []frames.Away
	for i, g := range snap.Gone {
		if !g.Gone {
			continue
		}
		a := frames.Away{Seat: i}
		if !g.ClaimAt.IsZero() {
			a.ClaimAt = g.ClaimAt.UnixMilli()
		}
		list = append(list, a)
	}
	return list
}
