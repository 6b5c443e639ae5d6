package main

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the node counts of bench anew")

// benchCounts matches what bench says of each position, and the signature.
var benchCounts = regexp.MustCompile(`(?m)^(\S+ +\d+ nodes  .*|signature +\d+ nodes)`)

// A change that is not meant to touch the search does not change how many nodes it visits. One that is comes with the
// new counts, which -update writes. They depend on neither chance nor speed.
func TestBenchSignature(t *testing.T) {
	t.Parallel()
	const stored = "testdata/bench.txt"
	var stdout, stderr bytes.Buffer
	if code := run([]string{"bench", "--depth", "7"}, &stdout, &stderr); code != 0 {
		t.Fatalf("status %d: %s", code, stderr.String())
	}
	counts := strings.Join(benchCounts.FindAllString(stdout.String(), -1), "\n") + "\n"
	if *update {
		if err := os.WriteFile(stored, []byte(counts), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(stored)
	if err != nil {
		t.Fatal(err)
	}
	if counts != string(want) {
		t.Errorf("the search visits other nodes than %s says; go test ./cmd/hoplite-engine -run BenchSignature -update writes them:\n%s",
			stored, counts)
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
