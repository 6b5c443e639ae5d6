package fault

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestErrorText(t *testing.T) {
	t.Parallel()
	disk := errors.New("disk full")
	for _, tc := range []struct {
		name string
		err  error
		want string
		kind Kind
	}{
		{"text", Invalid("no %s", "move"), "no move", KindInvalid},
		{"percent without arguments", Invalid("100%s"), "100%s", KindInvalid},
		{"fields sorted", Field("b", "bad").AddField("a", "worse"), "a: worse; b: bad", KindInvalid},
		{"kind only", &Error{Kind: KindNotFound}, "not found", KindNotFound},
		{"cause", Unavailable("try again").Because(disk), "try again: disk full", KindUnavailable},
		{"wrapped", fmt.Errorf("game x: %w", NotFound("No such game")), "game x: No such game", KindNotFound},
		{"foreign", disk, "disk full", KindInternal},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.err.Error(); got != tc.want {
				t.Errorf("text %q, want %q", got, tc.want)
			}
			if got := KindOf(tc.err); got != tc.kind {
				t.Errorf("kind %v, want %v", got, tc.kind)
			}
		})
	}
}

func TestBecauseLeavesTheOriginalAlone(t *testing.T) {
	t.Parallel()
	e := Unavailable("later")
	cause := errors.New("x")
	if !errors.Is(e.Because(cause), cause) {
		t.Error("the cause is not in the chain")
	}
	if e.Cause != nil {
		t.Error("Because changed its receiver")
	}
}

func TestLimited(t *testing.T) {
	t.Parallel()
	e := Limited("seek", time.Minute, "too many seeks")
	if e.LimitKey != "seek" || e.RetryAfter != time.Minute || e.Kind != KindLimited {
		t.Errorf("got %+v", e)
	}
}
