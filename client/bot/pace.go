package bot

import (
	"errors"
	"math/rand/v2"
	"time"
)

// Pace keeps the bot from answering in no time, which people find unsettling.
type Pace struct {
	Least      Duration `yaml:"least"`
	Most       Duration `yaml:"most"`
	PeopleOnly bool     `yaml:"people_only"` // bots are answered at once
}

func (p Pace) validate() error {
	if p.Least < 0 || p.Most < p.Least {
		return errors.New("pace: least and most do not fit")
	}
	return nil
}

// moment is the move whose showing is paced.
type moment struct {
	Captured  string // cell on which the opponent captured, or ""
	Recapture bool   // shown fast
	Forced    bool   // the only legal move, shown fast
	Critical  bool   // check, or the score turned: shown slowly
	Bot       bool   // the opponent is a bot
	Clock     Clock
}

// delay returns how long after the opponent's move the answer may be shown.
// It never takes more than a fortieth of the clock.
func (p Pace) delay(m moment, r *rand.Rand) time.Duration {
	if m.Bot && p.PeopleOnly || p.Most == 0 {
		return 0
	}
	least, spread := p.Least.D(), p.Most.D()-p.Least.D()
	var d time.Duration
	switch {
	case m.Recapture || m.Forced:
		d = least + time.Duration(r.Float64()*float64(spread)/5)
	case m.Critical:
		d = least + spread/2 + time.Duration(r.Float64()*float64(spread)/2)
	default:
		// The product of two makes short waits more frequent than long ones.
		d = least + time.Duration(r.Float64()*r.Float64()*float64(spread))
	}
	if m.Clock.Limited {
		d = min(d, m.Clock.Mine/40+m.Clock.MyInc/2)
	}
	return max(d, 0)
}
