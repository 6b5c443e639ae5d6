package game

import (
	"slices"
	"time"

	"hoplite/server/live/clock"
)

// Snapshot is the public state of a game after some row of its log. It never
// changes; its slices are shared between snapshots and must not be written to.
type Snapshot struct {
	*Setup
	// Version is the number of the last row that it contains. It counts up by
	// one; 0 is the game as created.
	Version uint64
	// StartFEN is the start position in full, also for the usual start.
	StartFEN string
	// Moves is the current line in UCI, as the rule sheets write it.
	Moves    []string
	FEN      string
	LastMove string // "" at the start
	Check    bool
	Turn     int // index of the player to move
	// Status is a status name of LICHESS_API.md §3.3.
	Status string
	Winner int // index of the winner, -1 if none
	// Reason says more exactly than Status why the game ended: a reason of
	// the rules core, or one of this package's.
	Reason string

	// Clocks is what each side has left at At. Only the clock of the side to
	// move runs, and only if ClockRunning. See ClocksAt.
	Clocks       [2]time.Duration
	At           time.Time
	ClockRunning bool
	// ClockHistory has one entry a ply: the mover's clock after its move.
	ClockHistory []time.Duration

	DrawOffer [2]bool // made by this player and pending
	Takeback  [2]bool // proposed by this player and pending
	// RatingDiff is set once a rated game is over.
	RatingDiff [2]*int
	// LastMoveAt is when the last move arrived; the creation before it.
	LastMoveAt time.Time
	Gone       [2]GoneState
	// Rematch is the id of the game that continues this one, "" if none.
	Rematch string

	chat []ChatLine
}

// GoneState says whether a player has left.
type GoneState struct {
	Gone    bool
	ClaimAt time.Time // when the opponent may claim; zero if never
}

// StatusStarted and the other status names of LICHESS_API.md §3.3 that a live
// game can have.
const (
	StatusStarted    = "started"
	StatusAborted    = "aborted"
	StatusMate       = "mate"
	StatusResign     = "resign"
	StatusStalemate  = "stalemate"
	StatusTimeout    = "timeout"
	StatusDraw       = "draw"
	StatusOutOfTime  = "outoftime"
	StatusVariantEnd = "variantEnd"
)

// Over reports whether the game has ended, by a result or by an abort.
func (s *Snapshot) Over() bool { return s.Status != StatusStarted }

// Decided reports whether the game has ended with a result.
func (s *Snapshot) Decided() bool { return s.Over() && s.Status != StatusAborted }

// ChatLines returns the lines of one room, oldest first.
func (s *Snapshot) ChatLines(room string) []ChatLine {
	var lines []ChatLine
	for _, l := range s.chat {
		if l.Room == room {
			lines = append(lines, l)
		}
	}
	return lines
}

// Plies returns the length of the current line.
func (s *Snapshot) Plies() int { return len(s.Moves) }

// NoLimit is what ClocksAt shows for a side that has no time limit.
const NoLimit = (1<<31 - 1) * time.Millisecond

// ClocksAt returns what each side has left at now: on its clock, until its
// correspondence deadline, or NoLimit. It is never negative.
func (s *Snapshot) ClocksAt(now time.Time) [2]time.Duration {
	left := s.Clocks
	switch s.Control.Kind {
	case clock.Fischer:
		if s.ClockRunning {
			left[s.Turn] -= max(0, now.Sub(s.At))
		}
	case clock.Correspondence:
		left = [2]time.Duration{s.Control.PerMove(), s.Control.PerMove()}
		if !s.Over() {
			left[s.Turn] -= max(0, now.Sub(s.At))
		}
	default:
		return [2]time.Duration{NoLimit, NoLimit}
	}
	return [2]time.Duration{max(0, left[0]), max(0, left[1])}
}

// MayAbort reports whether the players may still abort the game.
func (s *Snapshot) MayAbort() bool {
	return !s.Over() && len(s.Moves) < 2 && !slices.Contains(s.Rules, RuleNoAbort)
}

// AllChat returns the lines of both rooms in the order of their rows. The
// slice must not be changed.
func (s *Snapshot) AllChat() []ChatLine { return s.chat }
