package foreign

import (
	"strings"
	"testing"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant/varianttest"
)

func game(t *testing.T, key, fen, moves string) *rules.Game {
	t.Helper()
	r := varianttest.Rules(t, key)
	start, err := r.Start(r.UsualStart())
	if fen != "" {
		start, err = notation.ParseFEN(r, fen)
	}
	if err != nil {
		t.Fatal(err)
	}
	g := rules.NewGame(start)
	for text := range strings.FieldsSeq(moves) {
		m, err := notation.ParseMove(g.Position(), text)
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func TestPositionLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		proto           Protocol
		key, fen, moves string
		want            string
	}{
		{ProtocolUCI, "standard", "", "", "position startpos"},
		{ProtocolUCI, "standard", "", "e2e4 e7e5", "position startpos moves e2e4 e7e5"},
		{ProtocolUCI, "standard", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1"},
		{ProtocolUCI, "seirawan", "", "g1f3h g8f6", "position startpos moves g1f3h g8f6"},
		{ProtocolUSI, "shogi", "", "g3g4 c7c6", "position startpos moves 3g3f 7c7d"},
		{ProtocolUSI, "shogi", "4k4/9/9/9/9/9/9/9/4K4[Pp] w - - 0 1", "P@e5", "position sfen 4k4/9/9/9/9/9/9/9/4K4 b Pp 1 moves P*5e"},
		{ProtocolUCCI, "xiangqi", "", "h3e3 h10g8", "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7"},
	} {
		g := game(t, c.key, c.fen, c.moves)
		got, err := positionLine(c.proto, g.Start().Rules().Shuffled(), g)
		if err != nil || got != c.want {
			t.Errorf("%s %s: got %q, %v, want %q", c.proto, c.key, got, err, c.want)
		}
	}
}

// Moves are read as they are written, in every protocol.
func TestMovesThereAndBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		proto    Protocol
		key, fen string
		move     string
		want     string
	}{
		{ProtocolCECP, "spartan", "", "e2e4", "e2e4"},
		{ProtocolCECP, "xiangqi", "", "b1c3", "b0c2"},
		{ProtocolCECP, "chuShogi", "", "d5d6", "d5d6"},
		{ProtocolCECP, "chuShogi", "k11/12/12/12/12/12/12/4p7/3pp7/3N8/12/11K w - - 0 1", "d3d4e5", "d3d4e5"},
		{ProtocolCECP, "shogi", "4k4/9/9/9/9/9/9/9/4K4[Pp] w - - 0 1", "P@e5", "P@e5"},
		{ProtocolCECP, "seirawan", "", "b1c3h", "b1c3h"},
		{ProtocolCECP, "standard", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a7a8q"},
		{ProtocolCECP, "chess960", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "e1g1", "O-O"},
		{ProtocolUCI, "chess960", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "e1g1", "e1g1"},
		{ProtocolUCCI, "xiangqi", "", "b3e3", "b2e2"},
		{ProtocolUSI, "shogi", "", "h2e2", "2h5h"},
	} {
		g := game(t, c.key, c.fen, "")
		p := g.Position()
		m, err := notation.ParseMove(p, c.move)
		if err != nil {
			t.Fatal(err)
		}
		got, err := writeMove(c.proto, p.Rules().Shuffled(), p, m)
		if err != nil || got != c.want {
			t.Errorf("%s %s: wrote %q, %v, want %q", c.proto, c.key, got, err, c.want)
		}
		if back, err := readMove(c.proto, p, got); err != nil || back != m {
			t.Errorf("%s %s: %q was not read back: %v", c.proto, c.key, got, err)
		}
	}
	p := game(t, "standard", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "").Position()
	if _, err := readMove(ProtocolCECP, p, "a7a8Q"); err != nil {
		t.Errorf("a capital letter: %v", err)
	}
	if _, err := readMove(ProtocolCECP, p, "O-O"); err == nil {
		t.Error("castling was read where there is none")
	}
}

func TestGoLine(t *testing.T) {
	t.Parallel()
	clock := &search.Clock{Time: [2]time.Duration{time.Minute, 30 * time.Second}, Inc: [2]time.Duration{time.Second, 0}, MovesToGo: 5}
	for _, c := range []struct {
		proto  Protocol
		turn   rules.Side
		limits search.Limits
		want   string
	}{
		{ProtocolUCI, 0, search.Limits{Clock: clock}, "go wtime 60000 btime 30000 winc 1000 binc 0 movestogo 5"},
		{ProtocolUSI, 0, search.Limits{Clock: clock}, "go btime 60000 wtime 30000 binc 1000 winc 0 movestogo 5"},
		{ProtocolUCCI, 1, search.Limits{Clock: clock}, "go time 30000 increment 0 opptime 60000 oppincrement 1000 movestogo 5"},
		{ProtocolUCI, 0, search.Limits{MoveTime: 50 * time.Millisecond, Nodes: 7, Depth: 3}, "go movetime 50 nodes 7 depth 3"},
		{ProtocolUCCI, 0, search.Limits{MoveTime: time.Second}, "go time 1000 movestogo 1"},
		{ProtocolUCI, 0, search.Limits{}, "go infinite"},
	} {
		if got := GoLine(c.proto, c.turn, c.limits); got != c.want {
			t.Errorf("%s: %q, want %q", c.proto, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key     string
		offered string
		want    string
	}{
		{"standard", "chess atomic", "chess"},
		{"standard", "normal atomic", "normal"},
		{"kingOfTheHill", "normal king-of-the-hill", "king-of-the-hill"},
		{"losAlamos", "los-alamos", "los-alamos"},
		{"seirawan", "Seirawan", "Seirawan"},
		{"chess960", "chess crazyhouse", "chess"},
		{"chess960", "normal fischerandom", "fischerandom"},
		{"antichess", "normal giveaway", "giveaway"},
		{"spartan", "chess crazyhouse", ""},
	} {
		r := game(t, c.key, "", "").Start().Rules()
		got, ok := nameAmong(r, strings.Fields(c.offered))
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s among %s: %q, %v", c.key, c.offered, got, ok)
		}
	}
}

func TestThinkingLines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]*search.Score{
		"  7  -31    12    4567 e2e4 e7e5": {CP: -31},
		"9. 100003 1 2 Qh5#":               {Mate: 3},
		"9 -100002 1 2":                    {Mate: -2},
		"move e2e4":                        nil,
		"7 pieces are left":                nil,
	} {
		f := thinking.FindStringSubmatch(line)
		var th Thought
		if f != nil {
			th.note(f)
		}
		switch {
		case want == nil && f != nil, want != nil && f == nil:
			t.Errorf("%q was read as %v", line, f)
		case want != nil && *th.Score != *want:
			t.Errorf("%q: %v, want %v", line, *th.Score, *want)
		}
	}
}

// FuzzCECP feeds any text to what reads lines of CECP: no more than one kind of
// line may be seen in it.
func FuzzCECP(f *testing.F) {
	for _, seed := range []string{"1 20 3 4 e2e4", "move e2e4", "resign", "1-0 {mate}", "Illegal move: e2e5", "1/2-1/2", "feature a=\"b\" c=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		kinds := 0
		if m := thinking.FindStringSubmatch(line); m != nil {
			kinds++
			var th Thought
			th.note(m)
			if th.Depth < 0 {
				t.Errorf("%q has depth %d", line, th.Depth)
			}
		}
		if isRefusal(line) {
			kinds++
		}
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "move" {
			kinds++
		}
		if result(word, 0) != "" {
			kinds++
		}
		if kinds > 1 {
			t.Errorf("%q was read as %d kinds of line", line, kinds)
		}
	})
}
