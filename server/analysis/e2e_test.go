package analysis_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/server"
	"hoplite/server/servertest"
	"hoplite/store"
)

// finished follows an analysis to its end.
func finished(t *testing.T, c *client.Client, id string) openapi.Analysis {
	t.Helper()
	var last openapi.Analysis
	for a, err := range c.Analysis.Follow(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		if a.Done < last.Done {
			t.Errorf("%d positions done after %d", a.Done, last.Done)
		}
		last = a
	}
	return last
}

// foolsMate is played by two people.
func foolsMate(t *testing.T, s *servertest.Server, white, black *servertest.User) (id string) {
	t.Helper()
	var c openapi.Challenge
	white.Post(t, "/api/challenge/Bob", url.Values{"color": {"white"}}).Want(t, http.StatusOK).JSON(t, &c)
	black.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusOK)
	for i, move := range strings.Fields("f2f3 e7e5 g2g4 d8h4") {
		[]*servertest.User{white, black}[i%2].Post(t, "/api/board/game/"+c.ID+"/move/"+move, nil).Want(t, http.StatusOK)
	}
	return c.ID
}

// TestGame asks for a game and finds what the engine thinks in its exports.
func TestGame(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	id := foolsMate(t, s, ann, bob)
	c := ann.Client(t)
	ctx := t.Context()
	form := openapi.AnalysisForm{GameID: id, Nodes: 5000}
	asked, err := c.Analysis.Create(ctx, form)
	if err != nil || asked.GameID != id || asked.Total != 5 {
		t.Fatalf("asked for %+v, %v", asked, err)
	}
	done := finished(t, c, asked.ID)
	if done.Status != openapi.AnalysisStatusDone || done.Done != 5 || len(done.Positions) != 5 || !done.Positions[4].Over {
		t.Fatalf("the analysis came to %+v", done)
	}
	best := done.Positions[3].Pvs[0]
	if best.Mate == nil || *best.Mate != -1 || best.Moves != "d8h4" {
		t.Errorf("before the mate the engine sees %+v", best)
	}
	again, err := bob.Client(t).Analysis.Create(ctx, form)
	if err != nil || again.ID != asked.ID || again.Status != openapi.AnalysisStatusDone {
		t.Errorf("asked again: %+v, %v", again, err)
	}

	g, err := c.Games.Get(ctx, id, openapi.GamePgnParams{Accuracy: openapi.FlagTrue})
	if err != nil || len(g.Analysis) != 4 {
		t.Fatalf("the game has the analysis %+v, %v", g.Analysis, err)
	}
	if j := g.Analysis[2].Judgment; j == nil || j.Name != openapi.JudgmentNameBlunder || g.Analysis[2].Mate == nil || g.Analysis[2].Variation == "" {
		t.Errorf("the move into mate is judged %+v", g.Analysis[2])
	}
	if last := g.Analysis[3]; last.Eval != nil || last.Mate != nil || last.Judgment != nil {
		t.Errorf("after the mate the engine says %+v", last)
	}
	white, black := g.Players.White.Analysis, g.Players.Black.Analysis
	if white == nil || black == nil || white.Blunder != 1 || black.Blunder != 0 || *white.Accuracy >= *black.Accuracy {
		t.Errorf("the players did %+v and %+v", white, black)
	}
	pgn, err := c.Games.PGN(ctx, id, openapi.GamePgnParams{})
	if err != nil || !strings.Contains(pgn, "g4 { [%eval #-1] }") {
		t.Errorf("the PGN is %s, %v", pgn, err)
	}
	if pgn, err = c.Games.PGN(ctx, id, openapi.GamePgnParams{Evals: openapi.FlagFalse}); err != nil || strings.Contains(pgn, "%eval") {
		t.Errorf("the PGN without evaluations is %s, %v", pgn, err)
	}
	for flag, want := range map[openapi.Flag]int{openapi.FlagTrue: 1, openapi.FlagFalse: 0} {
		n := 0
		for _, err := range c.Games.OfUser(ctx, "Ann", openapi.APIGamesUserParams{Analysed: flag}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != want {
			t.Errorf("with analysed=%s there are %d games, want %d", flag, n, want)
		}
	}
	// What was seen on the way is known of the positions.
	cloud, err := c.Analysis.CloudEval(ctx, openapi.APICloudEvalParams{Fen: "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 30"})
	if err != nil || len(cloud.Pvs) != 1 || cloud.Pvs[0].Moves != "d8h4" {
		t.Errorf("the position before the mate is known as %+v, %v", cloud, err)
	}
}

// TestPosition asks for positions of several games, some of which cannot be had.
func TestPosition(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	bob := s.SignUp(t, "Bob")
	c, ctx := ann.Client(t), t.Context()
	for _, form := range []openapi.AnalysisForm{
		{Nodes: 20_000, Lines: 3},
		{Variant: "spartan", Moves: "e2e4 g8f6", Nodes: 20_000, Lines: 2},
		{Variant: "shogi", Nodes: 5000},
		{Variant: "standard", Fen: "8/8/8/8/8/4k3/4q3/4K2R w K - 7 30", Nodes: 5000, Moves: "e1e2"},
	} {
		asked, err := c.Analysis.Create(ctx, form)
		if strings.Contains(form.Fen, "4q3") {
			if servertest.WantStatus(t, err, http.StatusBadRequest) == "" {
				t.Error("an illegal move is refused without a word")
			}
			continue
		}
		if err != nil {
			t.Fatalf("%+v: %v", form, err)
		}
		got := finished(t, c, asked.ID)
		if got.Status != openapi.AnalysisStatusDone || len(got.Positions) != 1 || len(got.Positions[0].Pvs) != max(1, form.Lines) {
			t.Errorf("%+v came to %+v", form, got)
		}
		if p := got.Positions[0]; p.Ply != len(strings.Fields(form.Moves)) || p.Knodes == 0 || p.Depth == 0 {
			t.Errorf("%+v: the position is %+v", form, p)
		}
	}
	for name, form := range map[string]openapi.AnalysisForm{
		"an unknown game":         {Variant: "mornington"},
		"a FEN that is none":      {Fen: "hello"},
		"a move that is none":     {Moves: "e2e4 hello"},
		"a game and a position":   {GameID: "abcd1234", Variant: "standard"},
		"too many nodes":          {Nodes: 50_000_000},
		"too many for a game":     {GameID: "abcd1234", Nodes: 5_000_000},
		"too many lines":          {Lines: 9},
		"a position that is over": {Moves: "f2f3 e7e5 g2g4 d8h4"},
	} {
		if _, err := c.Analysis.Create(ctx, form); servertest.WantStatus(t, err, http.StatusBadRequest) == "" {
			t.Errorf("%s is refused without a word", name)
		}
	}
	_, err := c.Analysis.Create(ctx, openapi.AnalysisForm{GameID: "abcd1234"})
	servertest.WantStatus(t, err, http.StatusNotFound)
	_, err = s.Anonymous().Client(t).Analysis.Create(ctx, openapi.AnalysisForm{})
	servertest.WantStatus(t, err, http.StatusUnauthorized)
	_, err = c.Analysis.CloudEval(ctx, openapi.APICloudEvalParams{Fen: "8/8/8/8/8/4k3/4q3/4K2R w - - 0 1"})
	servertest.WantStatus(t, err, http.StatusNotFound)

	// Nobody gets help with the game that he is playing.
	var game openapi.Challenge
	ann.Post(t, "/api/challenge/Bob", nil).Want(t, http.StatusOK).JSON(t, &game)
	bob.Post(t, "/api/challenge/"+game.ID+"/accept", nil).Want(t, http.StatusOK)
	_, err = c.Analysis.Create(ctx, openapi.AnalysisForm{})
	servertest.WantStatus(t, err, http.StatusForbidden)
	_, err = c.Analysis.Create(ctx, openapi.AnalysisForm{GameID: game.ID})
	servertest.WantStatus(t, err, http.StatusBadRequest)
}

// TestQueue fills the queue, cancels, and looks at what somebody else asked for.
func TestQueue(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) {
		c.Analysis.Workers, c.Analysis.Waiting, c.Analysis.PerAccount = 1, 3, 2
	}))
	ann, bob := s.SignUp(t, "Ann").Client(t), s.SignUp(t, "Bob").Client(t)
	ctx := t.Context()
	long := openapi.AnalysisForm{Nodes: 5_000_000, Lines: 5}
	ask := func(c *client.Client) string {
		t.Helper()
		a, err := c.Analysis.Create(ctx, long)
		if err != nil {
			t.Fatal(err)
		}
		return a.ID
	}
	first, second := ask(ann), ask(ann)
	_, err := ann.Analysis.Create(ctx, long)
	servertest.WantStatus(t, err, http.StatusTooManyRequests)
	ask(bob)
	_, err = bob.Analysis.Create(ctx, long)
	servertest.WantStatus(t, err, http.StatusTooManyRequests)
	_, err = bob.Analysis.Show(ctx, first)
	servertest.WantStatus(t, err, http.StatusNotFound)
	servertest.WantStatus(t, bob.Analysis.Cancel(ctx, first), http.StatusNotFound)

	begun := make(chan struct{})
	ended := make(chan openapi.Analysis)
	go func() {
		var last openapi.Analysis
		known := false
		for a, err := range ann.Analysis.Follow(ctx, first) {
			if err != nil {
				t.Error(err)
				break
			}
			if !known && len(a.Positions) > 0 {
				known = true
				close(begun)
			}
			last = a
		}
		ended <- last
	}()
	select {
	case <-begun:
	case <-time.After(time.Minute):
		t.Fatal("nothing was found within a minute")
	}
	for _, id := range []string{first, second} {
		if err := ann.Analysis.Cancel(ctx, id); err != nil {
			t.Error(err)
		}
	}
	if a := <-ended; a.Status != openapi.AnalysisStatusCancelled {
		t.Errorf("the stream ends with %+v", a)
	}
	servertest.WantStatus(t, ann.Analysis.Cancel(ctx, first), http.StatusConflict)
	ask(ann) // there is room again
}

// TestLostWorker takes up an analysis whose worker is gone.
func TestLostWorker(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	long := time.Now().Add(-time.Hour).Truncate(time.Millisecond)
	left := store.Analysis{
		ID: "left", AccountID: "ann", Variant: "standard", Nodes: 3000, Lines: 1, Status: store.AnalysisRunning,
		Created: long, Alive: long, Total: 1,
	}
	if err := s.Store.CreateAnalysis(t.Context(), left); err != nil {
		t.Fatal(err)
	}
	if got := finished(t, ann.Client(t), "left"); got.Status != openapi.AnalysisStatusDone || got.Done != 1 {
		t.Errorf("it came to %+v", got)
	}
}

// TestNoAnalysis is a server that takes none.
func TestNoAnalysis(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.Analysis.Workers = -1 }))
	_, err := s.SignUp(t, "Ann").Client(t).Analysis.Create(t.Context(), openapi.AnalysisForm{})
	servertest.WantStatus(t, err, http.StatusForbidden)
}
