package search

import (
	"fmt"
	"time"

	"hoplite/engine/rules"
)

// Limits say when a search ends. Several may be set: the first one reached
// counts. The zero value sets none, so the search runs until its context ends
// or the greatest depth is reached.
type Limits struct {
	Depth    int           // plies of the last iteration; 0: no limit
	Nodes    uint64        // positions made on the board; 0: no limit
	MoveTime time.Duration // for this move, overhead included; 0: no limit
	Clock    *Clock        // nil: no clock
	// NodeRate, if not 0, measures the time of Clock and MoveTime by the nodes
	// searched: so many are a second.
	NodeRate uint64
	// Infinite keeps the search from returning before its context ends, even
	// when there is nothing left to look for.
	Infinite bool
	// Ponder, if not nil, does the same until something can be received from
	// it, which tells that the expected move was played; the time limits
	// count from then on.
	Ponder <-chan struct{}
	// SearchMoves restricts the root to these moves; empty: all legal ones.
	SearchMoves []rules.Move
	// Mate ends the search when a forced mate in at most that many moves of
	// the player is found; 0: not looked for.
	Mate int
	// MultiPV is the number of best root moves to report; 0 means 1.
	MultiPV int
	// Yield, if not nil, is called from the searching goroutine every few
	// milliseconds. Where all goroutines share one thread that is never taken
	// away, as in WebAssembly, it lets the others run.
	Yield func()
}

// Score is a result from the point of view of the player to move.
type Score struct {
	CP int // hundredths of a pawn; meaningless when Mate is not 0
	// Mate is the number of moves of the winner to a forced end of the game:
	// positive if the player to move wins, negative if the opponent does.
	Mate int
}

// String formats the score as UCI does: "cp 35", "mate -2".
func (s Score) String() string {
	if s.Mate != 0 {
		return fmt.Sprintf("mate %d", s.Mate)
	}
	return fmt.Sprintf("cp %d", s.CP)
}

// MateCP is what mating at once counts in centipawns.
const MateCP = 30_000

// Centipawns puts mates and centipawns on one scale, on which a mate in three
// is 29,997.
func (s Score) Centipawns() int {
	switch {
	case s.Mate > 0:
		return MateCP - s.Mate
	case s.Mate < 0:
		return -MateCP - s.Mate
	}
	return s.CP
}

// Less orders scores from worst to best for the player to move.
func (s Score) Less(o Score) bool { return s.value() < o.value() }

func (s Score) value() int {
	switch {
	case s.Mate > 0:
		return mateScore - 2*s.Mate + 1
	case s.Mate < 0:
		return -mateScore - 2*s.Mate
	}
	return s.CP
}

// Result is what a search found. Best is 0 only if there is no legal move.
type Result struct {
	Best, Ponder rules.Move
	Score        Score
	Depth        int
	Nodes        uint64
	PV           []rules.Move
}

// Info reports the progress of a search: one line of play after an iteration.
type Info struct {
	Depth    int
	SelDepth int // plies of the longest line looked at
	MultiPV  int // 1 for the best line
	Score    Score
	Nodes    uint64
	Elapsed  time.Duration
	HashFull int // entries of the table used by this search, in thousandths
	PV       []rules.Move
}

const (
	// maxPly bounds the length of a line, extensions and captures included.
	maxPly = 120
	// usualMoves is the room for moves that a node begins with.
	usualMoves = 384
	// usualCells is the number of cells above which there may be twice as many.
	usualCells = 100
	// blockerMoves is how much more a node needs where a neutral man is placed
	// with each move.
	blockerMoves = 8

	infinity  = 32000
	mateScore = 31000 // lost on the spot is -mateScore
	mateBound = mateScore - 2*maxPly
)

// toScore turns a score of the root into a Score.
func toScore(v int) Score {
	switch {
	case v >= mateBound:
		return Score{Mate: (mateScore - v + 1) / 2}
	case v <= -mateBound:
		return Score{Mate: -max((mateScore+v+1)/2, 1)}
	}
	return Score{CP: v}
}

// toTable makes a mate score relative to the node where it is stored, and
// fromTable relative to the root again.
func toTable(v, ply int) int {
	switch {
	case v >= mateBound:
		return v + ply
	case v <= -mateBound:
		return v - ply
	}
	return v
}

func fromTable(v, ply int) int {
	switch {
	case v >= mateBound:
		return v - ply
	case v <= -mateBound:
		return v + ply
	}
	return v
}
