package bot

import (
	"context"
	"errors"
	"time"

	"hoplite/engine/search"
)

// Engine is a program that plays games, several at the same time.
type Engine interface {
	// Name is what the log and the greeting call it.
	Name() string
	// Plays reports whether the engine plays the variant with this key.
	Plays(variant string) bool
	// Open prepares for one game. The player belongs to one goroutine at a
	// time and is closed by the caller.
	Open(ctx context.Context, g Game) (Player, error)
	// Close ends the engine after all its players were closed.
	Close() error
}

// Player thinks for one side of one game.
type Player interface {
	// Choose returns the move to play. It returns the context's error when
	// the context ends first, [ErrNoMove] when the game is over, and any other
	// error when the engine broke; the caller may then ask again.
	Choose(ctx context.Context, t Turn) (Choice, error)
	Close() error
}

// ErrNoMove says that the side to move has no legal move.
var ErrNoMove = errors.New("no legal move")

// Game is what a player is told about its game.
type Game struct {
	ID      string
	Variant string // key
	FEN     string // start position; "" is the variant's usual start
	White   bool   // the engine plays the side that is called white
}

// Turn is a position that asks for a move.
type Turn struct {
	Moves []string // all moves since the start, as the server writes them
	Clock Clock
}

// Clock is the time both sides have. Without Limited the engine thinks for as
// long as its configuration says.
type Clock struct {
	Limited            bool
	Mine, Theirs       time.Duration
	MyInc, TheirInc    time.Duration
	SinceReceived      time.Duration // already spent on this turn when the search begins
	UnstartedMoveLimit time.Duration // at most this long while the clocks do not run yet; 0 without
}

// Choice is a move with what the engine thinks of it.
type Choice struct {
	Move  string        // in a form that the server reads
	Score *search.Score // of the engine's own side; nil if the engine did not say
	Depth int
	Nodes uint64
	Time  time.Duration
}
