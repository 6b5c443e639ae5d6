package search_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"hoplite/engine/eval"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
	"hoplite/engine/variant/varianttest"
)

var update = flag.Bool("update", false, "make the files of testdata anew")

const (
	positionsFile = "testdata/positions.tsv"
	perGame       = 40 // positions of each game, 200 in all
)

// makePositions plays games of levels 2 to 6 against each other after four to
// nine random plies, seed by seed, and takes one position of each: any one in
// which the game is not over and no side is mated by force within the level's
// sight.
func makePositions(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("# game, position. Made by TestPositions -update: self-play of levels 2 to 6, game number = seed.\n")
	for _, d := range variant.All() {
		r := varianttest.Rules(t, d.Key)
		e := search.New(r, search.Options{Hash: 4})
		taken := 0
		for seed := uint64(1); taken < perGame; seed++ {
			chance := rand.New(rand.NewPCG(seed, 2026))
			start, err := r.Start(startNumber(r, chance))
			if err != nil {
				t.Fatal(err)
			}
			g := rules.NewGame(start)
			opening, at := 4+chance.IntN(6), 8+chance.IntN(72)
			for ply := 0; ply < at; ply++ {
				if _, over := g.Outcome(); over {
					break
				}
				moves := g.Position().Moves(nil)
				m := moves[chance.IntN(len(moves))]
				if ply >= opening {
					level := search.Levels()[1+chance.IntN(5)]
					m = e.Choose(context.Background(), g, level, search.Limits{}, seed).Best
				}
				if err := g.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			if _, over := g.Outcome(); over {
				continue
			}
			if e.Search(context.Background(), g, search.Limits{Nodes: 5000}, nil).Score.Mate != 0 {
				continue
			}
			fmt.Fprintf(&out, "%s\t%s\n", d.Key, notation.FEN(g.Position()))
			taken++
		}
	}
	return out.Bytes()
}

func startNumber(r *rules.Rules, chance *rand.Rand) int {
	if r.Starts() > 1 {
		return chance.IntN(r.Starts())
	}
	return r.Definition().Start.Usual
}

type testPosition struct {
	key string
	pos *rules.Position
}

func positions(t *testing.T) []testPosition {
	t.Helper()
	if *update {
		if err := os.WriteFile(positionsFile, makePositions(t), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(positionsFile)
	if err != nil {
		t.Fatal(err)
	}
	var list []testPosition
	games := map[string]*rules.Rules{}
	for line := range strings.Lines(string(data)) {
		key, fen, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		if games[key] == nil {
			games[key] = varianttest.Rules(t, key)
		}
		list = append(list, testPosition{key, position(t, games[key], fen)})
	}
	return list
}

const (
	playNodes = 40_000  // of the move under test
	deepNodes = 250_000 // of the search that judges it
	hanging   = 150     // centipawns that make a man worth taking
)

// TestFullStrengthLeavesNothingHanging plays a move in each of 200 positions.
// A man is left hanging if the opponent's best capture then wins material by
// exchanges on its cell, and a search six times as large agrees that the move
// gives away about that much against the best one.
func TestFullStrengthLeavesNothingHanging(t *testing.T) {
	t.Parallel()
	list := positions(t)
	if len(list) != 200 {
		t.Fatalf("%d positions, want 200", len(list))
	}
	suspected, left := 0, 0
	for _, tp := range list {
		r := tp.pos.Rules()
		full := search.Levels()[len(search.Levels())-1]
		e := search.New(r, search.Options{Hash: 8})
		g := rules.NewGame(tp.pos)
		res := e.Choose(context.Background(), g, full, search.Limits{Nodes: playNodes}, 1)
		after := tp.pos.Clone()
		if err := after.Play(res.Best); err != nil {
			t.Fatal(err)
		}
		gain := bestExchange(r, after)
		if gain < hanging {
			continue
		}
		suspected++
		judge := search.New(r, search.Options{Hash: 16})
		best := judge.Search(context.Background(), g, search.Limits{Nodes: deepNodes}, nil)
		move := judge.Search(context.Background(), g, search.Limits{Nodes: deepNodes, SearchMoves: []rules.Move{res.Best}}, nil)
		if worth(best.Score)-worth(move.Score) >= hanging {
			left++
			t.Logf("%s %s: %s leaves %d hanging, %v instead of %v", tp.key, notation.FEN(tp.pos),
				notation.FormatMove(tp.pos, res.Best), gain, move.Score, best.Score)
		}
	}
	t.Logf("%d of %d moves allow a capture that wins material by exchanges; %d of them give material away", suspected, len(list), left)
	if left*100 > 2*len(list) {
		t.Errorf("%d of %d moves leave a man hanging, at most 2 in 100 may", left, len(list))
	}
}

// bestExchange is what the mover gains at most by exchanges on one cell.
func bestExchange(r *rules.Rules, p *rules.Position) int {
	ev := eval.New(r)
	best := 0
	for _, m := range p.Noisy(nil) {
		if p.IsCapture(m) {
			best = max(best, ev.Exchange(p, m))
		}
	}
	return best
}

// worth puts mates on the scale of centipawns.
func worth(s search.Score) int {
	switch {
	case s.Mate > 0:
		return 5000
	case s.Mate < 0:
		return -5000
	}
	return s.CP
}

// The test above must be able to fail: a player who moves at random leaves
// men hanging in many of the positions.
func TestRandomMovesLeaveMenHanging(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(5, 6))
	n := 0
	list := positions(t)
	for _, tp := range list {
		moves := tp.pos.Moves(nil)
		after := tp.pos.Clone()
		if err := after.Play(moves[chance.IntN(len(moves))]); err != nil {
			t.Fatal(err)
		}
		if bestExchange(tp.pos.Rules(), after) >= hanging {
			n++
		}
	}
	if n*100 < 25*len(list) {
		t.Errorf("random moves leave a man hanging in %d of %d positions only", n, len(list))
	}
}
