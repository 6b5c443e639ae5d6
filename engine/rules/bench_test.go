package rules_test

import (
	"testing"

	"hoplite/engine/rules"
	"hoplite/engine/variant/varianttest"
)

// position returns a position of a game of the catalogue, its usual start if fen is empty.
func position(tb testing.TB, key, fen string) *rules.Position {
	tb.Helper()
	r := varianttest.Rules(tb, key)
	if fen == "" {
		p, err := r.Start(r.UsualStart())
		if err != nil {
			tb.Fatal(err)
		}
		return p
	}
	s, err := r.ParseSetup(fen)
	if err != nil {
		tb.Fatal(err)
	}
	p, err := r.Position(s)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		name, key, fen string
		depth          int
		want           uint64
	}{
		{"standard", "standard", "", 5, 4865609},
		{"kiwipete", "standard", kiwipete, 4, 4085603},
		{"chess960", "chess960", "", 5, 4865609},
		{"spartan", "spartan", "", 5, 11712515},
		{"spartan28", "spartan28", "", 6, 3785670},
		{"seirawan", "seirawan", "", 4, 782599},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := position(b, c.key, c.fen)
			b.ReportAllocs()
			for b.Loop() {
				if got := rules.Perft(p, c.depth); got != c.want {
					b.Fatalf("perft %d: got %d, want %d", c.depth, got, c.want)
				}
			}
			b.ReportMetric(float64(c.want)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}

// benchPositions are middle games in which men of all kinds move.
var benchPositions = []struct{ name, key, fen string }{
	{"standard", "standard", kiwipete},
	{"spartan", "spartan", "lgk1ckwl/1hh1hhhh/h7/3c4/2P1P3/5N2/PP1P1PPP/RNBQKB1R w KQ - 0 5"},
	{"seirawan", "seirawan", "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R[EHeh] w KQCDFkqcdf - 4 4"},
	{"spartan28", "spartan28", ""},
	{"threeCheck", "threeCheck", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 2+3 0 1"},
	{"racingKings", "racingKings", ""},
	{"antichess", "antichess", "rnbqk1nr/p1p1pppp/8/1p1p4/1b2P3/2N5/PPPP1PPP/R1BQKBNR w - - 0 4"},
	{"atomic", "atomic", kiwipete},
	{"duck", "duck", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P2*/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"},
	{"grand", "grand", ""},
	{"shatranj", "shatranj", "5k2/4n3/8/8/8/8/4R3/K7 w - - 0 1"},
	{"makruk", "makruk", "3k4/4s3/1n1m4/2r5/3R1N2/2SM4/4K3/8 w - - 0 1 wB12/64"},
	{"oukChatrang", "oukChatrang", ""},
	{"shatar", "shatar", "r2jkb1r/ppp1pppp/2n2n2/1N1p1b2/3P1B2/5N2/PPP1PPPP/R2JKB1R w - - 4 5"},
	{"malay", "malay", "r3k2r/1P5p/2n2+p'2/8/3P4/2+P5/p6P/R2K3R w d1e8 - 0 1"},
	{"sittuyin", "sittuyin", "8/8/6R1/s3r3/P5R1/1KP3p1/4kr2/8[] w - - 0 72"},
	{"marseillais", "marseillais", "r1bqkb1r/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPP2PPP/R1BQKB1R b KQkq - 0 4 2:2"},
	{"alice", "alice", "r1bqkb1r/pp1ppppp/2|n2n2/2|p5/4|P3/2N2|N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4"},
	{"ultima", "ultima", "r2n1Nm1/1bppkp1p/8/8/3p1P2/BP6/P2PPBPP/M2QK1R1 w - - 1 17"},
	{"friendly", "friendly", "r1bqk2r/ppp2ppp/8/2V1D3/3AI3/2N2N2/PPP2PPP/R1BQK2R w KQkq - 0 8"},
}

func BenchmarkMoves(b *testing.B) {
	for _, c := range benchPositions {
		b.Run(c.name, func(b *testing.B) {
			p := position(b, c.key, c.fen)
			room := make([]rules.Move, 0, 4096)
			want := p.CountMoves()
			b.ReportAllocs()
			for b.Loop() {
				if got := len(p.Moves(room)); got != want {
					b.Fatalf("%d moves, want %d", got, want)
				}
			}
		})
	}
}

func BenchmarkMakeUnmake(b *testing.B) {
	for _, c := range benchPositions {
		b.Run(c.name, func(b *testing.B) {
			p := position(b, c.key, c.fen)
			moves := p.Moves(nil)
			key := p.Key()
			var u rules.Undo
			b.ReportAllocs()
			for b.Loop() {
				for _, m := range moves {
					p.Make(m, &u)
					p.Unmake(m, &u)
				}
			}
			if p.Key() != key {
				b.Fatal("unmake does not restore the key")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(moves)), "ns/move")
		})
	}
}
