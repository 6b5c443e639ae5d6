package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// settings is a YAML file whose keys are the names of flags. A name with dashes may be written with underscores.
type settings map[string]any

// yamlSettings reads a settings file.
func yamlSettings(r io.Reader) (kong.Resolver, error) {
	var raw map[string]any
	if err := yaml.NewDecoder(r).Decode(&raw); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("settings: %w", err)
	}
	s := make(settings, len(raw))
	for name, value := range raw {
		switch v := value.(type) {
		case map[string]any:
			return nil, fmt.Errorf("settings: %s holds more names; all settings are flat, named after the flags", name)
		case []any:
			parts := make([]string, len(v))
			for i, item := range v {
				parts[i] = fmt.Sprint(item)
			}
			value = strings.Join(parts, ",")
		}
		s[strings.ReplaceAll(name, "_", "-")] = value
	}
	return s, nil
}

// Validate refuses names that no command knows: a misspelt setting must not be passed over in silence.
func (s settings) Validate(app *kong.Application) error {
	known := map[string]bool{}
	var walk func(*kong.Node)
	walk = func(n *kong.Node) {
		for _, f := range n.Flags {
			known[f.Name] = true
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(app.Node)
	var unknown []string
	for name := range s {
		if !known[name] || name == "help" || name == "config" {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return fmt.Errorf("settings: no such setting: %s", strings.Join(unknown, ", "))
}

// Resolve returns the value of a flag, unless the environment has one.
func (s settings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, name := range flag.Envs {
		if _, set := os.LookupEnv(name); set {
			return nil, nil
		}
	}
	value, ok := s[flag.Name]
	if !ok || value == nil {
		return nil, nil
	}
	if _, isBool := value.(bool); isBool {
		return value, nil
	}
	return fmt.Sprint(value), nil
}
