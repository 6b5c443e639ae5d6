package external_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"hoplite/openapi"
	"hoplite/server"
	"hoplite/server/servertest"
)

// TestProvidersThatGo: work whose provider does not begin is given to the next one, and what was said before a provider
// broke off is told.
func TestProvidersThatGo(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.External.Begin = 50 * time.Millisecond }))
	e := register(t, s.SignUp(t, "Ann").Client(t), registration())
	c := s.Anonymous().Client(t)
	a := ask(t, c, e.ID, question(e))
	first := acquire(t, c, secret)
	second := acquire(t, c, secret)
	if first.ID != second.ID {
		t.Fatalf("given were %s and %s", first.ID, second.ID)
	}
	late := submit(t, c, first.ID) // nobody else has begun
	late.say(t, "info depth 3 score cp 1 pv e7e5")
	if f, ok := a.next(t); !ok || f.Depth != 3 {
		t.Errorf("who is late says %+v", f)
	}
	servertest.WantStatus(t, c.Engines.Submit(t.Context(), second.ID, io.NopCloser(strings.NewReader(""))), http.StatusNotFound)
	if err := late.WriteCloser.(*io.PipeWriter).CloseWithError(io.ErrUnexpectedEOF); err != nil { // in the middle of the body
		t.Error(err)
	}
	if err := late.end(t); err == nil {
		t.Error("the upload that broke off has ended well")
	}
	if _, more := a.next(t); more {
		t.Error("more is found")
	}
}

// TestManyWait: each question is given once, whoever waits for whom.
func TestManyWait(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	e := register(t, s.SignUp(t, "Ann").Client(t), registration())
	c := s.Anonymous().Client(t)
	const many = 4
	given := make(chan string, many)
	var waiting sync.WaitGroup
	providers := func() {
		for range many {
			waiting.Go(func() {
				for t.Context().Err() == nil {
					job, err := c.Engines.Acquire(t.Context(), secret)
					if err != nil {
						t.Error(err)
						return
					}
					if job != nil {
						given <- job.Work.SessionID
						if err := c.Engines.Submit(t.Context(), job.ID, io.NopCloser(strings.NewReader("bestmove e7e5\n"))); err != nil {
							t.Error(err)
						}
						return
					}
				}
			})
		}
	}
	for name, order := range map[string][2]func(){
		"providers first": {providers, func() {}},
		"clients first":   {func() {}, providers},
	} {
		order[0]()
		var all []asked
		for i := range many {
			form := question(e)
			form.Work.SessionID = name + string(rune('a'+i))
			all = append(all, ask(t, c, e.ID, form))
		}
		order[1]()
		seen := map[string]bool{}
		for range many {
			select {
			case id := <-given:
				seen[id] = true
			case <-time.After(patience):
				t.Fatalf("%s: %d questions were given", name, len(seen))
			}
		}
		if len(seen) != many {
			t.Errorf("%s: given were %v", name, seen)
		}
		for _, a := range all {
			a.last(t)
		}
		waiting.Wait() // a client may have its last line before the provider has its answer
	}
}

// TestBounds: nothing that others hold open or send is without bounds.
func TestBounds(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.External.Wait = 50 * time.Millisecond }))
	e := register(t, s.SignUp(t, "Ann").Client(t), registration())
	c := s.Anonymous().Client(t)
	if f := ask(t, c, e.ID, question(e)).last(t); f.Depth != 0 { // nobody comes
		t.Errorf("found was %+v", f)
	}
	for name, said := range map[string]string{
		"a long line": "info string " + strings.Repeat("x", 1<<17),
		"too much":    strings.Repeat("info string "+strings.Repeat("x", 60_000)+"\n", 1200),
	} {
		var id string
		var a asked
		for id == "" { // the work waits for a moment only
			a = ask(t, c, e.ID, question(e))
			if job, err := c.Engines.Acquire(t.Context(), secret); err != nil {
				t.Fatal(err)
			} else if job != nil {
				id = job.ID
			}
		}
		err := c.Engines.Submit(t.Context(), id, io.NopCloser(strings.NewReader(said)))
		if err == nil {
			t.Errorf("%s: the upload has ended well", name)
		}
		a.last(t)
	}
}

// TestWaitingBounds fills the places of an engine's questions and of a provider's polls.
func TestWaitingBounds(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	e := register(t, s.SignUp(t, "Ann").Client(t), registration())
	c := s.Anonymous().Client(t)
	refused := make(chan error)
	for i := range 9 {
		go func() {
			form := question(e)
			form.Work.SessionID = string(rune('a' + i))
			for _, err := range c.Engines.Analyse(t.Context(), e.ID, form) {
				if err != nil && t.Context().Err() == nil {
					refused <- err
				}
			}
		}()
	}
	select {
	case err := <-refused:
		servertest.WantStatus(t, err, http.StatusTooManyRequests)
	case <-time.After(patience):
		t.Fatal("nine questions wait at one engine")
	}
	other := register(t, s.SignUp(t, "Bob").Client(t), openapi.ExternalEngineRegistration{
		Name: "idle", MaxThreads: 1, MaxHash: 1, ProviderSecret: "another" + secret,
	})
	for range 17 {
		go func() {
			if _, err := c.Engines.Acquire(t.Context(), "another"+secret); err != nil && t.Context().Err() == nil {
				refused <- err
			}
		}()
	}
	select {
	case err := <-refused:
		servertest.WantStatus(t, err, http.StatusTooManyRequests)
	case <-time.After(patience):
		t.Fatalf("seventeen providers wait for %s", other.ID)
	}
}
