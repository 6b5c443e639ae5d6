package export

import (
	"testing"
	"time"

	"hoplite/server/live/clock"
)

// TestTimeControl writes every kind of clock into the header of a record.
func TestTimeControl(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		control clock.Control
		want    string
	}{
		{clock.NewFischer(5*time.Minute, 3*time.Second), "300+3"},
		{clock.NewDelay(5*time.Minute, 3*time.Second), "300d3"},
		{clock.NewByoyomi(10*time.Minute, 30*time.Second, 3), "600:1/30:1/30:1/30"},
		{clock.NewByoyomi(0, 30*time.Second, 1), "1/30"},
		{clock.NewCorrespondence(3), "-"},
		{clock.Control{}, "-"},
	} {
		if got := timeControl(c.control); got != c.want {
			t.Errorf("%s is written %s, want %s", c.control, got, c.want)
		}
	}
}
