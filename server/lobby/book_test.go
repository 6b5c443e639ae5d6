package lobby

import (
	"testing"
	"time"

	"hoplite/server/live/clock"
)

func TestFits(t *testing.T) {
	t.Parallel()
	rapid := clock.NewFischer(10*time.Minute, 5*time.Second)
	base := Seek{Account: "ann", Variant: "standard", Control: rapid, Color: Random, Rating: 1500}
	with := func(change func(*Seek)) Seek { s := base; s.Account = "bob"; change(&s); return s }
	for _, test := range []struct {
		name string
		a, b Seek
		want bool
	}{
		{"equal", base, with(func(*Seek) {}), true},
		{"oneself", base, base, false},
		{"another variant", base, with(func(s *Seek) { s.Variant = "spartan" }), false},
		{"another clock", base, with(func(s *Seek) { s.Control.Increment = 4 * time.Second }), false},
		{"days", base, with(func(s *Seek) { s.Control = clock.NewCorrespondence(2) }), false},
		{"rated and casual", base, with(func(s *Seek) { s.Rated = true }), false},
		{"white and random", with(func(s *Seek) { s.Color = White }), base, true},
		{"white and black", func() Seek { s := base; s.Color = White; return s }(), with(func(s *Seek) { s.Color = Black }), true},
		{"white and white", func() Seek { s := base; s.Color = White; return s }(), with(func(s *Seek) { s.Color = White }), false},
		{"rating in range", base, with(func(s *Seek) { s.MinRating, s.MaxRating = 1400, 1500 }), true},
		{"rating too high", base, with(func(s *Seek) { s.MaxRating = 1499 }), false},
		{"rating too low", base, with(func(s *Seek) { s.MinRating = 1501 }), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.a.fits(&test.b); got != test.want {
				t.Errorf("fits: %t, want %t", got, test.want)
			}
			if got := test.b.fits(&test.a); got != test.want {
				t.Errorf("fits the other way: %t, want %t", got, test.want)
			}
		})
	}
}

func TestBookTakesTheOldest(t *testing.T) {
	t.Parallel()
	seek := func(id string, at int) *Seek {
		return &Seek{ID: id, Account: id, Color: Random, Created: time.Unix(int64(at), 0)}
	}
	var b book
	b.add(seek("b", 2))
	b.add(seek("c", 3))
	b.add(seek("a", 1)) // came back after a failed pairing
	for _, want := range []string{"a", "b", "c"} {
		got, ok := b.match(seek("x", 9), time.Unix(9, 0))
		if !ok || got.ID != want {
			t.Fatalf("matched %v, %t; want %s", got, ok, want)
		}
	}
	if _, ok := b.match(seek("x", 9), time.Unix(9, 0)); ok {
		t.Error("matched a seek of an empty book")
	}
	b.add(seek("a", 1))
	if b.of("a") != 1 || !b.remove("a") || b.remove("a") || b.of("a") != 0 {
		t.Error("remove did not take the seek out once")
	}
}
