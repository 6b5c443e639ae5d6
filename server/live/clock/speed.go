package clock

import "time"

// Speed is the class of a time control, as LICHESS_API.md §3.2 names them.
type Speed string

// The speeds from the quickest to the slowest.
const (
	UltraBullet         Speed = "ultraBullet"
	Bullet              Speed = "bullet"
	Blitz               Speed = "blitz"
	Rapid               Speed = "rapid"
	Classical           Speed = "classical"
	CorrespondenceSpeed Speed = "correspondence"
)

var speeds = [...]struct {
	speed Speed
	below time.Duration // the first estimate that is too long for it
}{
	{UltraBullet, 30 * time.Second},
	{Bullet, 180 * time.Second},
	{Blitz, 480 * time.Second},
	{Rapid, 1500 * time.Second},
	{Classical, 21600 * time.Second},
}

// Speed returns the class of the control; everything without a clock is
// correspondence.
func (c Control) Speed() Speed {
	if c.HasClock() {
		estimate := c.Estimate()
		for _, s := range speeds {
			if estimate < s.below {
				return s.speed
			}
		}
	}
	return CorrespondenceSpeed
}

// Compare orders speeds from the quickest (negative) to the slowest. An
// unknown speed counts as the slowest.
func (s Speed) Compare(t Speed) int { return s.rank() - t.rank() }

func (s Speed) rank() int {
	for i, x := range speeds {
		if x.speed == s {
			return i
		}
	}
	return len(speeds)
}
