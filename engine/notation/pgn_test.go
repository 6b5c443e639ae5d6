package notation_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

func read(t *testing.T, text string) (records []*notation.Record, errs []error) {
	t.Helper()
	for rec, err := range notation.ReadPGN(catalogue(t), strings.NewReader(text)) {
		records = append(records, rec)
		errs = append(errs, err)
	}
	return records, errs
}

func moves(rec *notation.Record) string {
	var s []string
	for _, p := range rec.Moves {
		s = append(s, p.SAN)
	}
	return strings.Join(s, " ")
}

func TestReadPGN(t *testing.T) {
	records, errs := read(t, "\ufeff% an escaped line 1. e4\n"+`[Event "First \"quoted\" \\ game"]
[Site "?"]
[Result "1-0"]

{before} 1. e4 {[%clk 0:03:00] best by test [%eval 0.3]} e5 $1 (1... c5 2. Nf3 (2. c3 d5) {deep} d6) 2. Nf3! ; to the end of the line
Nc6 {[%clk 1:02:03.5]} 3.Bb5 a6?! 1-0

[Event "Second"]
[Variant "spartan CHESS"]

1. e4 hxe4 *

[Variant "S-chess"]
1. Nc3/H 1/2-1/2
[Event "Third, without a result"]
1. d4

[Event "Last"]
[FEN "4k3/8/8/8/8/8/8/R3K3 b - - 0 7"]
[SetUp "1"]
7... Kd7 8. Rd1+ *
`)
	if len(records) != 5 {
		t.Fatalf("%d records, %v", len(records), errs)
	}
	for i, err := range errs {
		if (err != nil) != (i == 1) {
			t.Errorf("game %d: %v", i+1, err)
		}
	}
	var bad *notation.PGNError
	var illegal *notation.MoveError
	if !errors.As(errs[1], &bad) || bad.Game != 2 || !errors.As(errs[1], &illegal) {
		t.Errorf("game 2: %v", errs[1])
	}
	first := records[0]
	if got := moves(first); got != "e4 e5 Nf3 Nc6 Bb5 a6" || first.Result != "1-0" || first.Comment != "before" {
		t.Errorf("got %s %s %q", got, first.Result, first.Comment)
	}
	if got := first.Tag("Event"); got != `First "quoted" \ game` {
		t.Errorf("got %s", got)
	}
	if p := first.Moves[0]; p.Clock != 3*time.Minute || !p.HasClock || p.Comment != "best by test" {
		t.Errorf("got %v", p)
	}
	if p := first.Moves[3]; p.Clock != time.Hour+2*time.Minute+3500*time.Millisecond {
		t.Errorf("got %v", p)
	}
	if p := first.Moves[2]; p.HasClock || p.Comment != "to the end of the line" {
		t.Errorf("got %v", p)
	}
	if records[2].Rules.Key() != "seirawan" || moves(records[2]) != "Nc3/H" || records[2].Result != "1/2-1/2" {
		t.Errorf("game 3: %s %s", records[2].Rules.Key(), moves(records[2]))
	}
	if moves(records[3]) != "d4" || records[3].Result != "*" || moves(records[4]) != "Kd7 Rd1+" {
		t.Errorf("games 4 and 5: %s, %s", moves(records[3]), moves(records[4]))
	}
}

func TestReadPGNErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[Variant \"Nosuch\"]\n\n1. e4 *\n", "unknown variant"},
		{"[FEN \"nonsense\"]\n\n1. e4 *\n", "bad start position"},
		{"[Event]\n\n1. e4 *\n", "a tag without a name or a value"},
		{"[Event \"x\n[Site \"y\"]\n\n1. e4 *\n", "a tag without end"},
		{"[Event \"x\" y]\n\n1. e4 *\n", "text after the value"},
		{"1. e4 {open\n", "a comment without end"},
		{"1. e4 ) e5 *\n", "a closing bracket too many"},
		{"1. e4 (1. d4 \n", "a variation without end"},
		{"1. e4 e6 2. Ke3 *\n", "move 2"},
		{"1. e4 " + strings.Repeat("(", 100) + "*\n", "nested too deep"},
		{"1. " + strings.Repeat("x", 70000) + " *\n", "a word of more than"},
		{"1. e4 {" + strings.Repeat("x", 70000) + "} *\n", "a comment of more than"},
	} {
		records, errs := read(t, c.text+"\n[Event \"Good\"]\n\n1. d4 *\n")
		if len(errs) < 2 && !strings.Contains(c.want, "without end") {
			t.Errorf("%.30q: the game behind was not read", c.text)
			continue
		}
		if errs[0] == nil || !strings.Contains(errs[0].Error(), c.want) {
			t.Errorf("%.30q: got %v, want %s", c.text, errs[0], c.want)
		}
		if last := len(errs) - 1; last > 0 && (errs[last] != nil || moves(records[last]) != "d4") {
			t.Errorf("%.30q: the game behind: %v", c.text, errs[last])
		}
	}
	broken := errors.New("broken pipe")
	n := 0
	for _, err := range notation.ReadPGN(catalogue(t), io.MultiReader(strings.NewReader("1. e4 e5 * 1. d4 "), iotest.ErrReader(broken))) {
		if n++; n == 2 && !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	}
	if n != 2 {
		t.Errorf("%d records", n)
	}
	if records, _ := read(t, " \n\n"); len(records) != 0 {
		t.Error("a game was read from nothing")
	}
}

func TestFindVariant(t *testing.T) {
	set := catalogue(t)
	for name, want := range map[string]string{"": "standard", "Standard": "standard", "chess": "standard",
		"From Position": "standard", "Fischer Random": "chess960", "CHESS960": "chess960", "spartan chess": "spartan",
		"SCHESS": "seirawan", "Seirawan": "seirawan", "Spartan Chess 28": "spartan28", "spartan28": "spartan28"} {
		if r, ok := notation.FindVariant(set, name); !ok || r.Key() != want {
			t.Errorf("%q: not %s", name, want)
		}
	}
	if _, ok := notation.FindVariant(set, "Quantum chess"); ok {
		t.Error("an unknown game was found")
	}
}

func TestWritePGN(t *testing.T) {
	r := game(t, "standard")
	start, err := notation.ParseFEN(r, "4k3/8/8/8/8/8/8/R3K3 b - - 0 7")
	if err != nil {
		t.Fatal(err)
	}
	g := rules.NewGame(start)
	rec := &notation.Record{Rules: r, Start: start, Result: "1-0", Tags: []notation.Tag{{Name: "Event", Value: "a \"b\" \\ c\n"}}}
	for i, text := range []string{"e8d7", "a1d1", "d7e8"} {
		m, err := notation.ParseMove(g.Position(), text)
		if err != nil {
			t.Fatal(err)
		}
		rec.Moves = append(rec.Moves, notation.Ply{Move: m, HasClock: true, Clock: time.Duration(i)*time.Hour + 61500*time.Millisecond})
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	rec.Moves[1].Comment = "a } in a comment"
	for _, c := range []struct {
		opts notation.PGNOptions
		want string
	}{
		{notation.PGNOptions{}, `[Event "a \"b\" \\ c "]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/8/R3K3 b - - 0 7"]

7... Kd7 { [%clk 0:01:01.5] } 8. Rd1+ { a ) in a comment [%clk 1:01:01.5] } 8... Ke8 { [%clk 2:01:01.5] } 1-0

`},
		{notation.PGNOptions{NoTags: true, NoClocks: true, NoComments: true}, "7... Kd7 8. Rd1+ Ke8 1-0\n\n"},
		{notation.PGNOptions{NoTags: true, NoMoves: true}, "1-0\n\n"},
	} {
		var b strings.Builder
		if err := notation.WritePGN(&b, rec, c.opts); err != nil {
			t.Fatal(err)
		}
		if b.String() != c.want {
			t.Errorf("got\n%s\nwant\n%s", b.String(), c.want)
		}
	}
	if err := notation.WritePGN(failing{}, rec, notation.PGNOptions{}); err == nil {
		t.Error("a full disk went unnoticed")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }
