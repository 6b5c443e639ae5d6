package protocol_test

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"hoplite/engine/protocol"
	"hoplite/engine/variant"
	"hoplite/engine/variantfile"
)

// catalogue compiles the games once.
var catalogue = sync.OnceValues(variant.Catalogue)

// options are those of the program, in the protocol that the first word names.
func options(t testing.TB) protocol.Options {
	t.Helper()
	set, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return protocol.Options{Name: "Test", Author: "Tester", Variants: set, Load: variantfile.With(set), Seed: 1}
}

// patience is how long an answer may take on a busy machine.
const patience = 60 * time.Second

// talk is a running session.
type talk struct {
	t    *testing.T
	in   *io.PipeWriter
	out  chan string
	done chan error
}

// start begins a session in UCI, or in the protocol of its first word.
func start(t *testing.T) *talk {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &talk{t: t, in: inW, out: make(chan string, 10000), done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	opts := options(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		err := protocol.Serve(ctx, inR, outW, opts)
		outW.Close()
		c.done <- err
	})
	wg.Go(func() {
		sc := bufio.NewScanner(outR)
		for sc.Scan() {
			c.out <- sc.Text()
		}
		close(c.out)
	})
	t.Cleanup(func() {
		cancel()
		inW.Close()
		wg.Wait()
	})
	return c
}

func (c *talk) send(lines ...string) {
	c.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(c.in, l+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

// expect reads until a line that has the prefix and returns it. No line before
// it may begin with one of those that are forbidden.
func (c *talk) expect(prefix string, forbidden ...string) string {
	c.t.Helper()
	return c.await(prefix, func(line string) bool { return strings.HasPrefix(line, prefix) }, forbidden)
}

func (c *talk) await(what string, fits func(string) bool, forbidden []string) string {
	c.t.Helper()
	timeout := time.After(patience)
	var seen []string
	for {
		select {
		case line, ok := <-c.out:
			if !ok {
				c.t.Fatalf("output ended before %q; got %q", what, seen)
			}
			if fits(line) {
				return line
			}
			for _, f := range forbidden {
				if strings.HasPrefix(line, f) {
					c.t.Fatalf("%q came before %q", line, what)
				}
			}
			seen = append(seen, line)
		case <-timeout:
			c.t.Fatalf("no %q in time; got %q", what, seen)
		}
	}
}

func (c *talk) quit() {
	c.t.Helper()
	c.send("quit")
	c.ended()
}

// ended waits for the orderly end of the session.
func (c *talk) ended() {
	c.t.Helper()
	select {
	case err := <-c.done:
		if err != nil {
			c.t.Fatalf("session ended with %v", err)
		}
	case <-time.After(patience):
		c.t.Fatal("the session does not end")
	}
}

// TestTranscripts plays the conversations of testdata. A line after > is sent, one after < must come and begin so, others
// before it do not matter but for those that begin as a line after ! says. What is after ~ must come anywhere in a line,
// what is after - not in the last one that was waited for.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		archive := txtar.Parse(text)
		for _, f := range archive.Files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+f.Name, func(t *testing.T) {
				t.Parallel()
				c := start(t)
				c.send(strings.Fields(string(archive.Comment))[0])
				var forbidden []string
				var last string
				for _, line := range strings.Split(strings.TrimSpace(string(f.Data)), "\n") {
					sign, rest, _ := strings.Cut(line, " ")
					switch sign {
					case ">":
						c.send(rest)
					case "!":
						forbidden = append(forbidden, rest)
					case "<":
						last = c.expect(rest, forbidden...)
						forbidden = nil
					case "~":
						last = c.await(rest, func(line string) bool { return strings.Contains(line, rest) }, forbidden)
						forbidden = nil
					case "-":
						if strings.Contains(last, rest) {
							t.Errorf("%q has %q", last, rest)
						}
					case "":
					default:
						t.Fatalf("what is %q?", line)
					}
				}
				c.quit()
			})
		}
	}
}

// TestQuitEndsEverySearch holds for each protocol and kind of search.
func TestQuitEndsEverySearch(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{
		"uci|go infinite", "uci|go ponder wtime 1000 btime 1000", "uci|go", "ucicyclone|go infinite", "usi|go infinite", "usi|go mate infinite",
		"usi|go ponder btime 0 byoyomi 10000", "ucci|go infinite", "ucci|go ponder time 100", "xboard|new|st 1000|go", "xboard|new|analyze",
		"xboard|new|st 1000|go|ping 1|option Skill Level=3",
	} {
		t.Run(strings.ReplaceAll(lines, "|", ","), func(t *testing.T) {
			t.Parallel()
			c := start(t)
			c.send(strings.Split(lines, "|")...)
			c.quit()
		})
	}
}

// TestOptionChoosesTheProtocol is for programs whose first word is another.
func TestOptionChoosesTheProtocol(t *testing.T) {
	t.Parallel()
	for _, p := range protocol.Protocols() {
		opts := options(t)
		opts.Protocol = p
		var out strings.Builder
		if err := protocol.Serve(t.Context(), strings.NewReader("nonsense\nquit\n"), &out, opts); err != nil {
			t.Fatal(err)
		}
		want := map[protocol.Protocol]string{protocol.CECP: "Error (", protocol.UCCI: "info message "}[p]
		if want == "" {
			want = "info string "
		}
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s: got %q", p, out.String())
		}
	}
	var p protocol.Protocol
	if err := p.UnmarshalText([]byte("gopher")); err == nil {
		t.Error("a protocol that does not exist is accepted")
	}
}
