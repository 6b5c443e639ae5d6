package foreign

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// UCI is a running program of the UCI family: UCI, USI or UCCI. One goroutine
// at a time may use it.
type UCI struct {
	*process
	// Name is what the program calls itself, "" if it does not.
	Name string
	// Options are those that the program announced, by name in lower case.
	Options map[string]Option
	proto   Protocol
}

// Protocol is a language of chess programs.
type Protocol string

// The protocols that this package speaks.
const (
	ProtocolUCI  Protocol = "uci"
	ProtocolUSI  Protocol = "usi"
	ProtocolUCCI Protocol = "ucci"
	ProtocolCECP Protocol = "cecp"
)

// StartUCI starts a program and waits for its greeting. log may be nil.
func StartUCI(ctx context.Context, command []string, dir string, log *slog.Logger) (*UCI, error) {
	return startFamily(ctx, ProtocolUCI, command, dir, log)
}

func startFamily(ctx context.Context, proto Protocol, command []string, dir string, log *slog.Logger) (*UCI, error) {
	p, err := start(command, dir, log)
	if err != nil {
		return nil, err
	}
	u := &UCI{process: p, Options: map[string]Option{}, proto: proto}
	if err := u.greet(ctx); err != nil {
		p.kill()
		return nil, fmt.Errorf("engine %s: %w", command[0], err)
	}
	return u, nil
}

// greet says which protocol is meant and reads what the program can do.
func (u *UCI) greet(ctx context.Context) error {
	hello := string(u.proto)
	if err := u.Send(hello); err != nil {
		return err
	}
	learn := func(line string) {
		if name, ok := strings.CutPrefix(line, "id name "); ok {
			u.Name = strings.TrimSpace(name)
			return
		}
		if rest, ok := strings.CutPrefix(line, "option "); ok && u.proto == ProtocolUCCI && !strings.HasPrefix(rest, "name ") {
			line = "option name " + rest
		}
		if o, ok := ParseOption(line); ok {
			u.Options[strings.ToLower(o.Name)] = o
		}
	}
	return u.wait(ctx, hello+"ok", learn, func(line string) bool { return strings.TrimSpace(line) == hello+"ok" })
}

// Ready waits until the program has worked off what it was sent.
func (u *UCI) Ready(ctx context.Context) error {
	if err := u.Send("isready"); err != nil {
		return err
	}
	return u.wait(ctx, "readyok", nil, func(line string) bool { return strings.TrimSpace(line) == "readyok" })
}

// Set changes an option; false means that the program does not have it.
func (u *UCI) Set(name, value string) (bool, error) {
	o, ok := u.Options[strings.ToLower(name)]
	if !ok {
		return false, nil
	}
	line := "setoption name " + o.Name + " value " + value
	switch {
	case u.proto == ProtocolUCCI && o.Type == "button":
		line = "setoption " + o.Name
	case u.proto == ProtocolUCCI:
		line = "setoption " + o.Name + " " + value
	case o.Type == "button":
		line = "setoption name " + o.Name
	}
	return true, u.Send(line)
}

// Search runs one search: a command that sets the position up, then one that
// starts. When the context ends it stops the program and takes its answer off
// the line, so that the program can be used again, and returns the cause; a
// program that does not answer that is given up with ErrHung.
func (u *UCI) Search(ctx context.Context, position, command string) (Answer, error) {
	var a Answer
	if err := u.sendAll(position, command); err != nil {
		return a, err
	}
	wait, stopped := ctx, false
	for {
		line, err := u.next(wait)
		switch {
		case errors.Is(err, ErrExited):
			return a, err
		case err != nil && stopped:
			return a, fmt.Errorf("%w: no bestmove after stop", ErrHung)
		case err != nil:
			if err := u.Send("stop"); err != nil {
				return a, err
			}
			grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
			defer cancel()
			wait, stopped = grace, true
			continue
		}
		if move, ok := ParseBestMove(line); ok {
			if stopped {
				return a, context.Cause(ctx)
			}
			a.Move = move
			return a, nil
		}
		ParseInfo(line, &a)
	}
}
