package ws_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/engine/enginetest/testgame"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/live/game"
	"hoplite/server/servertest"
	"hoplite/store"
)

// hiddenStage is a server on which only the test's own clock runs, so that the answers of two games can be the same to
// the byte.
type hiddenStage struct {
	t            *testing.T
	s            *servertest.Server
	rules        *rules.Rules
	white, black *servertest.User
}

func newHiddenStage(t *testing.T) *hiddenStage {
	t.Helper()
	set, err := variant.Compile(append(variant.All(), testgame.Dark()))
	if err != nil {
		t.Fatal(err)
	}
	r, _ := set.Get(testgame.Dark().Key)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := servertest.Start(t, servertest.Games(set), servertest.Now(func() time.Time { return at }))
	return &hiddenStage{t: t, s: s, rules: r, white: s.SignUp(t, "Wanda"), black: s.SignUp(t, "Boris")}
}

// hiddenGame is a game with what only the test knows of it: the position as it is.
type hiddenGame struct {
	id    string
	moves []string
	pos   *rules.Position
	// Streams that were opened before the first move.
	board   *servertest.Stream
	sockets [2]*socket // White's and a spectator's
	told    []string
}

func (h *hiddenStage) begin() *hiddenGame {
	h.t.Helper()
	var c openapi.Challenge
	h.white.PostJSON(h.t, "/api/challenge/Boris", map[string]any{"variant": h.rules.Key(), "color": "white"}).Want(h.t, 200).JSON(h.t, &c)
	h.black.Post(h.t, "/api/challenge/"+c.ID+"/accept", nil).Want(h.t, 200)
	stored := h.stored(c.ID)
	terms := game.Setup{Seed: stored.Seed}
	start, err := terms.Start(h.rules)
	if err != nil {
		h.t.Fatal(err)
	}
	return &hiddenGame{id: c.ID, pos: start}
}

func (h *hiddenStage) stored(id string) store.Game {
	h.t.Helper()
	g, err := h.s.Store.GameByID(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return g
}

// pair begins games until two look the same to White and are not.
func (h *hiddenStage) pair() [2]*hiddenGame {
	h.t.Helper()
	byView := map[string][]*hiddenGame{}
	for range 48 { // of 60 arrangements that White may have: two are alike long before
		g := h.begin()
		key := notation.ViewFEN(g.pos.View(0))
		for _, other := range byView[key] {
			if notation.FEN(other.pos) != notation.FEN(g.pos) {
				return [2]*hiddenGame{other, g}
			}
		}
		byView[key] = append(byView[key], g)
	}
	h.t.Fatal("no two games look the same to White")
	return [2]*hiddenGame{}
}

// watched opens everything that tells of a game.
func (h *hiddenStage) watched(g *hiddenGame) {
	h.t.Helper()
	g.board = h.white.Stream(h.t, "/api/board/game/stream/"+g.id)
	g.tell("first line", g.board.Next(h.t, nil))
	g.sockets[0] = as(h.t, h.s, h.white)
	g.sockets[1], _ = dial(h.t, h.s, nil)
	for _, c := range g.sockets {
		c.do("sub", frames.Sub{Topic: "game", Game: g.id})
	}
}

var (
	commitment = regexp.MustCompile(`"commitment":"[0-9a-f]{64}"`)
)

// tell notes something that White or a spectator was told. What differs between any two games is made the same: the id,
// the handle that follows from it, and the hash of the seed, which tells nothing before the seed is known.
func (g *hiddenGame) tell(what string, data []byte) {
	text := strings.ReplaceAll(string(data), g.id, "THISGAME")
	text = regexp.MustCompile(`THISGAME[0-9A-Za-z]{4}`).ReplaceAllString(text, "THISGAME")
	text = commitment.ReplaceAllString(text, `"commitment":"HASH"`)
	g.told = append(g.told, what+" "+text)
}

// ask collects everything that can be asked about a game now, and what the streams and sockets say.
func (h *hiddenStage) ask(g *hiddenGame) {
	h.t.Helper()
	watch := h.s.Anonymous().Stream(h.t, "/api/stream/game/"+g.id)
	g.tell("watch", watch.Next(h.t, nil))
	watch.Close()
	var playing openapi.NowPlaying
	h.white.Get(h.t, "/api/account/playing").Want(h.t, 200).JSON(h.t, &playing)
	for _, info := range playing.NowPlaying {
		if info.GameID == g.id {
			data, err := json.Marshal(info)
			if err != nil {
				h.t.Fatal(err)
			}
			g.tell("playing", data)
		}
	}
	for _, accept := range []string{"application/json", "application/x-chess-pgn"} {
		for i, u := range []*servertest.User{h.white, h.s.Anonymous()} {
			req := u.Request(h.t, http.MethodGet, "/game/export/"+g.id+"?pgnInJson=true", "", nil)
			req.Header.Set("Accept", accept)
			g.tell(fmt.Sprint("export for ", i), u.Do(h.t, req).Want(h.t, 200).Body)
		}
	}
	for _, move := range attempts() {
		legal := slices.ContainsFunc(g.pos.Moves(nil), func(m rules.Move) bool {
			return g.pos.Turn() == 0 && notation.FormatMove(g.pos, m) == move
		})
		if !legal {
			g.tell("refusal of "+move, h.white.Post(h.t, "/api/board/game/"+g.id+"/move/"+move, nil).Body)
			refused := g.sockets[0].refused("move", frames.Move{Game: g.id, Move: move}, frames.CodeInvalid)
			g.tell("the socket's refusal of "+move, []byte(refused.Error))
		}
	}
	spectator, _ := dial(h.t, h.s, nil)
	for _, c := range []*socket{as(h.t, h.s, h.white), spectator} {
		c.do("sub", frames.Sub{Topic: "game", Game: g.id})
		var all frames.Game
		g.tell("whole game", c.want("game", &all).D)
	}
}

// attempts are moves that White may try: impossible ones, and from where it cannot see.
func attempts() []string {
	list := []string{"a1a9", "a1a5", "b2b6"}
	for _, file := range "abcde" {
		for rank := 3; rank <= 6; rank++ {
			list = append(list, fmt.Sprintf("%c%dc4", file, rank))
		}
	}
	return list
}

// move plays a move and notes what is told of it.
func (h *hiddenStage) move(g *hiddenGame, text string) {
	h.t.Helper()
	u := []*servertest.User{h.white, h.black}[g.pos.Turn()]
	m, err := notation.ParseMove(g.pos, text)
	if err == nil {
		err = g.pos.Play(m)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	u.Post(h.t, "/api/board/game/"+g.id+"/move/"+text, nil).Want(h.t, 200)
	g.moves = append(g.moves, text)
	g.tell("line", g.board.NextType(h.t, "gameState", nil))
	for _, c := range g.sockets {
		var e frames.Event
		g.tell("event", c.want("event", &e).D)
	}
}

// TestNothingHiddenLeaks plays two games that differ only in what White cannot see. Everything that White and a
// spectator can get to know of them is the same, byte for byte; at the end everything is in the open, and the seed proves
// the start.
func TestNothingHiddenLeaks(t *testing.T) {
	t.Parallel()
	h := newHiddenStage(t)
	pair := h.pair()
	for _, g := range pair {
		h.watched(g)
		h.ask(g)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	hidden := 0
	for range 12 {
		texts, ok := h.next(pair, rng)
		if !ok {
			break
		}
		for k, g := range pair {
			h.move(g, texts[k])
			h.ask(g)
		}
		if notation.FEN(pair[0].pos) != notation.FEN(pair[1].pos) {
			hidden++
		}
	}
	if hidden < 4 {
		t.Fatalf("only %d positions differed where White could not see it", hidden)
	}
	if len(pair[0].told) != len(pair[1].told) || len(pair[0].told) < 50 {
		t.Fatalf("%d and %d things were told", len(pair[0].told), len(pair[1].told))
	}
	for i, a := range pair[0].told {
		if b := pair[1].told[i]; a != b {
			t.Fatalf("White can tell the games apart:\n%s\n%s", a, b)
		}
		if secret := h.secret(pair[0], a); secret != "" {
			t.Fatalf("%s is told in %s", secret, a)
		}
	}
	h.reveal(pair[0])
}

// secret returns a part of what must not be told, if it is.
func (h *hiddenStage) secret(g *hiddenGame, told string) string {
	for _, s := range []string{h.stored(g.id).Seed, notation.FEN(g.pos)} {
		if strings.Contains(told, s) {
			return s
		}
	}
	return ""
}

// next finds a move for each of the games after which they are the same to White. White's are one and the same; Black's
// differ if they can.
func (h *hiddenStage) next(pair [2]*hiddenGame, rng *rand.Rand) (texts [2]string, ok bool) {
	var after [2]map[string][]string // moves by what White and the spectators see then
	for k, g := range pair {
		after[k] = map[string][]string{}
		for _, m := range g.pos.Moves(nil) {
			then := g.pos.Clone()
			if err := then.Play(m); err != nil {
				h.t.Fatal(err)
			}
			if _, over := then.Outcome(); over {
				continue
			}
			seen := notation.ViewFEN(then.View(0)) + notation.ViewFEN(then.View(rules.Spectator))
			after[k][seen] = append(after[k][seen], notation.FormatMove(g.pos, m))
		}
	}
	views := slices.Sorted(maps.Keys(after[0]))
	rng.Shuffle(len(views), func(i, j int) { views[i], views[j] = views[j], views[i] })
	for _, apart := range []bool{true, false} {
		for _, view := range views {
			for _, a := range after[0][view] {
				for _, b := range after[1][view] {
					if (a == b) == (pair[0].pos.Turn() == 0 || !apart) {
						return [2]string{a, b}, true
					}
				}
			}
		}
	}
	return texts, false
}

// reveal ends a game and checks that it is in the open then.
func (h *hiddenStage) reveal(g *hiddenGame) {
	t := h.t
	t.Helper()
	h.white.Post(t, "/api/board/game/"+g.id+"/resign", nil).Want(t, 200)
	var last openapi.GameState
	g.board.NextType(t, "gameState", &last)
	if last.Moves != strings.Join(g.moves, " ") || last.Seed == "" {
		t.Errorf("the last state is %+v, want the moves %v and the seed", last, g.moves)
	}
	req := h.s.Anonymous().Request(t, http.MethodGet, "/game/export/"+g.id, "", nil)
	req.Header.Set("Accept", "application/json")
	var out openapi.Game
	h.s.Anonymous().Do(t, req).Want(t, 200).JSON(t, &out)
	if out.Seed != last.Seed || game.Commitment(g.id, out.Seed) != out.Commitment {
		t.Errorf("the seed %s is not what %s promised", out.Seed, out.Commitment)
	}
	terms := game.Setup{Seed: out.Seed}
	start, err := terms.Start(h.rules)
	if err != nil {
		t.Fatal(err)
	}
	if out.InitialFen != notation.FEN(start) {
		t.Errorf("the game began at %s, its seed makes %s", out.InitialFen, notation.FEN(start))
	}
}
