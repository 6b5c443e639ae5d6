// Command hoplite is the server and its administration.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"hoplite/openapi"
)

// version is set by the linker.
var version = ""

// cli is everything that can be asked on the command line. Each command is a struct with a Run method, in a file of
// its own; Run may ask for a context.Context, the *Globals and the *slog.Logger.
type cli struct {
	Globals

	Serve   serveCmd   `cmd:"" help:"Run the server."`
	User    userCmd    `cmd:"" help:"Make, find, close and reopen accounts; change passwords, tokens and roles."`
	Invite  inviteCmd  `cmd:"" help:"Make, list and revoke invitations."`
	Report  reportCmd  `cmd:"" help:"List what players complain of, and close reports."`
	Audit   auditCmd   `cmd:"" help:"Print the audit log."`
	Migrate migrateCmd `cmd:"" help:"Bring the database's schema up to date."`
	Backup  backupCmd  `cmd:"" help:"Write all of the database to a file, while people play."`
	Restore restoreCmd `cmd:"" help:"Fill a new database from a backup."`
	Copy    copyCmd    `cmd:"" help:"Copy a database to a new one, SQLite or PostgreSQL."`
	Doctor  doctorCmd  `cmd:"" help:"Check the database and replay every game."`
	Secret  secretCmd  `cmd:"" help:"Rotate the secret that signs sessions."`
	Puzzle  puzzleCmd  `cmd:"" help:"Make, prove, import and export puzzles."`
	OpenAPI openapiCmd `cmd:"" name:"openapi" help:"Print the description of the API."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

// Globals are the flags of every command.
type Globals struct {
	Config   kong.ConfigFlag `placeholder:"FILE" help:"Settings by the names of the flags, YAML. Flags and the environment win over it."`
	DB       string          `name:"db" default:"hoplite.db" placeholder:"FILE|URL" help:"Database: a file for SQLite, or postgres://… (default: hoplite.db)."`
	Variants string          `type:"existingdir" placeholder:"DIR" help:"Folder with definitions of further games, YAML or variants.ini."`
	LogLevel string          `enum:"debug,info,warn,error" default:"info" placeholder:"LEVEL" help:"debug, info, warn or error."`
	LogJSON  bool            `name:"log-json" help:"Write the log as JSON."`
}

func (g *Globals) logger(w io.Writer) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(g.LogLevel)) // kong has checked it
	options := &slog.HandlerOptions{Level: level}
	if g.LogJSON {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// interrupted is the exit status of a command that a signal kept from its end, as shells have it.
const interrupted = 130

// run is the program without the process around it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var c cli
	exit := -1
	parser, err := kong.New(&c,
		kong.Name("hoplite"),
		kong.Description("A server for chess and its variants that speaks Lichess's API."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exit = code }),
		kong.DefaultEnvars("HOPLITE"),
		kong.Configuration(yamlSettings),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.UsageOnError(),
	)
	if err != nil {
		fmt.Fprintln(stderr, "hoplite:", err)
		return 1
	}
	command, err := parser.Parse(args)
	if exit >= 0 {
		return exit // --help has been printed
	}
	if err != nil {
		fmt.Fprintln(stderr, "hoplite:", err)
		return 2
	}
	command.BindTo(ctx, (*context.Context)(nil))
	err = command.Run(&c.Globals, c.logger(stderr), &streams{stdin, stdout, stderr})
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "hoplite: interrupted")
		return interrupted
	}
	fmt.Fprintln(stderr, "hoplite:", err)
	return 1
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(s *streams) error {
	_, err := fmt.Fprintln(s.out, versionText())
	return err
}

// versionText is what the linker was told, else what the Go tool knows.
func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

type openapiCmd struct{}

// Run prints the description of the API.
func (openapiCmd) Run(s *streams) error {
	_, err := s.out.Write(openapi.Spec())
	return err
}
