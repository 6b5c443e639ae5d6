// The tests run the WebAssembly module in Node, beside the same core in this process.
package main_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/notation"
	"hoplite/engine/variant"
	"hoplite/engine/view"
)

// built returns the module, made from the sources as they are.
func built(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hoplite.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

type question struct {
	Name      string    `json:"name"`
	Question  any       `json:"question"`
	StopAfter int       `json:"stopAfter,omitempty"`
	Meanwhile *question `json:"meanwhile,omitempty"`
}

type answer struct {
	Answer    json.RawMessage
	Error     string
	Progress  int
	Meanwhile *answer
}

func asked(t *testing.T, module string, questions []question) []answer {
	t.Helper()
	var in bytes.Buffer
	for _, q := range questions {
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	support := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	node := exec.CommandContext(ctx, "node", "testdata/ask.mjs", support, module)
	node.Stdin = &in
	var complaints strings.Builder
	node.Stderr = &complaints
	out, err := node.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, complaints.String())
	}
	var answers []answer
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var a answer
		if err := d.Decode(&a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions\n%s", len(answers), len(questions), complaints.String())
	}
	return answers
}

// mostCompressed is the size that the module may have on the wire.
const mostCompressed = 2 << 20

// The page and the server follow the same rules: in every position of the oracle's table the WebAssembly core lists the
// same legal moves, pointed out the same way, as the core that the server runs.
func TestModule(t *testing.T) {
	module := built(t)
	t.Run("size", func(t *testing.T) { compressedSize(t, module) })
	t.Run("legal lists", func(t *testing.T) { legalLists(t, module) })
	t.Run("search", func(t *testing.T) { searches(t, module) })
}

func compressedSize(t *testing.T, module string) {
	data, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d compressed", len(data), packed.Len())
	if packed.Len() > mostCompressed {
		t.Errorf("%d bytes compressed, more than %d", packed.Len(), mostCompressed)
	}
}

func legalLists(t *testing.T, module string) {
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		Key string `json:"key"`
		FEN string `json:"fen"`
	}
	var lines []line
	var questions []question
	for _, l := range positions(t) {
		lines = append(lines, line{l[0], l[1]})
		questions = append(questions, question{Name: "state", Question: lines[len(lines)-1]})
	}
	if len(lines) < 100 {
		t.Fatalf("only %d positions", len(lines))
	}
	moves := 0
	for i, a := range asked(t, module, questions) {
		r, _ := set.Get(lines[i].Key)
		p, err := notation.ParseFEN(r, lines[i].FEN)
		if err != nil || a.Error != "" {
			// Positions of another reading of a game are refused by both, for the same reason.
			if err == nil || err.Error() != a.Error {
				t.Errorf("%v: the module says %q, the server %v", lines[i], a.Error, err)
			}
			continue
		}
		var got struct{ Scene view.Scene }
		if err := json.Unmarshal(a.Answer, &got); err != nil {
			t.Fatal(err)
		}
		want := view.Of(p)
		if _, over := p.Outcome(); over {
			want = view.Still(p)
		}
		moves += len(want.Moves)
		if diff := cmp.Diff(want, got.Scene); diff != "" {
			t.Errorf("%v (-server +module):\n%s", lines[i], diff)
		}
	}
	if moves < 20*len(lines) {
		t.Errorf("%d positions have only %d moves", len(lines), moves)
	}
}

// positions returns game and FEN of the oracle's table, each once.
func positions(t *testing.T) [][2]string {
	t.Helper()
	f, err := os.Open("../../engine/enginetest/testdata/perft.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[[2]string]bool{}
	var list [][2]string
	s := bufio.NewScanner(f)
	for s.Scan() {
		fields := strings.Split(s.Text(), "\t")
		if p := [2]string{fields[0], fields[1]}; fields[0] != "variant_key" && !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

func searches(t *testing.T, module string) {
	mate := map[string]any{"key": "standard", "fen": "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"}
	answers := asked(t, module, []question{
		{Name: "search", Question: map[string]any{"key": mate["key"], "fen": mate["fen"], "depth": 4}},
		{Name: "search", Question: map[string]any{"key": "spartan", "level": 3, "seed": 7}},
		// Without a limit it ends when it is stopped, and answers other questions before.
		{Name: "search", Question: map[string]any{"key": "seirawan"}, StopAfter: 500,
			Meanwhile: &question{Name: "state", Question: map[string]any{"key": "spartan"}}},
		{Name: "search", Question: map[string]any{"key": "none"}},
	})
	type found struct {
		Best  *struct{ Move, SAN string }
		Lines []struct{ Mate int }
		Nodes int
	}
	read := func(a answer) (f found) {
		if err := json.Unmarshal(a.Answer, &f); err != nil {
			t.Fatal(err, a.Error)
		}
		return f
	}
	if f := read(answers[0]); f.Best == nil || f.Best.Move != "a1a8" || f.Best.SAN != "Ra8#" || f.Lines[0].Mate != 1 || answers[0].Progress == 0 {
		t.Errorf("mate in one: %+v", answers[0])
	}
	if f := read(answers[1]); f.Best == nil {
		t.Errorf("level: %s", answers[1].Answer)
	}
	if f := read(answers[2]); f.Best == nil || f.Nodes == 0 {
		t.Errorf("stopped: %s", answers[2].Answer)
	}
	if m := answers[2].Meanwhile; m == nil || m.Error != "" || !strings.Contains(string(m.Answer), `"scene"`) {
		t.Errorf("meanwhile: %+v", m)
	}
	if answers[3].Error == "" {
		t.Errorf("a game that does not exist: %s", answers[3].Answer)
	}
}
