package match

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"hoplite/engine/foreign"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// protocolOwn names our engine in this process.
const protocolOwn = "own"

// ParseContestant reads a description such as
//
//	name=fairymax,cmd=/usr/games/fairymax,proto=cecp,option.memory=64,cpu=100ms
//
// The parts are separated by commas; one that has a comma stands in double
// quotes. Without cmd it is our engine in this process, with the options Hash,
// Threads, Skill Level, Weights, a file of them, and Network, a file of one or none. Limits that are not given
// are those of usual. log may be nil.
func ParseContestant(text string, r *rules.Rules, usual Limits, log *slog.Logger) (Contestant, error) {
	in := csv.NewReader(strings.NewReader(text))
	in.LazyQuotes = true
	parts, err := in.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return Contestant{}, fmt.Errorf("engine %q: %w", text, err)
	}
	s := spec{program: foreign.Program{Log: log}}
	for _, part := range parts {
		key, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return Contestant{}, fmt.Errorf("engine %q: %q is no key=value", text, part)
		}
		if err := s.set(key, value); err != nil {
			return Contestant{}, fmt.Errorf("engine %q: %s: %w", text, key, err)
		}
	}
	c, err := s.contestant(r, usual)
	if err != nil {
		return Contestant{}, fmt.Errorf("engine %q: %w", text, err)
	}
	return c, nil
}

// spec is a description while it is read.
type spec struct {
	name    string
	proto   string
	program foreign.Program
	limits  Limits
}

func (s *spec) set(key, value string) (err error) {
	if option, ok := strings.CutPrefix(key, "option."); ok {
		s.program.Options = append(s.program.Options, foreign.Setting{Name: option, Value: value})
		return nil
	}
	switch key {
	case "name":
		s.name = value
	case "cmd":
		s.program.Command = strings.Fields(value)
	case "dir":
		s.program.Dir = value
	case "proto":
		s.proto = value
	case "variant":
		s.program.Variant = value
	default:
		return s.limits.Set(key, value)
	}
	return nil
}

// Set changes one limit by its name: nodes, depth, movetime, cpu or tc.
func (l *Limits) Set(key, value string) (err error) {
	switch key {
	case "nodes":
		l.Nodes, err = strconv.ParseUint(value, 10, 64)
	case "depth":
		l.Depth, err = strconv.Atoi(value)
	case "movetime":
		l.MoveTime, err = time.ParseDuration(value)
	case "cpu":
		l.CPU, err = time.ParseDuration(value)
	case "tc":
		err = l.setClock(value)
	default:
		err = errors.New("unknown; there are name, cmd, dir, proto, variant, option.NAME, nodes, depth, movetime, cpu and tc")
	}
	return err
}

// setClock reads [moves/]seconds[+increment].
func (l *Limits) setClock(value string) (err error) {
	if moves, rest, ok := strings.Cut(value, "/"); ok {
		if l.Moves, err = strconv.Atoi(moves); err != nil || l.Moves < 1 {
			return fmt.Errorf("%q is no number of moves", moves)
		}
		value = rest
	}
	base, inc, _ := strings.Cut(value, "+")
	if inc == "" {
		inc = "0"
	}
	if l.Clock, err = time.ParseDuration(base + "s"); err == nil {
		l.Inc, err = time.ParseDuration(inc + "s")
	}
	if err != nil || l.Clock <= 0 {
		return fmt.Errorf("%q is no [moves/]seconds[+increment]", value)
	}
	return nil
}

func (s *spec) contestant(r *rules.Rules, usual Limits) (Contestant, error) {
	c := Contestant{Name: s.name, Limits: s.limits}
	if c.Limits == (Limits{}) {
		c.Limits = usual
	}
	switch {
	case len(s.program.Command) > 0 && s.proto != protocolOwn:
		return s.foreign(c, r)
	case len(s.program.Command) > 0:
		return c, fmt.Errorf("proto=%s is this process and takes no cmd", protocolOwn)
	case s.proto != "" && s.proto != protocolOwn:
		return c, errors.New("cmd is missing")
	}
	own := Own{}
	for _, o := range s.program.Options {
		if err := own.set(r, o.Name, o.Value); err != nil {
			return c, fmt.Errorf("option %s: %w", o.Name, err)
		}
	}
	if c.Name == "" {
		c.Name = "hoplite"
	}
	if own.Level == len(search.Levels()) {
		own.Level = 0 // without the variety of its openings
	}
	c.Open = func(context.Context) (foreign.Player, error) { return own.Start(r) }
	return c, nil
}

// foreign fills in a contestant that is a program.
func (s *spec) foreign(c Contestant, r *rules.Rules) (Contestant, error) {
	switch p := foreign.Protocol(s.proto); p {
	case "", foreign.ProtocolUCI, foreign.ProtocolUSI, foreign.ProtocolUCCI:
		s.program.Protocol = p
	case foreign.ProtocolCECP:
		s.program.Protocol, c.Clocked = p, true
		if c.Limits.Nodes > 0 {
			return c, errors.New("CECP has no limit of nodes: give cpu, movetime, depth or tc")
		}
		if c.Limits.MoveTime%time.Second != 0 {
			return c, errors.New("CECP has whole seconds a move: give cpu or tc")
		}
	default:
		return c, fmt.Errorf("proto=%s: there are %s, uci, usi, ucci and cecp", s.proto, protocolOwn)
	}
	if c.Name == "" {
		c.Name = filepath.Base(s.program.Command[0])
	}
	program := s.program
	c.Open = func(ctx context.Context) (foreign.Player, error) { return program.Start(ctx, r) }
	return c, nil
}
