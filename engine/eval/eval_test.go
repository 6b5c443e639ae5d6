package eval_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"hoplite/engine/eval"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/engine/variant/varianttest"
)

func position(t testing.TB, r *rules.Rules, fen string) *rules.Position {
	t.Helper()
	p, err := notation.ParseFEN(r, fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

// walk makes up to 60 random moves from the usual start, calls visit after each
// and returns where they led.
func walk(t testing.TB, r *rules.Rules, chance *rand.Rand, visit func(*rules.Position)) *rules.Position {
	t.Helper()
	p, err := r.Start(r.UsualStart())
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		moves := p.Moves(nil)
		if len(moves) == 0 {
			break
		}
		if err := p.Play(moves[chance.IntN(len(moves))]); err != nil {
			t.Fatal(err)
		}
		visit(p)
	}
	return p
}

// Betza's averages for men on a board that is 69 percent empty.
func TestMobilityOfMen(t *testing.T) {
	t.Parallel()
	want := map[string]map[string]float64{
		"standard": {"N": 5.25, "B": 5.86, "R": 7.97, "Q": 13.83},
		"spartan":  {"G": 11.03, "W": 11.11, "C": 6.50, "L": 6.19, "K": 6.56},
		"seirawan": {"H": 11.11, "E": 13.22},
	}
	for key, men := range want {
		r := varianttest.Rules(t, key)
		for i, d := range r.Definition().Pieces {
			m, ok := men[d.Letter]
			if !ok {
				continue
			}
			if got := eval.Mobility(r, rules.PieceType(i+1)); math.Abs(got-m) > 0.011 {
				t.Errorf("%s %s: mobility %.3f, want %.2f", key, d.Name, got, m)
			}
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "spartan")
	e := eval.New(r)
	value := func(letter string) int {
		for i, d := range r.Definition().Pieces {
			if d.Letter == letter {
				return e.TypeValue(rules.PieceType(i + 1))
			}
		}
		t.Fatalf("no man %s", letter)
		return 0
	}
	if k := value("K"); k < 420 || k > 480 {
		t.Errorf("a second king is worth %d, want about 450", k)
	}
	if w, g, l, c := value("W"), value("G"), value("L"), value("C"); !(w > g && g > max(l, c) && min(l, c) > value("H")) {
		t.Errorf("warlord %d, general %d, lieutenant %d, captain %d are out of order", w, g, l, c)
	}
	if k := eval.New(varianttest.Rules(t, "standard")).TypeValue(1); k != 0 {
		t.Errorf("the only king is worth %d, want 0", k)
	}
}

func TestStartIsBalanced(t *testing.T) {
	t.Parallel()
	for _, d := range variant.All() {
		r := varianttest.Rules(t, d.Key)
		p, err := r.Start(d.Start.Usual)
		if err != nil {
			t.Fatal(err)
		}
		bound := 120
		if d.Sides[0].Army != d.Sides[1].Army {
			bound = 300 // unequal armies are hard to weigh
		}
		if v := eval.New(r).NewScorer().Score(p); v < -bound || v > bound {
			t.Errorf("%s starts at %d", d.Key, v)
		}
	}
}

// A position with the colours changed has the same value for its mover.
func TestColoursAreTreatedAlike(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"standard", "seirawan", "spartan28"} {
		r := varianttest.Rules(t, key)
		s := eval.New(r).NewScorer()
		chance := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			walk(t, r, chance, func(p *rules.Position) {
				m := mirrored(t, p)
				if got, want := s.Score(m), s.Score(p); got != want {
					t.Fatalf("%s: %s is worth %d, its mirror image %d", key, notation.FEN(p), want, got)
				}
			})
		}
	}
}

// mirrored changes the colours of a position on a board that is symmetric.
func mirrored(t *testing.T, p *rules.Position) *rules.Position {
	t.Helper()
	r := p.Rules()
	b := r.Board()
	flip := func(c rules.Cell) rules.Cell {
		file, rank := b.Coord(c)
		return b.At(file, b.Ranks()-1-rank)
	}
	old := p.Setup()
	s := old
	s.Cells = make([]rules.Piece, len(old.Cells))
	for c, q := range old.Cells {
		if q != 0 {
			s.Cells[flip(rules.Cell(c))] = r.Piece(r.Side(q)^1, r.Type(q))
		}
	}
	s.Turn = old.Turn ^ 1
	s.Castling = nil // the evaluation does not look at them
	s.Passed = 255
	if len(old.Hands) == 2 {
		s.Hands = [][]int{old.Hands[1], old.Hands[0]}
		s.Gates = append(s.Gates[:0:0], old.Gates[1], old.Gates[0])
		for i := range s.Gates {
			for c := range old.Gates[i^1].All {
				s.Gates[i].Remove(c)
			}
			for c := range old.Gates[i^1].All {
				s.Gates[i].Add(flip(c))
			}
		}
	}
	m, err := r.Position(s)
	if err != nil {
		t.Fatalf("mirror image of %s: %v", notation.FEN(p), err)
	}
	return m
}

// better checks that the first position is worth more for White.
func TestComparisons(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, key, better, worse string }{
		{"a passed pawn", "standard", "4k3/7p/8/1P6/8/8/8/4K3 w - - 0 1", "4k3/1p6/8/1P6/8/8/8/4K3 w - - 0 1"},
		{"an advanced passed pawn", "standard", "4k3/7p/1P6/8/8/8/8/4K3 w - - 0 1", "4k3/7p/8/8/1P6/8/8/4K3 w - - 0 1"},
		{"no doubled pawns", "standard", "4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1", "4k3/ppp5/8/8/8/2P5/P1P5/4K3 w - - 0 1"},
		{"a bishop pair", "standard", "1n2k1n1/8/8/8/8/8/P7/2B1KB2 w - - 0 1", "1n2k1n1/8/8/8/8/8/P7/2B1KN2 w - - 0 1"},
		{"the bare king at the edge", "standard", "7k/8/8/8/8/8/8/R3K3 w - - 0 1", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"},
		{"the other king near it", "standard", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", "7k/8/8/8/8/8/8/RK6 w - - 0 1"},
		{"a hand that can come in", "seirawan", "4k3/8/8/8/8/8/8/1N2K3[H] w B - 0 1", "4k3/8/8/8/8/8/8/1N2K3[] w - - 0 1"},
		{"more rights", "seirawan", "4k3/8/8/8/8/8/8/1N2K1N1[H] w BG - 0 1", "4k3/8/8/8/8/8/8/1N2K1N1[H] w B - 0 1"},
		{"one Spartan king instead of two", "spartan", "k7/8/8/8/8/8/8/2Q1K3 w - - 0 1", "k7/7k/8/8/8/8/8/2Q1K3 w - - 0 1"},
		{"a hoplite that is held up", "spartan", "4k3/8/8/8/3h4/8/1P1P1P2/4K3 w - - 0 1", "4k3/8/8/8/3h4/8/P5PP/4K3 w - - 0 1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := varianttest.Rules(t, c.key)
			s := eval.New(r).NewScorer()
			better, worse := s.Score(position(t, r, c.better)), s.Score(position(t, r, c.worse))
			if better <= worse {
				t.Errorf("%s is worth %d, %s %d", c.better, better, c.worse, worse)
			}
		})
	}
}

func TestKnownDraws(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, key, fen string
		most           int
	}{
		{"bare kings", "standard", "8/8/3k4/8/8/3K4/8/8 w - - 0 1", 0},
		{"bare generals", "xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", 0},
		{"a bishop alone", "standard", "8/8/3k4/8/8/3K4/8/5B2 w - - 0 1", 0},
		{"a knight against a pawn", "standard", "8/8/3k1p2/8/8/3K4/8/5N2 w - - 0 1", 60},
		{"a queen against two kings", "spartan", "8/8/3kk3/8/8/3K4/8/5Q2 w - - 0 1", 300},
	}
	for _, c := range cases {
		r := varianttest.Rules(t, c.key)
		if v := eval.New(r).NewScorer().Score(position(t, r, c.fen)); v > c.most || v < -c.most-120 {
			t.Errorf("%s: %d, want at most %d", c.name, v, c.most)
		}
	}
	r := varianttest.Rules(t, "spartan")
	s := eval.New(r).NewScorer()
	if v := s.Score(position(t, r, "8/8/3kk3/8/8/3K4/8/8 b - - 0 1")); v < 300 {
		t.Errorf("two kings against one: %d, want a winning score", v)
	}
	if v := s.Score(position(t, r, "8/8/3kc3/8/8/3K4/8/8 b - - 0 1")); v < 200 {
		t.Errorf("a captain against a bare king: %d, want a winning score", v)
	}
}

func TestWeightsAreOneVector(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "spartan")
	w := eval.Guess(r)
	v := w.Vector()
	p := position(t, r, "1k2k3/8/8/8/8/8/8/1R2K2R w - - 0 1")
	before := eval.NewWith(r, w).NewScorer().Score(p)
	for i := range v {
		v[i] *= 2
	}
	changed := eval.Guess(r)
	changed.SetVector(v)
	if after := eval.NewWith(r, changed).NewScorer().Score(p); after == before {
		t.Errorf("doubled weights leave the score at %d", after)
	}
	w2 := eval.Guess(r)
	w2.SetVector(w.Vector())
	if after := eval.NewWith(r, w2).NewScorer().Score(p); after != before {
		t.Errorf("the same vector gives %d, want %d", after, before)
	}
}

func TestExchange(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, key, fen, move, gain, loss string }{
		{"a free pawn", "standard", "4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", "P", ""},
		{"a guarded pawn", "standard", "4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", "P", "R"},
		{"two rooks behind each other", "standard", "3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", "P", ""},
		{"a hoplite takes straight", "spartan", "4k3/8/8/3h4/3N4/8/2P5/4K3 b - - 0 1", "d5d4", "N", ""},
		{"gating does not change the exchange", "seirawan", "4k3/8/8/8/8/2p5/8/1N2K3[H] w B - 0 1", "b1c3h", "P", ""},
		{"a screen opens the way back", "xiangqi", "3k5/4c4/4c4/9/9/4p4/9/4R4/9/5K3 w - - 0 1", "e3e5", "P", "R"},
		{"without one it is barred", "xiangqi", "3k5/9/4c4/9/9/4p4/9/4R4/9/5K3 w - - 0 1", "e3e5", "P", ""},
		{"a horse takes back", "xiangqi", "3k5/9/9/9/9/9/4n4/9/5p2R/4K4 w - - 0 1", "i2f2", "P", "R"},
		{"unless a man bars its way", "xiangqi", "3k5/9/9/9/9/9/4n4/4p4/5p2R/4K4 w - - 0 1", "i2f2", "P", ""},
	}
	for _, c := range cases {
		r := varianttest.Rules(t, c.key)
		p := position(t, r, c.fen)
		m, err := notation.ParseMove(p, c.move)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		e := eval.New(r)
		want := 0
		for _, letter := range rules.Tokens(c.gain) {
			want += e.TypeValue(r.TypeOf(letter))
		}
		for _, letter := range rules.Tokens(c.loss) {
			want -= e.TypeValue(r.TypeOf(letter))
		}
		if got := e.Exchange(p, m); got != want {
			t.Errorf("%s: %d, want %d", c.name, got, want)
		}
	}
}

func TestChecks(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, key, fen, move string
		check                bool
	}{
		{"a rook on the king's rank", "standard", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", true},
		{"one beside it", "standard", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a7", false},
		{"a rook behind another man", "standard", "2n1k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", false},
		{"a pawn", "standard", "8/3k4/8/4P3/8/8/8/4K3 w - - 0 1", "e5e6", true},
		{"a man that enters", "crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@d6", true},
		{"a man that enters elsewhere", "crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "N@d5", false},
		{"one of two kings", "spartan", "k6k/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b1", false},
		{"a cannon over a man", "xiangqi", "4k4/4a4/9/9/9/9/9/9/C8/3K5 w - - 0 1", "a2e2", true},
	}
	for _, c := range cases {
		r := varianttest.Rules(t, c.key)
		p := position(t, r, c.fen)
		m, err := notation.ParseMove(p, c.move)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := eval.New(r).Checks(p, m); got != c.check {
			t.Errorf("%s: check is %v", c.name, got)
		}
	}
}

func TestCompany(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	p := position(t, r, "5r1k/8/6n1/8/8/8/1P6/K4R2 w - - 0 1")
	w := eval.Guess(r)
	before := eval.NewWith(r, w).NewScorer().Score(p)
	for name, want := range map[string]int{
		"N.GuardMG": -30, "N.SiegeMG": 0, "P.GuardMG": 40, "P.SiegeMG": 0, // a distance of 2 and 1 of their own, far from the other
		"P.PlaceMG": 2, // a pawn off the edge attacks more
	} {
		v := w.Vector()
		i := slices.Index(eval.Names(r), name)
		v[i], v[i+1] = 10, 10
		o := w.Clone()
		o.SetVector(v)
		if got := eval.NewWith(r, o).NewScorer().Score(p) - before; got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

func TestScoreDoesNotAllocate(t *testing.T) {
	for _, d := range variant.All() {
		r := varianttest.Rules(t, d.Key)
		p, err := r.Start(d.Start.Usual)
		if err != nil {
			t.Fatal(err)
		}
		s := eval.New(r).NewScorer()
		if n := testing.AllocsPerRun(100, func() { s.Score(p) }); n != 0 {
			t.Errorf("%s: %v allocations", d.Key, n)
		}
	}
}

func BenchmarkScore(b *testing.B) {
	for _, key := range []string{"standard", "spartan", "seirawan"} {
		b.Run(key, func(b *testing.B) {
			r := varianttest.Rules(b, key)
			p, err := r.Start(r.Definition().Start.Usual)
			if err != nil {
				b.Fatal(err)
			}
			s := eval.New(r).NewScorer()
			b.ReportAllocs()
			sum := 0
			for b.Loop() {
				sum += s.Score(p)
			}
			if sum == 0 {
				b.Fatal("no score")
			}
		})
	}
}
