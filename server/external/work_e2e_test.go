package external_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/server"
	"hoplite/server/servertest"
)

const (
	start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	// patience is how long something may take that must happen.
	patience = time.Minute
)

// question asks for an analysis of chess after 1. e4.
func question(e openapi.ExternalEngine) openapi.ExternalEngineAnalyseForm {
	return openapi.ExternalEngineAnalyseForm{ClientSecret: e.ClientSecret, Work: openapi.ExternalEngineWork{
		SessionID: "session", Threads: 64, Hash: 65536, MultiPv: 2, Variant: "chess", InitialFen: start,
		Moves: []string{"e2e4"}, Depth: 20,
	}}
}

// asked is an analysis that somebody waits for.
type asked struct {
	found <-chan openapi.ExternalEngineAnalysis // closed at its end
	leave context.CancelFunc
}

func ask(t *testing.T, c *client.Client, id string, form openapi.ExternalEngineAnalyseForm) asked {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	found := make(chan openapi.ExternalEngineAnalysis, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(found)
		for f, err := range c.Engines.Analyse(ctx, id, form) {
			if err != nil {
				if ctx.Err() == nil {
					t.Errorf("the analysis: %v", err)
				}
				return
			}
			found <- f
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return asked{found, cancel}
}

// next is what is found next; false at the end.
func (a asked) next(t *testing.T) (openapi.ExternalEngineAnalysis, bool) {
	t.Helper()
	select {
	case f, ok := <-a.found:
		return f, ok
	case <-time.After(patience):
		t.Fatal("nothing is found")
		panic("unreachable")
	}
}

// last is what was found at the end.
func (a asked) last(t *testing.T) openapi.ExternalEngineAnalysis {
	t.Helper()
	var last openapi.ExternalEngineAnalysis
	for {
		f, ok := a.next(t)
		if !ok {
			return last
		}
		last = f
	}
}

// acquire waits until there is work.
func acquire(t *testing.T, c *client.Client, secret string) *openapi.ExternalEngineJob {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		job, err := c.Engines.Acquire(t.Context(), secret)
		if err != nil {
			t.Fatal(err)
		}
		if job != nil {
			return job
		}
	}
	t.Fatal("no work comes")
	return nil
}

// answer is an upload that a test writes.
type answer struct {
	io.WriteCloser
	ended <-chan error
}

func submit(t *testing.T, c *client.Client, id string) answer {
	t.Helper()
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- c.Engines.Submit(t.Context(), id, r) }()
	t.Cleanup(func() { _ = w.Close() })
	return answer{w, ended}
}

func (a answer) say(t *testing.T, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if _, err := fmt.Fprintln(a, l); err != nil {
			t.Errorf("%s: %v", l, err)
		}
	}
}

// end waits until the server has answered.
func (a answer) end(t *testing.T) error {
	t.Helper()
	select {
	case err := <-a.ended:
		return err
	case <-time.After(patience):
		t.Fatal("the upload does not end")
		return nil
	}
}

// TestWork goes from the question to the last line: what the provider is given, and what the client is told.
func TestWork(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	e := register(t, s.SignUp(t, "Ann").Client(t), registration())
	nobody := s.Anonymous().Client(t) // secrets are enough
	for name, tc := range map[string]struct {
		change func(*openapi.ExternalEngineWork)
		given  func(*openapi.ExternalEngineWork) // beside what the server bounds
		says   []string
		want   openapi.ExternalEngineAnalysis
	}{
		"two lines, from the view of White": {
			says: []string{
				"id name Fish", "info string hello", "info depth 3 multipv 1 score cp 10 nodes 50 time 1 pv e7e5",
				"info depth 9 multipv 1 score cp -25 nodes 900 time 7 pv e7e5 g1f3 b8c6 a1a8 c2c4",
				"info depth 9 multipv 2 score mate -4 nodes 950 time 8 pv c7c5",
				"info depth 10 multipv 1 score cp 99 lowerbound pv a7a5", "info depth 10 multipv 3 score cp 99 pv a7a5",
				"info depth 10 multipv 1 score cp 99 pv e2e4", "bestmove e7e5 ponder g1f3", "info depth 11 score cp 5 pv a7a6",
			},
			want: openapi.ExternalEngineAnalysis{Time: 8, Depth: 9, Nodes: 950, Pvs: []openapi.ExternalEnginePv{
				{Depth: 9, Cp: new(25), Moves: []string{"e7e5", "g1f3", "b8c6"}}, {Depth: 9, Mate: new(4), Moves: []string{"c7c5"}},
			}},
		},
		"White to move, no bestmove": {
			change: func(w *openapi.ExternalEngineWork) { w.Moves, w.MultiPv = []string{"e2e4", "e7e5"}, 1 },
			says:   []string{"info depth 4 score mate 7 pv g1f3"},
			want:   openapi.ExternalEngineAnalysis{Depth: 4, Pvs: []openapi.ExternalEnginePv{{Depth: 4, Mate: new(7), Moves: []string{"g1f3"}}}},
		},
		"castling": {
			change: func(w *openapi.ExternalEngineWork) {
				w.InitialFen, w.Moves = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", []string{"e1g1"}
			},
			given: func(w *openapi.ExternalEngineWork) { w.Moves = []string{"e1h1"} },
			says:  []string{"info depth 1 score cp 0 pv e8a8", "bestmove e8a8"},
			want:  openapi.ExternalEngineAnalysis{Depth: 1, Pvs: []openapi.ExternalEnginePv{{Depth: 1, Cp: new(0), Moves: []string{"e8c8"}}}},
		},
		"a shuffled start": {
			change: func(w *openapi.ExternalEngineWork) {
				w.InitialFen, w.Moves = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", nil
			},
			given: func(w *openapi.ExternalEngineWork) {
				w.InitialFen, w.Moves = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", []string{}
			},
			says: []string{"info depth 1 score cp 3 pv d1c3 d8c6 e1d3 e8d6 f1g1"},
			want: openapi.ExternalEngineAnalysis{Depth: 1, Pvs: []openapi.ExternalEnginePv{{Depth: 1, Cp: new(3), Moves: []string{"d1c3", "d8c6", "e1d3", "e8d6"}}}},
		},
		"another game, by our key": {
			change: func(w *openapi.ExternalEngineWork) {
				w.Variant, w.InitialFen, w.Moves = "threeCheck", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1", nil
			},
			given: func(w *openapi.ExternalEngineWork) {
				w.Variant, w.InitialFen, w.Moves = "3check", start+" +0+0", []string{}
			},
			says: []string{"info depth 2 score cp 3 pv e2e4"},
			want: openapi.ExternalEngineAnalysis{Depth: 2, Pvs: []openapi.ExternalEnginePv{{Depth: 2, Cp: new(3), Moves: []string{"e2e4"}}}},
		},
		"nothing to say": {says: []string{"bestmove (none)"}},
	} {
		form := question(e)
		if tc.change != nil {
			tc.change(&form.Work)
		}
		a := ask(t, nobody, e.ID, form)
		job := acquire(t, nobody, secret)
		given := form.Work
		given.Threads, given.Hash = 4, 1024
		if tc.given != nil {
			tc.given(&given)
		}
		if d := cmp.Diff(given, job.Work); d != "" {
			t.Errorf("%s: given (-want +got):\n%s", name, d)
		}
		if d := cmp.Diff(e, job.Engine); d != "" {
			t.Errorf("%s: the engine (-want +got):\n%s", name, d)
		}
		up := submit(t, nobody, job.ID)
		up.say(t, tc.says...)
		if err := up.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := up.end(t); err != nil {
			t.Errorf("%s: the upload: %v", name, err)
		}
		if d := cmp.Diff(tc.want, a.last(t)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		servertest.WantStatus(t, nobody.Engines.Submit(t.Context(), job.ID, io.NopCloser(strings.NewReader(""))), http.StatusNotFound)
	}
}

// TestWorkRefused: nothing is offered that is not in order.
func TestWorkRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.External.Poll = 10 * time.Millisecond }))
	r := registration()
	r.Variants = []string{"chess", "spartan"}
	e := register(t, s.SignUp(t, "Ann").Client(t), r)
	c, ctx := s.Anonymous().Client(t), t.Context()
	for name, tc := range map[string]struct {
		change func(*openapi.ExternalEngineAnalyseForm)
		status int
		text   string
	}{
		"wrong secret":    {func(f *openapi.ExternalEngineAnalyseForm) { f.ClientSecret = "ees_0000000000000000" }, 403, "client secret"},
		"no secret":       {func(f *openapi.ExternalEngineAnalyseForm) { f.ClientSecret = "" }, 400, "clientSecret"},
		"no bound":        {func(f *openapi.ExternalEngineAnalyseForm) { f.Work.Depth = 0 }, 400, "movetime"},
		"unknown variant": {func(f *openapi.ExternalEngineAnalyseForm) { f.Work.Variant = "mornington" }, 400, "work.variant"},
		"a game that the engine does not know": {func(f *openapi.ExternalEngineAnalyseForm) {
			f.Work.Variant, f.Work.Moves = "atomic", nil
		}, 400, "work.variant"},
		"no position":     {func(f *openapi.ExternalEngineAnalyseForm) { f.Work.InitialFen = "hello" }, 400, "work.initialFen"},
		"an illegal move": {func(f *openapi.ExternalEngineAnalyseForm) { f.Work.Moves = []string{"e2e4", "e2e4"} }, 400, "work.moves: move 2"},
		"the end": {func(f *openapi.ExternalEngineAnalyseForm) {
			f.Work.Moves = []string{"f2f3", "e7e5", "g2g4", "d8h4"}
		}, 400, "over"},
		"too many lines": {func(f *openapi.ExternalEngineAnalyseForm) { f.Work.MultiPv = 6 }, 400, "work.multiPv"},
		"no session":     {func(f *openapi.ExternalEngineAnalyseForm) { f.Work.SessionID = "" }, 400, "work.sessionId"},
		"no threads":     {func(f *openapi.ExternalEngineAnalyseForm) { f.Work.Threads = 0 }, 400, "work.threads"},
		"for too long":   {func(f *openapi.ExternalEngineAnalyseForm) { f.Work.Movetime = 1 << 30 }, 400, "work.movetime"},
	} {
		form := question(e)
		tc.change(&form)
		for _, err := range c.Engines.Analyse(ctx, e.ID, form) {
			if text := servertest.WantStatus(t, err, tc.status); !strings.Contains(text, tc.text) {
				t.Errorf("%s: %q", name, text)
			}
			break
		}
	}
	for _, err := range c.Engines.Analyse(ctx, "eei_000000000000", question(e)) {
		servertest.WantStatus(t, err, http.StatusNotFound)
	}
	if job, err := c.Engines.Acquire(ctx, secret); job != nil || err != nil {
		t.Errorf("there is work: %v, %v", job, err)
	}
	_, err := c.Engines.Acquire(ctx, "another secret of sixteen")
	servertest.WantStatus(t, err, http.StatusNotFound)
	servertest.WantStatus(t, c.Engines.Submit(ctx, "abcd1234", io.NopCloser(strings.NewReader("bestmove e2e4"))), http.StatusNotFound)
}

// TestEndsOfWork: work ends with its client, with a newer question of its session, with its engine and its account, and
// the provider's upload with it.
func TestEndsOfWork(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann").Client(t)
	session := s.LogIn(t, "Ann").Client(t)
	nobody := s.Anonymous().Client(t)
	for _, tc := range []struct {
		name string
		end  func(e openapi.ExternalEngine, a asked)
	}{
		{"the client goes", func(_ openapi.ExternalEngine, a asked) { a.leave() }},
		{"a newer question", func(e openapi.ExternalEngine, _ asked) {
			newer := ask(t, nobody, e.ID, question(e))
			answer := submit(t, nobody, acquire(t, nobody, e.Name+secret).ID)
			answer.say(t, "info depth 2 score cp 1 pv e7e5", "bestmove e7e5")
			if f := newer.last(t); f.Depth != 2 {
				t.Errorf("the newer question is answered %+v", f)
			}
		}},
		{"the engine is removed", func(e openapi.ExternalEngine, _ asked) {
			if err := ann.Engines.Delete(t.Context(), e.ID); err != nil {
				t.Error(err)
			}
		}},
		{"the account is closed", func(openapi.ExternalEngine, asked) {
			if err := session.Account.Close(t.Context(), openapi.CloseForm{Password: servertest.Password}); err != nil {
				t.Error(err)
			}
		}},
	} {
		name, r := tc.name, registration()
		r.Name, r.ProviderSecret = name, name+secret
		e := register(t, ann, r)
		a := ask(t, nobody, e.ID, question(e))
		up := submit(t, nobody, acquire(t, nobody, name+secret).ID)
		up.say(t, "info depth 1 score cp 1 pv e7e5")
		if f, ok := a.next(t); !ok || f.Depth != 1 {
			t.Fatalf("%s: before it, %+v was found", name, f)
		}
		tc.end(e, a)
		if err := up.end(t); err != nil { // although the body has not ended
			t.Errorf("%s: the upload: %v", name, err)
		}
		a.last(t)
	}
}
