package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSettings(t *testing.T) {
	secret := file(t, "token", "lip_file\n")
	config := file(t, "bot.yml", "url: http://from.file\ntoken_file: "+secret+"\nengine: {level: 2}\n")
	for name, tc := range map[string]struct {
		flags            flags
		url, token, fail string
		level            int
	}{
		"defaults":             {flags{}, "http://127.0.0.1:8080", "", "", 8},
		"file":                 {flags{Config: config}, "http://from.file", "lip_file", "", 2},
		"flags over file":      {flags{common: common{URL: "http://from.flag"}, Config: config, Token: " lip_flag ", Level: 3}, "http://from.flag", "lip_flag", "", 3},
		"no such config":       {flags{Config: "/nonexistent.yml"}, "", "", "nonexistent", 0},
		"no such token file":   {flags{common: common{TokenFile: "/nonexistent.token"}}, "", "", "nonexistent", 0},
		"level that is not":    {flags{Level: 11}, "", "", "level", 0},
		"misspelt key in file": {flags{Config: file(t, "bad.yml", "levle: 3\n")}, "", "", "levle", 0},
	} {
		cfg, token, err := tc.flags.settings()
		if tc.fail != "" {
			if err == nil || !strings.Contains(err.Error(), tc.fail) {
				t.Errorf("%s: got %v, want an error about %s", name, err, tc.fail)
			}
			continue
		}
		if err != nil || cfg.URL != tc.url || token != tc.token || cfg.Engine.Level != tc.level {
			t.Errorf("%s: got %s, %q, level %d, %v", name, cfg.URL, token, cfg.Engine.Level, err)
		}
	}
}

func TestRun(t *testing.T) {
	t.Setenv("HOPLITE_BOT_TOKEN", "")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":"No such token"}`)
	}))
	defer srv.Close()
	for name, tc := range map[string]struct {
		args []string
		want string // within the error, or the output if there is none
		ok   bool
	}{
		"check":              {[]string{"--check", "--level", "2"}, "Beginner", true},
		"own games":          {[]string{"--check", "--variants", "../../docs/examples/variants"}, "", true},
		"no folder":          {[]string{"--check", "--variants", "nowhere"}, "nowhere", false},
		"no token":           {nil, "no token", false},
		"bad token":          {[]string{"--url", srv.URL, "--token", "lip_x"}, "No such token", false},
		"bad address":        {[]string{"--url", "localhost", "--token", "lip_x"}, "base URL", false},
		"no token to lend":   {[]string{"provide"}, "no token", false},
		"bad token to lend":  {[]string{"provide", "--url", srv.URL, "--token", "lip_x"}, "No such token", false},
		"of another command": {[]string{"provide", "--level", "2"}, "--level", false},
		"unknown flag":       {[]string{"--lvel", "2"}, "--lvel", false},
		"bad log":            {[]string{"--log-level", "loud"}, "log-level", false},
	} {
		var out bytes.Buffer
		err := run(tc.args, &out, io.Discard)
		got := out.String()
		if err != nil {
			got = err.Error()
		}
		if (err == nil) != tc.ok || !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}
