package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

func TestParseLevels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []int
	}{
		{"1-8", []int{1, 2, 3, 4, 5, 6, 7, 8}},
		{"none", nil},
		{"", nil},
		{"3", []int{3}},
		{"8,1, 3-4", []int{1, 3, 4, 8}},
		{"2-2", []int{2}},
	} {
		got, err := parseLevels(tt.text)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, %v; want %v", tt.text, got, err, tt.want)
		}
	}
	for _, text := range []string{"0", "9", "4-2", "1-9", "all", "1-", "-3", "1;2", "1 2", "3x", "1-2-3", ",", "1,,2"} {
		if got, err := parseLevels(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestParsePrefix(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"10.0.0.0/8": "10.0.0.0/8", "127.0.0.1": "127.0.0.1/32", "::1": "::1/128", "fd00::/8": "fd00::/8",
	} {
		if got, err := parsePrefix(text); err != nil || got.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "example.org", "10.0.0.0/33", "10.0.0"} {
		if got, err := parsePrefix(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// command runs the program and returns what it prints.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	code = run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestCommands(t *testing.T) {
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		stdout string // a part of it
		stderr string
	}{
		{"help", []string{"--help"}, 0, "serve", ""},
		{"help of serve", []string{"serve", "--help"}, 0, "--trusted-proxies", ""},
		{"version", []string{"version"}, 0, "\n", ""},
		{"spec", []string{"openapi"}, 0, "openapi: 3.1.0", ""},
		{"nothing", nil, 2, "", "expected one of"},
		{"unknown command", []string{"dance"}, 2, "", "dance"},
		{"no folder of games", []string{"serve", "--variants", "nowhere"}, 2, "", "nowhere"},
		{"unknown flag", []string{"serve", "--dance"}, 2, "", "dance"},
		{"limits", []string{"serve", "--limits", "lax"}, 2, "", "limits"},
		{"listen", []string{"serve", "--listen", "nowhere"}, 1, "", "host:port"},
		{"URL with a path", []string{"serve", "--url", "https://chess.example/x"}, 1, "", "root of the host"},
		{"no limits in public", []string{"serve", "--limits", "off", "--url", "https://chess.example"}, 1, "", "public"},
		{"bots", []string{"serve", "--bots", "many"}, 1, "", "levels"},
		{"proxies", []string{"serve", "--trusted-proxies", "everybody"}, 1, "", "network"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := command(t, tt.args...)
			if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
				t.Errorf("exit %d, want %d\nstdout: %.300s\nstderr: %.300s", code, tt.code, stdout, stderr)
			}
		})
	}
}

// TestSettings asks in which order flag, environment and file count. A wrong value shows which one was read.
func TestSettings(t *testing.T) {
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "hoplite.yml")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, tt := range []struct {
		name, file, env string
		args            []string
		stderr          string
	}{
		{"file", "bots: from-file\n", "", nil, `bots "from-file"`},
		{"environment over file", "bots: from-file\n", "from-env", nil, `bots "from-env"`},
		{"flag over both", "bots: from-file\n", "from-env", []string{"--bots", "from-flag"}, `bots "from-flag"`},
		{"list", "trusted_proxies: [10.0.0.0/8, nonsense]\n", "", nil, `trusted proxy "nonsense"`},
		{"number", "listen: 8080\n", "", nil, `listen address "8080"`},
		{"misspelt", "bots: none\nlimit: strict\n", "", nil, "no such setting: limit"},
		{"nested", "serve:\n  bots: none\n", "", nil, "flat"},
		{"not YAML", "bots: [\n", "", nil, "settings"},
		{"not in the list", "limits: lax\n", "", nil, "limits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.env != "" {
				t.Setenv("HOPLITE_BOTS", tt.env)
			}
			args := append([]string{"serve", "--config", file(tt.file)}, tt.args...)
			code, _, stderr := command(t, args...)
			if code == 0 || !strings.Contains(stderr, tt.stderr) {
				t.Errorf("exit %d, stderr %s\nwant %s", code, stderr, tt.stderr)
			}
		})
	}
}

// TestEveryFlagIsASetting reads each flag of the server from the environment and from a file too.
func TestEveryFlagIsASetting(t *testing.T) {
	t.Parallel()
	app, err := kong.New(&cli{}, kong.DefaultEnvars("HOPLITE"), kong.Configuration(yamlSettings))
	if err != nil {
		t.Fatal(err)
	}
	var serve *kong.Node
	for _, n := range app.Model.Children {
		if n.Name == "serve" {
			serve = n
		}
	}
	var file strings.Builder
	seen := 0
	for _, f := range append(slices.Clone(app.Model.Flags), serve.Flags...) {
		if f.Name == "help" || f.Name == "config" {
			continue
		}
		seen++
		if want := "HOPLITE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_")); !slices.Contains(f.Envs, want) {
			t.Errorf("--%s is read from %v, want %s", f.Name, f.Envs, want)
		}
		if f.Help == "" {
			t.Errorf("--%s says nothing", f.Name)
		}
		fmt.Fprintf(&file, "%s: null\n", strings.ReplaceAll(f.Name, "-", "_"))
	}
	if seen < 12 {
		t.Errorf("only %d flags", seen)
	}
	s, err := yamlSettings(strings.NewReader(file.String()))
	if err == nil {
		err = s.Validate(app.Model)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestServe starts the program as a user does, asks it something, and stops it.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stdout, out := io.Pipe()
	var logged strings.Builder
	ended := make(chan int, 1)
	args := []string{"serve", "--db", filepath.Join(dir, "h.db"), "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--bots", "none",
		"--variants", "../../docs/examples/variants"}
	go func() {
		ended <- run(ctx, args, strings.NewReader(""), out, &logged)
		_ = out.Close()
	}()
	lines := bufio.NewScanner(stdout)
	var printed []string
	for lines.Scan() {
		printed = append(printed, lines.Text())
		if strings.Contains(lines.Text(), "user create NAME") {
			break
		}
	}
	if len(printed) < 3 || !strings.HasPrefix(printed[0], "Hoplite ") {
		t.Fatalf("printed %q, exit %d, log %s", printed, <-ended, logged.String())
	}
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
	_, rest, _ := strings.Cut(printed[0], " at ")
	url, _, _ := strings.Cut(rest, ",")
	client := &http.Client{Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	resp, err := client.Get(url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	var health struct{ Status string }
	err = json.NewDecoder(resp.Body).Decode(&health)
	_ = resp.Body.Close()
	if err != nil || health.Status != "ok" {
		t.Errorf("health: %+v, %v", health, err)
	}
	resp, err = client.Get(url + "/api/variants/amazonChess")
	if err != nil {
		t.Fatal(err)
	}
	var own struct{ Name string }
	err = json.NewDecoder(resp.Body).Decode(&own)
	_ = resp.Body.Close()
	if err != nil || own.Name != "Amazon chess" {
		t.Errorf("a game of the operator's: %+v, %v", own, err)
	}
	// The database has one server.
	code, _, stderr := command(t, args...)
	if code != 1 || !strings.Contains(stderr, "already served by pid") {
		t.Errorf("a second server: exit %d, %s", code, stderr)
	}
	cancel()
	select {
	case code := <-ended:
		if code != 0 {
			t.Errorf("exit %d: %s", code, logged.String())
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server does not stop")
	}
}
