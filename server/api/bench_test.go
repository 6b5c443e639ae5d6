package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkGate is what every request pays before its handler.
func BenchmarkGate(b *testing.B) {
	e := newGate(b)
	for _, bb := range []struct {
		name string
		r    request
	}{
		{"read", request{"GET", "/api/account", "", "", "all"}},
		{"move", request{"POST", "/api/bot/game/x4Tq9bZe/move/e2e4", "", "", "bot"}},
		{"form", request{"POST", "/api/challenge/ai", formType, "level=3&clock.limit=300&clock.increment=2", "all"}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest(bb.r.method, bb.r.target, strings.NewReader(bb.r.body))
				r.Header.Set("Authorization", "Bearer "+bb.r.token)
				if bb.r.contentType != "" {
					r.Header.Set("Content-Type", bb.r.contentType)
				}
				w := httptest.NewRecorder()
				e.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					b.Fatalf("status %d: %s", w.Code, w.Body)
				}
			}
		})
	}
}
