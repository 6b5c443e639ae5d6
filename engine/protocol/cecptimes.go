package protocol

import (
	"context"
	"strconv"
	"strings"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// times are the time controls in XBoard's terms.
type times struct {
	moves     int // to each time control; 0: the time is for the whole game
	since     int // moves that the engine had made when that was told
	base, inc time.Duration
	exact     time.Duration // for each move, instead of all that; 0: not so
	depth     int
	rate      uint64 // nodes that count as a second; 0: time is time
	own       time.Duration
	other     time.Duration
}

// newTimes are the usual ones: forty moves in five minutes.
func newTimes() times {
	const usual = 5 * time.Minute
	return times{moves: 40, base: usual, own: usual, other: usual}
}

// limits are those of a search for a move of side, who has made some.
func (t *times) limits(side rules.Side, made int) search.Limits {
	l := search.Limits{Depth: t.depth, NodeRate: t.rate}
	if t.exact > 0 {
		l.MoveTime = t.exact
		return l
	}
	c := &search.Clock{}
	own := int(side) & 1
	c.Time[own], c.Time[1-own] = t.own, t.other
	c.Inc = [2]time.Duration{t.inc, t.inc}
	if t.moves > 0 {
		c.MovesToGo = t.moves - max(made-t.since, 0)%t.moves
	}
	l.Clock = c
	return l
}

// spent takes the time of a move off the own clock, until XBoard tells it anew.
func (t *times) spent(d time.Duration) { t.own = t.own - d + t.inc }

// level obeys "level MPS BASE INC": base is minutes, or minutes and seconds
// with a colon between them; what follows that in the word is left out.
func (d *cecp) level(_ context.Context, args []string) error {
	if len(args) < 3 {
		return missing
	}
	if len(args) > 3 {
		return complaint("too many parameters")
	}
	moves, err := strconv.Atoi(args[0])
	inc, err2 := strconv.ParseFloat(args[2], 64)
	base, ok := minutes(args[1])
	if err != nil || err2 != nil || !ok || moves < 0 || !(inc >= 0) || inc > maxSeconds {
		return complaint("not a time control")
	}
	t := &d.times
	t.moves, t.base, t.inc, t.exact, t.since = moves, base, seconds(inc), 0, d.movesMade()
	t.own, t.other = base, base
	return nil
}

// minutes reads minutes, or minutes and seconds.
func minutes(text string) (time.Duration, bool) {
	end := 0
	for end < len(text) && (text[end] == ':' || text[end] >= '0' && text[end] <= '9') {
		end++
	}
	m, s, colon := strings.Cut(text[:end], ":")
	n, err := strconv.Atoi(m)
	if err != nil || n > maxSeconds/60 {
		return 0, false
	}
	rest := 0
	if colon {
		if rest, err = strconv.Atoi(s); err != nil || rest > maxSeconds {
			return 0, false
		}
	}
	return time.Duration(n)*time.Minute + time.Duration(rest)*time.Second, true
}

// maxSeconds bounds times: about three years.
const maxSeconds = 100_000_000

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// natural reads the only parameter, a number from 0.
func natural(args []string) (int, error) {
	if len(args) == 0 {
		return 0, missing
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 0 || n > maxSeconds {
		return 0, complaint("number expected")
	}
	return n, nil
}

// perMove obeys "st TIME", in seconds.
func (d *cecp) perMove(_ context.Context, args []string) error {
	if len(args) == 0 {
		return missing
	}
	s, err := strconv.ParseFloat(args[0], 64)
	if err != nil || !(s > 0) || s > maxSeconds {
		return complaint("number expected")
	}
	d.times.exact = max(seconds(s), time.Millisecond)
	return nil
}

func (d *cecp) depth(_ context.Context, args []string) error {
	n, err := natural(args)
	if err == nil {
		d.times.depth = n
	}
	return err
}

// nodeRate obeys "nps N". 0 would have us count the time of our process, which
// is what the clock shows when nobody else computes.
func (d *cecp) nodeRate(_ context.Context, args []string) error {
	n, err := natural(args)
	if err == nil {
		d.times.rate = uint64(n)
	}
	return err
}

// ownTime obeys "time N", in hundredths of a second.
func (d *cecp) ownTime(_ context.Context, args []string) error { return hundredths(args, &d.times.own) }

func (d *cecp) otherTime(_ context.Context, args []string) error {
	return hundredths(args, &d.times.other)
}

func hundredths(args []string, to *time.Duration) error {
	if len(args) == 0 {
		return missing
	}
	n, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return complaint("number expected")
	}
	*to = duration(n, 10*time.Millisecond)
	return nil
}
