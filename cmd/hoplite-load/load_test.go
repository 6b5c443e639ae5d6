package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// server is the program that is measured.
var server string

// TestMain builds the server, and lets the test's own program be the bare ones.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "bare" {
		main()
		return
	}
	os.Exit(testWithServer(m))
}

func testWithServer(m *testing.M) int {
	folder, err := os.MkdirTemp("", "hoplite-load-test-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	server = filepath.Join(folder, "hoplite")
	if out, err := exec.Command("go", "build", "-o", server, "hoplite/cmd/hoplite").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v\n%s", err, out))
	}
	return m.Run()
}

func TestScriptIsAsLongAsTheMeasurements(t *testing.T) {
	moves, err := script()
	if err != nil || len(moves) != scriptPlies {
		t.Fatalf("%d plies, %v", len(moves), err)
	}
	if again, _ := script(); strings.Join(again, " ") != strings.Join(moves, " ") {
		t.Error("two scripts differ")
	}
}

// slowTable takes its time for one of its moves.
type slowTable struct {
	slow  int
	pause time.Duration
	mu    sync.Mutex
	moves []int
}

func (s *slowTable) play(_ context.Context, n int) (acked, heard time.Time, err error) {
	if n == s.slow {
		time.Sleep(s.pause)
	}
	s.mu.Lock()
	s.moves = append(s.moves, n)
	s.mu.Unlock()
	now := time.Now()
	return now, now, nil
}

// TestPaceCountsWhatAStallHolds checks that the moves behind a slow one count as late: they were due meanwhile.
func TestPaceCountsWhatAStallHolds(t *testing.T) {
	stalled := &slowTable{slow: 5, pause: 500 * time.Millisecond}
	o, err := keepPace(t.Context(), []*slowTable{stalled}, []int{0}, 50, time.Second, 1000)
	if err != nil || o.moves != len(stalled.moves) || o.moves < 49 || o.moves > 51 {
		t.Fatalf("%d moves counted, %d played, %v", o.moves, len(stalled.moves), err)
	}
	late := 0
	for _, d := range o.acked.all {
		if d > 100*time.Millisecond {
			late++
		}
	}
	if late < 15 {
		t.Errorf("%d moves are late, of some twenty that were due while one took half a second", late)
	}
	for i, n := range stalled.moves {
		if i != n {
			t.Fatalf("move %d came as number %d", n, i)
		}
	}
}

func TestPaceEndsWithTheScript(t *testing.T) {
	quick := &slowTable{slow: -1}
	o, err := keepPace(t.Context(), []*slowTable{quick}, []int{3}, 1000, time.Second, 10)
	if err != nil || o.moves != 7 {
		t.Errorf("%d moves, %v", o.moves, err)
	}
}

type brokenTable struct{}

var errBroken = errors.New("broken")

func (brokenTable) play(context.Context, int) (acked, heard time.Time, err error) {
	return acked, heard, errBroken
}

func TestFailureOfATableIsTold(t *testing.T) {
	if _, err := rush(t.Context(), []brokenTable{{}, {}}, make([]int, 2), time.Second, 10); !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
}

// TestLoad measures a real server for a moment, both ways.
func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "load.json")
	c := runCmd{
		Server: server, Via: []string{"socket", "bot"}, Games: []int{2, 3}, Rate: 20, For: time.Second, Bounds: 2, JSON: file,
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := c.Run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Steps) != 4 || r.Bounds.Socket.PerSecond == 0 || r.Bounds.Echo.PerSecond == 0 || r.Bounds.Commit.PerSecond == 0 {
		t.Fatalf("%+v", r)
	}
	for _, s := range r.Steps {
		if s.Paced.PerSecond == 0 || s.Rush.PerSecond == 0 || s.Half.PerSecond == 0 || s.Half.Heard.P99 == 0 || s.RSS == 0 {
			t.Errorf("%s, %d games: %+v", s.Via, s.Games, s)
		}
	}
	if rows := strings.Count(out.String(), "\n| "); rows < 14 {
		t.Errorf("the report has %d rows:\n%s", rows, out.String())
	}
}

// TestSoak plays short games one after the other for a moment.
func TestSoak(t *testing.T) {
	c := soakCmd{Server: server, Games: 4, Rate: 40, For: 4 * time.Second, Plies: 6}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := c.Run(t.Context(), &out); err != nil && !strings.Contains(err.Error(), "the memory grows") { // a second proves nothing
		t.Fatal(err)
	}
	if rows := strings.Count(out.String(), " MiB |\n"); rows != soakSamples || !strings.Contains(out.String(), " moves; acknowledged") {
		t.Errorf("%d rows:\n%s", rows, out.String())
	}
}

func TestSoakFindsMemoryThatGrows(t *testing.T) {
	grows := soak{samples: []int64{9, 9, 10, 10, 10, 11, 12, 13}}
	if err := grows.judge(new(bytes.Buffer)); err == nil {
		t.Error("a quarter more is not found")
	}
	flat := soak{samples: []int64{5, 9, 10, 10, 10, 11, 10, 10}}
	if err := flat.judge(new(bytes.Buffer)); err != nil {
		t.Error(err)
	}
}
