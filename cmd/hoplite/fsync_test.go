package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hoplite/store/storetest"
)

// buildProgram builds the program as it ships, without a part that needs libraries.
func buildProgram(tb testing.TB, dir string) string {
	tb.Helper()
	binary := filepath.Join(dir, "hoplite")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// watch is what a trace of system calls says about a log of a database and the answers that depend on it.
type watch struct {
	log, answer string // parts of lines
	perProcess  bool   // each process answers for what it has written itself
}

// read counts the answers that had written something before, and those whose last write was not synced then. What a
// call has done counts when it has returned.
func (w watch) read(t *testing.T, trace string) (answers, unsynced int) {
	t.Helper()
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type state struct{ wrote, dirty bool }
	states, syncing := map[string]*state{}, map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		pid, line, _ := strings.Cut(lines.Text(), " ")
		key := ""
		if w.perProcess {
			key = pid
		}
		s := states[key]
		if s == nil {
			s = &state{}
			states[key] = s
		}
		sync := strings.Contains(line, "fsync(") || strings.Contains(line, "fdatasync(")
		switch {
		case strings.Contains(line, "pwrite64(") && strings.Contains(line, w.log):
			s.wrote, s.dirty = true, true
		case sync && strings.Contains(line, w.log) && strings.Contains(line, "unfinished"):
			syncing[pid] = true
		case sync && strings.Contains(line, w.log), strings.Contains(line, "sync resumed") && syncing[pid]:
			delete(syncing, pid)
			s.dirty = false
		case strings.Contains(line, w.answer):
			if s.wrote {
				answers++
			}
			if s.dirty {
				unsynced++
			}
			s.wrote = false
		}
	}
	return answers, unsynced
}

const tracedCalls = "trace=write,pwrite64,fsync,fdatasync,sendto"

// playTraced plays ten moves over HTTP, one after the other.
func playTraced(t *testing.T, r *running) {
	t.Helper()
	tokens := [2]string{r.signUp(t, "Ann"), r.signUp(t, "Bob")}
	var made struct{ ID string }
	r.must(t, "POST", "/api/challenge/Bob", tokens[0], url.Values{"clock.limit": {"600"}, "clock.increment": {"0"}, "color": {"white"}}, &made)
	r.must(t, "POST", "/api/challenge/"+made.ID+"/accept", tokens[1], nil, nil)
	for i, m := range strings.Fields("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 b1c3 f8e7") {
		r.must(t, "POST", "/api/board/game/"+made.ID+"/move/"+m, tokens[i%2], nil, nil)
	}
}

// TestMovesAreSyncedBeforeTheirAnswers looks at the system calls of the real server, and of PostgreSQL: between the last
// write of a move to the log and the answer, the log is synced.
func TestMovesAreSyncedBeforeTheirAnswers(t *testing.T) {
	t.Parallel()
	strace := installed(t, "strace")
	t.Run("sqlite", func(t *testing.T) {
		dir := t.TempDir()
		r := &running{url: "http://" + freeAddr(t), ops: "http://" + freeAddr(t), client: &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{}}}
		defer r.client.CloseIdleConnections()
		trace := filepath.Join(dir, "trace")
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), strace, "-f", "-y", "-e", tracedCalls, "-e", "signal=none", "-o", trace,
			buildProgram(t, dir), "serve", "--bots", "none", "--db", filepath.Join(dir, "h.db"),
			"--listen", strings.TrimPrefix(r.url, "http://"), "--ops", strings.TrimPrefix(r.ops, "http://"))
		said := &lockedText{}
		cmd.Stdout, cmd.Stderr = said, said
		// Signals go to the server, which is strace's child.
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
			_ = cmd.Wait()
			if t.Failed() {
				t.Log(said)
			}
		})
		until(t, "it is ready", func() bool { return r.status(t, "GET", r.ops+"/readyz", "", nil) == http.StatusOK })
		playTraced(t, r)
		answers, unsynced := watch{log: "h.db-wal>", answer: `"HTTP/1.1 20`}.read(t, trace)
		// The heartbeat, which nobody waits for, may be on its way to the disk at the same moment.
		if answers < 10 || unsynced > 1 {
			t.Errorf("%d answers after writes, %d of them before the log was synced", answers, unsynced)
		}
	})
	t.Run("postgres", func(t *testing.T) {
		pg := storetest.PrivatePostgres(t, "fsync=on", "synchronous_commit=on", "wal_sync_method=fdatasync")
		if pg == nil {
			t.Logf("%s is not set: SQLite only", storetest.PostgresEnv)
			return
		}
		trace := filepath.Join(t.TempDir(), "trace")
		attach(t, strace, trace, pg.DSN)
		r := startServe(t, "--bots", "none", "--db", pg.DSN)
		playTraced(t, r)
		answers, unsynced := watch{log: "/pg_wal/", answer: `COMMIT\0`, perProcess: true}.read(t, trace)
		if answers < 10 || unsynced > 0 {
			t.Errorf("%d commits, %d of them acknowledged before the log was synced", answers, unsynced)
		}
	})
}

// attach traces a PostgreSQL with all of its processes until the test ends.
func attach(t *testing.T, strace, trace, dsn string) {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var text string
	if err := db.QueryRow("SELECT pg_read_file('postmaster.pid')").Scan(&text); err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.Fields(text)[0])
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), strace, "-f", "-y", "-e", tracedCalls, "-e", "signal=none", "-o", trace, "-p", fmt.Sprint(pid))
	said := &lockedText{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT) // it lets go
		_ = cmd.Wait()
	})
	until(t, "strace is attached", func() bool { return strings.Contains(said.String(), "attached") })
}
