package gormdb

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hoplite/store"
)

// How values are kept: see the head of the first migration.

func toMs(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMs(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func durMs(d time.Duration) int64  { return d.Milliseconds() }
func msDur(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
func words(list []string) string   { return strings.Join(list, " ") }
func fromWords(s string) []string  { return strings.Fields(s) }
func rawJSON(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}

// checkWords refuses lists that would not come back as they went in.
func checkWords(list []string) error {
	for _, w := range list {
		if w == "" || strings.ContainsAny(w, " \t\n\v\f\r\u0085\u00a0") {
			return fmt.Errorf("%q is not one word: %w", w, store.ErrInvalid)
		}
	}
	return nil
}

// packDurations writes milliseconds as variable-length integers: three bytes
// for a clock of five minutes.
func packDurations(list []time.Duration) []byte {
	out := make([]byte, 0, 3*len(list)+2)
	for _, d := range list {
		out = binary.AppendVarint(out, durMs(d))
	}
	return out
}

func unpackDurations(b []byte) ([]time.Duration, error) {
	if len(b) == 0 {
		return nil, nil
	}
	out := make([]time.Duration, 0, len(b)/3+1)
	for len(b) > 0 {
		ms, n := binary.Varint(b)
		if n <= 0 {
			return nil, fmt.Errorf("damaged list of durations: %w", store.ErrInvalid)
		}
		out = append(out, msDur(ms))
		b = b[n:]
	}
	return out, nil
}

func packInts(list []int) string {
	s := make([]string, len(list))
	for i, n := range list {
		s[i] = strconv.Itoa(n)
	}
	return words(s)
}

func packFloats(list []float64) string {
	s := make([]string, len(list))
	for i, n := range list {
		s[i] = strconv.FormatFloat(n, 'f', -1, 64)
	}
	return words(s)
}

// unpackFloats reads what packFloats wrote.
func unpackFloats(s string) ([]float64, error) {
	var out []float64
	for _, f := range strings.Fields(s) {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil, fmt.Errorf("damaged list of points: %w", store.ErrInvalid)
		}
		out = append(out, n)
	}
	return out, nil
}

func unpackInts(s string) []int {
	var out []int
	for _, f := range strings.Fields(s) {
		n, err := strconv.Atoi(f)
		if err != nil {
			continue // never written
		}
		out = append(out, n)
	}
	return out
}
