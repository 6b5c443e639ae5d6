package game

import "time"

// EventKind tells the events of a game apart.
type EventKind uint8

// The kinds of event.
const (
	// EventState says that the state changed: a move, an offer, a takeback,
	// time given, the end.
	EventState EventKind = iota + 1
	// EventChat says that a line was added to the chat.
	EventChat
	// EventGone says that a player left or came back. It has no row: its
	// version is that of the last row.
	EventGone
	// EventPrivate says that something changed that only its player is told of.
	EventPrivate
)

// Event is what the subscribers of a game get. It never changes.
type Event struct {
	Version  uint64
	Kind     EventKind
	Snapshot *Snapshot // the state after the event; always set
	Chat     *ChatLine // EventChat
	Gone     *GoneNotice

	// Partial says that the action which made this event made the next one too:
	// a turn of several plies was sent at once. Replayed events do not know it.
	Partial bool

	// What follows tells of the row that made the event; EventGone has none.
	Row     RowKind
	Player  int       // who acted, -1 for the system and spectators
	At      time.Time // when the action arrived, to the millisecond
	Seconds int       // RowAddTime: the time that was given
}

// eventOf returns the event of the row that has just become part of the state.
func (s *State) eventOf(row *Row, d *rowData) Event {
	ev := Event{
		Version: s.cur.Version, Kind: EventState, Snapshot: s.Snapshot(),
		Row: row.Kind, Player: row.Player, At: row.At, Seconds: d.Seconds,
	}
	switch row.Kind {
	case RowChat:
		ev.Kind = EventChat
		line := s.cur.chat[len(s.cur.chat)-1]
		ev.Chat = &line
	case RowMute, RowConditional:
		ev.Kind = EventPrivate
	}
	return ev
}

// beginsTurn reports whether the clock of the player to move starts with a row.
func (k RowKind) beginsTurn() bool {
	return k == RowMove || k == RowTakeback || k == RowStartClocks
}

// GoneNotice says that a player left or came back.
type GoneNotice struct {
	Player int
	Gone   bool
	// ClaimAt is when the opponent may claim the win or a draw, zero if never.
	ClaimAt time.Time
}

// Align gives events that were replayed from the log what only the present
// state knows: when the present turn began, and how the ratings changed.
func Align(events []Event, now *Snapshot) {
	inTurn := true
	for i := len(events) - 1; i >= 0; i-- {
		snap := events[i].Snapshot // made by the replay, and nobody else's yet
		if inTurn {
			snap.At = now.At
			passed := events[i].Row == RowRetire && i > 0 && events[i-1].Snapshot.Turn != snap.Turn
			inTurn = !events[i].Row.beginsTurn() && !passed
		}
		if snap.Over() {
			snap.RatingDiff = now.RatingDiff
		}
	}
}
