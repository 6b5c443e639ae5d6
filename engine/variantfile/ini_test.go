package variantfile_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/engine/variantfile"
)

// TestINIMeansTheSame writes games of the catalogue in the other format: along random games both readings must have the
// same positions and count the same leaves.
func TestINIMeansTheSame(t *testing.T) {
	for _, key := range []string{"standard:chess", "capablanca:capablanca", "losAlamos:losalamos", "crazyhouse:crazyhouse",
		"threeCheck:3check", "kingOfTheHill:kingofthehill", "antichess:antichess", "seirawan:seirawan", "shogi:shogi",
		"atomic:atomic", "duck:duck"} {
		ours, theirs, _ := strings.Cut(key, ":")
		t.Run(ours, func(t *testing.T) {
			set, err := variant.Catalogue()
			if err != nil {
				t.Fatal(err)
			}
			r, ok := set.Get(ours)
			if !ok {
				t.Fatalf("no game %q", ours)
			}
			list, err := variantfile.ReadINI("own.ini", "[own:"+theirs+"]\n")
			if err != nil {
				t.Fatal(err)
			}
			o, err := rules.Compile(list[0])
			if err != nil {
				t.Fatal(err)
			}
			state := uint64(3)
			for game := range 3 {
				p, err := r.Start(r.UsualStart())
				if err != nil {
					t.Fatal(err)
				}
				q, err := o.Start(0)
				if err != nil {
					t.Fatal(err)
				}
				for ply := range 60 {
					depth := 1
					if ply%6 == 0 {
						depth = 2
					}
					if got, want := rules.Perft(q, depth), rules.Perft(p, depth); got != want {
						t.Fatalf("game %d, ply %d, %s: %d leaves, want %d", game, ply, notation.FEN(q), got, want)
					}
					moves := p.Moves(nil)
					if len(moves) == 0 {
						break
					}
					state = state*6364136223846793005 + 1442695040888963407
					text := notation.FormatMove(p, moves[int(state>>33)%len(moves)])
					for _, pos := range []*rules.Position{p, q} {
						m, err := notation.ParseMove(pos, text)
						if err == nil {
							err = pos.Play(m)
						}
						if err != nil {
							t.Fatalf("game %d, ply %d, %s: %v", game, ply, notation.FEN(pos), err)
						}
					}
				}
			}
		})
	}
}

func TestINIGamesBuildOnEachOther(t *testing.T) {
	list, err := variantfile.ReadINI("own.ini", `
# Two games of one's own.
[3check-crazyhouse:crazyhouse]
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 3+3 0 1
checkCounting = true
duckGating = false

[amazons:chess]
queen = -
amazon = q
customPiece1 = w:WD
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNW w Qkq - 0 1
promotionPieceTypes = qw
`)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Key != "v3checkCrazyhouse" || list[0].Hand == nil || list[1].Pieces[len(list[1].Pieces)-1].Betza != "WD" {
		t.Errorf("got %d games: %+v", len(list), list)
	}
}

// TestINIPalaces reads a game with palaces, generals that may not face each other and cannons, and compares its counts
// with those of the other program.
func TestINIPalaces(t *testing.T) {
	const text = `
[small xiangqi]
king = k:W
rook = r
horse = n
cannon = c
soldier = p
pawnTypes = -
maxRank = 7
maxFile = g
startFen = rcnkncr/p1ppp1p/7/7/7/P1PPP1P/RCNKNCR w - - 0 1
mobilityRegionWhiteKing = c1 d1 e1 c2 d2 e2 c3 d3 e3
mobilityRegionBlackKing = c5 d5 e5 c6 d6 e6 c7 d7 e7
castling = false
doubleStep = false
stalemateValue = loss
perpetualCheckIllegal = true
flyingGeneral = true
`
	list, err := variantfile.ReadINI("own.ini", text)
	if err != nil {
		t.Fatal(err)
	}
	d := list[0]
	if d.Royal != rules.RoyalFacing || d.Repeat.Perpetual != rules.PerpetualCheck || len(d.Regions) != 1 {
		t.Errorf("royal %s, perpetual %s, %d regions", d.Royal, d.Repeat.Perpetual, len(d.Regions))
	}
	r, err := rules.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	for depth, want := range []uint64{19, 331, 6664, 127164} {
		if got := rules.Perft(p, depth+1); got != want {
			t.Errorf("depth %d: %d, want %d", depth+1, got, want)
		}
	}
	for _, line := range []string{"mobilityRegionWhiteKing = c1 d1 e1 c2 d2 e2 c3 d3 e3\n", "mobilityRegionBlackKing = c5 d5 e5 c6 d6 e6 c7 d7 e7\n"} {
		if _, err := variantfile.ReadINI("own.ini", strings.Replace(text, line, "", 1)); err == nil || !strings.Contains(err.Error(), "both sides") {
			t.Errorf("with one region: %v", err)
		}
	}
	for _, bad := range []string{"mobilityRegionWhiteDragon = a1", "mobilityRegionGreyKing = a1", "mobilityRegionWhite = a1"} {
		if _, err := variantfile.ReadINI("own.ini", text+bad+"\n"); err == nil || !strings.Contains(err.Error(), "no such option") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestINIOrder gives the same game with its lines in another order, and the pawns their rights whatever else is said of
// them.
func TestINIOrder(t *testing.T) {
	const castle = "startFen = rnbqkb/pppppp/6/6/PPPPPP/RNBQKB w - - 0 1\ncastling = false\ndoubleStep = false\n"
	texts := []string{
		"[own:chess]\nmaxRank = 6\nmaxFile = 6\npromotionRegionWhite = *6\npromotionRegionBlack = *1\nflagRegion = *6\n" + castle,
		"[own:chess]\nflagRegion = *6\npromotionRegionBlack = *1\npromotionRegionWhite = *6\n" + castle + "maxFile = 6\nmaxRank = 6\n",
	}
	var games []*rules.Definition
	for _, text := range texts {
		list, err := variantfile.ReadINI("own.ini", text)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, list...)
	}
	if diff := cmp.Diff(games[0], games[1]); diff != "" {
		t.Errorf("another order is another game:\n%s", diff)
	}
	list, err := variantfile.ReadINI("own.ini", "[own:chess]\nenPassantTypes = -\n")
	if err != nil {
		t.Fatal(err)
	}
	pawn := list[0].Pieces[len(list[0].Pieces)-1]
	if list[0].EnPassant != rules.EnPassantNone || pawn.Promotion == nil || !strings.Contains(pawn.Betza, "ifmnD") {
		t.Errorf("without captures in passing, the pawn is %+v", pawn)
	}
}

// TestINIEnds reads off the ends of games whose kings are royal in different ways.
func TestINIEnds(t *testing.T) {
	for _, c := range []struct {
		text string
		mate bool
	}{
		{"[own:chess]\n", true},
		{"[own:chess]\nflyingGeneral = true\n", true},
		{"[own:atomic]\n", true},
		{"[own:duck]\n", false},
		{"[own:antichess]\n", false},
	} {
		list, err := variantfile.ReadINI("own.ini", c.text)
		if err != nil {
			t.Fatal(err)
		}
		mate := slices.ContainsFunc(list[0].Ends, func(e rules.EndRule) bool { return e.Kind == rules.EndMate })
		if mate != c.mate {
			t.Errorf("%q: a mate ends the game: %t, want %t", c.text, mate, c.mate)
		}
		if n := list[0].Sides[0].Royals; n > 1 {
			t.Errorf("%q: %d kings a side", c.text, n)
		}
	}
}

func TestINIRefusals(t *testing.T) {
	for _, c := range []struct {
		name, text, field, reason string
		line                      int
	}{
		{"no section", "king = k\n", "", "before the first section", 1},
		{"open section", "[own\n", "", "closing bracket", 1},
		{"no value", "[own]\nking\n", "", "neither", 2},
		{"no men", "[own]\n", "own", "no men", 1},
		{"unknown option", "[own:chess]\ncolour = red\n", "own.colour", "no such option", 2},
		{"option that we lack", "[own:chess]\n\nbikjangRule = true\n", "own.bikjangRule", "not supported", 3},
		{"unknown parent", "[own:checkers]\n", "own", "checkers", 1},
		{"twice", "[own:chess]\n[own:chess]\n", "own", "twice", 2},
		{"no letter", "[own:chess]\nqueen = queen\n", "own.queen", "no letter", 2},
		{"custom without movement", "[own:chess]\ncustomPiece1 = a\n", "own.customPiece1", "a movement", 2},
		{"no boolean", "[own:chess]\ncastling = perhaps\n", "own.castling", "perhaps", 2},
		{"no number", "[own:chess]\nmaxRank = 0\n", "own.maxRank", "no number", 2},
		{"part of a rank", "[own:chess]\npromotionRegionWhite = a8\n", "own.promotionRegionWhite", "whole ranks", 2},
		{"promotion on one side only", "[own:chess]\nmaxRank = 9\nstartFen = rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\n", "own",
			"mirror", 1},
		{"drops with gating", "[own:seirawan]\npieceDrops = true\n", "own", "together with gating", 1},
		{"other pawns", "[own:chess]\nnMoveRuleTypes = n\n", "own", "nMoveRuleTypes", 1},
		{"no start for this board", "[own:chess]\nmaxRank = 9\npromotionRegionWhite = *9\ndoubleStepRegionBlack = *8\n", "own", "rank 9", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := variantfile.ReadINI("own.ini", c.text)
			var bad *variantfile.Error
			if !errors.As(err, &bad) || bad.Field != c.field || bad.Line != c.line || !strings.Contains(bad.Reason, c.reason) {
				t.Errorf("got %v, want line %d, field %q, %q", err, c.line, c.field, c.reason)
			}
		})
	}
}

func FuzzReadINI(f *testing.F) {
	f.Add("[own:shogi]\nmaxRank = 9\npromotedPieceType = p:g\n")
	f.Add("[own:crazyhouse]\ncheckCounting = true\n[two:own]\nking = -\ncommoner = k\nextinctionValue = loss\nextinctionPieceTypes = k\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := variantfile.ReadINI("fuzz.ini", text)
		if err != nil {
			return
		}
		for _, d := range list {
			if _, err := rules.Compile(d); err != nil {
				t.Fatalf("read without an error, but: %v", err)
			}
		}
	})
}
