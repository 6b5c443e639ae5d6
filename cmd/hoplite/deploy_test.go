package main

import (
	"context"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

const deploy = "../../deploy/"

// installed finds a program that make deps installs.
func installed(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatalf("make deps installs it: %v", err)
	}
	return path
}

// TestUnit has systemd read the unit.
func TestUnit(t *testing.T) {
	t.Parallel()
	analyze := installed(t, "systemd-analyze")
	text, err := os.ReadFile(deploy + "hoplite.service")
	if err != nil {
		t.Fatal(err)
	}
	program := "/usr/local/bin/hoplite"
	if !strings.Contains(string(text), "ExecStart="+program+" serve --config /etc/hoplite/hoplite.yml\n") {
		t.Error("the unit does not start what docs/running.md installs")
	}
	unit := filepath.Join(t.TempDir(), "hoplite.service")
	if err := os.WriteFile(unit, []byte(strings.ReplaceAll(string(text), program, os.Args[0])), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(analyze, "verify", "--man=no", unit).CombinedOutput(); err != nil || strings.Contains(string(out), "hoplite.service") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSettingsFile reads the settings that the unit uses. What it refuses is refused after they have been read.
func TestSettingsFile(t *testing.T) {
	t.Parallel()
	code, _, stderr := command(t, "serve", "--config", deploy+"hoplite.yml", "--limits", "off")
	if code != 1 || !strings.Contains(stderr, "limits cannot be off with a public URL") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestContainerFiles holds what can be held without an engine: the settings in both files are settings of the server, and
// the image is built with the Go that the module asks for.
func TestContainerFiles(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	dockerfile, compose := read(deploy+"Dockerfile"), read(deploy+"compose.yml")
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read("../../go.mod"))
	if version == nil || !strings.Contains(dockerfile, "golang:"+version[1]+"-") {
		t.Errorf("the image is not built with Go %v", version)
	}
	if err := yaml.Unmarshal([]byte(compose), new(map[string]any)); err != nil {
		t.Error(err)
	}
	app, err := kong.New(&cli{}, kong.DefaultEnvars("HOPLITE"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, n := range append(slices.Clone(app.Model.Children), app.Model.Node) {
		for _, f := range n.Flags {
			for _, name := range f.Envs {
				known[name] = true
			}
		}
	}
	named := regexp.MustCompile(`HOPLITE_[A-Z_]+`).FindAllString(dockerfile+compose, -1)
	if len(named) < 9 {
		t.Errorf("only %d settings: %v", len(named), named)
	}
	for _, name := range named {
		if !known[name] {
			t.Errorf("there is no setting %s", name)
		}
	}
}

// TestDockerfile has a linter read the file.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	hadolint := installed(t, "../../.cache/venv/bin/hadolint")
	if out, err := exec.Command(hadolint, deploy+"Dockerfile").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// nobody is a user that owns nothing on this machine.
const nobody = 65532

// TestAloneInAnEmptyRoot runs the static binary where there is nothing else, as the container image does: as a user
// without a name, who may write to the data folder only. It serves a game.
func TestAloneInAnEmptyRoot(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Log("only root may change the root directory")
		return
	}
	// Not the test's own folder, which only root may enter.
	root, err := os.MkdirTemp("", "hoplite-root-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	buildProgram(t, root)
	for _, err := range []error{
		os.Mkdir(filepath.Join(root, "data"), 0o700),
		os.Chown(filepath.Join(root, "data"), nobody, nobody), os.Chmod(root, 0o555),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	addr, ops := freeAddr(t), freeAddr(t)
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "/hoplite", "serve")
	cmd.Dir = "/"
	cmd.Env = []string{"HOPLITE_LISTEN=" + addr, "HOPLITE_OPS=" + ops, "HOPLITE_DB=/data/hoplite.db", "HOPLITE_BOTS=1"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	said := &lockedText{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()
			t.Log(said)
		}
	})
	r := &running{url: "http://" + addr, ops: "http://" + ops, client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{}}}
	defer r.client.CloseIdleConnections()
	until(t, "it is ready", func() bool {
		return r.status(t, "GET", r.ops+"/readyz", "", nil) == http.StatusOK
	})
	token := r.signUp(t, "Ann")
	var game struct{ ID string }
	until(t, "the engine plays", func() bool {
		return r.status(t, "POST", "/api/challenge/ai", token, url.Values{"level": {"1"}}) == 201
	})
	var list struct {
		NowPlaying []struct{ GameID string }
	}
	r.must(t, "GET", "/api/account/playing", token, nil, &list)
	if len(list.NowPlaying) == 0 {
		t.Fatal("no game is played")
	}
	game.ID = list.NowPlaying[0].GameID
	r.must(t, "POST", "/api/board/game/"+game.ID+"/resign", token, nil, nil)
	if status := r.status(t, "GET", "/", "", nil); status != 200 {
		t.Errorf("the page: %d", status)
	}
	if resp, body := r.ask(t, "GET", r.ops+"/metrics", "", nil); resp.StatusCode != 200 || !strings.Contains(string(body), "hoplite_games_ended_total") {
		t.Errorf("metrics: %d %.200s", resp.StatusCode, body)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if name := strings.TrimPrefix(path, root); err == nil && name != "" && name != "/hoplite" && name != "/data" && !strings.HasPrefix(name, "/data/hoplite.db") {
			t.Errorf("it wrote %s", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
