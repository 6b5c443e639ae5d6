package lichess_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
)

func newGames(t *testing.T) *lichess.Games {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return lichess.NewGames(set)
}

const chessStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func TestStart(t *testing.T) {
	t.Parallel()
	games := newGames(t)
	const (
		spartanStart = "lgkcckwl/hhhhhhhh/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"
		afterE4      = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
		array0       = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"
		arranged     = "rbna1anbr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1"
		array0X      = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
	)
	for _, test := range []struct {
		name, variant, fen string
		want               lichess.Start
		wantErr            string // part of the error, "" for none
	}{
		{"standard", "standard", "", lichess.Start{Variant: "standard"}, ""},
		{"standard from its start", "standard", chessStart, lichess.Start{Variant: "standard"}, ""},
		{"standard from a position", "standard", afterE4, lichess.Start{Variant: "fromPosition", FEN: afterE4, Custom: true}, ""},
		{"from the usual start", "fromPosition", chessStart, lichess.Start{Variant: "fromPosition", FEN: chessStart, Custom: true}, ""},
		{"from nowhere", "fromPosition", "", lichess.Start{}, "needs a fen"},
		{"shuffled", "chess960", "", lichess.Start{Variant: "chess960", FEN: array0X}, ""},
		{"shuffled, chosen", "chess960", array0, lichess.Start{Variant: "chess960", FEN: array0X}, ""},
		{"shuffled, chosen in X-FEN", "chess960", array0X, lichess.Start{Variant: "chess960", FEN: array0X}, ""},
		{"the usual array of many", "chess960", chessStart, lichess.Start{Variant: "chess960", FEN: chessStart, Number: 518}, ""},
		{"shuffled, no array", "chess960", afterE4, lichess.Start{}, "not a start"},
		{"another game", "spartan", "", lichess.Start{Variant: "spartan"}, ""},
		{"another game from its start", "spartan", spartanStart, lichess.Start{Variant: "spartan"}, ""},
		{"another game from a position", "spartan", "1k3k2/8/8/8/8/8/8/1R5K b - - 0 1",
			lichess.Start{Variant: "spartan", FEN: "1k3k2/8/8/8/8/8/8/1R5K b - - 0 1", Custom: true}, ""},
		{"a choice not made", "janggi", "", lichess.Start{Variant: "janggi"}, ""},
		{"a choice made", "janggi", arranged, lichess.Start{Variant: "janggi", FEN: arranged, Number: 4}, ""},
		{"a choice and a position", "janggi", "4k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1",
			lichess.Start{Variant: "janggi", FEN: "4k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1", Custom: true}, ""},
		{"no such game", "nonsense", "", lichess.Start{}, "unknown variant"},
		{"broken fen", "standard", "8/8/8", lichess.Start{}, " "},
		{"mated already", "standard", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", lichess.Start{}, "over at once"},
		{"stalemate already", "spartan", "8/8/8/8/8/1k6/8/K1k5 w - - 0 1", lichess.Start{}, "over at once"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := games.Start(test.variant, test.fen, func(int) int { return 0 })
			if test.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantErr) {
					t.Fatalf("got %+v, %v; want an error with %q", got, err, test.wantErr)
				}
				return
			}
			if err != nil || got != test.want {
				t.Errorf("got %+v, %v\nwant %+v", got, err, test.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	games := newGames(t)
	for key, want := range map[string]string{
		"standard":     `{"key":"standard","name":"Standard","short":"Std"}`,
		"chess960":     `{"key":"chess960","name":"Chess960","short":"960"}`,
		"fromPosition": `{"key":"fromPosition","name":"From Position","short":"FEN"}`,
	} {
		got, _ := json.Marshal(games.VariantName(key))
		if string(got) != want {
			t.Errorf("variant %s is %s, want %s", key, got, want)
		}
	}
	for key, want := range map[string]string{
		"ultraBullet": "UltraBullet", "rapid": "Rapid", "correspondence": "Correspondence", "chess960": "Chess960",
		"spartan": games.VariantName("spartan").Name,
	} {
		if got := games.PerfName(key).Name; got != want || got == "" {
			t.Errorf("perf %s is %q, want %q", key, got, want)
		}
	}
	for key, want := range map[string]bool{
		"blitz": true, "spartan": true, "chess960": true, "standard": false, "fromPosition": false, "tempo": false,
	} {
		if got := games.IsPerf(key); got != want {
			t.Errorf("%s is a perf: %t, want %t", key, got, want)
		}
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		id := lichess.NewID()
		if len(id) != 8 || !strings.ContainsAny(id, "0123456789") || seen[id] {
			t.Fatalf("id %q", id)
		}
		seen[id] = true
		white, black := lichess.FullID(id, 0), lichess.FullID(id, 1)
		if len(white) != 12 || white == black || lichess.GameID(white) != id || lichess.GameID(black) != id {
			t.Fatalf("full ids %q and %q of %q", white, black, id)
		}
	}
	if got := lichess.GameID("abc"); got != "abc" {
		t.Errorf("short id became %q", got)
	}
}

func TestCompat(t *testing.T) {
	t.Parallel()
	fischer := func(limit, inc int) clock.Control {
		return clock.NewFischer(time.Duration(limit)*time.Second, time.Duration(inc)*time.Second)
	}
	for _, test := range []struct {
		name       string
		control    clock.Control
		source     string
		bot, board bool
	}{
		{"ultrabullet", fischer(15, 0), "friend", false, false},
		{"bullet", fischer(60, 0), "friend", true, false},
		{"blitz by challenge", fischer(180, 0), "friend", true, true},
		{"blitz with the engine", fischer(180, 0), "ai", true, true},
		{"blitz from the lobby", fischer(180, 0), "lobby", false, false},
		{"rapid from the lobby", fischer(600, 0), "lobby", false, true},
		{"days", clock.NewCorrespondence(3), "friend", true, true},
		{"no limit", clock.Control{}, "friend", true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := lichess.Compat(true, test.control, test.source); got.Bot != test.bot || got.Board != test.board {
				t.Errorf("for a bot: %+v, want bot %t board %t", got, test.bot, test.board)
			}
			if got := lichess.Compat(false, test.control, test.source); got.Bot || got.Board != test.board {
				t.Errorf("for a person: %+v, want board %t", got, test.board)
			}
		})
	}
}

// snapshot is a running game; change may make it another one.
func snapshot(change func(*game.Snapshot)) *game.Snapshot {
	at := time.UnixMilli(1_790_000_000_000)
	s := &game.Snapshot{
		Setup: &game.Setup{
			ID: "x4Tq9bZe", Variant: "standard", Speed: "blitz", Perf: "blitz", Rated: true, Source: "friend",
			Control: clock.NewFischer(5*time.Minute, 3*time.Second), Created: at,
			Players: []game.Player{
				{AccountID: "ann", Name: "Ann", Rating: 1500, Provisional: true},
				{AccountID: "bob", Name: "Bob", Title: "BOT", Rating: 1612},
			},
		},
		Version: 1, StartFEN: chessStart, FEN: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
		Moves: []string{"e2e4"}, Movers: []uint8{0}, LastMove: "e2e4", Turn: 1, Status: "started", Winner: -1,
		Clocks: game.PerPlayer[time.Duration]{5 * time.Minute, 5 * time.Minute}, At: at,
	}
	if change != nil {
		change(s)
	}
	return s
}

func line(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestGameFull(t *testing.T) {
	t.Parallel()
	games := newGames(t)
	now := time.UnixMilli(1_790_000_001_000)
	const black = `"black":{"id":"bob","name":"Bob","rating":1612,"title":"BOT"},`
	const white = `"white":{"id":"ann","name":"Ann","provisional":true,"rating":1500,"title":null}`
	const state = `{"binc":3000,"btime":300000,"moves":"e2e4","status":"started","type":"gameState","version":1,"winc":3000,"wtime":300000}`
	for _, test := range []struct {
		name   string
		change func(*game.Snapshot)
		want   string
	}{
		{"blitz", nil,
			`{` + black + `"clock":{"increment":3000,"initial":300000},"createdAt":1790000000000,"id":"x4Tq9bZe",` +
				`"initialFen":"startpos","perf":{"name":"Blitz"},"rated":true,"speed":"blitz","state":` + state + `,` +
				`"type":"gameFull","variant":{"key":"standard","name":"Standard","short":"Std"},` + white + `}`},
		{"unlimited from the usual start of many, with the engine", func(s *game.Snapshot) {
			s.Variant, s.Perf, s.Speed, s.Rated, s.Control = "chess960", "chess960", "correspondence", false, clock.Control{}
			s.Players[1] = game.Player{AccountID: "ai3", Name: "ai3", AILevel: 3}
		},
			`{"black":{"aiLevel":3},"createdAt":1790000000000,"id":"x4Tq9bZe","initialFen":"` + chessStart + `",` +
				`"perf":{"name":"Chess960"},"rated":false,"speed":"correspondence","state":{"binc":0,"btime":2147483647,` +
				`"moves":"e2e4","status":"started","type":"gameState","version":1,"winc":0,"wtime":2147483647},` +
				`"type":"gameFull","variant":{"key":"chess960","name":"Chess960","short":"960"},` + white + `}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := line(t, games.GameFull(snapshot(test.change), now)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	t.Run("a new game has a version too", func(t *testing.T) {
		if got := line(t, lichess.GameState(snapshot(func(s *game.Snapshot) { s.Version = 0 }), now)); !strings.Contains(got, `"version":0`) {
			t.Errorf("state %s", got)
		}
	})
	t.Run("correspondence time is that to the deadline", func(t *testing.T) {
		full := games.GameFull(snapshot(func(s *game.Snapshot) { s.Control = clock.NewCorrespondence(2) }), now)
		if full.DaysPerTurn != 2 || full.State.Btime != 2*24*3600*1000-1000 || full.State.Wtime != 2*24*3600*1000 {
			t.Errorf("days %d, wtime %d, btime %d", full.DaysPerTurn, full.State.Wtime, full.State.Btime)
		}
	})
}

func TestGameInfo(t *testing.T) {
	t.Parallel()
	games := newGames(t)
	now := time.UnixMilli(1_790_000_001_000)
	for _, test := range []struct {
		name   string
		player int
		change func(*game.Snapshot)
		want   []string
	}{
		{"who has moved", 0, nil, []string{
			`"color":"white"`, `"hasMoved":true`, `"isMyTurn":false`, `"opponent":{"id":"bob","rating":1612,"username":"BOT Bob"}`,
			`"compat":{"board":true,"bot":false}`, `"secondsLeft":300`, `"rating":1500`, `"lastMove":"e2e4"`,
			`"status":{"id":20,"name":"started"}`, `"id":"x4Tq9bZe"`, `"gameId":"x4Tq9bZe"`,
		}},
		{"the bot to move", 1, nil, []string{
			`"color":"black"`, `"hasMoved":false`, `"isMyTurn":true`, `"opponent":{"id":"ann","rating":1500,"username":"Ann"}`,
			`"compat":{"board":true,"bot":true}`,
		}},
		{"against the engine", 0, func(s *game.Snapshot) { s.Players[1] = game.Player{AccountID: "ai3", Name: "ai3", AILevel: 3} },
			[]string{`"opponent":{"ai":3,"id":null,"username":"Hoplite level 3"}`}},
		{"over", 1, func(s *game.Snapshot) {
			up, down := 12, -9
			s.Status, s.Winner, s.RatingDiff = "resign", 0, game.PerPlayer[*int]{&up, &down}
		}, []string{`"winner":"white"`, `"isMyTurn":false`, `"ratingDiff":-9`, `"ratingDiff":12`, `"status":{"id":31,"name":"resign"}`}},
		{"a drop", 0, func(s *game.Snapshot) { s.LastMove = "N@f3" }, []string{`"lastMove":"f3f3"`}},
		{"no limit", 0, func(s *game.Snapshot) { s.Control = clock.Control{} }, []string{`"isMyTurn":false`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := line(t, games.GameInfo(snapshot(test.change), test.player, now))
			for _, part := range test.want {
				if !strings.Contains(got, part) {
					t.Errorf("%s is not in %s", part, got)
				}
			}
			if test.name == "no limit" && strings.Contains(got, "secondsLeft") {
				t.Errorf("an unlimited game has seconds left: %s", got)
			}
		})
	}
}

func TestOpponentGone(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_790_000_000_000)
	for _, test := range []struct {
		gone bool
		at   time.Time
		want string
	}{
		{true, now.Add(8500 * time.Millisecond), `{"claimWinInSeconds":9,"gone":true,"type":"opponentGone"}`},
		{true, now.Add(-time.Second), `{"claimWinInSeconds":0,"gone":true,"type":"opponentGone"}`},
		{true, time.Time{}, `{"gone":true,"type":"opponentGone"}`},
		{false, time.Time{}, `{"gone":false,"type":"opponentGone"}`},
	} {
		if got := line(t, lichess.OpponentGone(test.gone, test.at, now)); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// TestOtherClocks shows the clocks that Lichess has not: what it has stays as it is, and fields are added.
func TestOtherClocks(t *testing.T) {
	t.Parallel()
	games := newGames(t)
	for _, test := range []struct {
		name    string
		control clock.Control
		left    [2]time.Duration
		want    []string
	}{
		{"byoyomi", clock.NewByoyomi(5*time.Minute, 30*time.Second, 3), [2]time.Duration{100 * time.Second, 50 * time.Second}, []string{
			`"clock":{"byoyomi":30000,"increment":0,"initial":300000,"periods":3}`,
			`"wperiods":3`, `"wtime":10000`, `"bperiods":1`, `"btime":20000`, `"winc":0`}},
		{"the last period", clock.NewByoyomi(0, 30*time.Second, 1), [2]time.Duration{30 * time.Second, 7 * time.Second}, []string{
			`"wperiods":0`, `"bperiods":0`, `"wtime":30000`, `"btime":7000`}},
		{"delay", clock.NewDelay(5*time.Minute, 3*time.Second), [2]time.Duration{100 * time.Second, 50 * time.Second}, []string{
			`"clock":{"delay":3000,"increment":0,"initial":300000}`, `"wtime":100000`, `"btime":50000`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := snapshot(func(s *game.Snapshot) {
				s.Control = test.control
				s.Clocks = game.PerPlayer[time.Duration]{test.left[0], test.left[1]}
			})
			got := line(t, games.GameFull(s, s.At))
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s is not in %s", want, got)
				}
			}
			if strings.Contains(got, "periods") != (test.control.Kind == clock.Byoyomi) {
				t.Errorf("periods in %s", got)
			}
		})
	}
}
