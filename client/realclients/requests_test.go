package realclients_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"hoplite/server/servertest"
)

var update = flag.Bool("update", false, "rewrite what the recorded requests want")

// TestRecordedRequests sends one recorded request for each method of berserk and
// each call of lichess-bot, byte by byte as these clients do, and wants the
// answer that the record names: what the validator refuses is no such answer.
func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"berserk.txtar", "lichess-bot.txtar"} {
		t.Run(strings.TrimSuffix(file, ".txtar"), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", file)
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) < 20 {
				t.Fatalf("%s has only %d requests", path, len(archive.Files))
			}
			s := servertest.Start(t)
			open(t, s)
			for i := range archive.Files {
				f := &archive.Files[i]
				first, request, _ := strings.Cut(string(f.Data), "\n")
				want, ok := strings.CutPrefix(first, "want: ")
				if !ok {
					t.Fatalf("%s: the first line is %q", f.Name, first)
				}
				got := send(t, s, fixture(t, s, i, file, f.Name), request)
				if *update {
					f.Data = []byte("want: " + got + "\n" + request)
				} else if got != want {
					t.Errorf("%s: got %q, want %q", f.Name, got, want)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// fixture makes what a request needs and returns the values of its variables.
// Each request has accounts and games of its own.
func fixture(t *testing.T, s *servertest.Server, i int, file, name string) map[string]string {
	t.Helper()
	suffix := fmt.Sprintf("%d%c", i, file[0])
	bot := strings.HasPrefix(file, "lichess") || strings.HasPrefix(name, "bots.")
	me, other := s.SignUp(t, "Me"+suffix), s.SignUp(t, "Other"+suffix)
	if bot && !strings.Contains(name, "upgrade") {
		me.Post(t, "/api/bot/account/upgrade", nil).Want(t, http.StatusOK)
	}
	challenge := func(from, to *servertest.User, color string) string {
		var made struct{ ID string }
		from.Post(t, "/api/challenge/"+to.Name, map[string][]string{
			"clock.limit": {"600"}, "clock.increment": {"5"}, "color": {color},
		}).Want(t, http.StatusOK).JSON(t, &made)
		return made.ID
	}
	game := challenge(other, me, "black")
	me.Post(t, "/api/challenge/"+game+"/accept", nil).Want(t, http.StatusOK)
	values := map[string]string{
		"host": strings.TrimPrefix(s.URL, "http://"), "token": me.Token, "other": other.Token,
		"me": me.Name, "user": other.Name, "game": game,
		"challenge": challenge(other, me, "random"), "mine": challenge(me, other, "random"),
	}
	if strings.Contains(name, "upgrade") { // only who has not played
		values["token"] = s.SignUp(t, "New"+suffix).Token
	}
	if strings.HasPrefix(name, "puzzles.get") {
		var p struct{ Puzzle struct{ ID string } }
		me.Get(t, "/api/puzzle/daily").Want(t, http.StatusOK).JSON(t, &p)
		values["puzzle"] = p.Puzzle.ID
	}
	return values
}

// send fills the variables in, sends the request as it stands and returns the
// status of the answer, with its error if it is one.
func send(t *testing.T, s *servertest.Server, values map[string]string, request string) string {
	t.Helper()
	var pairs []string
	for name, value := range values {
		pairs = append(pairs, "%"+name+"%", value)
	}
	request = strings.NewReplacer(pairs...).Replace(request)
	head, body, ok := strings.Cut(request, "\n\n")
	if !ok {
		t.Fatalf("no end of the header in %q", request)
	}
	body = strings.TrimSuffix(body, "\n")
	head = strings.Replace(head, "%length%", strconv.Itoa(len(body)), 1)
	conn, err := net.Dial("tcp", s.Server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(conn, strings.ReplaceAll(head, "\n", "\r\n")+"\r\n\r\n"+body); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%s: %v", head, err)
	}
	if resp.StatusCode < 300 {
		return strconv.Itoa(resp.StatusCode)
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(resp.StatusCode, " ", strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", " "))
}
