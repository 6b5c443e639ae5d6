// Hoplite-engine is the engine for chess programs, and the workbench of the rules core.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/engine/variantfile"
)

// commands are what the program can do. Each command lives in a file of its own.
type commands struct {
	Own string `name:"variants" type:"existingdir" placeholder:"DIR" help:"Folder with definitions of further games, YAML or variants.ini."`

	Play      playCommand      `cmd:"" aliases:"uci" default:"withargs" help:"Speak with a chess program: UCI, XBoard's protocol, USI or UCCI; also what happens without a command."`
	Match     matchCommand     `cmd:"" help:"Play two engines of any protocol against each other and weigh the result."`
	Tune      tuneCommand      `cmd:"" help:"Find weights of the evaluation by games of the engine against itself."`
	Train     trainCommand     `cmd:"" help:"Train a network that corrects the evaluation by games of the engine against itself."`
	Calibrate calibrateCommand `cmd:"" help:"Measure the levels of play in a game, and find node limits for even steps."`
	Bench     benchCommand     `cmd:"" help:"Search fixed positions; print a node-count signature and the speed."`
	Perft     perftCommand     `cmd:"" help:"Count the leaves of the tree of legal moves."`
	Verify    verifyCommand    `cmd:"" help:"Replay perft tables and games of other programs and print every difference."`
	Variants  variantsCommand  `cmd:"" help:"List the games, or check definitions of your own."`
}

// out is where commands print their results.
type out struct{ io.Writer }

// gameOf returns the game that the user named.
func gameOf(set *variant.Set, key string) (*rules.Rules, error) {
	r, ok := set.Get(key)
	if !ok {
		return nil, fmt.Errorf("unknown game %q; hoplite-engine variants lists the keys", key)
	}
	return r, nil
}

// interruptible is a context that ends when the program is told to. Commands
// that keep what they have done, and go on from there, work under it.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// errDifferent ends the program with status 1 after the command has said why.
type errDifferent struct{}

func (errDifferent) Error() string { return "" }

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	exit := -1
	var c commands
	parser, err := kong.New(&c, kong.Name("hoplite-engine"), kong.Writers(stdout, stderr), kong.UsageOnError(), kong.Vars(tuneDefaults()),
		kong.Description("The engine of Hoplite for chess programs."), kong.Exit(func(code int) { exit = code }))
	if err != nil {
		fmt.Fprintln(stderr, "hoplite-engine:", err)
		return 2
	}
	ctx, err := parser.Parse(args)
	if exit >= 0 { // help was asked for
		return exit
	}
	if err != nil {
		fmt.Fprintln(stderr, "hoplite-engine:", err)
		return 2
	}
	set, err := variantfile.Catalogue(c.Own)
	if err == nil {
		err = ctx.Run(set, out{stdout})
	}
	if errors.As(err, new(errDifferent)) {
		return 1
	}
	if err != nil {
		fmt.Fprintln(stderr, "hoplite-engine:", err)
		return 2
	}
	return 0
}
