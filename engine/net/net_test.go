package net_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/board"
	"hoplite/engine/net"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/engine/variant/varianttest"
)

// chosen are games of all kinds that can be laid out: hands, rights to let men
// in, explosions, unequal armies, two widths of boards.
var chosen = []string{"standard", "seirawan", "spartan", "crazyhouse", "atomic", "capablanca", "xiangqi", "shogi", "duck"}

// anyWeights are weights by chance.
func anyWeights(l *net.Layout, seed uint64) *net.Weights {
	chance := rand.New(rand.NewPCG(seed, 1))
	w := net.NewReals(l.Features())
	for f := range w.Features {
		for i := range w.Features[f] {
			w.Features[f][i] = float32(chance.NormFloat64() * 0.1)
		}
	}
	for i := range w.Bias {
		w.Bias[i] = 0.3
	}
	for i := range w.Out {
		w.Out[i] = float32(chance.NormFloat64() * 0.3)
	}
	return w.Round()
}

// byHand computes what a network says from the features alone.
func byHand(l *net.Layout, w *net.Weights, p *rules.Position) int {
	us, them := l.Active(p, nil, nil)
	sum := 0
	for view, features := range [][]uint16{us, them} {
		for i := range net.Hidden {
			v := int(w.Bias[i])
			for _, f := range features {
				v += int(w.Features[f][i])
			}
			v = min(max(v, 0), 255)
			sum += v * v * int(w.Out[view*net.Hidden+i])
		}
	}
	return (sum/255 + int(w.Base)) * net.Scale / (255 * 4096)
}

// What is kept up to date from ply to ply, forwards, backwards and sideways, is
// what a look at the whole position gives.
func TestMemoryFollowsTheLine(t *testing.T) {
	t.Parallel()
	for _, key := range chosen {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			r := varianttest.Rules(t, key)
			l := net.NewLayout(r)
			w := anyWeights(l, 7)
			n := net.New(l, w)
			m := n.NewMemory(12)
			chance := rand.New(rand.NewPCG(3, 4))
			p, err := r.Start(r.UsualStart())
			if err != nil {
				t.Fatal(err)
			}
			keys := []uint64{p.Key()}
			looked := 0
			var tree func(depth int)
			tree = func(depth int) {
				if chance.IntN(4) > 0 { // not all positions of a search are judged
					looked++
					if got, want := m.Score(p, keys), byHand(l, w, p); got != want {
						t.Fatalf("ply %d: %d, want %d", len(keys), got, want)
					}
				}
				moves := p.Moves(nil)
				if depth == 0 || len(moves) == 0 {
					return
				}
				for range 3 {
					var u rules.Undo
					move := moves[chance.IntN(len(moves))]
					p.Make(move, &u)
					keys = append(keys, p.Key())
					tree(depth - 1)
					keys = keys[:len(keys)-1]
					p.Unmake(move, &u)
				}
			}
			for range 30 {
				tree(4)
				moves := p.Moves(nil)
				if len(moves) == 0 {
					break
				}
				if err := p.Play(moves[chance.IntN(len(moves))]); err != nil {
					t.Fatal(err)
				}
				keys = append(keys, p.Key())
			}
			if looked < 500 {
				t.Errorf("only %d positions were looked at", looked)
			}
		})
	}
}

// When the turn passes, each side sees what the other saw before.
func TestSidesSeeAlike(t *testing.T) {
	t.Parallel()
	for _, key := range chosen {
		r := varianttest.Rules(t, key)
		l := net.NewLayout(r)
		p, err := r.Start(r.UsualStart())
		if err != nil {
			t.Fatal(err)
		}
		us, them := l.Active(p, nil, nil)
		var u rules.Undo
		p.MakeNull(&u)
		us2, them2 := l.Active(p, nil, nil)
		if diff := cmp.Diff([][]uint16{us, them}, [][]uint16{them2, us2}); diff != "" {
			t.Errorf("%s: (-before +after)\n%s", key, diff)
		}
		if r.Definition().Sides[0].Army == r.Definition().Sides[1].Army && key != "xiangqi" && key != "shogi" && key != "capablanca" {
			slices.Sort(us)
			slices.Sort(them)
			if diff := cmp.Diff(us, them); diff != "" {
				t.Errorf("%s: the sides see the start otherwise:\n%s", key, diff)
			}
		}
		if top := slices.Max(append(us, them...)); int(top) >= l.Features() {
			t.Errorf("%s: feature %d of %d", key, top, l.Features())
		}
	}
}

// A position with left and right changed is seen as the flipped features.
func TestFlipped(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"standard", "seirawan", "crazyhouse", "xiangqi"} {
		r := varianttest.Rules(t, key)
		l := net.NewLayout(r)
		p, err := r.Start(r.UsualStart())
		if err != nil {
			t.Fatal(err)
		}
		chance := rand.New(rand.NewPCG(9, 9))
		for range 30 {
			moves := p.Moves(nil)
			if err := p.Play(moves[chance.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
			b, s := r.Board(), p.Setup()
			m := s
			m.Cells = make([]rules.Piece, len(s.Cells))
			flip := func(c rules.Cell) rules.Cell {
				file, rank := b.Coord(c)
				return b.At(b.Files()-1-file, rank)
			}
			for c, q := range s.Cells {
				m.Cells[flip(rules.Cell(c))] = q
			}
			m.Castling, m.Passed = nil, board.Wall
			m.Gates = slices.Clone(s.Gates)
			for i := range m.Gates {
				m.Gates[i] = board.Set{}
				for c := range s.Gates[i].All {
					m.Gates[i].Add(flip(c))
				}
			}
			other, err := r.Position(m)
			if err != nil {
				t.Fatalf("%s: %v", key, err)
			}
			us, them := l.Active(p, nil, nil)
			us2, them2 := l.Active(other, nil, nil)
			for _, pair := range [][2][]uint16{{us, us2}, {them, them2}} {
				for i, f := range pair[0] {
					pair[0][i] = l.Flipped(f)
				}
				slices.Sort(pair[0])
				slices.Sort(pair[1])
				if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
					t.Fatalf("%s: (-flipped features +features of the flipped position)\n%s", key, diff)
				}
			}
		}
	}
}

// No position has more facts than the start has men and rights: men change
// places and hands, and rights end.
func TestFactsStayInTheirLanes(t *testing.T) {
	t.Parallel()
	for _, d := range variant.All() {
		r := varianttest.Rules(t, d.Key)
		if !net.Fits(r) {
			continue
		}
		p, err := r.Start(r.UsualStart())
		if err != nil {
			t.Fatal(err)
		}
		facts := 0
		for side := range rules.Side(2) {
			men, rights := p.Men(side), p.GateRights(side)
			facts += men.Count() + p.HandSize(side) + rights.Count()
		}
		if facts > net.MostFacts {
			t.Errorf("%s has %d facts, lanes hold %d", d.Key, facts, net.MostFacts)
		}
	}
}

func TestGamesThatDoNotFit(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"glinski", "raumschach", "alice", "byzantine"} {
		if net.Fits(varianttest.Rules(t, key)) {
			t.Errorf("%s fits", key)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "seirawan")
	l := net.NewLayout(r)
	in := &net.File{Games: []string{"seirawan", "other"}, Evaluation: "12ab", Made: "by hand\nfor a test\n", Weights: anyWeights(l, 1)}
	var text bytes.Buffer
	if err := in.Write(&text); err != nil {
		t.Fatal(err)
	}
	whole := text.String()
	out, err := net.Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, out); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	great := anyWeights(l, 1)
	great.Features[7][3] = 256
	var tooGreat bytes.Buffer
	if err := (&net.File{Weights: great}).Write(&tooGreat); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Network(varianttest.Rules(t, "standard")); err == nil {
		t.Error("a network of another game is taken")
	}
	for name, c := range map[string]struct{ text, says string }{
		"nothing":         {"", "unexpected EOF"},
		"another file":    {"GIF89a\n\n", "begins with"},
		"half a heading":  {whole[:20], "unexpected EOF"},
		"unknown line":    {strings.Replace(whole, "games", "names", 1), "unknown line"},
		"other neurons":   {strings.Replace(whole, "neurons 32", "neurons 64", 1), "64"},
		"too great":       {tooGreat.String(), "a weight of 256"},
		"half of weights": {whole[:len(whole)/2], "unexpected EOF"},
		"no number":       {strings.Replace(whole, "features ", "features x", 1), "no number of features"},
	} {
		if _, err := net.Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("hoplite network 1\ngames seirawan\nfeatures 2\nneurons 32\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := net.Read(bytes.NewReader(text))
		if (in == nil) == (err == nil) {
			t.Errorf("%v with %v", in, err)
		}
	})
}

func TestScoreDoesNotAllocate(t *testing.T) {
	for _, key := range chosen {
		r := varianttest.Rules(t, key)
		p, err := r.Start(r.UsualStart())
		if err != nil {
			t.Fatal(err)
		}
		l := net.NewLayout(r)
		m := net.New(l, anyWeights(l, 1)).NewMemory(4)
		keys := []uint64{p.Key()}
		if n := testing.AllocsPerRun(100, func() { m.Score(p, keys) }); n != 0 {
			t.Errorf("%s: %v allocations", key, n)
		}
	}
}
