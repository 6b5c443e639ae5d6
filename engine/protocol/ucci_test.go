package protocol

import (
	"io"
	"strings"
	"testing"
	"time"

	"hoplite/engine/search"
	"hoplite/engine/variant"
)

// Times of UCCI are seconds until it is told otherwise, and those of who moves come first.
func TestUCCITimes(t *testing.T) {
	t.Parallel()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSession(io.Discard, Options{Variants: set})
	if err != nil {
		t.Fatal(err)
	}
	spoken, err := newUCCI(s)
	if err != nil {
		t.Fatal(err)
	}
	d := spoken.(*ucci)
	for _, c := range []struct {
		before string
		unit   time.Duration
		mover  int
	}{
		{"position startpos", time.Second, 0},
		{"position startpos moves h2e2", time.Second, 1},
		{"setoption usemillisec true", time.Millisecond, 1},
		{"position startpos", time.Millisecond, 0},
	} {
		d.command(t.Context(), c.before)
		q := d.read(strings.Fields("time 300 increment 1 opptime 200 oppincrement 2 movestogo 7"), d.goWords())
		want := search.Clock{MovesToGo: 7}
		want.Time[c.mover], want.Time[1-c.mover] = 300*c.unit, 200*c.unit
		want.Inc[c.mover], want.Inc[1-c.mover] = c.unit, 2*c.unit
		if q.clock == nil || *q.clock != want {
			t.Errorf("%s: got %v, want %v", c.before, q.clock, want)
		}
	}
}
