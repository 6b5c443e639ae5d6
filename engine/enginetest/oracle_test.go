package enginetest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hoplite/engine/enginetest"
	"hoplite/engine/variant"
)

func verifier(t *testing.T) *enginetest.Verifier {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return &enginetest.Verifier{Set: set, Known: known(t), OnDifference: func(d enginetest.Difference) { t.Error(d) }}
}

// shortNodes is the limit of perft rows in the short run; the long run has none.
const shortNodes = 600_000

func TestOraclePerft(t *testing.T) {
	t.Parallel()
	v := verifier(t)
	if !enginetest.Long() {
		v.MaxNodes = shortNodes
	}
	if err := v.File("testdata/perft.tsv"); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("testdata/perft.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Count(string(table), "\n") - 1
	if v.Rows+v.TooBig+v.Allowed < rows || v.Rows < rows*9/10 || v.Skipped != 0 {
		t.Errorf("%d of %d rows replayed, %d too big, %d of unknown games", v.Rows, rows, v.TooBig, v.Skipped)
	}
}

func TestOracleGames(t *testing.T) {
	files, err := filepath.Glob("testdata/games/*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatal("no games", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			v := verifier(t)
			v.OnEarly = func(e enginetest.Early) {
				if !v.Expects(e) {
					t.Error(e)
				}
			}
			if err := v.File(file); err != nil {
				t.Fatal(err)
			}
			if v.Games < 40 || v.Plies < 1500 {
				t.Errorf("%d games with %d plies replayed", v.Games, v.Plies)
			}
		})
	}
}

// TestFindsDifferences proves that the comparison can fail: data with one fact changed gives one difference of its kind.
func TestFindsDifferences(t *testing.T) {
	const good = `{"variant":"standard","start_fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",` +
		`"moves":["f2f3","e7e5","g2g4","d8h4"],"fens":[` +
		`"rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1",` +
		`"rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2",` +
		`"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",` +
		`"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"],` +
		`"counts":[20,20,19,30],"checks":[false,false,false,true],"final_count":0,"result":"0-1","termination":"checkmate"}`
	for _, c := range []struct{ name, old, new, what string }{
		{"nothing", "", "", ""},
		{"count", "[20,20", "[20,21", enginetest.WhatCount},
		{"final count", `"final_count":0`, `"final_count":1`, enginetest.WhatCount},
		{"board", "6Pq/5P2", "6P1/5P2", enginetest.WhatFEN},
		{"rights", "w KQkq - 1 3", "w KQk - 1 3", enginetest.WhatFEN},
		{"clock", "- 1 3", "- 0 3", enginetest.WhatFEN},
		{"check", "false,true]", "false,false]", enginetest.WhatCheck},
		{"result", `"0-1"`, `"1-0"`, enginetest.WhatResult},
		{"move", "d8h4", "d8h5", enginetest.WhatText},
		{"json", "{", "", enginetest.WhatText},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verifier(t)
			var got []string
			v.OnDifference = func(d enginetest.Difference) { got = append(got, d.What) }
			if err := v.GameFile("data", strings.NewReader(strings.Replace(good, c.old, c.new, 1))); err != nil {
				t.Fatal(err)
			}
			if c.what == "" && v.Differences == 0 && v.Games == 1 && v.Plies == 4 {
				return
			}
			if len(got) != 1 || got[0] != c.what || v.Differences != 1 {
				t.Errorf("got %v, want one difference of %q", got, c.what)
			}
		})
	}
}

func TestPerftTableDifferences(t *testing.T) {
	const table = "variant_key\tfen\tdepth\tnodes\tsource\tnote\n" +
		"standard\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t2\t401\t\t\n" +
		"standard\tnonsense w - - 0 1\t2\t401\t\t\n" +
		"nosuchgame\t8/8 w - - 0 1\t1\t1\t\t\n"
	v := verifier(t)
	var got []string
	v.OnDifference = func(d enginetest.Difference) { got = append(got, d.What) }
	if err := v.PerftTable("table", strings.NewReader(table)); err != nil {
		t.Fatal(err)
	}
	if strings.Join(got, " ") != "perft text" || v.Skipped != 1 {
		t.Errorf("differences %v, skipped %d", got, v.Skipped)
	}
	v = verifier(t)
	v.Known = []enginetest.Known{{Game: "standard", What: "perft", Pattern: regexp.MustCompile("400 nodes")},
		{Game: "standard", What: "text", Pattern: regexp.MustCompile("^nonsense")}}
	if err := v.PerftTable("table", strings.NewReader(table)); err != nil {
		t.Fatal(err)
	}
	if v.Differences != 0 || v.Allowed != 2 {
		t.Errorf("%d differences and %d known ones", v.Differences, v.Allowed)
	}
}

// TestEarlyEnd proves that a game that our rules end first is told apart and its rest not replayed.
func TestEarlyEnd(t *testing.T) {
	const data = `{"variant":"standard","start_fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","moves":["e1e2","nonsense"],` +
		`"fens":["",""],"counts":[5,8],"checks":[false,false],"final_count":8,"result":"*","termination":"maxPlies"}`
	v := verifier(t)
	var early []enginetest.Early
	v.OnEarly = func(e enginetest.Early) { early = append(early, e) }
	if err := v.GameFile("data", strings.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	if len(early) != 1 || early[0].Reason != "material" || early[0].Ply != 0 || v.EarlyEnds != 1 {
		t.Errorf("early ends %v", early)
	}
}

func TestReadKnown(t *testing.T) {
	known, err := enginetest.ReadKnown(strings.NewReader("# comment\n\nstandard\tfen\tply \\d+\tbecause\n"))
	if err != nil || len(known) != 1 || known[0].Reason != "because" {
		t.Errorf("got %v, %v", known, err)
	}
	for _, bad := range []string{"standard\tfen\tx\n", "standard\tfen\t(\tr\n"} {
		if _, err := enginetest.ReadKnown(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// TestSecondaryGames replays the games of programs that are less checked than the reference. What they count otherwise
// than our sheets is listed in testdata/known.tsv with the reason.
func TestSecondaryGames(t *testing.T) {
	files, err := filepath.Glob("testdata/secondary/*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatal("no games", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			v := verifier(t)
			v.OnEarly = func(e enginetest.Early) { t.Log(e) }
			if err := v.File(file); err != nil {
				t.Fatal(err)
			}
			if v.Games != 20 || v.Plies < 1000 {
				t.Errorf("%d games with %d plies replayed", v.Games, v.Plies)
			}
			t.Logf("%d plies, %d known differences, %d games ended early", v.Plies, v.Allowed, v.EarlyEnds)
		})
	}
}

func known(t *testing.T) []enginetest.Known {
	t.Helper()
	f, err := os.Open("testdata/known.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := enginetest.ReadKnown(f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSecondaryPerft counts the leaves of the start positions that the less checked programs know.
func TestSecondaryPerft(t *testing.T) {
	t.Parallel()
	v := verifier(t)
	if !enginetest.Long() {
		v.MaxNodes = shortNodes
	}
	if err := v.File("testdata/perft_secondary.tsv"); err != nil {
		t.Fatal(err)
	}
	if v.Rows < 3 {
		t.Errorf("%d rows replayed", v.Rows)
	}
}
