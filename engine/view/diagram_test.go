package view_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/board"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/engine/view"
)

// The diagram of every man of every game shows, from every cell, where the tables of the generator lead: hops apart,
// which need somebody to go over.
func TestDiagramsEqualTheTables(t *testing.T) {
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range set.List() {
		for s := range rules.Side(r.Sides()) {
			for i := range r.Types() {
				piece := rules.PieceType(i + 1)
				if !r.InArmy(s, piece) || strings.Contains(r.PieceInfo(piece).Betza, "p") {
					continue
				}
				for c := range rules.Cell(r.Board().N()) {
					list, err := view.Diagram(r, s, piece, c, nil)
					if err != nil {
						t.Fatal(err)
					}
					var quiet, take board.Set
					for _, reach := range list {
						to, _ := r.Board().ParseCell(reach.Cell)
						if reach.Quiet {
							quiet.Add(to)
						}
						if reach.Take {
							take.Add(to)
						}
					}
					wantQuiet, wantTake := r.Targets(r.Piece(s, piece), c)
					if quiet != wantQuiet || take != wantTake {
						t.Fatalf("%s: %s of side %d on %s: %+v", r.Key(), r.PieceInfo(piece).Name, s, r.Board().CellName(c), list)
					}
				}
			}
		}
	}
}

// In games without stages, the diagram of every man, from every cell and with men in the way, shows exactly the moves that
// the generator makes in such a position. The turns of the others do more than move a man.
func TestDiagramsEqualTheGenerator(t *testing.T) {
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, r := range set.List() {
		if r.Staged() {
			continue
		}
		compared++
		t.Run(r.Key(), func(t *testing.T) {
			t.Parallel()
			for s := range rules.Side(r.Sides()) {
				for i := range r.Types() {
					if piece := rules.PieceType(i + 1); r.InArmy(s, piece) {
						diagramsOf(t, r, s, piece)
					}
				}
			}
		})
	}
	if compared < 5 {
		t.Errorf("only %d games compared", compared)
	}
}

func diagramsOf(t *testing.T, r *rules.Rules, s rules.Side, piece rules.PieceType) {
	t.Helper()
	b := r.Board()
	chance := rand.New(rand.NewPCG(uint64(s), uint64(piece)))
	compared := 0
	for c := range rules.Cell(b.N()) {
		for round := range 12 {
			way := map[rules.Cell]view.Other{}
			for range round { // the first round has the man alone
				if at := rules.Cell(chance.IntN(b.N())); at != c {
					way[at] = view.Other(chance.IntN(2) == 0)
				}
			}
			pos := stage(r, s, piece, c, way, chance)
			if pos == nil {
				continue
			}
			compared++
			// The kings of the stage are in the way too.
			full := map[rules.Cell]view.Other{}
			for at := range rules.Cell(b.N()) {
				if q := pos.At(at); q != 0 && at != c {
					full[at] = view.Other(r.Side(q) != s)
				}
			}
			want := map[string]bool{}
			for _, m := range pos.Moves(nil) {
				if m.From() == c && m.From() != m.To() && !m.Kind().IsCastle() {
					want[b.CellName(m.To())] = true
				}
			}
			got := map[string]bool{}
			list, err := view.Diagram(r, s, piece, c, full)
			if err != nil {
				t.Fatal(err)
			}
			for _, reach := range list {
				to, _ := b.ParseCell(reach.Cell)
				if reach.How == view.Hop && !crossed(b, c, to, full) {
					continue // a hop over somebody who is not there
				}
				if _, occupied := full[to]; occupied || reach.Quiet {
					got[reach.Cell] = true
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s of side %d on %s among %v (-generator +diagram):\n%s", r.PieceInfo(piece).Name, s, b.CellName(c), full, diff)
			}
		}
	}
	// Kings among many men are attacked often, everything else can be staged nearly everywhere.
	if compared < 40 { // few cells where a man may not leave a region
		t.Errorf("%s of side %d: only %d positions compared", r.PieceInfo(piece).Name, s, compared)
	}
}

// crossed says whether somebody stands between two cells.
func crossed(b *board.Board, from, to rules.Cell, men map[rules.Cell]view.Other) bool {
	between, _ := b.Between(from, to)
	return slices.ContainsFunc(between, func(c rules.Cell) bool { _, there := men[c]; return there })
}

// stage makes a position with the man on c and the others in the way in which every move of the man is legal, so that
// the generator's list is the movement. It returns nil where there is none.
func stage(r *rules.Rules, s rules.Side, piece rules.PieceType, c rules.Cell, way map[rules.Cell]view.Other, chance *rand.Rand) *rules.Position {
	b := r.Board()
	other := 1 - s
	company := false // men beside the kings, where the game would be over without
	for range 40 {
		setup := rules.Setup{Cells: make([]rules.Piece, b.N()), Turn: s, Passed: board.Wall, FullMoves: 1}
		setup.Cells[c] = r.Piece(s, piece)
		if r.HasPrison() { // so that men who promote to prisoners can do so
			for range r.Sides() {
				held := make([]int, r.Types()+1)
				for _, t := range r.Promotions(setup.Cells[c]) {
					held[t] = 1
				}
				setup.Prisons = append(setup.Prisons, held)
			}
		}
		for at, whose := range way {
			side := s
			if whose == view.Enemy {
				side = other
			}
			setup.Cells[at] = r.Piece(side, harmless(r, side))
		}
		sides := []rules.Side{other}
		if !r.PieceInfo(piece).Royal {
			sides = append(sides, s)
		}
		for _, side := range sides {
			king := r.Piece(side, royal(r, side))
			at := rules.Cell(chance.IntN(b.N()))
			for setup.Cells[at] != 0 || len(r.Ways(king, at)) == 0 {
				at = rules.Cell(chance.IntN(b.N()))
			}
			setup.Cells[at] = king
		}
		for side := range rules.Side(r.Sides()) {
			if at := rules.Cell(chance.IntN(b.N())); company && setup.Cells[at] == 0 {
				setup.Cells[at] = r.Piece(side, harmless(r, side))
			}
		}
		pos, err := r.Position(setup)
		if err == nil && !pos.HasMove() {
			company = true
			continue
		}
		if err == nil && !abreast(pos, c) && free(pos, c, other) {
			return pos
		}
	}
	return nil
}

// abreast says whether royal men stand, or the man shown could go to stand as one, on the file of another, which some games
// forbid or answer.
func abreast(pos *rules.Position, man rules.Cell) bool {
	r := pos.Rules()
	files := [2]map[int]bool{}
	for s := range rules.Side(2) {
		files[s] = map[int]bool{}
		royals := pos.Royals(s)
		for c := range royals.All {
			reach := board.SetOf(c)
			if c == man {
				quiet, take := r.Targets(pos.At(c), c)
				reach = reach.Union(quiet).Union(take)
			}
			for to := range reach.All {
				file, _ := r.Board().Coord(to)
				files[s][file] = true
			}
		}
	}
	for file := range files[0] {
		if files[1][file] {
			return true
		}
	}
	return false
}

// free says whether the man on c may go wherever its movement takes it: it is no answer to a check, it shields nobody,
// and a royal man meets no attack.
func free(pos *rules.Position, c rules.Cell, enemy rules.Side) bool {
	r := pos.Rules()
	if pos.InCheck() {
		return false
	}
	setup := pos.Setup()
	if r.PieceInfo(r.Type(pos.At(c))).Royal {
		quiet, take := r.Targets(pos.At(c), c)
		for to := range quiet.Union(take).All {
			if q := pos.At(to); q != 0 && r.Side(q) != enemy {
				continue
			}
			moved := pos.Setup()
			moved.Cells[to], moved.Cells[c] = moved.Cells[c], 0
			if after, err := r.Position(moved); err != nil || after.InCheck() {
				return false
			}
		}
		return true
	}
	setup.Cells[c] = 0
	without, err := r.Position(setup)
	return err == nil && !without.InCheck()
}

// harmless returns a man of the side that may stand on most cells, the least valuable that is no pawn.
func harmless(r *rules.Rules, s rules.Side) rules.PieceType {
	best := rules.PieceType(0)
	for i := range r.Types() {
		t := rules.PieceType(i + 1)
		def := r.PieceInfo(t)
		if r.InArmy(s, t) && !def.Royal && len(def.Barred) == 0 && def.Within == "" && !def.Pawn && (best == 0 || def.Value < r.PieceInfo(best).Value) {
			best = t
		}
	}
	return best
}

func royal(r *rules.Rules, s rules.Side) rules.PieceType {
	for i := range r.Types() {
		if t := rules.PieceType(i + 1); r.InArmy(s, t) && r.PieceInfo(t).Royal {
			return t
		}
	}
	panic("a side without a royal man")
}

func TestDiagramTellsTheWaysApart(t *testing.T) {
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key, letter, cell string
		side              rules.Side
		way               map[string]view.Other
		want              []view.Reach
	}{
		{"standard", "P", "d2", 0, nil, []view.Reach{
			{Cell: "d3", How: view.Step, Quiet: true},
			{Cell: "e3", How: view.Step, Take: true, Passing: true}, {Cell: "c3", How: view.Step, Take: true, Passing: true},
			{Cell: "d4", How: view.Pace, Quiet: true, Initial: true}}},
		{"standard", "P", "d2", 0, map[string]view.Other{"d3": view.Enemy, "e3": view.Enemy, "c3": view.Own}, []view.Reach{
			{Cell: "e3", How: view.Step, Take: true}}},
		{"spartan", "H", "a7", 1, nil, []view.Reach{
			{Cell: "b6", How: view.Step, Quiet: true}, {Cell: "a6", How: view.Step, Take: true},
			{Cell: "c5", How: view.Leap, Quiet: true, Initial: true}}},
		{"spartan", "L", "a1", 1, map[string]view.Other{"b2": view.Own}, []view.Reach{
			{Cell: "c3", How: view.Leap, Quiet: true, Take: true}, {Cell: "b1", How: view.Step, Quiet: true}}},
	} {
		r, _ := set.Get(c.key)
		at, _ := r.Board().ParseCell(c.cell)
		way := map[rules.Cell]view.Other{}
		for name, other := range c.way {
			cell, _ := r.Board().ParseCell(name)
			way[cell] = other
		}
		got, err := view.Diagram(r, c.side, r.TypeOf(c.letter), at, way)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(byCell(c.want), byCell(got)); diff != "" {
			t.Errorf("%s %s on %s (-want +got):\n%s", c.key, c.letter, c.cell, diff)
		}
	}
}

func byCell(list []view.Reach) map[string]view.Reach {
	m := map[string]view.Reach{}
	for _, reach := range list {
		m[fmt.Sprint(reach.Cell, reach.How, reach.Initial)] = reach
	}
	return m
}

func TestDiagramCell(t *testing.T) {
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key, letter string
		side        rules.Side
		want        string
	}{{"standard", "Q", 0, "d4"}, {"standard", "P", 0, "d2"}, {"spartan", "H", 1, "d7"}, {"spartan", "W", 1, "d4"}} {
		r, _ := set.Get(c.key)
		got, err := view.DiagramCell(r, c.side, r.TypeOf(c.letter))
		if err != nil || r.Board().CellName(got) != c.want {
			t.Errorf("%s %s: %s, %v; want %s", c.key, c.letter, r.Board().CellName(got), err, c.want)
		}
	}
}

func TestVerdict(t *testing.T) {
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key     string
		outcome rules.Outcome
		want    string
	}{
		{"standard", rules.Outcome{Winner: 0, Reason: rules.Mate}, "Checkmate: White wins."},
		{"spartan", rules.Outcome{Winner: 1, Reason: rules.Resign}, "Resigned: Spartans win."},
		{"spartan", rules.Outcome{Winner: rules.NoWinner, Reason: rules.Repetition}, "The same position once too often: a draw."},
		{"spartan", rules.Outcome{Winner: rules.NoWinner, Reason: "other"}, "The game is over: a draw."},
	} {
		r, _ := set.Get(c.key)
		if got := view.Verdict(r, c.outcome); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
