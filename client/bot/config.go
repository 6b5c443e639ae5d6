package bot

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"hoplite/engine/variant"
)

// Config says how a bot plays and with whom. The zero value is not useful;
// start from [DefaultConfig].
type Config struct {
	URL       string `yaml:"url"`
	TokenFile string `yaml:"token_file"`
	Upgrade   bool   `yaml:"upgrade"` // make the account a bot account, for good

	Engine     EngineConfig `yaml:"engine"`
	Challenges Policy       `yaml:"challenges"`
	Chat       ChatConfig   `yaml:"chat"`
	Pace       Pace         `yaml:"pace"`
	Resign     ResignRules  `yaml:"resign"`
	Draw       DrawRules    `yaml:"draw"`
	Takebacks  int          `yaml:"takebacks"` // accepted per casual game
	AbortAfter Duration     `yaml:"abort_after"`
}

// EngineConfig chooses the engine and its limits.
type EngineConfig struct {
	Protocol string `yaml:"protocol"` // hoplite or uci
	// Of our own engine.
	Level   int `yaml:"level"`
	Workers int `yaml:"workers"` // searches at the same time; 0: half the cores
	Hash    int `yaml:"hash"`    // MiB for each worker and variant
	// Of a UCI program.
	Command      []string          `yaml:"command"`
	Directory    string            `yaml:"directory"`
	Options      map[string]string `yaml:"options"`
	VariantNames map[string]string `yaml:"variant_names"` // UCI_Variant by variant key, where it differs
	// Of both.
	Games    *variant.Set `yaml:"-"`        // whose rules it knows; nil: the catalogue's
	Overhead Duration     `yaml:"overhead"` // kept back of the clock for the way to the server
	Limits   FixedLimits  `yaml:",inline"`
}

// FixedLimits bound every search, whatever the clock says. Zero is no limit.
type FixedLimits struct {
	MoveTime Duration `yaml:"move_time"`
	Nodes    uint64   `yaml:"nodes"`
	Depth    int      `yaml:"depth"`
}

// ChatConfig holds what the bot says. {me}, {opponent}, {engine} and {game} are
// replaced. An empty text says nothing.
type ChatConfig struct {
	Greeting          string `yaml:"greeting"`
	Farewell          string `yaml:"farewell"`
	SpectatorGreeting string `yaml:"spectator_greeting"`
	SpectatorFarewell string `yaml:"spectator_farewell"`
}

// Duration is a time.Duration that YAML writes like 1m30s.
type Duration time.Duration

// UnmarshalYAML reads the text form, and plain numbers as seconds.
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	var text string
	if err := node.Decode(&text); err != nil {
		return err
	}
	v, err := time.ParseDuration(text)
	if err != nil {
		if v, err = time.ParseDuration(text + "s"); err != nil {
			return fmt.Errorf("line %d: duration %q: write it like 90s or 1m30s", node.Line, text)
		}
	}
	*d = Duration(v)
	return nil
}

// MarshalYAML writes the text form.
func (d Duration) MarshalYAML() (any, error) { return time.Duration(d).String(), nil }

// D returns the value as a time.Duration.
func (d Duration) D() time.Duration { return time.Duration(d) }

// DefaultConfig plays every game that our engine knows, at full strength,
// against everyone.
func DefaultConfig() Config {
	return Config{
		URL: "http://127.0.0.1:8080",
		Engine: EngineConfig{
			Protocol: ProtocolHoplite,
			Level:    8,
			Hash:     32,
			Overhead: Duration(100 * time.Millisecond),
		},
		Challenges: DefaultPolicy(),
		Chat:       ChatConfig{Greeting: "Good luck, {opponent}!", Farewell: "Thank you for the game."},
		Pace:       Pace{Least: Duration(300 * time.Millisecond), Most: Duration(1500 * time.Millisecond), PeopleOnly: true},
		Resign:     DefaultResignRules(),
		Draw:       DefaultDrawRules(),
		AbortAfter: Duration(60 * time.Second),
	}
}

// The engine protocols.
const (
	ProtocolHoplite = "hoplite"
	ProtocolUCI     = "uci"
)

// LoadConfig reads a YAML file over the default configuration. A key that does
// not exist is an error, so that a misspelt rule does not go unnoticed.
func LoadConfig(path string) (Config, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("configuration: %w", err)
	}
	c, err := ParseConfig(raw)
	if err != nil {
		return Config{}, fmt.Errorf("configuration %s: %w", path, err)
	}
	return c, nil
}

// ParseConfig is [LoadConfig] from memory. It does not call Validate: flags may
// still change what the file says.
func ParseConfig(raw []byte) (Config, error) {
	c := DefaultConfig()
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return Config{}, err
	}
	return c, nil
}

// Validate reports everything that is wrong with the configuration.
func (c *Config) Validate() error {
	var errs []error
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	e := &c.Engine
	switch e.Protocol {
	case ProtocolHoplite:
		if e.Level < 1 || e.Level > 8 {
			bad("engine.level: %d, must be 1 to 8", e.Level)
		}
		if len(e.Command) > 0 {
			bad("engine.command: only with protocol uci")
		}
	case ProtocolUCI:
		if len(e.Command) == 0 {
			bad("engine.command: needed with protocol uci")
		}
	default:
		bad("engine.protocol: %q, must be %s or %s", e.Protocol, ProtocolHoplite, ProtocolUCI)
	}
	if e.Workers < 0 || e.Hash < 0 || e.Overhead < 0 || e.Limits.MoveTime < 0 || e.Limits.Depth < 0 {
		bad("engine: negative number")
	}
	for name := range e.Options {
		if strings.ContainsAny(name+e.Options[name], "\r\n") {
			bad("engine.options: %q has a line break", name)
		}
	}
	if c.Takebacks < 0 || c.AbortAfter < 0 {
		bad("takebacks, abort_after: negative number")
	}
	errs = append(errs, c.Challenges.validate(), c.Pace.validate(), c.Resign.validate(), c.Draw.validate())
	for _, text := range []string{c.Chat.Greeting, c.Chat.Farewell, c.Chat.SpectatorGreeting, c.Chat.SpectatorFarewell} {
		if len([]rune(text)) > maxChat {
			bad("chat: %q is longer than %d characters", text, maxChat)
		}
	}
	return errors.Join(slices.DeleteFunc(errs, func(err error) bool { return err == nil })...)
}
