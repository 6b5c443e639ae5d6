package variantfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/engine/variantfile"
)

// catalogue finds the games that a file may start from.
func catalogue(key string) (*rules.Definition, bool) {
	for _, d := range variant.All() {
		if d.Key == key {
			return d, true
		}
	}
	return nil, false
}

// TestExamples plays the games of docs/examples: what a reader copies must work.
func TestExamples(t *testing.T) {
	list, err := variantfile.ReadDir("../../docs/examples/variants", catalogue)
	if err != nil {
		t.Fatal(err)
	}
	perft := map[string][]uint64{
		// Counts of the starts by hand. Amazon: 16 pawn steps, 4 leaps of knights, 2 of the amazon. Berolina: a pawn has two
		// steps and two double steps, on the edge files and those beside them fewer. Elephants: 6, 2 and 3.
		"amazonChess":    {22, 484},
		"berolina":       {30, 900},
		"elephantGarden": {11, 121},
	}
	for _, d := range list {
		t.Run(d.Key, func(t *testing.T) {
			r, err := rules.Compile(d)
			if err != nil {
				t.Fatal(err)
			}
			p, err := r.Start(0)
			if err != nil {
				t.Fatal(err)
			}
			want, ok := perft[d.Key]
			if !ok {
				t.Fatal("no counts for this game")
			}
			for depth, n := range want {
				if got := rules.Perft(p, depth+1); got != n {
					t.Errorf("depth %d: %d leaves, want %d", depth+1, got, n)
				}
			}
			delete(perft, d.Key)
		})
	}
	if len(perft) != 0 {
		t.Errorf("examples missing: %v", perft)
	}
}

func TestParentStaysAsItIs(t *testing.T) {
	before, _ := catalogue("standard")
	text, err := os.ReadFile("../../docs/examples/variants/amazons.yaml")
	if err != nil {
		t.Fatal(err)
	}
	shared := func(string) (*rules.Definition, bool) {
		d := *before // the pieces are shared with the parent
		return &d, true
	}
	if _, err := variantfile.Read("amazons.yaml", text, shared); err != nil {
		t.Fatal(err)
	}
	if before.Key != "standard" || before.Pieces[1].Letter != "Q" || before.Pieces[1].Betza != "Q" {
		t.Errorf("the parent has become %s with %+v", before.Key, before.Pieces[1])
	}
}

func TestRefusals(t *testing.T) {
	const head = "key: own\nparent: standard\nname: Own game\n"
	for _, c := range []struct {
		name, text, field, reason string
		line                      int
	}{
		{"no YAML", "key: [", "", "did not find", 0},
		{"a list", "- a\n", "", "one game", 1},
		{"unknown field", head + "colour: red\n", "colour", "no such field", 4},
		{"field twice", head + "name: Again\n", "", "", 0},
		{"unknown parent", "key: own\nparent: checkers\n", "parent", `"checkers"`, 2},
		{"unknown man without", head + "without: X\n", "without", `"X"`, 4},
		{"bad key", "key: Own Game\nparent: standard\nname: n\n", "key", "no key", 1},
		{"no number", head + "players: two\n", "players", `"two"`, 4},
		{"no boolean", head + "pieces:\n  - {letter: Q, royal: perhaps}\n", "pieces[Q].royal", `"perhaps"`, 5},
		{"no list", head + "pieces: Q\n", "pieces", "a list", 4},
		{"betza", head + "pieces:\n  - letter: Q\n    betza: xyz\n", "pieces[Q].betza", "betza", 6},
		{"unknown man in an army", head + "sides:\n  - {letter: w, army: KX}\n", "pieces", "unknown man", 0},
		{"promotion", head + "pieces:\n  - letter: P\n    promotion: {to: X}\n", "pieces", "unknown man", 0},
		{"castling", head + "castling:\n  wings: []\n", "castling", "0 wings", 4},
		{"start", head + "start: {fen: 8/8}\n", "start", "2 ranks", 4},
		{"end", head + "ends: [{kind: rain}]\n", "ends", "rain", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := variantfile.Read("own.yaml", []byte(c.text), catalogue)
			var bad *variantfile.Error
			if !errors.As(err, &bad) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if bad.File != "own.yaml" || c.field != "" && bad.Field != c.field || !strings.Contains(bad.Reason, c.reason) ||
				c.line != 0 && bad.Line != c.line {
				t.Errorf("got %v (line %d, field %q), want line %d, field %q, %q", bad, bad.Line, bad.Field, c.line, c.field, c.reason)
			}
		})
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.yaml", "key: own\nparent: standard\nname: Own game\n")
	write("b.yml", "key: ownSmall\nparent: own\nname: Without queens\nwithout: Q\nstart: {fen: 4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1}\n"+
		"sides: [{letter: w, army: KRBNP}, {letter: b, army: KRBNP}]\npieces: [{letter: P, promotion: {to: RBN}}]\n")
	write("notes.txt", "not read")
	list, err := variantfile.ReadDir(dir, catalogue)
	if err != nil || len(list) != 2 || list[1].Key != "ownSmall" {
		t.Fatalf("got %d games and %v", len(list), err)
	}
	write("c.yaml", "key: standard\nparent: standard\nname: Chess again\n")
	var bad *variantfile.Error
	if _, err := variantfile.ReadDir(dir, catalogue); !errors.As(err, &bad) || bad.Field != "key" {
		t.Errorf("a second game standard: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	examples, err := filepath.Glob("../../docs/examples/variants/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range examples {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := variantfile.Read("fuzz.yaml", text, catalogue)
		if err != nil {
			return
		}
		r, err := rules.Compile(d)
		if err != nil {
			t.Fatalf("read without an error, but: %v", err)
		}
		if _, err := r.Start(r.UsualStart()); err != nil {
			t.Fatalf("read without an error, but its start: %v", err)
		}
	})
}
