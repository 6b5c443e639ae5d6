// Command stage is a server that also has the games that only tests play, for tests that cannot run in its process: those
// in a browser. It reads lines from its input, and ends with it:
//
//	four ID RED BLUE YELLOW GREEN
//
// stores a game of four between accounts of these names, which no challenge makes, and is answered by "ok" or by what is
// wrong.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"hoplite/engine/enginetest/testgame"
	"hoplite/engine/variant"
	"hoplite/server"
	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/web"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "stage:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) (err error) {
	flags := flag.NewFlagSet("stage", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:0", "`address` of the server")
	dsn := flags.String("db", "", "`file` of the database")
	if err := flags.Parse(args); err != nil {
		return err
	}
	games, err := variant.Compile(append(variant.All(), testgame.Dark(), testgame.Four()))
	if err != nil {
		return err
	}
	db, err := gormdb.Open(ctx, *dsn, gormdb.Options{Exclusive: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	srv, err := server.New(ctx, server.Config{Listen: *listen, Version: "stage"}, server.Deps{Store: db, Variants: games, Page: web.Dist(), Log: log})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		answer := "ok"
		if err := do(ctx, db, strings.Fields(lines.Text())); err != nil {
			answer = err.Error()
		}
		fmt.Fprintln(out, answer)
	}
	stop()
	return errors.Join(lines.Err(), <-ended)
}

func do(ctx context.Context, db store.Store, words []string) error {
	if len(words) != 6 || words[0] != "four" {
		return fmt.Errorf("unknown command %q", words)
	}
	return four(ctx, db, words[1], words[2:])
}

// four stores a game of four that begins now.
func four(ctx context.Context, db store.Store, id string, names []string) error {
	const limit = 10 * time.Minute
	now := time.Now().UTC().Truncate(time.Millisecond)
	key := testgame.Four().Key
	g := &store.Game{
		ID: id, Variant: key, Speed: "rapid", Perf: key, Source: "friend", HasClock: true, Limit: limit, Increment: 5 * time.Second, Created: now,
		GameState: store.GameState{Status: store.StatusStarted, Winner: -1, Deadline: now.Add(time.Hour), LastMove: now},
	}
	for _, name := range names {
		g.Players = append(g.Players, store.GamePlayer{AccountID: strings.ToLower(name), Name: name, Rating: 1500})
		g.Clocks = append(g.Clocks, limit)
	}
	_, err := db.CommitSteps(ctx, []store.Step{{New: g}}, nil)
	return err
}
