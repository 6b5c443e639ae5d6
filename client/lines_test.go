package client

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzLines compares the reader with the plain definition of what it yields, for
// input that arrives byte by byte and may break off.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"", "\n", "a", "a\n", "\n\n{}\n\n[1]", "a\r\nb\r\n", strings.Repeat("x", 5000) + "\ny", " \t\n\x00\n\u2028\n"} {
		f.Add([]byte(seed), false, 64)
		f.Add([]byte(seed), true, 10_000)
	}
	f.Fuzz(func(t *testing.T, data []byte, broken bool, most int) {
		most = min(max(most, 1), 1<<16)
		var want [][]byte
		tooLong := false
		parts := bytes.Split(data, []byte{'\n'})
		for i, l := range parts {
			last := i == len(parts)-1
			if len(l) > most+1 || len(l) == most+1 && !last {
				tooLong = true
				break
			}
			if last && broken {
				break // cut short
			}
			if l = bytes.TrimSpace(l); len(l) > 0 {
				want = append(want, l)
			}
		}
		var r io.Reader = bytes.NewReader(data)
		lost := errors.New("lost")
		if broken {
			r = io.MultiReader(r, iotest.ErrReader(lost))
		}
		var got [][]byte
		var end error
		for l, err := range lines(iotest.OneByteReader(r), most) {
			if err != nil {
				end = err
				break
			}
			got = append(got, bytes.Clone(l))
		}
		if len(got) != len(want) {
			t.Fatalf("got %d lines %q, want %q", len(got), got, want)
		}
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("line %d: got %q, want %q", i, got[i], want[i])
			}
		}
		switch {
		case tooLong && !errors.Is(end, errLineTooLong):
			t.Errorf("got %v, want too long", end)
		case !tooLong && broken && !errors.Is(end, lost):
			t.Errorf("got %v, want the read error", end)
		case !tooLong && !broken && end != nil:
			t.Errorf("got %v, want none", end)
		}
	})
}
