package play_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant/varianttest"
	"hoplite/openapi"
	"hoplite/server/servertest"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

// choices makes a source of chance that a failing test names.
func choices(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// legal returns the moves of a position of chess after some moves.
func legal(t *testing.T, r *rules.Rules, moves []string) []string {
	t.Helper()
	p, err := r.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range moves {
		m, err := notation.ParseMove(p, text)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	var out []string
	for _, m := range p.Moves(nil) {
		out = append(out, notation.FormatMove(p, m))
	}
	return out
}

func chess(t *testing.T) *rules.Rules {
	t.Helper()
	r := varianttest.Rules(t, "standard")
	return r
}

// rowCounts counts the rows of every table but those that only say when somebody was seen.
func rowCounts(t *testing.T, dsn string) map[string]int {
	t.Helper()
	driver, tables := "sqlite", "SELECT name FROM sqlite_master WHERE type = 'table'"
	if gormdb.IsPostgres(dsn) {
		driver, tables = "pgx", "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(t.Context(), tables)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, name := range names {
		var n int
		if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM "`+name+`"`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		counts[name] = n
	}
	return counts
}

// sent is an answer to one of several equal requests.
type sent struct {
	status int
	body   string
	err    error
}

// repeat sends a request with a key some times at once, and cuts some off before their answer.
func repeat(t *testing.T, u *servertest.User, path string, form url.Values, key string, times, cuts int) []sent {
	t.Helper()
	answers := make([]sent, times)
	var all sync.WaitGroup
	for i := range times + cuts {
		r := u.Request(t, http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
		r.Header.Set("Idempotency-Key", key)
		all.Go(func() {
			patience := 20 * time.Second
			if i >= times {
				patience = time.Duration(i) * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(r.Context(), patience)
			defer cancel()
			resp, err := http.DefaultTransport.RoundTrip(r.WithContext(ctx))
			if i >= times {
				if err == nil {
					_ = resp.Body.Close()
				}
				return
			}
			if err != nil {
				answers[i].err = err
				return
			}
			defer func() { _ = resp.Body.Close() }()
			body, err := io.ReadAll(resp.Body)
			answers[i] = sent{resp.StatusCode, string(body), err}
		})
	}
	all.Wait()
	return answers
}

// TestRepeatsActOnce plays random games over HTTP whose every action is sent several times at once, some of them cut
// off in the middle. Each acts once and all get the same answer (G3).
func TestRepeatsActOnce(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		s := servertest.Start(t, servertest.DSN(dsn))
		rnd, r := choices(t), chess(t)
		players := []*servertest.User{s.SignUp(t, "Ann"), s.SignUp(t, "Bob")}
		id := begin(t, players[0], players[1], terms())
		start, err := s.Store.LogOf(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		acted := len(start)
		var moves []string
		for n := range 60 {
			turn := len(moves) % 2
			u, path, form := players[turn], "", url.Values{}
			switch rnd.IntN(6) {
			case 0:
				u = players[rnd.IntN(2)]
				path, form = "/chat", url.Values{"room": {"player"}, "text": {fmt.Sprint("line ", n)}}
			default:
				open := legal(t, r, moves)
				if len(open) == 0 {
					return
				}
				m := open[rnd.IntN(len(open))]
				moves = append(moves, m)
				path = "/move/" + m
			}
			answers := repeat(t, u, board+id+path, form, fmt.Sprint("key ", n), 1+rnd.IntN(4), rnd.IntN(3))
			for _, a := range answers {
				if a.err != nil || a.status != http.StatusOK || a.body != answers[0].body {
					t.Fatalf("%s: %+v", path, answers)
				}
			}
			acted++
			rows, err := s.Store.LogOf(t.Context(), id, 0)
			if err != nil || len(rows) < acted {
				t.Fatalf("%d rows, %v; want %d", len(rows), err, acted)
			}
			if len(rows) > acted { // the end of the game has a row of its own
				if g, err := s.Store.GameByID(t.Context(), id); err != nil || g.Status == store.StatusStarted {
					t.Fatalf("%d rows, want %d: %v", len(rows), acted, err)
				}
				return
			}
		}
	})
}

// line is what a stream of a game says.
type line struct {
	Type    string
	Version int64
	Moves   string
	Status  string
	Winner  string
	Wdraw   bool
	Bdraw   bool
	State   json.RawMessage
	Text    string
}

// follower reads a player's stream of a game and is cut off now and then.
type follower struct {
	states map[int64]line
	lines  map[string]bool // of the chat
	last   int64
}

// at is the state at a version. A line of chat has a version too, and leaves the state as it is.
func (f *follower) at(version int64) line {
	for ; version > 0; version-- {
		if l, ok := f.states[version]; ok {
			return l
		}
	}
	return f.states[0]
}

// follow reads until the game is over. cut says after how many lines the connection is lost, 0 for never.
func follow(t *testing.T, s *servertest.Server, u *servertest.User, id string, cut func() int, began chan<- struct{}) *follower {
	f := &follower{states: map[int64]line{}, lines: map[string]bool{}}
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	for tries := 0; tries < 500; tries++ {
		r := u.Request(t, http.MethodGet, board+"stream/"+id, "", nil)
		ctx, cancel := context.WithTimeout(r.Context(), 60*time.Second)
		resp, err := transport.RoundTrip(r.WithContext(ctx))
		if err != nil {
			cancel()
			t.Errorf("stream: %v", err)
			return f
		}
		over := f.read(t, resp.Body, cut(), began)
		began = nil
		cancel()
		_ = resp.Body.Close()
		if over {
			return f
		}
	}
	t.Error("the stream did not get to the end")
	return f
}

// read takes lines in until the game is over, the stream ends, or most lines were read.
func (f *follower) read(t *testing.T, body io.Reader, most int, began chan<- struct{}) (over bool) {
	dec := json.NewDecoder(body)
	for n := 0; most == 0 || n < most; n++ {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return false
		}
		var l line
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Errorf("%s: %v", raw, err)
			return true
		}
		if n == 0 {
			if l.Type != "gameFull" {
				t.Errorf("the stream begins with %s", raw)
			}
			if err := json.Unmarshal(l.State, &l); err != nil {
				t.Errorf("%s: %v", raw, err)
			}
			if began != nil {
				close(began)
			}
		}
		switch l.Type {
		case "chatLine":
			f.lines[l.Text] = true
			continue
		case "gameState":
		default:
			continue
		}
		if l.Version < f.last {
			t.Errorf("version %d after %d", l.Version, f.last)
		}
		f.last = l.Version
		l.State = nil
		f.states[l.Version] = l
		if l.Status != "started" {
			return true
		}
	}
	return false
}

// TestCutStreams plays a random game whose players' streams are cut at random. Who comes back gets the whole state: of
// each version all see the same, the end reaches everybody, and no line of the chat is lost (G5).
func TestCutStreams(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		s := servertest.Start(t, servertest.DSN(dsn))
		rnd, r := choices(t), chess(t)
		players := []*servertest.User{s.SignUp(t, "Ann"), s.SignUp(t, "Bob")}
		id := begin(t, players[0], players[1], terms())
		var cuts sync.Mutex
		seen := make([]*follower, 2)
		var readers sync.WaitGroup
		for i, u := range players {
			began := make(chan struct{})
			readers.Go(func() {
				seen[i] = follow(t, s, u, id, func() int {
					if i == 0 {
						return 0
					}
					cuts.Lock()
					defer cuts.Unlock()
					return 1 + rnd.IntN(4)
				}, began)
			})
			<-began
		}
		var moves []string
		said := map[string]bool{}
		for n := range 40 {
			open := legal(t, r, moves)
			if len(open) == 0 {
				break
			}
			cuts.Lock()
			m, talk := open[rnd.IntN(len(open))], rnd.IntN(3) == 0
			cuts.Unlock()
			u := players[len(moves)%2]
			if talk {
				text := fmt.Sprint("line ", n)
				said[text] = true
				u.Post(t, board+id+"/chat", url.Values{"room": {"player"}, "text": {text}}).Want(t, http.StatusOK)
			}
			if u.Post(t, board+id+"/move/"+m, nil).Status != http.StatusOK {
				break // a draw by the rules
			}
			moves = append(moves, m)
		}
		players[0].Post(t, board+id+"/resign", nil)
		readers.Wait()
		steady, shaken := seen[0], seen[1]
		for version, got := range shaken.states {
			want := steady.at(version)
			want.Version = version
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("version %d differs after cuts:\n%s", version, diff)
			}
		}
		if shaken.last != steady.last || shaken.states[shaken.last].Moves != strings.Join(moves, " ") {
			t.Errorf("after cuts the game ends at version %d with %q, want %d with %q", shaken.last,
				shaken.states[shaken.last].Moves, steady.last, moves)
		}
		if !maps.Equal(steady.lines, said) {
			t.Errorf("the uncut stream has the chat %v, want %v", steady.lines, said)
		}
		var kept []openapi.ChatMessage
		players[1].Get(t, board+id+"/chat").Want(t, http.StatusOK).JSON(t, &kept)
		for _, l := range kept {
			delete(said, l.Text)
		}
		if len(said) > 0 {
			t.Errorf("the chat has lost %v", said)
		}
	})
}

// TestRefusedActionsCostNothing sends actions that are not allowed, most of them made at random. Each gets a 4xx that
// says why, and neither the game's log nor any table grows (G7).
func TestRefusedActionsCostNothing(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		s := servertest.Start(t, servertest.DSN(dsn))
		rnd, r := choices(t), chess(t)
		ann, bob, eve := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.SignUp(t, "Eve")
		id := begin(t, ann, bob, terms())
		playLine(t, ann, bob, id, "e2e4 e7e5 g1f3")
		over := begin(t, ann, bob, terms())
		playLine(t, ann, bob, over, "e2e4 e7e5")
		ann.Post(t, board+over+"/resign", nil).Want(t, http.StatusOK)
		allowed := map[string]bool{}
		for _, m := range legal(t, r, strings.Fields("e2e4 e7e5 g1f3")) {
			allowed[m] = true
		}
		squares := func() string { return string(rune('a'+rnd.IntN(9))) + string(rune('0'+rnd.IntN(10))) }
		junk := func() string {
			letters := []rune("abcdefgh12345678=@+-*,|qQ♞ %\x01\u202e.")
			text := make([]rune, 1+rnd.IntN(12))
			for i := range text {
				text[i] = letters[rnd.IntN(len(letters))]
			}
			return string(text)
		}
		type try struct {
			u    *servertest.User
			path string
			form url.Values
		}
		tries := []try{
			{ann, id + "/move/b1c3", nil}, {ann, id + "/abort", nil}, {bob, id + "/abort", nil}, {eve, id + "/resign", nil},
			{eve, id + "/move/b8c6", nil}, {bob, id + "/claim-victory", nil}, {bob, id + "/claim-draw", nil},
			{bob, id + "/claim/count-start", nil}, {bob, id + "/berserk", nil}, {bob, "zzzzzzz1/move/e7e5", nil},
			{bob, over + "/move/g8f6", nil}, {ann, over + "/move/g1f3", nil}, {ann, over + "/resign", nil},
			{bob, over + "/draw/yes", nil}, {bob, over + "/takeback/yes", nil}, {bob, over + "/abort", nil},
			{eve, id + "/chat", url.Values{"room": {"player"}, "text": {"hi"}}},
			{bob, id + "/chat", url.Values{"room": {"player"}, "text": {""}}},
			{bob, id + "/chat", url.Values{"room": {"attic"}, "text": {"hi"}}},
			{bob, id + "/chat", url.Values{"room": {"player"}, "text": {strings.Repeat("x", 5000)}}},
		}
		for range 200 {
			text := squares() + squares()
			if rnd.IntN(3) == 0 {
				text = junk()
			}
			if !allowed[text] && strings.TrimSpace(text) != "" && text != "." && text != ".." {
				tries = append(tries, try{[]*servertest.User{ann, bob, eve}[rnd.IntN(3)], id + "/move/" + url.PathEscape(text), nil})
			}
		}
		log, err := s.Store.LogOf(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		before := rowCounts(t, s.DSN)
		for i, x := range tries {
			req := x.u.Request(t, http.MethodPost, board+x.path, "application/x-www-form-urlencoded", strings.NewReader(x.form.Encode()))
			req.Header.Set("Idempotency-Key", fmt.Sprint("try ", i))
			a := x.u.Do(t, req)
			if a.Status < 400 || a.Status > 499 || len(bytes.TrimSpace([]byte(a.Error(t)))) < 5 {
				t.Errorf("%s by %s: status %d: %s", x.path, x.u.Name, a.Status, a.Body)
			}
		}
		after, err := s.Store.LogOf(t.Context(), id, 0)
		if err != nil || len(after) != len(log) {
			t.Errorf("the log has %d rows, %v; want %d", len(after), err, len(log))
		}
		if diff := cmp.Diff(before, rowCounts(t, s.DSN)); diff != "" {
			t.Errorf("rows before and after:\n%s", diff)
		}
		move(t, bob, board, id, "b8c6") // and the game goes on
	})
}
