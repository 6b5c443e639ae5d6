package match_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/engine/foreign"
	"hoplite/engine/match"
	"hoplite/engine/notation"
)

// protocolGames are a game for each protocol.
func protocolGames() map[foreign.Protocol]string {
	return map[foreign.Protocol]string{
		foreign.ProtocolUCI: "standard", foreign.ProtocolUSI: "shogi",
		foreign.ProtocolUCCI: "xiangqi", foreign.ProtocolCECP: "spartan",
	}
}

// A program that dies, hangs or does what it may not loses the game by a
// reason that says so, and plays the next one.
func TestFaultsLoseTheGame(t *testing.T) {
	t.Parallel()
	for proto, key := range protocolGames() {
		for mode, reason := range map[string]string{
			"crash": "crashed", "hang": "no answer", "illegal": "illegal move: ", "garbage": "illegal move: ",
			"resign": "resigned", "claim": "false claim of a draw",
		} {
			t.Run(string(proto)+"/"+mode, func(t *testing.T) {
				t.Parallel()
				m := faulty(t, key, mode, proto)
				checkLost(t, m, reason, mode != "resign")
			})
		}
	}
	t.Run("cecp/refuse", func(t *testing.T) {
		t.Parallel()
		checkLost(t, faulty(t, "spartan", "refuse", foreign.ProtocolCECP), "legal move refused", true)
	})
	t.Run("uci/none", func(t *testing.T) {
		t.Parallel()
		checkLost(t, faulty(t, "standard", "none", foreign.ProtocolUCI), "no move", true)
	})
}

func faulty(t *testing.T, key, mode string, proto foreign.Protocol) *match.Match {
	t.Helper()
	m := newMatch(t, key, fakeEngine(t, mode, proto, game(t, key)))
	m.Patience = 30 * time.Second // what our own engine may take on a busy machine
	if mode == "hang" {
		m.Patience = 4 * time.Second
	}
	return m
}

func checkLost(t *testing.T, m *match.Match, reason string, fault bool) {
	t.Helper()
	s, err := m.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Wins != 2 || s.Games() != 2 {
		t.Errorf("%s, want two games won", s.Tally)
	}
	if fault != (s.Faults == [2]int{0, 2}) {
		t.Errorf("faults %v", s.Faults)
	}
	for got := range s.Reasons {
		if !strings.HasPrefix(got, reason) {
			t.Errorf("ended by %q, want %q", got, reason)
		}
	}
}

// Programs of all protocols play whole games, with what they say understood.
func TestAllProtocolsPlay(t *testing.T) {
	t.Parallel()
	for proto, key := range protocolGames() {
		t.Run(string(proto), func(t *testing.T) {
			t.Parallel()
			m := faulty(t, key, "play", proto)
			var played []match.Record
			m.OnGame = func(rec *match.Record, _ *match.Summary) {
				if rec != nil {
					played = append(played, *rec)
				}
			}
			s, err := m.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if s.Games() != 2 || s.Faults != [2]int{} || s.Nodes[1] == 0 {
				t.Errorf("%+v", s)
			}
			if !slices.Equal(played[0].Moves[:2], played[1].Moves[:2]) {
				t.Errorf("a pair with two openings: %v and %v", played[0].Moves[:2], played[1].Moves[:2])
			}
			if played[0].First != 0 || played[1].First != 1 {
				t.Error("the colours were not changed")
			}
			for i := range played {
				rec, err := m.PGN(&played[i])
				if err != nil {
					t.Fatal(err)
				}
				var text strings.Builder
				if err := notation.WritePGN(&text, rec, notation.PGNOptions{}); err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(text.String(), `[Termination "`+played[i].Reason+`"]`) {
					t.Errorf("record without the reason:\n%s", text.String())
				}
			}
		})
	}
}

// Our engine as a program of its own plays every protocol: what one side of it
// writes, the other reads as it was meant, or a move would be illegal or
// refused.
func TestOursOverEveryProtocol(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		proto foreign.Protocol
		key   string
	}{
		{foreign.ProtocolUCI, "seirawan"}, {foreign.ProtocolUCI, "chess960"}, {foreign.ProtocolUCI, "marseillais"},
		{foreign.ProtocolUCI, "shogi"}, {foreign.ProtocolUSI, "shogi"}, {foreign.ProtocolUSI, "chuShogi"},
		{foreign.ProtocolUCCI, "xiangqi"}, {foreign.ProtocolCECP, "spartan"}, {foreign.ProtocolCECP, "seirawan"},
		{foreign.ProtocolCECP, "chess960"}, {foreign.ProtocolCECP, "crazyhouse"}, {foreign.ProtocolCECP, "xiangqi"},
		{foreign.ProtocolCECP, "antichess"}, {foreign.ProtocolCECP, "shogi"}, {foreign.ProtocolCECP, "chuShogi"},
	} {
		t.Run(string(c.proto)+"/"+c.key, func(t *testing.T) {
			t.Parallel()
			m := faulty(t, c.key, "ours", c.proto)
			s, err := m.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if s.Games() != 2 || s.Faults != [2]int{} {
				t.Errorf("%s, faults %v, %v", s.Tally, s.Faults, s.Reasons)
			}
		})
	}
}

// Real programs of Debian play what they know without a word of complaint.
func TestRealPrograms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, engine string }{
		{"standard", "cmd=/usr/games/stockfish,option.Hash=1,nodes=200"},
		{"seirawan", "cmd=/usr/games/fairy-stockfish,option.Hash=1,nodes=200"},
		{"chess960", "cmd=/usr/games/fairy-stockfish,option.Hash=1,nodes=200"},
		{"shogi", "cmd=/usr/games/fairy-stockfish,proto=usi,nodes=200"},
		{"xiangqi", "cmd=/usr/games/fairy-stockfish,proto=ucci,nodes=200"},
		{"spartan", "cmd=/usr/games/fairymax,proto=cecp,option.memory=1,depth=2"},
		{"seirawan", "cmd=/usr/games/fairymax,proto=cecp,cpu=5ms"},
	} {
		t.Run(c.key+"/"+c.engine, func(t *testing.T) {
			t.Parallel()
			path, _, _ := strings.Cut(strings.TrimPrefix(c.engine, "cmd="), ",")
			if _, err := os.Stat(path); err != nil {
				t.Fatalf("make deps installs it: %v", err)
			}
			m := newMatch(t, c.key, c.engine)
			s, err := m.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if s.Games() != 2 || s.Faults != [2]int{} {
				t.Errorf("%s, faults %v, %v", s.Tally, s.Faults, s.Reasons)
			}
			if s.CPU[1] <= 0 {
				t.Error("no processor time was measured")
			}
		})
	}
}
