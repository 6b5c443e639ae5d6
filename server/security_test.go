package server_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hoplite/server"
	"hoplite/server/servertest"
)

// TestSecurityTable checks that every test exists that docs/security.md names beside a point of the ASVS, and that no
// point goes without.
func TestSecurityTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "| point | how it is met | tests |\n|---|---|---|\n")
	if !found {
		t.Fatal("docs/security.md has no table")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	known := testNames(t)
	name := regexp.MustCompile("`((?:Test|Fuzz)\\w+|[\\w.]+\\.e2e\\.ts)`")
	rows := strings.Split(strings.TrimSpace(table), "\n")
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), "|")
		tests := name.FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(cells) != 3 || len(tests) == 0 {
			t.Errorf("no test for: %s", row)
		}
		for _, m := range tests {
			if !known[m[1]] {
				t.Errorf("there is no test %s, which stands for: %s", m[1], strings.TrimSpace(cells[0]))
			}
		}
	}
	if len(rows) < 50 {
		t.Errorf("only %d points", len(rows))
	}
}

// testNames returns the tests of the whole project, and the files of its browser tests.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	for _, folder := range []string{"../server", "../store", "../client", "../cmd", "../web/e2e"} {
		err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
			switch {
			case err != nil || d.IsDir():
				return err
			case strings.HasSuffix(path, ".e2e.ts"):
				known[filepath.Base(path)] = true
			case strings.HasSuffix(path, "_test.go"):
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				for _, m := range declared.FindAllSubmatch(text, -1) {
					known[string(m[1])] = true
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return known
}

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.URL = "https://chess.example.org" }))
	u := s.Anonymous()
	for path, c := range map[string]struct{ policy, cache string }{
		"/":             {"script-src 'self' 'wasm-unsafe-eval'", ""},
		"/admin":        {"frame-ancestors 'none'", ""},
		"/api/variants": {"default-src 'none'", ""},
		"/api/account":  {"default-src 'none'", "no-store"},
		"/docs":         {"object-src 'none'", ""},
	} {
		h := u.Get(t, path).Header
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "X-Frame-Options": "DENY",
			"Strict-Transport-Security": "max-age=31536000", "Content-Security-Policy": c.policy, "Cache-Control": c.cache,
		} {
			if got := h.Get(name); !strings.Contains(got, want) {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if csp := h.Get("Content-Security-Policy"); strings.Contains(csp, "unsafe-eval'") && !strings.Contains(csp, "wasm-unsafe-eval'") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
}

// TestSessionCookie looks at the cookie of a server that people reach by https.
func TestSessionCookie(t *testing.T) {
	t.Parallel()
	for url, secure := range map[string]bool{"https://chess.example.org": true, "": false} {
		s := servertest.Start(t, servertest.Config(func(c *server.Config) { c.URL = url; c.Signup = "open" }))
		a := s.Anonymous().Post(t, "/api/signup", map[string][]string{"username": {"Ann"}, "password": {servertest.Password}}).Want(t, 201)
		cookies := (&http.Response{Header: a.Header}).Cookies()
		if len(cookies) != 1 {
			t.Fatalf("cookies %v", cookies)
		}
		if c := cookies[0]; c.Secure != secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
			t.Errorf("%q: cookie %v", url, c)
		}
	}
}

// TestVulnerabilitiesAreLookedFor runs what make lint runs, with a made-up govulncheck: a finding fails, no way to the
// database is told and does not.
func TestVulnerabilitiesAreLookedFor(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, lint, _ := strings.Cut(string(makefile), "\nlint:")
	if lint, _, _ = strings.Cut(lint, "\n\n"); !strings.Contains(lint, ".ci/check-vulnerabilities ./cmd/...") {
		t.Error("make lint does not look for vulnerabilities")
	}
	for name, c := range map[string]struct {
		says   string
		status int
		want   int
		shown  string
	}{
		"clean":       {"No vulnerabilities found.", 0, 0, "No vulnerabilities found."},
		"finding":     {"Vulnerability #1: GO-2099-0001", 3, 3, "GO-2099-0001"},
		"unreachable": {"govulncheck: fetching vulnerabilities: no such host", 1, 0, "NOT CHECKED"},
		"broken":      {"govulncheck: loading packages", 1, 1, "loading packages"},
	} {
		fake := filepath.Join(t.TempDir(), "go")
		script := "#!/bin/sh\necho '" + c.says + "'\nexit " + string(rune('0'+c.status)) + "\n"
		if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		run := exec.Command("../.ci/check-vulnerabilities", "./cmd/...")
		run.Env = append(os.Environ(), "GO="+fake)
		out, _ := run.CombinedOutput()
		if got := run.ProcessState.ExitCode(); got != c.want || !strings.Contains(string(out), c.shown) {
			t.Errorf("%s: status %d, want %d: %s", name, got, c.want, out)
		}
	}
}
