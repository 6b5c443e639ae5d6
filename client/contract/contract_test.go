// Package contract_test holds the API to its description: schemathesis reads the description from a real server, sends
// it what fits and what does not, and checks every answer.
package contract_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hoplite/server"
	"hoplite/server/limits"
	"hoplite/server/servertest"
	"hoplite/store/storetest"
)

// streams is the tag of operations whose answer stays open. Others read those, line by line against the description.
const streams = "Streams"

// unreachable are operations that cannot succeed in the games of fill.py, and why.
var unreachable = map[string]string{
	"boardGameBerserk":      "only in an arena",
	"boardGameClaimVictory": "only when the opponent has been gone for a while",
	"botGameClaimVictory":   "only when the opponent has been gone for a while",
	"botGameClaimDraw":      "never: the third repetition ends a bot's game",
	"boardGameClaim":        "only in games with declarations",
	"botGameClaim":          "only in games with declarations",
	"gameConditionalSet":    "only in games by correspondence",
	"accountTotpConfirm":    "only with the code of the moment",
	"accountEmailResend":    "only where mail is sent",
	"emailConfirm":          "only with a code out of a mail",
	"passwordReset":         "only where mail is sent",
	"passwordResetConfirm":  "only with a code out of a mail",
	"adminReportResolve":    "only for an open report",
	"oidcLogin":             "only with a provider of identities",
	"oidcFactor":            "only with a provider of identities",
	"accountOidcLink":       "only with a provider of identities",
	"accountOidcUnlink":     "only with a provider of identities",
	"challengeAi":           "only while the house bots play",
}

// TestContract runs on SQLite with some examples of each operation; HOPLITE_LONG=1 on both databases with many.
func TestContract(t *testing.T) {
	t.Parallel()
	if os.Getenv("HOPLITE_LONG") != "" {
		storetest.EachDSN(t, func(t *testing.T, dsn string) { contract(t, dsn, 300, 2*time.Hour) })
		return
	}
	contract(t, storetest.SQLiteDSN(t), 10, 8*time.Minute)
}

func contract(t *testing.T, dsn string, examples int, patience time.Duration) {
	s := servertest.Start(t, servertest.DSN(dsn),
		servertest.Config(func(c *server.Config) {
			c.Limits = limits.Off
			c.Analysis.Waiting, c.Analysis.PerAccount = 100_000, 100_000
		}))
	s.Admin(t, "Ada") // world.py logs it in
	report := filepath.Join(t.TempDir(), "report.json")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, schemathesis(t), "--config-file", "schemathesis.toml", "run", "--no-color",
		"--max-examples", fmt.Sprint(examples), "--url", s.URL, s.URL+"/docs/openapi.yaml")
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "NO_PROXY=*",
		"HOPLITE_CONTRACT_URL="+s.URL, "HOPLITE_CONTRACT_REPORT="+report)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	_, summary, _ := strings.Cut(string(out), " SUMMARY ")
	t.Logf("%s", summary)

	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]map[string]int{}
	if err := json.Unmarshal(data, &answers); err != nil {
		t.Fatal(err)
	}
	for _, op := range s.Document().Operations() {
		got := answers[op.ID]
		switch why, known := unreachable[op.ID]; {
		case slices.Contains(op.Tags, streams):
			if got != nil {
				t.Errorf("%s is a stream and was asked", op.ID)
			}
		case got == nil:
			t.Errorf("%s was not asked", op.ID)
		case !known && !succeeded(got):
			t.Errorf("%s never succeeded: %v", op.ID, got)
		case known && succeeded(got):
			t.Errorf("%s succeeded, though it is said to be possible %s", op.ID, why)
		}
	}
}

// succeeded says whether one of the answers, counted by their status, was no error.
func succeeded(answers map[string]int) bool {
	for status, n := range answers {
		if n > 0 && (strings.HasPrefix(status, "2") || strings.HasPrefix(status, "3")) {
			return true
		}
	}
	return false
}

// schemathesis returns the program, which .ci/deps puts beside the interpreter of the other real clients.
func schemathesis(t *testing.T) string {
	t.Helper()
	python := os.Getenv("HOPLITE_PYTHON")
	if python == "" {
		python = filepath.Join("..", "..", ".cache", "venv", "bin", "python")
	}
	path, err := filepath.Abs(filepath.Join(filepath.Dir(python), "schemathesis"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(path, "--version").CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s\nRun `make deps`, or set HOPLITE_PYTHON to a Python with client/realclients/requirements.txt.",
			path, err, out)
	}
	return path
}
