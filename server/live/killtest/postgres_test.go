package killtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hoplite/store/gormdb"
)

// cluster is a PostgreSQL of the test's own.
type cluster struct {
	t    testing.TB
	bin  string
	dir  string
	port int
	cred *syscall.Credential // nil unless we are root, whom PostgreSQL refuses
	cmd  *exec.Cmd
}

// newCluster makes an empty database in a folder that goes with the test.
func newCluster(t testing.TB) *cluster {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		path, err := exec.LookPath("postgres")
		if err != nil {
			t.Fatalf("no PostgreSQL to kill: %v", err)
		}
		found = []string{path}
	}
	// t.TempDir is below folders that another user may not enter.
	dir, err := os.MkdirTemp("", "hoplite-kill-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	c := &cluster{t: t, bin: filepath.Dir(found[len(found)-1]), dir: filepath.Join(dir, "data"), port: freePort(t)}
	if os.Getuid() == 0 {
		c.cred = credential(t, "postgres")
		if err := os.Chown(dir, int(c.cred.Uid), int(c.cred.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	initdb := c.command("initdb", "-D", c.dir, "-U", "hoplite", "-A", "trust", "-E", "UTF8", "--no-locale")
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	return c
}

func credential(t testing.TB, name string) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // nothing was written
	return l.Addr().(*net.TCPAddr).Port
}

func (c *cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.WithoutCancel(c.t.Context()), filepath.Join(c.bin, name), args...)
	cmd.Dir = filepath.Dir(c.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.cred}
	return cmd
}

func (c *cluster) dsn() string {
	return fmt.Sprintf("postgres://hoplite@127.0.0.1:%d/postgres?sslmode=disable", c.port)
}

// start starts the server and waits until it answers. Right after a kill the
// shared memory of the old one may still be in use; then it tries again.
func (c *cluster) start() {
	c.t.Helper()
	deadline := time.Now().Add(60 * time.Second)
	for time.Now().Before(deadline) {
		c.cmd = c.command("postgres", "-D", c.dir, "-p", strconv.Itoa(c.port), "-k", "",
			"-c", "listen_addresses=127.0.0.1", "-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "log_min_messages=panic")
		c.cmd.Stderr = c.t.Output()
		if err := c.cmd.Start(); err != nil {
			c.t.Fatal(err)
		}
		ended := make(chan struct{})
		go func(cmd *exec.Cmd) {
			_ = cmd.Wait() // how it ended is read from ProcessState
			close(ended)
		}(c.cmd)
		if c.answers(ended, deadline) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.t.Fatal("PostgreSQL does not start")
}

func (c *cluster) answers(ended <-chan struct{}, deadline time.Time) bool {
	for time.Now().Before(deadline) {
		select {
		case <-ended:
			return false
		default:
		}
		ctx, cancel := context.WithTimeout(c.t.Context(), time.Second)
		db, err := gormdb.Open(ctx, c.dsn(), gormdb.Options{})
		if err == nil {
			err = db.Close()
		}
		cancel()
		if err == nil {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// kill is kill -9 for the server and all of its processes, as if the machine
// had lost its power (but for what the kernel still holds).
func (c *cluster) kill() {
	if c.cmd == nil {
		return
	}
	pid := c.cmd.Process.Pid
	c.cmd = nil
	children := childrenOf(c.t, pid)
	for _, p := range append([]int{pid}, children...) {
		if err := syscall.Kill(p, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			c.t.Error(err)
		}
	}
}

func childrenOf(t testing.TB, pid int) []int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		t.Error(err)
	}
	var list []int
	for _, f := range strings.Fields(string(b)) {
		if n, err := strconv.Atoi(f); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// killDatabases kills PostgreSQL below a server that goes on: it must refuse
// meanwhile and resume by itself.
func killDatabases(t *testing.T) {
	c := newCluster(t)
	t.Cleanup(c.kill)
	c.start()
	p := &promises{games: make(map[string]bool)}
	s := startServer(t, c.dsn(), 0, p)
	for range rounds() {
		s.busy(p)
		c.kill()
		time.Sleep(100 * time.Millisecond)
		c.start()
	}
	s.busy(p)
	s.kill()
	if !t.Failed() {
		verify(t, c.dsn(), p)
	}
}
