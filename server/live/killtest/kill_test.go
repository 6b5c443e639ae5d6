// Package killtest kills servers and databases under load, and looks whether
// everything that was acknowledged is still there.
package killtest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"hoplite/engine/variant"
	"hoplite/server/live"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

// rounds is how often each test kills: 5, or 100 with HOPLITE_LONG=1.
func rounds() int {
	if os.Getenv("HOPLITE_LONG") == "1" {
		return 100
	}
	return 5
}

// acked is an action whose sender knows that it was done.
type acked struct {
	game, id        string
	player, version int
}

// promises is what the servers have acknowledged so far.
type promises struct {
	mu    sync.Mutex
	games map[string]bool // and whether the end was announced
	acts  []acked
}

func (p *promises) note(line string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var a acked
	switch {
	case strings.HasPrefix(line, "new "):
		p.games[line[4:]] = false
	case strings.HasPrefix(line, "end "):
		p.games[line[4:]] = true
	default:
		if _, err := fmt.Sscanf(line, "ack %s %d %s %d", &a.game, &a.player, &a.id, &a.version); err != nil {
			return fmt.Errorf("line %q: %w", line, err)
		}
		p.acts = append(p.acts, a)
	}
	return nil
}

func (p *promises) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.acts)
}

// server is a child process that plays.
type server struct {
	t    testing.TB
	cmd  *exec.Cmd
	read sync.WaitGroup
}

func startServer(t testing.TB, dsn string, round int, p *promises) *server {
	t.Helper()
	s := &server{t: t, cmd: exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0])}
	s.cmd.Env = append(os.Environ(), childDSN+"="+dsn, fmt.Sprintf("%s=r%d", childSeed, round))
	s.cmd.Stderr = t.Output()
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	s.read.Go(func() { s.listen(out, p) })
	return s
}

func (s *server) listen(out io.Reader, p *promises) {
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return // a torn line was not read by anybody
		}
		if err := p.note(strings.TrimSuffix(line, "\n")); err != nil {
			s.t.Error(err)
		}
	}
}

// kill is kill -9. It may be called more than once.
func (s *server) kill() {
	if s.cmd.ProcessState != nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may have ended by itself
	s.read.Wait()
	if err := s.cmd.Wait(); err == nil || s.cmd.ProcessState.ExitCode() != -1 {
		s.t.Errorf("the server ended by itself: %v", s.cmd.ProcessState)
	}
}

// busy waits until the server has acknowledged some more, and then a little.
func (s *server) busy(p *promises) {
	s.t.Helper()
	was := p.count()
	deadline := time.Now().Add(60 * time.Second)
	for p.count() < was+100 {
		if time.Now().After(deadline) {
			s.t.Fatalf("only %d actions acknowledged in a minute", p.count()-was)
		}
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
}

// verify looks for everything promised, and replays every game.
func verify(t testing.TB, dsn string, p *promises) {
	t.Helper()
	ctx := t.Context()
	db, err := gormdb.Open(ctx, dsn, gormdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[acked]bool)
	over := make(map[string]bool)
	rated := make(map[string]int) // by account and perf
	err = db.EachGame(ctx, func(g store.Game) error {
		log, err := db.LogOf(ctx, g.ID, 0)
		if err != nil {
			return err
		}
		if _, err := live.Replay(set, &g, log); err != nil {
			return err
		}
		for _, r := range log {
			rows[acked{g.ID, r.ActionID, r.Player, int(r.Seq)}] = true
		}
		over[g.ID] = g.Status.Over()
		for _, pl := range g.Players {
			if g.Status.Counts() != (pl.RatingDiff != nil) {
				t.Errorf("game %s with status %v: rating difference %v", g.ID, g.Status, pl.RatingDiff)
			}
			if pl.RatingDiff != nil {
				rated[pl.AccountID+"/"+g.Perf]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, ended := range p.games {
		if is, there := over[id]; !there || ended && !is {
			t.Errorf("game %s: there %v, over %v, promised over %v", id, there, is, ended)
		}
	}
	lost := 0
	for _, a := range p.acts {
		if !rows[a] {
			lost++
			t.Errorf("acknowledged and lost: %+v", a)
		}
	}
	for n := range 2 * pairs {
		perfs, err := db.PerfsOf(ctx, name(n))
		if err != nil {
			t.Fatal(err)
		}
		for _, perf := range perfs {
			if want := rated[perf.AccountID+"/"+perf.Key]; perf.Games != want {
				t.Errorf("%s has %d rated games of %s, %d are stored", perf.AccountID, perf.Games, perf.Key, want)
			}
		}
	}
	t.Logf("%d games replayed, %d acknowledged actions, %d lost", len(over), len(p.acts), lost)
}

func killServers(t *testing.T, dsn string) {
	p := &promises{games: make(map[string]bool)}
	for round := range rounds() {
		s := startServer(t, dsn, round, p)
		s.busy(p)
		s.kill()
		if t.Failed() {
			return
		}
	}
	verify(t, dsn, p)
}

func TestKillServerOnSQLite(t *testing.T) {
	t.Parallel()
	killServers(t, storetest.SQLiteDSN(t))
}

func TestKillOnPostgres(t *testing.T) {
	t.Parallel()
	dsn, ok := storetest.PostgresDSN(t)
	if !ok {
		t.Logf("%s is not set: SQLite only", storetest.PostgresEnv)
		return
	}
	t.Run("server", func(t *testing.T) { killServers(t, dsn) })
	t.Run("database", killDatabases)
}
