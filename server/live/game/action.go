package game

import "time"

// ActionKind says what a player, a spectator or the system wants to do.
type ActionKind uint8

// The kinds of action. Those after the gap come from the system only.
const (
	Move  ActionKind = iota + 1
	Abort            // by a player while hardly anything was played, by the system when both agreed
	Resign
	DrawYes     // accept, claim by repetition, or offer
	DrawNo      // decline
	TakebackYes // accept or propose
	TakebackNo  // decline, or withdraw one's own proposal
	ClaimVictory
	ClaimDraw
	Declare // what the rules let the player to move declare
	Chat
	SetConditional // replaces the player's conditional moves; none withdraws them
	Mute           // hides from the player what others write, or shows it again
	AddTime        // gives seconds to the opponent

	StartClocks // let the clock run before both sides have moved
	Timeout     // the deadline has passed: flag, days or first move
	Gone        // the player has left; volatile, no row
	Back        // the player is back; volatile, no row
	Rematched   // another game continues this one
)

// String names the kind in one word of lower-case letters and underscores; empty for a kind that there is not.
func (k ActionKind) String() string {
	switch k {
	case Move:
		return "move"
	case Abort:
		return "abort"
	case Resign:
		return "resign"
	case DrawYes:
		return "draw_yes"
	case DrawNo:
		return "draw_no"
	case TakebackYes:
		return "takeback_yes"
	case TakebackNo:
		return "takeback_no"
	case ClaimVictory:
		return "claim_victory"
	case ClaimDraw:
		return "claim_draw"
	case Declare:
		return "declare"
	case Chat:
		return "chat"
	case AddTime:
		return "add_time"
	case StartClocks:
		return "start_clocks"
	case Timeout:
		return "timeout"
	case Gone:
		return "gone"
	case Back:
		return "back"
	case Rematched:
		return "rematched"
	}
	return ""
}

// Action is one thing to be done. Which fields count depends on Kind.
type Action struct {
	Kind ActionKind
	// Player is the index of the player who acts, -1 for a spectator or the
	// system.
	Player int
	// ID makes the action idempotent: the second action of a player with the
	// same ID in the same game gets the first one's answer. "" is no ID.
	ID string

	Move      string   // Move: in UCI form, both castling forms
	Lines     []string // SetConditional: see Snapshot.Conditional
	Claim     string   // Declare: the name of the declaration
	OfferDraw bool     // Move: offer a draw, or accept one, before moving

	Room     string // Chat: RoomPlayer or RoomSpectator
	Text     string // Chat: 1 to 140 characters
	Username string // Chat: who speaks

	On bool // Mute

	Seconds int           // AddTime: 5 to 60
	Wait    time.Duration // Gone: from now until the opponent may claim
	Rematch string        // Rematched: the new game's id
}

// The rooms of a game's chat.
const (
	RoomPlayer    = "player"
	RoomSpectator = "spectator"
)

// SystemName is the user name of system notes in the chat.
const SystemName = "lichess"

// ChatLine is one line of a game's chat.
type ChatLine struct {
	Room     string
	Username string
	Text     string
	At       time.Time
}

// Ack is the answer to an accepted action.
type Ack struct {
	// Version is the number of the log row that holds the action, or of the
	// last row if the action changed nothing.
	Version uint64
	// Note says so when nothing happened: a repeated offer, an offer declined
	// that nobody made. Else empty.
	Note string
	// Snapshot is the state after the action or later.
	Snapshot *Snapshot
}
