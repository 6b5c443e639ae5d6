// Command hoplite-bot plays on a Hoplite server, or on any other server with
// the Lichess API, with our engine or any UCI program. With "provide" it lends
// our engine to the analysis board of an account instead.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"hoplite/client"
	"hoplite/client/bot"
	"hoplite/engine/variantfile"
)

// version is set by the build.
var version = "unknown"

// moveWindow is how long a call is repeated while the server is away, before
// the bot starts over by itself.
const moveWindow = 30 * time.Second

// program is what can be done.
type program struct {
	Play    flags   `cmd:"" default:"withargs" help:"Play for an account (what is done without a command)."`
	Provide provide `cmd:"" help:"Lend our engine to the analysis board of an account, until it is stopped."`

	Version kong.VersionFlag `help:"Print the version and stop."`
}

// common are the flags of every command.
type common struct {
	URL       string `env:"HOPLITE_BOT_URL" placeholder:"URL" help:"Address of the server (default: the file's, else http://127.0.0.1:8080)."`
	TokenFile string `env:"HOPLITE_BOT_TOKEN_FILE" type:"existingfile" placeholder:"FILE" help:"File that holds the token."`
	Variants  string `env:"HOPLITE_BOT_VARIANTS" type:"existingdir" placeholder:"DIR" help:"Folder with definitions of further games, YAML or variants.ini."`
	LogLevel  string `env:"HOPLITE_BOT_LOG_LEVEL" enum:"debug,info,warn,error" default:"info" help:"debug, info, warn or error."`
	LogFormat string `env:"HOPLITE_BOT_LOG_FORMAT" enum:"text,json" default:"text" help:"text or json."`
}

// flags go over the configuration file where they are given.
type flags struct {
	common
	Config  string `env:"HOPLITE_BOT_CONFIG" type:"existingfile" placeholder:"FILE" help:"Configuration, YAML; docs/examples/bot.yml explains it."`
	Token   string `env:"HOPLITE_BOT_TOKEN" placeholder:"TOKEN" help:"API token with the scope bot:play. The environment or a file keeps it out of the list of processes."`
	Upgrade bool   `env:"HOPLITE_BOT_UPGRADE" help:"Make the account a bot account, for good, if it is none."`
	Level   int    `env:"HOPLITE_BOT_LEVEL" placeholder:"1-8" help:"Level of our engine."`
	Check   bool   `help:"Check configuration and engine, print what the bot would accept, and stop."`
}

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "hoplite-bot:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	var p program
	parser, err := kong.New(&p,
		kong.Name("hoplite-bot"),
		kong.Description("Plays on a Hoplite server, or on any other with the Lichess API, and lends it an engine."),
		kong.Vars{"version": version},
		kong.Writers(stdout, stderr),
	)
	if err != nil {
		return err
	}
	command, err := parser.Parse(args)
	if err != nil {
		return err
	}
	// The first signal ends in order; a second one ends at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	if command.Command() == "provide" {
		return p.Provide.run(ctx, stderr)
	}
	return p.Play.run(ctx, stdout, stderr)
}

// run plays until ctx ends.
func (f *flags) run(ctx context.Context, stdout, stderr io.Writer) error {
	cfg, token, err := f.settings()
	if err != nil {
		return err
	}
	if cfg.Engine.Games, err = variantfile.Catalogue(f.Variants); err != nil {
		return err
	}
	log := f.logger(stderr)
	engine, err := bot.NewEngine(ctx, cfg.Engine, log)
	if err != nil {
		return err
	}
	defer engine.Close()
	if f.Check {
		fmt.Fprintf(stdout, "engine: %s\nconcurrency: %d\nserver: %s\n", engine.Name(), cfg.Challenges.Concurrency, cfg.URL)
		return nil
	}
	api, err := connect(cfg.URL, token)
	if err != nil {
		return err
	}
	b, err := bot.New(api, engine, cfg, log)
	if err != nil {
		return err
	}
	return b.Run(ctx)
}

// connect makes the client of an account.
func connect(url, token string) (*client.Client, error) {
	if token == "" {
		return nil, errors.New("no token: set HOPLITE_BOT_TOKEN, token_file or --token")
	}
	return client.New(
		client.BaseURL(url),
		client.Token(token),
		client.UserAgent("hoplite-bot/"+version),
		client.WithRetry(client.Retry{
			Backoff:  client.Backoff{First: 100 * time.Millisecond, Max: 2 * time.Second},
			For:      moveWindow,
			MaxPause: 10 * time.Second,
		}),
	)
}

// settings merges file and flags and finds the token.
func (f *flags) settings() (bot.Config, string, error) {
	cfg := bot.DefaultConfig()
	if f.Config != "" {
		var err error
		if cfg, err = bot.LoadConfig(f.Config); err != nil {
			return cfg, "", err
		}
	}
	if f.URL != "" {
		cfg.URL = f.URL
	}
	if f.TokenFile != "" {
		cfg.TokenFile = f.TokenFile
	}
	if f.Level != 0 {
		cfg.Engine.Level = f.Level
	}
	cfg.Upgrade = cfg.Upgrade || f.Upgrade
	if err := cfg.Validate(); err != nil {
		return cfg, "", fmt.Errorf("configuration: %w", err)
	}
	token, err := tokenFrom(f.Token, cfg.TokenFile)
	return cfg, token, err
}

// tokenFrom is the token of a flag, or else of a file, if there is one.
func tokenFrom(flag, file string) (string, error) {
	token := strings.TrimSpace(flag)
	if token == "" && file != "" {
		raw, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("token file: %w", err)
		}
		token = strings.TrimSpace(string(raw))
	}
	return token, nil
}

func (f *common) logger(w io.Writer) *slog.Logger {
	var level slog.Level
	// The enum of the flag allows only names that slog knows.
	_ = level.UnmarshalText([]byte(f.LogLevel))
	opts := &slog.HandlerOptions{Level: level}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
