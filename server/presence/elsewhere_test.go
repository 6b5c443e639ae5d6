package presence_test

import (
	"slices"
	"testing"
	"time"

	"hoplite/server/presence"
)

func TestElsewhereHoldsForAWhile(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var e presence.Elsewhere[string]
	if e.Has("ann", now) || e.Left("ann", "n1") {
		t.Fatal("somebody is there from the start")
	}
	e.Note("ann", "n1", now.Add(time.Second))
	e.Note("ann", "n2", now.Add(3*time.Second))
	e.Note("bob", "n1", now.Add(time.Second))
	if got := e.All(now); len(got) != 2 {
		t.Errorf("all: %v", got)
	}
	later := now.Add(time.Second)
	if !e.Has("ann", later) || e.Has("bob", later) || !slices.Equal(e.All(later), []string{"ann"}) {
		t.Error("what holds until then does not hold then")
	}
	e.Forget(later)
	if e.Left("bob", "n1") || e.Left("ann", "n1") {
		t.Error("what holds no longer is not forgotten")
	}
	if !e.Left("ann", "n2") || e.Has("ann", now) {
		t.Error("who has left is still there")
	}
}
