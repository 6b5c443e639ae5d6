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
)

// Event is what the subscribers of a game get. It never changes.
type Event struct {
	Version  uint64
	Kind     EventKind
	Snapshot *Snapshot // the state after the event; always set
	Chat     *ChatLine // EventChat
	Gone     *GoneNotice
}

// GoneNotice says that a player left or came back.
type GoneNotice struct {
	Player int
	Gone   bool
	// ClaimAt is when the opponent may claim the win or a draw, zero if never.
	ClaimAt time.Time
}
