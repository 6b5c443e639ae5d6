package notation

import (
	"time"

	"hoplite/engine/rules"
)

// Tag is one header line of a game record.
type Tag struct{ Name, Value string }

// Ply is one move of a game record.
type Ply struct {
	Move rules.Move
	// SAN is the move as text. WritePGN computes it if it is empty.
	SAN string
	// Clock is the time left after the move; it counts only with HasClock.
	Clock    time.Duration
	HasClock bool
	// Eval is what an engine thinks of the position after the move, for the first side: pawns such as 0.23, or a mate such
	// as #-3; empty if it has not been asked.
	Eval string
	// Comment is the text beside the move, without the clock.
	Comment string
}

// Record is one game as an archive holds it.
type Record struct {
	Tags  []Tag
	Start *rules.Position
	Rules *rules.Rules
	Moves []Ply
	// Result is "1-0", "0-1", "1/2-1/2" or "*".
	Result string
	// Comment stands before the first move.
	Comment string
}

// Tag returns the value of a tag, or "".
func (rec *Record) Tag(name string) string {
	for _, t := range rec.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

func (rec *Record) hasTag(name string) bool {
	for _, t := range rec.Tags {
		if t.Name == name {
			return true
		}
	}
	return false
}
