package notation_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"hoplite/engine/board"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

func TestKIFMoves(t *testing.T) {
	wall := board.Wall
	for _, c := range []struct{ key, fen, last, kif, own string }{
		{"shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1", "", "７六歩(77)", "c3c4"},
		{"shogi", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL[] w - - 0 2", "", "２二角成(88)", "b2h8+"},
		{"shogi", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL[] w - - 0 2", "h8", "同　角(88)", "b2h8"},
		{"shogi", "4k4/9/9/9/4+S4/9/9/9/4K4[P] w", "", "５四成銀(55)", "e5e6"},
		{"shogi", "4k4/9/9/9/9/9/9/9/4K4[P] w", "", "５五歩打", "P@e5"},
		{"toriShogi", "3k3/7/3S3/7/7/7/3K3[] w", "", "４二燕成(43)", "d5d6+"},
		{"chuShogi", "k11/12/12/12/7g4/6n5/5N6/12/12/12/12/11K w - - 0 1", "", "６六獅(←７七)→５五", "f6g7h8"},
		{"chuShogi", "k11/12/12/12/7g4/6n5/5N6/12/12/12/12/11K w - - 0 1", "", "５九獅(←７七)", "f6h4"},
		{"chuShogi", "lg9k/12/12/12/12/12/12/12/12/12/12/K10L w - - 0 1", "", "１十二香(←１十二)", ""},
	} {
		p := parse(t, c.key, c.fen)
		last := wall
		if c.last != "" {
			last, _ = p.Rules().Board().ParseCell(c.last)
		}
		m, err := notation.ParseKIFMove(p, c.kif, last)
		if c.own == "" {
			if err == nil {
				t.Errorf("%s was read", c.kif)
			}
			continue
		}
		if err != nil {
			t.Fatal(c.kif, err)
		}
		if got := notation.FormatMove(p, m); got != c.own {
			t.Errorf("%s: got %s, want %s", c.kif, got, c.own)
		}
		if got, err := notation.FormatKIFMove(p, m, last); err != nil || got != c.kif {
			t.Errorf("%s: written %s, %v", c.kif, got, err)
		}
	}
	p := parse(t, "shogi", "4k4/9/9/9/9/9/9/9/4K4[P] w")
	for _, text := range []string{"", "７", "７六", "７六歩", "７六歩(77)", "同歩(77)", "５五龍打", "５八玉(59", "５八玉()", "５八玉(59)→", "12三玉(59)", "５八玉成(59)"} {
		var bad *notation.MoveError
		if _, err := notation.ParseKIFMove(p, text, wall); !errors.As(err, &bad) || bad.Text != text {
			t.Errorf("%q: error %v", text, err)
		}
	}
	var other *notation.DialectError
	if _, err := notation.ParseKIFMove(parse(t, "standard", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "１一飛(18)", wall); !errors.As(err, &other) {
		t.Errorf("chess in KIF: %v", err)
	}
}

const kifGame = `手合割：平手
先手：Habu
後手：Oyama
手数----指手---------消費時間--
*first
   1 ７六歩(77)   ( 0:01/00:00:01)
   2 ３四歩(33)   ( 0:02/00:00:02)
   3 ２二角成(88)
*a bold exchange
   4 同　銀(31)
   5 ５五角打
   6 投了
まで5手で先手の勝ち
`

func TestReadKIF(t *testing.T) {
	r := game(t, "shogi")
	rec, err := notation.ReadKIF(r, strings.NewReader("\ufeff"+strings.ReplaceAll(kifGame, "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	if got := moves(rec); got != "Pc4 Pg6 Bxh8=+B Sxh8 B@e5" || rec.Result != "1-0" || rec.Comment != "first" ||
		rec.Moves[2].Comment != "a bold exchange" || rec.Tag("White") != "Habu" || rec.Tag("Black") != "Oyama" {
		t.Errorf("got %s %s %q %v", got, rec.Result, rec.Comment, rec.Tags)
	}
	var b strings.Builder
	if err := notation.WriteKIF(&b, rec); err != nil {
		t.Fatal(err)
	}
	want := `手合割：平手
先手：Habu
後手：Oyama
手数----指手---------消費時間--
*first
   1 ７六歩(77)
   2 ３四歩(33)
   3 ２二角成(88)
*a bold exchange
   4 同　銀(31)
   5 ５五角打
   6 投了
`
	if b.String() != want {
		t.Errorf("written\n%s", b.String())
	}
}

// TestKIFRoundTrip writes games from positions of their own and reads them back.
func TestKIFRoundTrip(t *testing.T) {
	for _, c := range []struct{ key, fen, moves, result, end string }{
		{"shogi", "4k4/9/4P4/9/9/9/9/9/4K4[GGPPPPPPPPPPPPpl] w", "G@e8", "1-0", "詰み"},
		{"shogi", "4k4/9/9/9/9/9/9/9/4K4[Gg] b", "e9d9", "*", "中断"},
		{"shogi", "4k4/9/9/9/9/9/9/9/4K4[Gg] w", "e1d1 e9d9 d1e1 d9e9 e1d1 e9d9 d1e1 d9e9 e1d1 e9d9 d1e1 d9e9", "1/2-1/2", "千日手"},
		{"shogi", "4k4/9/9/9/9/9/9/9/R3K4[] w", "a1a9", "1/2-1/2", "持将棋"},
		{"shogi", "4k4/9/9/9/9/9/9/9/R3K4[] w", "a1a9", "0-1", "反則勝ち"},
		{"toriShogi", "3k3/7/3S3/7/3s3/7/3K3[FCsss] w", "d5d6+ d7d6", "0-1", "投了"},
		{"chuShogi", "kgg9/12/12/12/7g4/6n5/5N6/12/12/12/12/11K w - - 0 1", "f6g7h8 a12a11 h8h8", "1-0", "投了"},
	} {
		start := parse(t, c.key, c.fen)
		rec := &notation.Record{Rules: start.Rules(), Start: start, Result: c.result}
		now := start.Clone()
		for _, text := range strings.Fields(c.moves) {
			m, err := notation.ParseMove(now, text)
			if err != nil {
				t.Fatal(err)
			}
			rec.Moves = append(rec.Moves, notation.Ply{Move: m, SAN: notation.SAN(now, m)})
			if err := now.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		var b strings.Builder
		if err := notation.WriteKIF(&b, rec); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), " "+c.end+"\n") {
			t.Errorf("%s: no %s in\n%s", c.fen, c.end, b.String())
		}
		back, err := notation.ReadKIF(rec.Rules, strings.NewReader(b.String()))
		if err != nil {
			t.Fatalf("%s: %v in\n%s", c.fen, err, b.String())
		}
		if back.Start.Key() != start.Key() || moves(back) != moves(rec) || back.Result != c.result {
			t.Errorf("%s: read back as %s %s from\n%s", c.fen, moves(back), back.Result, b.String())
		}
	}
}

func TestBadKIF(t *testing.T) {
	r := game(t, "shogi")
	for _, c := range []struct{ text, want string }{
		{"手合割：二枚落ち\n", "handicap"},
		{"   1 ７七歩(76)\n", "move 1"},
		{"   1 投了\n   2 ７六歩(77)\n", "after the end"},
		{"| ・|一\n", "1 ranks"},
		{strings.Repeat("| ・ ・ ・ ・ ・ ・ ・ ・|\n", 9), "8 files"},
		{strings.Repeat("|x・\n", 9), "without a mark"},
		{strings.Repeat("| 猫 ・ ・ ・ ・ ・ ・ ・ ・|\n", 9), "猫"},
		{"先手の持駒：猫\n" + strings.Repeat("| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n", 9), "in hand"},
		{strings.Repeat("| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n", 9), "no king"},
		{strings.Repeat("x", 10000), "more than"},
	} {
		var bad *notation.KIFError
		if _, err := notation.ReadKIF(r, strings.NewReader(c.text)); !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.30q: got %v, want %s", c.text, err, c.want)
		}
	}
	broken := errors.New("broken pipe")
	if _, err := notation.ReadKIF(r, io.MultiReader(strings.NewReader("先手：a\n"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	var other *notation.DialectError
	if _, err := notation.ReadKIF(game(t, "standard"), strings.NewReader("")); !errors.As(err, &other) {
		t.Errorf("chess in KIF: %v", err)
	}
}

// FuzzKIF reads any record: what is read is written and read again the same.
func FuzzKIF(f *testing.F) {
	for _, s := range []string{kifGame, "", "| ・|一\n", "後手番\n   1 ３四歩(33)\n", "   1 ７六歩(77)\n*x\n   2 中断\n変化：1手\n",
		"先手の持駒：歩十二　金2\n" + strings.Repeat("| ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n", 9)} {
		f.Add(s)
	}
	games := []*rules.Rules{game(f, "shogi"), game(f, "toriShogi"), game(f, "chuShogi")}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range games {
			rec, err := notation.ReadKIF(r, strings.NewReader(text))
			if err != nil {
				var bad *notation.KIFError
				if !errors.As(err, &bad) {
					t.Fatalf("error of type %T", err)
				}
				continue
			}
			var b strings.Builder
			if err := notation.WriteKIF(&b, rec); err != nil {
				t.Fatal(err)
			}
			back, err := notation.ReadKIF(r, strings.NewReader(b.String()))
			if err != nil {
				t.Fatalf("%q is written\n%s\nand not read: %v", text, b.String(), err)
			}
			if moves(back) != moves(rec) || back.Result != rec.Result || back.Start.Key() != rec.Start.Key() {
				t.Fatalf("%q is written\n%s\nand read as another game", text, b.String())
			}
		}
	})
}
