package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzAddress puts anything into a path and a query: the answer is a refusal of the caller, or what arrives at the
// handler is text that every database keeps.
func FuzzAddress(f *testing.F) {
	e := newGate(f)
	f.Add("abcd1234WXYZ", "offeringDraw=True")
	f.Add("abcd1234", "max=1.0&since=99999999999999999999&moves=yes&moves=no&color=")
	f.Add("..%2f..", "ids=%00&ids=a,b&nb=NaN")
	f.Add("%ff%00%E2%80%AE", "a=%zz&;&=&&max=-0")
	f.Add("a+b@c,d|e=f", "max=1e3&rated=+1+&perfType=blitz,,bullet")
	f.Fuzz(func(t *testing.T, segment, query string) {
		for _, target := range []string{"/api/board/game/" + segment + "/move/e2e4", "/api/games/user/" + segment, "/api/users/status"} {
			u, err := url.Parse("http://localhost" + target + "?" + query)
			if err != nil || strings.ContainsAny(target+query, " \r\n") {
				continue // no request line holds it
			}
			method := http.MethodGet
			if strings.Contains(target, "/move/") {
				method = http.MethodPost
			}
			r := httptest.NewRequest(method, "http://localhost/", nil)
			r.URL = u
			r.Header.Set("Authorization", "Bearer all")
			w := httptest.NewRecorder()
			e.ServeHTTP(w, r)
			if w.Code != http.StatusOK {
				if w.Code < 400 || w.Code >= 500 {
					t.Fatalf("%s %s: status %d: %s", method, u, w.Code, w.Body)
				}
				continue
			}
			var s seen
			if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
				t.Fatalf("%s: %v", w.Body, err)
			}
			for name, value := range s.Params {
				if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
					t.Errorf("%s: %s is %q", u, name, value)
				}
			}
		}
	})
}
