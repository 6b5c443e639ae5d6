package lichess

import "hoplite/server/live/game"

// Told is what a stream has told its reader of, so that what begins or ends is
// told once, though it may be heard twice: in the stream's beginning and among
// its events, or again after a node has died. Bots play a game that they are
// told of twice with two hands. It belongs to one goroutine. The zero Told has
// told nothing.
type Told struct{ open map[string]bool }

// Begins notes that something with an id goes on, and reports whether the
// reader does not know that.
func (t *Told) Begins(id string) bool {
	if t.open[id] {
		return false
	}
	if t.open == nil {
		t.open = make(map[string]bool)
	}
	t.open[id] = true
	return true
}

// Ends notes the end of something, and reports whether the reader has waited
// for it.
func (t *Told) Ends(id string) bool {
	was := t.open[id]
	delete(t.open, id)
	return was
}

// Starts is Begins for a game that is told of as one that goes on. A game that
// has ended meanwhile is not.
func (t *Told) Starts(s *game.Snapshot) bool { return !s.Over() && t.Begins(s.ID) }
