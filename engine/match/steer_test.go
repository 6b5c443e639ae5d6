package match

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A player whose speed differs from move to move, and from what was taken for
// granted by far, spends what it should on average.
func TestSteerKeepsTheAverage(t *testing.T) {
	t.Parallel()
	for name, player := range map[string]func(chance *rand.Rand) (nodesPerSecond, part float64){
		"slow":    func(*rand.Rand) (float64, float64) { return 20_000, 1 },
		"fast":    func(*rand.Rand) (float64, float64) { return 3_000_000, 1 },
		"restive": func(c *rand.Rand) (float64, float64) { return 400_000 * math.Exp(c.NormFloat64()/2), 1 },
		"forced":  func(c *rand.Rand) (float64, float64) { return 400_000, float64(c.IntN(4)) / 3 },
	} {
		s := steer{target: 50 * time.Millisecond, rate: firstNodes}
		chance := rand.New(rand.NewPCG(1, 2))
		const moves = 400
		used := time.Duration(0)
		for range moves {
			speed, part := player(chance)
			searched := s.setting() * part
			took := time.Duration(searched / speed * float64(time.Second))
			s.tell(searched, took)
			used += took
		}
		if mean := used / moves; mean < 47*time.Millisecond || mean > 53*time.Millisecond {
			t.Errorf("%s: %v a move instead of %v", name, mean, s.target)
		}
	}
}

// A player that stops early all the time does not save up for one endless
// search.
func TestSteerForgetsWhatIsNotSpent(t *testing.T) {
	t.Parallel()
	s := steer{target: 50 * time.Millisecond, rate: firstNodes}
	usual := s.setting()
	for range 1000 {
		s.tell(1, 0)
	}
	if got := s.setting(); got > 3*usual {
		t.Errorf("%.0f nodes after forced moves, %.0f before", got, usual)
	}
}
