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
	// Claims are what the player to move may declare.
	Claims []string
	// Status is a status name of LICHESS_API.md §3.3.
	Status string
	Winner int // index of the winner, -1 if none
	// Reason says more exactly than Status why the game ended: a reason of
	// the rules core, or one of this package's.
	Reason string

	// Movers names the player of each ply. Turns may have several plies.
	Movers []uint8
	// Declared are the declarations between the plies.
	Declared []Declared

	// Clocks is what each side has left at At, in the terms of its control
	// (clock.Control.Read shows it). Only the clock of the side to move runs,
	// and only if ClockRunning. See ClocksAt.
	Clocks       PerPlayer[time.Duration]
	At           time.Time
	ClockRunning bool
	// ClockHistory has one entry a ply: the mover's clock after its move, in
	// the terms of Clocks.
	ClockHistory []time.Duration

	// Out says which players of a game of more than two are out of it, Points
	// what they have scored in a game with points, and Places how they came out
	// once it is over. The last two are nil in games of two.
	Out    PerPlayer[bool]
	Points []float64
	Places []int

	DrawOffer PerPlayer[bool] // made by this player and pending
	Takeback  PerPlayer[bool] // proposed by this player and pending
	Muted     PerPlayer[bool] // this player does not hear the others
	// Conditional are the lines of plies that each player of a game of two has
	// foreseen. Nobody else may know them.
	Conditional [2][]string
	// RatingDiff is set once a rated game is over.
	RatingDiff PerPlayer[*int]
	// LastMoveAt is when the last move arrived; the creation before it.
	LastMoveAt time.Time
	Gone       PerPlayer[GoneState]
	// Rematch is the id of the game that continues this one, "" if none.
	Rematch string

	// Viewed says that this is not the state but what a viewer may know of it
	// (For), and Legal the moves that are open to the viewer.
	Viewed bool
	Legal  []string

	chat []ChatLine
	seen []sight // by viewer+1; nil in games that hide nothing
}

// GoneState says whether a player has left.
type GoneState struct {
	Gone    bool
	ClaimAt time.Time // when the opponent may claim; zero if never
	// Returned says that the player was gone and is back: whoever was told of
	// the one and lost its stream has to be told of the other.
	Returned bool
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

// Plies returns the length of the current line.
func (s *Snapshot) Plies() int { return len(s.Moves) }

// NoLimit is what ClocksAt shows for a side that has no time limit.
const NoLimit = (1<<31 - 1) * time.Millisecond

// ClocksAt returns what the clock of each player shows at now: what is left on
// it, until the correspondence deadline, or NoLimit. It is never negative.
func (s *Snapshot) ClocksAt(now time.Time) PerPlayer[clock.Reading] {
	var shown PerPlayer[clock.Reading]
	thought := max(0, now.Sub(s.At))
	for i := range s.Players {
		mine := i == s.Turn
		switch {
		case s.Control.HasClock() && mine && s.ClockRunning:
			shown[i] = s.Control.Read(s.Control.Left(s.Clocks[i], thought))
		case s.Control.HasClock():
			shown[i] = s.Control.Read(s.Clocks[i])
		case s.Control.Kind != clock.Correspondence:
			shown[i].Left = NoLimit
		case mine && !s.Over():
			shown[i].Left = max(0, s.Control.PerMove()-thought)
		default:
			shown[i].Left = s.Control.PerMove()
		}
	}
	return shown
}

// ClockAfter returns what the clock of the player who made a ply showed after
// it, false if that is not known.
func (s *Snapshot) ClockAfter(ply int) (clock.Reading, bool) {
	if ply < 0 || ply >= len(s.ClockHistory) {
		return clock.Reading{}, false
	}
	return s.Control.Read(s.ClockHistory[ply]), true
}

// Begun reports whether every player has had a turn, so that the clocks run
// and the game is none to be aborted any more.
func (s *Snapshot) Begun() bool {
	turns := 0
	for i, mover := range s.Movers {
		next := s.Turn
		if i+1 < len(s.Movers) {
			next = int(s.Movers[i+1])
		}
		if int(mover) != next {
			turns++
		}
		if turns >= len(s.Players) {
			return true
		}
	}
	return false
}

// HasMoved reports whether the player has made a ply of the current line.
func (s *Snapshot) HasMoved(player int) bool { return slices.Contains(s.Movers, uint8(player)) }

// MayAbort reports whether the players may still abort the game.
func (s *Snapshot) MayAbort() bool {
	return !s.Over() && !s.Begun() && !s.HasRule(RuleNoAbort)
}
