// Package protocol lets chess programs drive the engine over their own
// protocols: UCI with variants, UCI-cyclone, that of XBoard (CECP), USI and
// UCCI.
//
// A session is what they have in common: a game, an engine with its options,
// and at most one running search. A dialect is a protocol over a session. It
// reads commands and writes answers; it never waits.
package protocol

import (
	"context"
	"fmt"
	"io"
	"strings"

	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
)

// Protocol names a protocol. Each is the word that its conversations begin
// with.
type Protocol string

// The protocols.
const (
	// Auto stands for the protocol that the first word names.
	Auto    Protocol = ""
	UCI     Protocol = "uci"
	Cyclone Protocol = "ucicyclone" // UCI with ranks counted from 0
	CECP    Protocol = "xboard"     // of XBoard and WinBoard, version 2
	USI     Protocol = "usi"
	UCCI    Protocol = "ucci"
)

// Protocols lists them all.
func Protocols() []Protocol { return []Protocol{UCI, Cyclone, CECP, USI, UCCI} }

// Options configure a session.
type Options struct {
	Name, Author string
	// Variants are the games offered; the first one is the game of a session
	// that names none.
	Variants *variant.Set
	// Protocol is the one to speak, Auto if the first word decides. UCI is
	// spoken if that is no protocol's.
	Protocol Protocol
	// Load reads definitions of further games from files and returns them
	// together with the catalogue. Without it the option VariantPath is not
	// offered.
	Load func(path string) (*variant.Set, error)
	// Engine makes the engine for a game; nil is search.New.
	Engine func(*rules.Rules, search.Options) *search.Engine
	// Hash is the size of the table at first, in MiB; 0 is the usual one.
	Hash int
	// Nodes, if not 0, bounds every search, whatever is asked for.
	Nodes uint64
	// Seed drives the chance of the levels below full strength.
	Seed uint64
}

// dialect is a protocol over a session.
type dialect interface {
	// command obeys one line, which is not blank, and reports whether it was
	// the last one.
	command(ctx context.Context, line string) (quit bool)
	// found is told what the search that has just ended came to.
	found(ctx context.Context, res search.Result)
}

// Serve answers the commands read from r until "quit", the end of the input or
// of ctx. A search that has a limit of its own is finished after the end of
// the input; "quit" and ctx end it at once. The returned error is that of the
// input or the output, nil after an orderly end.
//
// The goroutine that reads r ends with the session only if r's Read returns;
// a program that closes its input or exits afterwards does not notice.
func Serve(ctx context.Context, r io.Reader, w io.Writer, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := newSession(w, opts)
	if err != nil {
		return err
	}
	defer s.abandon()
	var d dialect
	lines, readErr := readLines(ctx, r)
	for s.out.Err() == nil {
		select {
		case <-ctx.Done():
			return s.out.Err()
		case res := <-s.results():
			s.forget()
			d.found(ctx, res)
		case line, ok := <-lines:
			if !ok {
				s.finish(ctx, d)
				if err := <-readErr; err != nil {
					return err
				}
				return s.out.Err()
			}
			words := strings.Fields(line)
			if len(words) == 0 {
				continue
			}
			if d == nil {
				if d, err = newDialect(s, words[0]); err != nil {
					return err
				}
			}
			if d.command(ctx, strings.TrimSpace(line)) {
				return s.out.Err()
			}
		}
	}
	return s.out.Err()
}

// newDialect chooses the protocol, if nobody has yet, by the first word.
func newDialect(s *session, first string) (dialect, error) {
	p := s.opts.Protocol
	if p == Auto {
		p = Protocol(first)
		if first == "protover" {
			p = CECP
		}
	}
	switch p {
	case CECP:
		return newCECP(s), nil
	case USI:
		return newUSI(s)
	case UCCI:
		return newUCCI(s)
	case Cyclone:
		return newCyclone(s)
	}
	return newUCI(s), nil
}

// UnmarshalText reads the name of a protocol, as flags and files have it.
func (p *Protocol) UnmarshalText(text []byte) error {
	for _, known := range append(Protocols(), Auto) {
		if string(known) == string(text) {
			*p = known
			return nil
		}
	}
	return fmt.Errorf("no protocol %s", clip(string(text)))
}
