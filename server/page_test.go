package server_test

import (
	"net/http"
	"testing"

	"hoplite/server/servertest"
)

// TestSessionHint: the page is told whether it makes sense to ask who is signed in, by a cookie that holds no secret.
func TestSessionHint(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for _, tt := range []struct{ sent, want string }{
		{"", "hoplite_signed_in=0; Path=/; SameSite=Lax"},
		{"hoplite_session=whatever", "hoplite_signed_in=1; Path=/; SameSite=Lax"},
		{"hoplite_session=whatever; hoplite_signed_in=1", ""},
		{"hoplite_session=whatever; hoplite_signed_in=0", "hoplite_signed_in=1; Path=/; SameSite=Lax"},
		{"hoplite_signed_in=1", "hoplite_signed_in=0; Path=/; SameSite=Lax"},
	} {
		r := s.Anonymous().Request(t, http.MethodGet, "/lobby", "", nil)
		if tt.sent != "" {
			r.Header.Set("Cookie", tt.sent)
		}
		if got := s.Anonymous().Do(t, r).Header.Get("Set-Cookie"); got != tt.want {
			t.Errorf("with %q: %q, want %q", tt.sent, got, tt.want)
		}
	}
	consent := "/oauth?response_type=code&client_id=x&redirect_uri=http://localhost/&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
	if got := s.Anonymous().Get(t, consent).Header.Get("Set-Cookie"); got != "hoplite_signed_in=0; Path=/; SameSite=Lax" {
		t.Errorf("the page that asks for consent sets %q", got)
	}
	for _, path := range []string{"/docs", "/docs/openapi.yaml", "/healthz", "/icon.svg"} {
		if got := s.Anonymous().Get(t, path).Header.Get("Set-Cookie"); got != "" {
			t.Errorf("%s sets %q", path, got)
		}
	}
}
