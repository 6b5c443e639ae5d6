package view_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/engine/variant/varianttest"
	"hoplite/engine/view"
)

func position(t testing.TB, key, fen string) *rules.Position {
	t.Helper()
	r := varianttest.Rules(t, key)
	p, err := notation.ParseFEN(r, fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSceneShowsMenHandsAndCheck(t *testing.T) {
	got := view.Still(position(t, "seirawan", "4k3/8/8/8/8/8/4r3/RN2K3[HE] w QB - 0 1"))
	want := view.Scene{
		FEN:   "4k3/8/8/8/8/8/4r3/RN2K3[EH] w QB - 0 1",
		Men:   map[string]view.Man{"e8": "1K", "e2": "1R", "a1": "0R", "b1": "0N", "e1": "0K"},
		Hands: []map[string]int{{"H": 1, "E": 1}, {}},
		Check: []string{"e1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSceneShowsPrisons(t *testing.T) {
	got := view.Still(position(t, "hostage", "4k3/8/8/8/8/8/8/4K3[N][nnB] w - - 0 1"))
	if diff := cmp.Diff([]map[string]int{{"N": 2}, {"B": 1}}, got.Prisons); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]map[string]int{{"N": 1}, {}}, got.Hands); diff != "" {
		t.Error(diff)
	}
}

func TestCheckMarksEveryAttackedKing(t *testing.T) {
	tests := []struct {
		name, fen string
		want      []string
	}{
		{"both of two kings", "1k3k2/8/8/8/8/8/8/1R3R1K b - - 0 1", []string{"b8", "f8"}},
		{"one of two kings is no check", "1k3k2/8/8/8/8/8/8/1R5K b - - 0 1", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := view.Still(position(t, "spartan", test.fen)).Check
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMovesSayWhichCellsArePointedAt(t *testing.T) {
	tests := []struct {
		name, key, fen, from string
		want                 []view.Move
	}{
		{
			"castling can be pointed out on the goal and on the rook",
			"standard", "4k3/8/8/8/8/8/3PPPPP/3RK2R w K - 0 1", "e1",
			[]view.Move{{Text: "e1f1", Path: []string{"e1", "f1"}}, {Text: "e1g1", Path: []string{"e1", "g1"}}, {Text: "e1g1", Path: []string{"e1", "h1"}}},
		},
		{
			"a king that castles without moving is shown on its rook",
			"chess960", "4k3/8/8/8/8/8/5PPP/6KR w H - 0 1", "g1",
			[]view.Move{{Text: "g1f1", Path: []string{"g1", "f1"}}, {Text: "g1h1", Path: []string{"g1", "h1"}}},
		},
		{
			"a drop begins with the man in hand",
			"crazyhouse", "4R1k1/5ppp/8/8/8/8/8/K7[n] b - - 0 1", "hand:N",
			[]view.Move{{Text: "N@f8", Path: []string{"hand:N", "f8"}}},
		},
		{
			"an exchange begins with the prisoner given, then the man freed",
			"hostage", "R5k1/5ppp/8/8/8/8/8/6K1[][Nb] b - - 0 1", "prison:N",
			[]view.Move{
				{Text: "n-B@b8", Path: []string{"prison:N", "prison:B", "b8"}}, {Text: "n-B@c8", Path: []string{"prison:N", "prison:B", "c8"}},
				{Text: "n-B@d8", Path: []string{"prison:N", "prison:B", "d8"}}, {Text: "n-B@e8", Path: []string{"prison:N", "prison:B", "e8"}},
				{Text: "n-B@f8", Path: []string{"prison:N", "prison:B", "f8"}},
			},
		},
		{
			"a lion points at the man taken on the way, and at itself to pass",
			"chuShogi", "kg10/12/12/12/12/12/12/12/12/12/p11/N1P8K w - - 0 1", "a1",
			[]view.Move{
				{Text: "a1a1", Path: []string{"a1", "a1"}}, {Text: "a1a2", Path: []string{"a1", "a2"}},
				{Text: "a1a2a1", Path: []string{"a1", "a2", "a1"}}, {Text: "a1a2a3", Path: []string{"a1", "a2", "a3"}},
				{Text: "a1a2b1", Path: []string{"a1", "a2", "b1"}}, {Text: "a1a2b2", Path: []string{"a1", "a2", "b2"}},
				{Text: "a1a2b3", Path: []string{"a1", "a2", "b3"}}, {Text: "a1a3", Path: []string{"a1", "a3"}},
				{Text: "a1b1", Path: []string{"a1", "b1"}}, {Text: "a1b2", Path: []string{"a1", "b2"}},
				{Text: "a1b3", Path: []string{"a1", "b3"}}, {Text: "a1c2", Path: []string{"a1", "c2"}},
				{Text: "a1c3", Path: []string{"a1", "c3"}},
			},
		},
		{
			"a promotion names what appears",
			"spartan28", "3k/1P2/4/4/4/4/3K w - - 0 1", "b6",
			[]view.Move{
				{Text: "b6a7n", Path: []string{"b6", "a7"}, Man: "0N"}, {Text: "b6a7r", Path: []string{"b6", "a7"}, Man: "0R"},
				{Text: "b6b7n", Path: []string{"b6", "b7"}, Man: "0N"}, {Text: "b6b7r", Path: []string{"b6", "b7"}, Man: "0R"},
				{Text: "b6c7n", Path: []string{"b6", "c7"}, Man: "0N"}, {Text: "b6c7r", Path: []string{"b6", "c7"}, Man: "0R"},
			},
		},
		{
			"a gated man is shown on the cell that it enters",
			"seirawan", "4k3/8/8/8/8/8/3PPPP1/3QK2R[H] w K - 0 1", "e1",
			[]view.Move{
				{Text: "e1f1", Path: []string{"e1", "f1"}},
				{Text: "e1f1h", Path: []string{"e1", "f1"}, Man: "0H", At: "e1"},
				{Text: "e1g1", Path: []string{"e1", "g1"}},
				{Text: "e1g1", Path: []string{"e1", "h1"}},
				{Text: "e1g1h", Path: []string{"e1", "g1"}, Man: "0H", At: "e1"},
				{Text: "e1g1h", Path: []string{"e1", "h1"}, Man: "0H", At: "e1"},
				{Text: "h1e1h", Path: []string{"e1", "g1"}, Man: "0H", At: "h1"},
				{Text: "h1e1h", Path: []string{"e1", "h1"}, Man: "0H", At: "h1"},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []view.Move
			for _, m := range view.Of(position(t, test.key, test.fen)).Moves {
				if m.Path[0] == test.from {
					got = append(got, m)
				}
			}
			slices.SortFunc(got, func(a, b view.Move) int {
				return slices.Compare(append([]string{a.Text}, a.Path...), append([]string{b.Text}, b.Path...))
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestMovesAreThoseOfTheCore plays at random and compares what is shown with what is legal.
func TestMovesAreThoseOfTheCore(t *testing.T) {
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range set.List() {
		t.Run(r.Key(), func(t *testing.T) {
			p, err := r.Start(0)
			if err != nil {
				t.Fatal(err)
			}
			seed := uint32(1)
			for range 120 {
				legal := p.Moves(nil)
				if len(legal) == 0 {
					break
				}
				shown := make(map[string]bool)
				for _, m := range view.Of(p).Moves {
					shown[m.Text] = true
				}
				if len(shown) != len(legal) {
					t.Fatalf("%s: %d moves shown, %d legal", notation.FEN(p), len(shown), len(legal))
				}
				for _, m := range legal {
					if !shown[notation.FormatMove(p, m)] {
						t.Fatalf("%s: %s is legal and not shown", notation.FEN(p), notation.FormatMove(p, m))
					}
				}
				seed = seed*1664525 + 1013904223
				if err := p.Play(legal[seed>>8%uint32(len(legal))]); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestDropsBeginInTheHand(t *testing.T) {
	p := position(t, "crazyhouse", "4k3/8/8/8/8/8/8/4K3[Np] w - - 0 1")
	got := view.Of(p)
	if diff := cmp.Diff([]map[string]int{{"N": 1}, {"P": 1}}, got.Hands); diff != "" {
		t.Error(diff)
	}
	want := view.Move{Text: "N@f3", Path: []string{"hand:N", "f3"}}
	if i := slices.IndexFunc(got.Moves, func(m view.Move) bool { return m.Text == want.Text }); i < 0 || !cmp.Equal(got.Moves[i], want) {
		t.Errorf("moves %+v, want among them %+v", got.Moves, want)
	}
	// The place of the hands is kept while they are empty, and games without hands have none.
	if hands := view.Still(position(t, "crazyhouse", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1")).Hands; len(hands) != 2 {
		t.Errorf("empty hands %v", hands)
	}
	if hands := view.Still(position(t, "standard", "4k3/8/8/8/8/8/8/4K3 w - - 0 1")).Hands; hands != nil {
		t.Errorf("hands %v in a game without", hands)
	}
}

func TestFactsThatTheBoardDoesNotShow(t *testing.T) {
	white, black := 0, 1
	for _, c := range []struct {
		key, fen string
		want     []view.Fact
	}{
		{"standard", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", nil},
		{"threeCheck", "4k3/8/8/8/8/8/8/4K2R w - - 3+1 0 1", []view.Fact{
			{Kind: view.Checks, Seat: &white, Text: "3"}, {Kind: view.Checks, Seat: &black, Text: "1"}}},
		{"marseillais", "4k3/8/8/8/8/8/8/4K2R w - - 0 2 2:1", []view.Fact{{Kind: view.MoveOfTurn, Text: "2 of 2"}}},
		{"makruk", "8/8/3k4/8/8/3K4/8/RR6 b - - 0 1", []view.Fact{{Kind: view.Count, Seat: &black, Text: "4/8"}}},
		{"shatar", "4k3/7p/8/8/8/8/7P/4K2R w - - 0 1 w", []view.Fact{{Kind: view.Checks, Seat: &white, Text: "a mate counts"}}},
		{"janggi", "4k4/9/9/9/9/9/9/9/4K4/R8 w - - 0 1", []view.Fact{
			{Kind: view.Points, Seat: &white, Text: "13"}, {Kind: view.Points, Seat: &black, Text: "1.5"}}},
	} {
		if diff := cmp.Diff(c.want, view.Still(position(t, c.key, c.fen)).Facts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.key, diff)
		}
	}
}

// A pass is pointed at beside the board, and has a text of its own.
func TestPassIsPointedAtBesideTheBoard(t *testing.T) {
	n := 0
	for _, m := range view.Of(position(t, "janggi", "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1")).Moves {
		if slices.Equal(m.Path, []string{"pass"}) && m.Text == "d1d1" {
			n++
		} else if m.Path[0] == "pass" || m.Text == "d1d1" {
			t.Errorf("%s is pointed at by %v", m.Text, m.Path)
		}
	}
	if n != 1 {
		t.Errorf("%d passes", n)
	}
}
