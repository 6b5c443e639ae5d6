package external_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/client"
	"hoplite/engine/enginetest/testgame"
	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/server/auth"
	"hoplite/server/external"
	"hoplite/server/servertest"
	"hoplite/store"
)

const secret = "a secret of sixteen or more"

func registration() openapi.ExternalEngineRegistration {
	return openapi.ExternalEngineRegistration{
		Name: "Stockfish", MaxThreads: 4, MaxHash: 1024, Variants: []string{"chess", "3check", "spartan"}, ProviderSecret: secret,
		ProviderData: "my own words",
	}
}

func register(t *testing.T, c *client.Client, r openapi.ExternalEngineRegistration) openapi.ExternalEngine {
	t.Helper()
	e, err := c.Engines.Register(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestEngines registers, lists, changes and removes engines, as their owner and as others.
func TestEngines(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, ctx := s.SignUp(t, "Ann"), s.SignUp(t, "Bob").Client(t), t.Context()
	c := ann.Client(t)
	made := register(t, c, registration())
	want := openapi.ExternalEngine{
		ID: made.ID, Name: "Stockfish", ClientSecret: made.ClientSecret, UserID: "ann", MaxThreads: 4, MaxHash: 1024,
		Variants: []string{"chess", "3check", "spartan"}, ProviderData: "my own words",
	}
	if d := cmp.Diff(want, made); d != "" || len(made.ID) != 16 || !strings.HasPrefix(made.ID, "eei_") ||
		len(made.ClientSecret) != 20 || !strings.HasPrefix(made.ClientSecret, "ees_") {
		t.Errorf("registered (-want +got):\n%s\nid %q, secret %q", d, made.ID, made.ClientSecret)
	}
	second := register(t, c, openapi.ExternalEngineRegistration{
		Name: "  Plain ", MaxThreads: 1, MaxHash: 16, ProviderSecret: secret, Variants: []string{"standard", "chess", "threeCheck"},
	})
	if second.Name != "Plain" || cmp.Diff(second.Variants, []string{"chess", "3check"}) != "" {
		t.Errorf("registered by our keys: %+v", second)
	}
	list, err := c.Engines.List(ctx)
	if d := cmp.Diff([]openapi.ExternalEngine{made, second}, list); d != "" || err != nil {
		t.Errorf("list (-want +got):\n%s%v", d, err)
	}
	if list, err = bob.Engines.List(ctx); err != nil || len(list) != 0 {
		t.Errorf("somebody else has %v, %v", list, err)
	}

	r := registration()
	r.Name, r.Variants, r.ProviderData, r.MaxHash = "Other", nil, "", 1
	changed, err := c.Engines.Update(ctx, made.ID, r)
	want.Name, want.Variants, want.ProviderData, want.MaxHash = "Other", []string{"chess"}, "", 1
	if d := cmp.Diff(want, changed); d != "" || err != nil {
		t.Errorf("changed (-want +got):\n%s%v", d, err)
	}
	if got, err := c.Engines.Get(ctx, made.ID); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("read back: %+v, %v", got, err)
	}
	_, err = bob.Engines.Update(ctx, made.ID, r)
	servertest.WantStatus(t, err, http.StatusNotFound)
	_, err = bob.Engines.Get(ctx, made.ID)
	servertest.WantStatus(t, err, http.StatusNotFound)
	servertest.WantStatus(t, bob.Engines.Delete(ctx, made.ID), http.StatusNotFound)
	if err := c.Engines.Delete(ctx, made.ID); err != nil {
		t.Error(err)
	}
	servertest.WantStatus(t, c.Engines.Delete(ctx, made.ID), http.StatusNotFound)

	// The scopes are apart, and the secret of the provider is nowhere.
	reader := s.Anonymous()
	reader.Token = s.NewToken(t, "ann", "engine:read")
	if list, err = reader.Client(t).Engines.List(ctx); err != nil || len(list) != 1 {
		t.Errorf("a token that may read sees %v, %v", list, err)
	}
	_, err = reader.Client(t).Engines.Register(ctx, registration())
	servertest.WantStatus(t, err, http.StatusForbidden)
	kept, err := s.Store.EngineByID(ctx, second.ID)
	if err != nil || kept.Provider == [32]byte{} {
		t.Errorf("kept: %+v, %v", kept, err)
	}
}

// TestRegistrationsRefused: what is wrong is named.
func TestRegistrationsRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	c, ctx := s.SignUp(t, "Ann").Client(t), t.Context()
	made := register(t, c, registration())
	for field, spoil := range map[string]func(*openapi.ExternalEngineRegistration){
		"name":                    func(r *openapi.ExternalEngineRegistration) { r.Name = "ab" },
		"name: must not be blank": func(r *openapi.ExternalEngineRegistration) { r.Name = "    " },
		"maxThreads":              func(r *openapi.ExternalEngineRegistration) { r.MaxThreads = 0 },
		"maxHash":                 func(r *openapi.ExternalEngineRegistration) { r.MaxHash = 1 << 21 },
		"providerSecret":          func(r *openapi.ExternalEngineRegistration) { r.ProviderSecret = "short" },
		"providerData":            func(r *openapi.ExternalEngineRegistration) { r.ProviderData = strings.Repeat("x", 2001) },
		"variants: unknown":       func(r *openapi.ExternalEngineRegistration) { r.Variants = []string{"chess", "mornington"} },
	} {
		r := registration()
		spoil(&r)
		for _, try := range []func() error{
			func() error { _, err := c.Engines.Register(ctx, r); return err },
			func() error { _, err := c.Engines.Update(ctx, made.ID, r); return err },
		} {
			if text := servertest.WantStatus(t, try(), http.StatusBadRequest); !strings.Contains(text, field) {
				t.Errorf("%s: %q", field, text)
			}
		}
	}
	for range external.MaxEngines - 1 {
		register(t, c, registration())
	}
	_, err := c.Engines.Register(ctx, registration())
	if text := servertest.WantStatus(t, err, http.StatusBadRequest); !strings.Contains(text, "20 external engines") {
		t.Errorf("one too many: %q", text)
	}
}

// TestClosingTakesEngines: the engines of a closed account are gone.
func TestClosingTakesEngines(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	made := register(t, s.SignUp(t, "Ann").Client(t), registration())
	if err := auth.Close(context.Background(), s.Store, "ann", auth.Closing{By: store.ClosedByOwner}, time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Store.EngineByID(t.Context(), made.ID); err == nil {
		t.Error("the engine is still there")
	}
}

// TestHiddenGames: no program is asked about games in which players do not know everything, or of more than two.
func TestHiddenGames(t *testing.T) {
	t.Parallel()
	dark := testgame.Dark()
	set, err := variant.Compile(append(variant.All(), dark))
	if err != nil {
		t.Fatal(err)
	}
	s := servertest.Start(t, servertest.Games(set))
	c := s.SignUp(t, "Ann").Client(t)
	r := registration()
	r.Variants = []string{"chess", dark.Key}
	_, err = c.Engines.Register(t.Context(), r)
	if text := servertest.WantStatus(t, err, http.StatusBadRequest); !strings.Contains(text, "do not know everything") {
		t.Errorf("registered for a game that hides: %q", text)
	}
	e := register(t, c, registration())
	form := question(e)
	form.Work.Variant = dark.Key
	for _, err := range c.Engines.Analyse(t.Context(), e.ID, form) {
		if text := servertest.WantStatus(t, err, http.StatusBadRequest); !strings.Contains(text, "do not know everything") {
			t.Errorf("asked about a game that hides: %q", text)
		}
	}
}
