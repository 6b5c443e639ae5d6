package presence

import (
	"slices"
	"sync"
	"testing"
	"time"
)

func TestTracker(t *testing.T) {
	t.Parallel()
	tr := New()
	if tr.Online("a") {
		t.Fatal("online before entering")
	}
	leave1, leave2 := tr.Enter("b"), tr.Enter("b")
	leaveA := tr.Enter("a")
	if got := tr.OnlineIDs(); !slices.Equal(got, []string{"a", "b"}) {
		t.Fatalf("online: %v", got)
	}
	leave1()
	leave1()
	if !tr.Online("b") {
		t.Fatal("leaving twice counted twice")
	}
	leave2()
	leaveA()
	if got := tr.OnlineIDs(); len(got) != 0 {
		t.Fatalf("still online: %v", got)
	}
}

func TestTrackerConcurrently(t *testing.T) {
	t.Parallel()
	tr := New()
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 200 {
				leave := tr.Enter("x")
				if !tr.Online("x") {
					t.Error("offline while entered")
				}
				leave()
			}
		})
	}
	wg.Wait()
	if tr.Online("x") {
		t.Error("online after all left")
	}
}

func TestSignal(t *testing.T) {
	t.Parallel()
	tr := New()
	tr.Measured("a", time.Millisecond)
	if got := tr.Signal("a"); got != 0 {
		t.Errorf("of somebody who is not here: %d", got)
	}
	leave := tr.Enter("a")
	for ms, want := range map[time.Duration]int{149: 4, 150: 3, 299: 3, 300: 2, 500: 1, 9000: 1} {
		tr.Measured("a", ms*time.Millisecond)
		if got := tr.Signal("a"); got != want {
			t.Errorf("%d ms: %d, want %d", ms, got, want)
		}
	}
	leave()
	if got := tr.Signal("a"); got != 0 {
		t.Errorf("after leaving: %d", got)
	}
}
