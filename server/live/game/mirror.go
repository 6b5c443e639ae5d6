package game

import "time"

// Present is what of a state is in no log.
type Present struct {
	At         time.Time // when the present turn began
	RatingDiff PerPlayer[*int]
	Gone       PerPlayer[GoneState]
}

// Present returns what of the snapshot is in no log.
func (s *Snapshot) Present() Present {
	return Present{At: s.At, RatingDiff: s.RatingDiff, Gone: s.Gone}
}

// SetPresent makes the state what another copy of it is, whose log is the same.
func (s *State) SetPresent(p Present) {
	s.cur.At, s.cur.RatingDiff, s.cur.Gone = p.At, p.RatingDiff, p.Gone
}

// Version is the number of the last row.
func (s *State) Version() uint64 { return s.cur.Version }

// Follow plays the rows that another copy of the state has written after this
// one, and returns their events; what these know of the present is as old as
// the state. After an error the state must be thrown away.
func (s *State) Follow(rows []Row) ([]Event, error) {
	events := make([]Event, 0, len(rows))
	err := s.playRows(rows, func(_ int, row *Row, d *rowData) { events = append(events, s.eventOf(row, d)) })
	return events, err
}
