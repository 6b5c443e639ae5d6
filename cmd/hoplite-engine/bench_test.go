package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

var signature = regexp.MustCompile(`(?m)^signature +(\d+) nodes`)

// The signature must not depend on chance or speed, or it could not show that
// a change left the search alone.
func TestBenchSignatureIsStable(t *testing.T) {
	t.Parallel()
	var counts []string
	for range 2 {
		var stdout, stderr bytes.Buffer
		if code := run([]string{"bench", "--depth", "6"}, &stdout, &stderr); code != 0 {
			t.Fatalf("status %d: %s", code, stderr.String())
		}
		m := signature.FindStringSubmatch(stdout.String())
		if m == nil {
			t.Fatalf("no signature in %q", stdout.String())
		}
		counts = append(counts, m[1])
	}
	if counts[0] != counts[1] {
		t.Errorf("signatures %s and %s", counts[0], counts[1])
	}
}

// Ten games stand for the families, with three positions each.
func TestBenchPositions(t *testing.T) {
	t.Parallel()
	positions := map[string]int{}
	for line := range strings.Lines(benchPositions) {
		key, _, _ := strings.Cut(line, "\t")
		positions[key]++
	}
	for key, n := range positions {
		if n != 3 {
			t.Errorf("%d positions of %s", n, key)
		}
	}
	if len(positions) != 10 {
		t.Errorf("positions of %d games", len(positions))
	}
}
