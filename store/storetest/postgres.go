package storetest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a PostgreSQL of the test's own, which it may stop and start.
type Server struct {
	// DSN is the address of an empty database.
	DSN  string
	t    testing.TB
	bin  string
	data string
	port int
}

// PrivatePostgres starts a PostgreSQL that goes with the test, or returns nil
// if tests are not to use PostgreSQL. The settings go to its command line.
func PrivatePostgres(t testing.TB, settings ...string) *Server {
	t.Helper()
	if os.Getenv(PostgresEnv) == "" {
		return nil
	}
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is well-formed
	initdb, err := exec.LookPath("initdb")
	if err == nil {
		bins = append(bins, initdb)
	}
	if len(bins) == 0 {
		t.Fatalf("%s is set, but there is no initdb to make a private server", PostgresEnv)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	s := &Server{
		DSN: fmt.Sprintf("postgres://hoplite@127.0.0.1:%d/postgres?sslmode=disable", port),
		t:   t, bin: filepath.Dir(bins[len(bins)-1]), port: port,
	}
	// Not the test's own folder, which only its own user may enter.
	if s.data, err = os.MkdirTemp("", "hoplite-pg-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(s.data) })
	if os.Getuid() == 0 { // PostgreSQL refuses to run as root
		u, err := user.Lookup("postgres")
		if err != nil {
			t.Fatal(err)
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(s.data, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	s.run("initdb", "-D", s.data, "-U", "hoplite", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
	conf := fmt.Sprintf("port=%d\nlisten_addresses='127.0.0.1'\nunix_socket_directories=''\nmax_connections=60\nshared_buffers=16MB\n%s\n",
		port, strings.Join(settings, "\n"))
	f, err := os.OpenFile(filepath.Join(s.data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(conf)
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.command("pg_ctl", "-D", s.data, "-m", "immediate", "stop").Run() }) // it may have stopped
	return s
}

// Start starts the server and waits until it answers.
func (s *Server) Start() {
	s.t.Helper()
	s.run("pg_ctl", "-D", s.data, "-l", filepath.Join(s.data, "log"), "-w", "-t", "60", "start")
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		c, err := pgx.Connect(ctx, s.DSN)
		if err == nil {
			c.Close(ctx)
			return
		}
		if ctx.Err() != nil {
			s.t.Fatalf("private PostgreSQL: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Stop ends the server as a crash would, without a checkpoint.
func (s *Server) Stop() {
	s.t.Helper()
	s.run("pg_ctl", "-D", s.data, "-m", "immediate", "-w", "stop")
}

func (s *Server) command(name string, args ...string) *exec.Cmd {
	args = append([]string{filepath.Join(s.bin, name)}, args...)
	if os.Getuid() == 0 {
		args = append([]string{"runuser", "-u", "postgres", "--"}, args...)
	}
	c := exec.Command(args[0], args[1:]...)
	c.Dir = "/"
	return c
}

func (s *Server) run(name string, args ...string) {
	s.t.Helper()
	c := s.command(name, args...)
	// No pipes: the server would inherit them and Wait would wait for it.
	out, err := os.CreateTemp(s.t.TempDir(), "out")
	if err != nil {
		s.t.Fatal(err)
	}
	defer out.Close()
	c.Stdout, c.Stderr = out, out
	if err := c.Run(); err != nil {
		text, _ := os.ReadFile(out.Name()) // the error below says enough
		s.t.Fatalf("%s: %v\n%s", name, err, text)
	}
}
