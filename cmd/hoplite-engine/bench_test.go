package main

import (
	"bytes"
	"regexp"
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
