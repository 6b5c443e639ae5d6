package variant_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"hoplite/engine/enginetest"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

func catalogue(t testing.TB) *variant.Set {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func load(t testing.TB, key string) map[string]string {
	t.Helper()
	return archive(t, filepath.Join("testdata", key+".txtar"))
}

// archive returns the sections of a file of test data.
func archive(t testing.TB, path string) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(bytes.TrimSpace(f.Data))
	}
	return files
}

// TestCatalogue holds what every definition needs: unique names, texts, a sheet and test data; and no sheet or data
// without a definition.
func TestCatalogue(t *testing.T) {
	names := map[string]string{}
	var keys []string
	for _, r := range catalogue(t).List() {
		d := r.Definition()
		keys = append(keys, d.Key)
		for what, s := range map[string]string{"name": d.Name, "UCI name": d.UCIName, "PGN name": d.PGNName,
			"category": d.Category, "summary": d.Text.Summary, "rules": d.Text.Rules, "history": d.Text.History,
			"other readings": d.Text.OtherReadings} {
			if s == "" {
				t.Errorf("%s: no %s", d.Key, what)
			}
		}
		if d.Players < 2 {
			t.Errorf("%s: %d players", d.Key, d.Players)
		}
		for _, n := range slices.Concat([]string{d.Key, d.UCIName, d.PGNName, d.Programs.XBoard}, d.Programs.Also, d.PGNAliases) {
			n = strings.ToLower(n)
			if n == "" {
				continue
			}
			if other := names[n]; other != "" && other != d.Key {
				t.Errorf("%s and %s are both called %q", d.Key, other, n)
			}
			names[n] = d.Key
		}
		if _, err := os.Stat(d.Key + ".go"); err != nil {
			t.Errorf("%s: its definition belongs into a file of that name", d.Key)
		}
		for _, section := range []string{"start", "perft", "rules", "game", "final"} {
			if load(t, d.Key)[section] == "" {
				t.Errorf("%s: its test data has no section %q", d.Key, section)
			}
		}
	}
	for _, pattern := range []string{"*.md", "testdata/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, f := range files {
			if key := strings.TrimSuffix(filepath.Base(f), filepath.Ext(f)); !slices.Contains(keys, key) {
				t.Errorf("%s belongs to no game of the catalogue", f)
			}
		}
	}
}

var numbered = regexp.MustCompile(`(?m)^(\d+)\. `)

// TestRules runs the scripts of the test data and asks that each numbered rule of a sheet has a test.
func TestRules(t *testing.T) {
	for _, r := range catalogue(t).List() {
		t.Run(r.Key(), func(t *testing.T) {
			testRules(t, r, load(t, r.Key())["rules"])
		})
	}
}

// testRules runs the scripts of one game.
func testRules(t *testing.T, r *rules.Rules, script string) {
	tested := map[int]bool{}
	for _, block := range strings.Split(script, "\n\n") {
		title, body, _ := strings.Cut(strings.TrimSpace(block), "\n")
		t.Run(strings.TrimPrefix(title, "# "), func(t *testing.T) {
			run(t, r, body, tested)
		})
	}
	rules := numbered.FindAllStringSubmatch(r.Definition().Text.Rules, -1)
	if len(rules) == 0 {
		t.Error("the sheet has no numbered rules")
	}
	for i, m := range rules {
		n, _ := strconv.Atoi(m[1])
		if n != i+1 {
			t.Errorf("rule %d of the sheet has number %d", i+1, n)
		}
		if !tested[n] {
			t.Errorf("rule %d of the sheet has no test", n)
		}
		delete(tested, n)
	}
	for n := range tested {
		t.Errorf("a test names rule %d, which the sheet has not", n)
	}
}

// run plays one block of a script. Each line is a word with its arguments.
func run(t *testing.T, r *rules.Rules, script string, tested map[int]bool) {
	var g *rules.Game
	load := func(p *rules.Position, err error) {
		if err != nil {
			t.Fatal(err)
		}
		g = rules.NewGame(p)
	}
	for _, line := range strings.Split(script, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		args := strings.Fields(rest)
		fail := func(format string, a ...any) {
			t.Helper()
			at := ""
			if g != nil {
				at = " at " + notation.FEN(g.Position())
			}
			t.Errorf("%s%s: %s", line, at, fmt.Sprintf(format, a...))
		}
		switch word {
		case "rule":
			for _, a := range args {
				n, err := strconv.Atoi(a)
				if err != nil {
					t.Fatal(line, err)
				}
				tested[n] = true
			}
		case "start":
			load(r.Start(r.UsualStart()))
		case "startnumber":
			n, err := strconv.Atoi(args[0])
			if err != nil {
				t.Fatal(err)
			}
			load(r.Start(n))
			if got, want := notation.FEN(g.Position()), strings.Join(args[1:], " "); got != want {
				fail("got %s", got)
			}
		case "fen":
			load(notation.ParseFEN(r, rest))
		case "badfen":
			fen, want, _ := strings.Cut(rest, " | ")
			if _, err := notation.ParseFEN(r, fen); err == nil || !strings.Contains(err.Error(), want) {
				fail("got error %v", err)
			}
		case "play":
			for _, a := range args {
				turn, err := notation.ParseTurn(g.Position(), a)
				for _, m := range turn {
					if err == nil {
						err = g.Play(m)
					}
				}
				if err != nil {
					t.Fatalf("%s: %v", line, err)
				}
			}
		case "count":
			if got := strconv.Itoa(g.Position().CountMoves()); got != rest {
				fail("%s moves", got)
			}
		case "legal":
			for _, a := range args {
				if _, err := notation.ParseTurn(g.Position(), a); err != nil {
					fail("%v", err)
				}
			}
		case "illegal":
			for _, a := range args {
				if _, err := notation.ParseTurn(g.Position(), a); err == nil {
					fail("%s is legal", a)
				}
			}
		case "san":
			m, err := notation.ParseMove(g.Position(), args[0])
			if err != nil {
				fail("%v", err)
				continue
			}
			if got := strings.TrimRight(notation.SAN(g.Position(), m), "+#"); got != args[1] {
				fail("got %s", got)
			}
			if back, err := notation.ParseSAN(g.Position(), args[1]); err != nil || back != m {
				fail("read back: %v", err)
			}
		case "is":
			if got := notation.FEN(g.Position()); got != rest {
				fail("got %s", got)
			}
		case "placement":
			if got := notation.Placement(g.Position()); got != rest {
				fail("got %s", got)
			}
		case "same":
			p, err := notation.ParseFEN(r, rest)
			if err != nil {
				t.Fatal(err)
			}
			if p.Key() != g.Position().Key() {
				fail("the keys differ")
			}
		case "check":
			if got := g.Position().InCheck(); got != (rest == "yes") {
				fail("got %t", got)
			}
		case "claim":
			if got := g.CanClaimDraw(); got != (rest == "yes") {
				fail("got %t", got)
			}
		case "claims":
			var names []string
			for _, c := range g.Position().Claims() {
				names = append(names, string(c))
			}
			if got := strings.Join(names, ", "); got != rest && (got != "" || rest != "none") {
				fail("got %q", got)
			}
		case "declare":
			if err := g.Declare(rules.Claim(rest)); err != nil {
				fail("%v", err)
			}
		case "canmate":
			s := rules.Side(slices.Index([]string{"w", "b"}, args[0]))
			if got := g.Position().CanMate(s); got != (args[1] == "yes") {
				fail("got %t", got)
			}
		case "outcome":
			if got := outcome(g); got != rest {
				fail("got %s", got)
			}
		default:
			t.Fatalf("unknown word in %q", line)
		}
	}
}

func outcome(g *rules.Game) string {
	o, over := g.Outcome()
	if !over {
		return "none"
	}
	return o.Result() + " " + string(o.Reason)
}

// perftLimit is the number of nodes above which node counts run with HOPLITE_LONG only.
const perftLimit = 1_000_000

func TestPerft(t *testing.T) {
	for _, r := range catalogue(t).List() {
		t.Run(r.Key(), func(t *testing.T) {
			testPerft(t, r, load(t, r.Key())["perft"])
		})
	}
}

// testPerft counts the leaves of the positions of one game.
func testPerft(t *testing.T, r *rules.Rules, table string) {
	for _, line := range strings.Split(table, "\n") {
		f := strings.Split(line, " | ")
		if len(f) != 3 || f[2] == "" {
			t.Fatalf("%q: position, counts and their origin are needed", line)
		}
		p, err := notation.ParseFEN(r, f[0])
		if err != nil {
			t.Fatal(err)
		}
		for i, count := range strings.Fields(f[1]) {
			want, err := strconv.ParseUint(count, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if want > perftLimit && !enginetest.Long() {
				break
			}
			if got := rules.Perft(p, i+1); got != want {
				t.Errorf("%s depth %d: got %d, want %d", f[0], i+1, got, want)
			}
		}
	}
}

// TestWholeGame replays a game record and compares where it leads, and writes and reads it again.
func TestWholeGame(t *testing.T) {
	set := catalogue(t)
	for _, r := range set.List() {
		t.Run(r.Key(), func(t *testing.T) {
			data := load(t, r.Key())
			if start, err := r.Start(r.UsualStart()); err != nil || notation.FEN(start) != data["start"] {
				t.Errorf("start: got %s, want %s, error %v", notation.FEN(start), data["start"], err)
			}
			n := 0
			for rec, err := range notation.ReadPGN(set, strings.NewReader(data["game"])) {
				if err != nil {
					t.Fatal(err)
				}
				n++
				if rec.Rules != r {
					t.Fatalf("the record is of %s", rec.Rules.Key())
				}
				g := rules.NewGame(rec.Start)
				for _, ply := range rec.Moves {
					if err := g.Play(ply.Move); err != nil {
						t.Fatal(err)
					}
				}
				if got := notation.FEN(g.Position()) + "\n" + outcome(g); got != data["final"] {
					t.Errorf("got\n%s\nwant\n%s", got, data["final"])
				}
				var b strings.Builder
				if err := notation.WritePGN(&b, rec, notation.PGNOptions{}); err != nil {
					t.Fatal(err)
				}
				if got, want := strings.Join(strings.Fields(b.String()), " "), strings.Join(strings.Fields(data["game"]), " "); got != want {
					t.Errorf("written again:\n%s\nwant\n%s", got, want)
				}
			}
			if n != 1 {
				t.Errorf("%d games", n)
			}
		})
	}
}

func TestChess960Arrays(t *testing.T) {
	r, _ := catalogue(t).Get("chess960")
	seen := map[string]bool{}
	for n := range r.Starts() {
		p, err := r.Start(n)
		if err != nil {
			t.Fatal(err)
		}
		fen := notation.FEN(p)
		if seen[fen] {
			t.Errorf("array %d occurs twice: %s", n, fen)
		}
		seen[fen] = true
		if len(p.CastlingRights()) != 4 {
			t.Errorf("array %d has %d castling rights", n, len(p.CastlingRights()))
		}
	}
	if len(seen) != 960 {
		t.Errorf("%d arrays", len(seen))
	}
	for _, n := range []int{-1, 960} {
		if _, err := r.Start(n); err == nil {
			t.Errorf("start %d exists", n)
		}
	}
}
