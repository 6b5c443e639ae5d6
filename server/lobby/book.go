// Package lobby pairs players who look for anybody: seeks with a clock, which
// live as long as their stream, and correspondence seeks, which are stored.
package lobby

import (
	"slices"
	"time"

	"hoplite/server/live/clock"
)

// Color is what a seeker wants to play.
type Color int8

// The wishes of a seeker, as player index of the game; Random takes either.
const (
	White  Color = 0
	Black  Color = 1
	Random Color = -1
)

// String is the colour as the API writes it.
func (c Color) String() string {
	switch c {
	case White:
		return "white"
	case Black:
		return "black"
	}
	return "random"
}

// ParseColor is the inverse of String; anything else is Random.
func ParseColor(s string) Color {
	switch s {
	case "white":
		return White
	case "black":
		return Black
	}
	return Random
}

// A Seek is one player's offer to play anybody.
type Seek struct {
	ID          string
	Account     string
	Name        string
	Title       string
	Rating      int
	Provisional bool
	Variant     string
	Control     clock.Control
	Rated       bool
	Color       Color
	MinRating   int  // 0: any
	MaxRating   int  // 0: any
	Quick       bool // near the own rating first, and further with time; not shown
	Created     time.Time

	// avoids holds whom the account blocks and who blocks it, as of when the
	// seek looked for an opponent. A seek that waits has none: whoever comes
	// knows better.
	avoids map[string]bool

	// met are those whom the seeker has played a moment ago.
	met map[string]bool
}

// How far from the own rating quick pairing looks: at first, how much further
// with each second, and after which time rating does not matter any more.
const (
	quickWindow   = 100
	quickWidening = 25
	quickPatience = 30 * time.Second
	// repeatPause is how long a quick seek waits for somebody else before it
	// takes whom the seeker has just played.
	repeatPause = 8 * time.Second
)

// reaches says whether quick pairing has come to other's rating.
func (s *Seek) reaches(other *Seek, now time.Time) bool {
	waited := now.Sub(s.Created)
	if !s.Quick || waited >= quickPatience {
		return true
	}
	window := quickWindow + quickWidening*int(max(0, waited)/time.Second)
	return max(s.Rating-other.Rating, other.Rating-s.Rating) <= window
}

// again says whether a game of the two would follow another one of theirs.
func (s *Seek) again(other *Seek) bool { return s.met[other.Account] || other.met[s.Account] }

// pairs says whether the lobby makes a game of the two by itself now.
func (s *Seek) pairs(other *Seek, now time.Time) bool {
	if !s.fits(other) || !s.reaches(other, now) || !other.reaches(s, now) {
		return false
	}
	quick := s.Quick || other.Quick
	return !quick || !s.again(other) || now.Sub(s.Created) >= repeatPause || now.Sub(other.Created) >= repeatPause
}

// accepts says whether other's rating is in the range that s asks for.
func (s *Seek) accepts(other *Seek) bool {
	return (s.MinRating == 0 || other.Rating >= s.MinRating) && (s.MaxRating == 0 || other.Rating <= s.MaxRating)
}

// fits says whether the two seeks make a game.
func (s *Seek) fits(other *Seek) bool {
	return s.Account != other.Account && !s.avoids[other.Account] && !other.avoids[s.Account] &&
		s.Variant == other.Variant && s.Control == other.Control && s.Rated == other.Rated &&
		(s.Color == Random || s.Color != other.Color) &&
		s.accepts(other) && other.accepts(s)
}

// A book holds the open seeks, oldest first. It has no lock: the lobby owns it.
type book struct {
	seeks []*Seek
}

// match takes the oldest seek that pairs with s out of the book, rather one by
// somebody whom the seeker has not just played.
func (b *book) match(s *Seek, now time.Time) (*Seek, bool) {
	i := slices.IndexFunc(b.seeks, func(other *Seek) bool { return s.pairs(other, now) && !s.again(other) })
	if i < 0 {
		i = slices.IndexFunc(b.seeks, func(other *Seek) bool { return s.pairs(other, now) })
	}
	if i < 0 {
		return nil, false
	}
	found := b.seeks[i]
	b.seeks = slices.Delete(b.seeks, i, i+1)
	return found, true
}

// add puts s at the end, or back at its place by time.
func (b *book) add(s *Seek) {
	i, _ := slices.BinarySearchFunc(b.seeks, s, func(a, s *Seek) int {
		if c := a.Created.Compare(s.Created); c != 0 {
			return c
		}
		return -1 // behind its equals
	})
	b.seeks = slices.Insert(b.seeks, i, s)
}

// remove takes the seek out; false if it is gone already.
func (b *book) remove(id string) bool {
	i := slices.IndexFunc(b.seeks, func(s *Seek) bool { return s.ID == id })
	if i < 0 {
		return false
	}
	b.seeks = slices.Delete(b.seeks, i, i+1)
	return true
}

// of counts the open seeks of the account.
func (b *book) of(account string) int {
	n := 0
	for _, s := range b.seeks {
		if s.Account == account {
			n++
		}
	}
	return n
}

// get returns an open seek, nil if there is none of that id.
func (b *book) get(id string) *Seek {
	for _, s := range b.seeks {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// idOf returns an open seek of the account, "" if it has none.
func (b *book) idOf(account string) string {
	for _, s := range b.seeks {
		if s.Account == account {
			return s.ID
		}
	}
	return ""
}
