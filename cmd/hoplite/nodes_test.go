package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/server/live"
	"hoplite/server/live/game"
	"hoplite/server/node/natstest"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

// nodeEnv makes the test binary the program itself.
const nodeEnv = "HOPLITE_TEST_NODE"

func TestMain(m *testing.M) {
	if os.Getenv(nodeEnv) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// nodeLease is short, so that tests need not wait for long.
const nodeLease = 3 * time.Second

// process is a node in a process of its own.
type process struct {
	t    testing.TB
	cmd  *exec.Cmd
	url  string
	done chan error
}

// nodes are the processes that serve one database, and those of them to which
// requests go.
type nodes struct {
	t    testing.TB
	dsn  string
	nats string
	mute func() // ends NATS
	mu   sync.Mutex
	up   []*process
}

// startNodes starts nodes on a new database, or returns nil without PostgreSQL.
func startNodes(t testing.TB, count int) *nodes {
	t.Helper()
	dsn, ok := storetest.PostgresDSN(t)
	if !ok {
		t.Logf("%s is not set: there are no several nodes without PostgreSQL", storetest.PostgresEnv)
		return nil
	}
	n := &nodes{t: t, dsn: dsn}
	n.nats, n.mute = natstest.Start(t)
	for range count {
		n.add()
	}
	return n
}

// add starts one more node and sends requests to it as soon as it answers.
func (n *nodes) add() *process {
	n.t.Helper()
	p := &process{t: n.t, done: make(chan error, 1)}
	p.cmd = exec.CommandContext(context.WithoutCancel(n.t.Context()), os.Args[0], "serve", "--listen", "127.0.0.1:0",
		"--db", n.dsn, "--nats", n.nats, "--lease", nodeLease.String(), "--bots", "none", "--log-level", "warn")
	p.cmd.Env = append(os.Environ(), nodeEnv+"=1")
	p.cmd.Stderr = n.t.Output()
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		n.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(p.kill)
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		n.t.Fatalf("a node says nothing: %v", err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines) // it ends with the process
		p.done <- p.cmd.Wait()
	}()
	_, rest, _ := strings.Cut(first, " at ")
	p.url, _, _ = strings.Cut(rest, ",")
	if code, body := get(p, "", "/api/users/status?ids=nobody"); code != http.StatusOK {
		n.t.Fatalf("node at %s: %d %s", p.url, code, body)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.up = append(n.up, p)
	return p
}

// kill is kill -9.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	select {
	case <-p.done:
	case <-time.After(20 * time.Second):
		p.t.Error("a killed node does not end")
	}
	p.done <- nil
}

// stop ends the node as an operator does.
func (p *process) stop() {
	p.t.Helper()
	p.signal(syscall.SIGTERM)
	select {
	case err := <-p.done:
		if err != nil {
			p.t.Errorf("a node that was stopped: %v", err)
		}
		p.done <- nil
	case <-time.After(30 * time.Second):
		p.t.Fatal("a node does not stop")
	}
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// list are the nodes that take requests.
func (n *nodes) list() []*process {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]*process(nil), n.up...)
}

// drop sends no more requests to a node.
func (n *nodes) drop(p *process) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range n.up {
		if n.up[i] == p {
			n.up = append(n.up[:i:i], n.up[i+1:]...)
			return
		}
	}
}

func (n *nodes) any(rng *rand.Rand) *process {
	list := n.list()
	return list[rng.IntN(len(list))]
}

// patience is how long a request waits for its answer before it is sent to
// another node.
const patience = 4 * time.Second

func send(p *process, method, token, key, path string, form url.Values) (code int, body string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, p.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		panic(err) // the test's own mistake
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err.Error()
	}
	return answer.StatusCode, string(data)
}

func get(p *process, token, path string) (code int, body string) {
	return send(p, http.MethodGet, token, "", path, nil)
}

func post(p *process, token, path string, form url.Values) (code int, body string) {
	return send(p, http.MethodPost, token, "", path, form)
}

// signUp makes an account at a node and returns its token.
func signUp(t testing.TB, p *process, name string) string {
	t.Helper()
	code, body := post(p, "", "/api/signup", url.Values{"username": {name}, "password": {"correct horse battery"}})
	var made struct{ Token string }
	if err := json.Unmarshal([]byte(body), &made); code != http.StatusCreated || err != nil {
		t.Fatalf("sign up %s: %d %s", name, code, body)
	}
	return made.Token
}

// couple are two people who play game after game, each request through any node.
type couple struct {
	nodes  *nodes
	names  [2]string
	tokens [2]string
	rules  *rules.Rules
	rng    *rand.Rand
	count  int
	games  []played
}

// played is what was acknowledged of a game.
type played struct {
	id   string
	keys []string
}

func newCouple(t testing.TB, n *nodes, number int) *couple {
	t.Helper()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	r, err := game.RulesOf(set, "standard")
	if err != nil {
		t.Fatal(err)
	}
	c := &couple{nodes: n, rules: r, rng: rand.New(rand.NewPCG(uint64(number), 7))}
	for i := range c.names {
		c.names[i] = fmt.Sprintf("player%d%c", number, 'a'+i)
		c.tokens[i] = signUp(t, n.any(c.rng), c.names[i])
	}
	return c
}

var errAgain = errors.New("the game was not made")

// begin makes a game by a challenge. What became of a lost answer is not asked:
// the next challenge makes another game.
func (c *couple) begin() (id string, err error) {
	code, body := post(c.nodes.any(c.rng), c.tokens[0], "/api/challenge/"+c.names[1],
		url.Values{"clock.limit": {"600"}, "clock.increment": {"1"}, "rated": {"true"}, "color": {"white"}})
	var made struct{ ID string }
	if code != http.StatusOK {
		return "", fmt.Errorf("challenge: %d %s: %w", code, body, errAgain)
	}
	if err := json.Unmarshal([]byte(body), &made); err != nil {
		return "", err
	}
	code, body = post(c.nodes.any(c.rng), c.tokens[1], "/api/challenge/"+made.ID+"/accept", nil)
	if code != http.StatusOK {
		return "", fmt.Errorf("accept: %d %s: %w", code, body, errAgain)
	}
	return made.ID, nil
}

// act does an action until it is acknowledged.
func (c *couple) act(g *played, player int, action string) error {
	c.count++
	key := fmt.Sprintf("%s-%d", c.names[0], c.count)
	for start := time.Now(); ; {
		code, body := send(c.nodes.any(c.rng), http.MethodPost, c.tokens[player], key, "/api/board/game/"+g.id+"/"+action, nil)
		switch {
		case code == http.StatusOK:
			g.keys = append(g.keys, key)
			return nil
		case code != 0 && code != http.StatusServiceUnavailable:
			return fmt.Errorf("game %s, action %d, %s by %d: %d %s", g.id, len(g.keys), action, player, code, body)
		case time.Since(start) > time.Minute:
			return fmt.Errorf("game %s, %s: no answer for a minute: %d %s", g.id, action, code, body)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// play plays one game to its end.
func (c *couple) play(watch func(id, token string) *line) error {
	id, err := c.begin()
	if err != nil {
		return err
	}
	g := played{id: id}
	var l *line
	if watch != nil {
		l = watch(id, c.tokens[c.rng.IntN(2)])
	}
	p, err := c.rules.Start(c.rules.UsualStart())
	if err != nil {
		return err
	}
	over := false
	for ply := 0; ply < 40 && !over; ply++ {
		moves := p.Moves(nil)
		m := moves[c.rng.IntN(len(moves))]
		text := notation.FormatMove(p, m)
		if err := c.act(&g, int(p.Turn()), "move/"+text); err != nil {
			return err
		}
		if err := p.Play(m); err != nil {
			return err
		}
		_, over = p.Outcome()
	}
	if !over {
		if err := c.act(&g, c.rng.IntN(2), "resign"); err != nil {
			return err
		}
	}
	c.games = append(c.games, g)
	if l != nil {
		return l.ended(len(g.keys))
	}
	return nil
}

// line is the stream of a game at one node.
type line struct {
	id   string
	done chan error
	last int // version
}

// watchAt follows a game at a node that stays.
func watchAt(p *process) func(id, token string) *line {
	return func(id, token string) *line {
		l := &line{id: id, done: make(chan error, 1)}
		go func() { l.done <- l.read(p, token) }()
		return l
	}
}

func (l *line) read(p *process, token string) error {
	r, err := http.NewRequest(http.MethodGet, p.url+"/api/board/game/stream/"+l.id, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("stream of %s: %s", l.id, answer.Status)
	}
	for decoder := json.NewDecoder(answer.Body); ; {
		var ev struct {
			Type    string
			Version int
			State   struct{ Version int }
		}
		if err := decoder.Decode(&ev); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch ev.Type {
		case "gameFull":
			l.last = ev.State.Version
		case "gameState":
			if ev.Version != l.last+1 {
				return fmt.Errorf("game %s: version %d after %d", l.id, ev.Version, l.last)
			}
			l.last = ev.Version
		}
	}
}

// ended waits for the end of the stream, which must have come to a version.
func (l *line) ended(version int) error {
	select {
	case err := <-l.done:
		if err == nil && l.last != version {
			err = fmt.Errorf("game %s: the stream ended with version %d of %d", l.id, l.last, version)
		}
		return err
	case <-time.After(30 * time.Second):
		return fmt.Errorf("game %s: its stream does not end", l.id)
	}
}

// load plays until stopped, and returns what was acknowledged.
func (n *nodes) load(couples int, watch func(id, token string) *line) (stop func() []played) {
	quit := make(chan struct{})
	var wg sync.WaitGroup
	list := make([]*couple, couples)
	for i := range list {
		list[i] = newCouple(n.t, n, i)
		wg.Go(func() {
			for {
				select {
				case <-quit:
					return
				default:
				}
				if err := list[i].play(watch); errors.Is(err, errAgain) {
					n.t.Logf("%v", err)
				} else if err != nil {
					n.t.Error(err)
					return
				}
			}
		})
	}
	return func() (all []played) {
		close(quit)
		wg.Wait()
		for _, c := range list {
			if len(c.games) == 0 {
				n.t.Errorf("%s finished no game", c.names[0])
			}
			all = append(all, c.games...)
		}
		return all
	}
}

// verify looks whether the log of every game has exactly what was acknowledged,
// in order, and replays.
func (n *nodes) verify(games []played) {
	n.t.Helper()
	ctx := n.t.Context()
	db, err := gormdb.Open(ctx, n.dsn, gormdb.Options{})
	if err != nil {
		n.t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			n.t.Error(err)
		}
	}()
	set, err := variant.Catalogue()
	if err != nil {
		n.t.Fatal(err)
	}
	acts := 0
	for _, g := range games {
		stored, err := db.GameByID(ctx, g.id)
		if err != nil {
			n.t.Fatal(err)
		}
		log, err := db.LogOf(ctx, g.id, 0)
		if err != nil {
			n.t.Fatal(err)
		}
		if _, err := live.Replay(set, &stored, log); err != nil {
			n.t.Error(err)
		}
		var keys []string
		for _, row := range log {
			keys = append(keys, row.ActionID)
		}
		if got, want := strings.Join(keys, " "), strings.Join(g.keys, " "); got != want {
			n.t.Errorf("game %s: in the log\n%s\nacknowledged\n%s", g.id, got, want)
		}
		if !stored.Status.Over() || stored.Status.Counts() != (stored.Players[0].RatingDiff != nil) {
			n.t.Errorf("game %s: status %v, rating difference %v", g.id, stored.Status, stored.Players[0].RatingDiff)
		}
		acts += len(keys)
	}
	n.ratedOnce(db)
	n.t.Logf("%d games, %d acknowledged actions, all there once", len(games), acts)
}

// ratedOnce compares the counts of rated games with the games.
func (n *nodes) ratedOnce(db *gormdb.DB) {
	n.t.Helper()
	ctx := n.t.Context()
	rated := map[string]int{}
	err := db.EachGame(ctx, func(g store.Game) error {
		for _, p := range g.Players {
			if p.RatingDiff != nil {
				rated[p.AccountID]++
			}
		}
		return nil
	})
	if err != nil {
		n.t.Fatal(err)
	}
	for id, want := range rated {
		perfs, err := db.PerfsOf(ctx, id)
		if err != nil {
			n.t.Fatal(err)
		}
		got := 0
		for _, p := range perfs {
			got += p.Games
		}
		if got != want {
			n.t.Errorf("%s was rated %d times in %d games", id, got, want)
		}
	}
}
