// Command hoplite-load measures a server under load, beside what bounds it: a bare Echo handler, a bare gorilla socket
// that decodes and acknowledges, and a bare group commit of the same rows, all in the same run. It starts the server
// that it measures, on a free port of this machine with a database of its own.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

type cli struct {
	Run     runCmd     `cmd:"" default:"withargs" help:"Measure."`
	Soak    soakCmd    `cmd:"" help:"Play for long and see whether the memory grows."`
	Bare    bareCmd    `cmd:"" hidden:"" help:"Serve what a server is measured against."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

// version is set by the linker.
var version = "unknown"

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(out io.Writer) error {
	_, err := fmt.Fprintln(out, version)
	return err
}

type runCmd struct {
	Server  string        `default:"bin/hoplite" type:"existingfile" placeholder:"FILE" help:"The server's program (default: ${default})."`
	DB      string        `name:"db" placeholder:"URL" help:"An empty PostgreSQL database (default: a SQLite file in a temporary folder)."`
	Via     []string      `default:"socket,bot" enum:"socket,bot" help:"How the players are connected: socket (websocket) or bot (Bot API streams)."`
	Games   []int         `default:"10,100,1000,8000" help:"How many games are open side by side; each number is a step (default: ${default})."`
	Rate    float64       `default:"500" help:"Moves a second of all games together, kept whatever the server does (default: ${default})."`
	For     time.Duration `default:"10s" help:"How long each step is measured (default: ${default})."`
	Bounds  int           `default:"64" help:"Connections, and games, with which the bounds are measured (default: ${default})."`
	JSON    string        `name:"json" placeholder:"FILE" help:"Also write every figure as JSON."`
	Verbose bool          `short:"v" help:"Say what is being done."`
}

// Validate bounds what may be asked for.
func (c runCmd) Validate() error {
	for _, n := range c.Games {
		if n < 1 || n > 8000 {
			return fmt.Errorf("games: %d is not between 1 and 8000", n)
		}
	}
	switch {
	case c.Rate <= 0 || c.Rate > 100_000:
		return fmt.Errorf("rate: %v is not between 0 and 100000", c.Rate)
	case c.For < time.Second || c.For > time.Hour:
		return fmt.Errorf("for: %v is not between 1s and 1h", c.For)
	case c.Bounds < 1 || c.Bounds > 1000:
		return fmt.Errorf("bounds: %d is not between 1 and 1000", c.Bounds)
	}
	return nil
}

// Run measures the bounds first, then each way of playing with more and more games.
func (c runCmd) Run(ctx context.Context, out io.Writer) error {
	note := func(format string, args ...any) {
		if c.Verbose {
			fmt.Fprintf(os.Stderr, format+"\n", args...)
		}
	}
	var r report
	var err error
	if r.Script, err = script(); err != nil {
		return err
	}
	note("bounds")
	if r.Bounds, err = measureBounds(ctx, c, r.Script); err != nil {
		return err
	}
	for _, via := range c.Via {
		steps, err := measureVia(ctx, c, via, r.Script, note)
		r.Steps = append(r.Steps, steps...)
		if err != nil {
			return errors.Join(err, r.print(out)) // what was measured holds
		}
	}
	if err := r.print(out); err != nil {
		return err
	}
	if c.JSON == "" {
		return nil
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(c.JSON, append(data, '\n'), 0o644)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c cli
	command := kong.Parse(&c,
		kong.Name("hoplite-load"),
		kong.Description("Measures a Hoplite server under load, beside what bounds it."),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(io.Writer(os.Stdout), (*io.Writer)(nil)),
	)
	command.FatalIfErrorf(command.Run())
}
