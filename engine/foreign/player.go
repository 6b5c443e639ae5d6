package foreign

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// Program says which program to start and what it is told at the beginning.
type Program struct {
	Command  []string
	Dir      string
	Protocol Protocol // "" is UCI
	Options  []Setting
	// Variant is what the program calls the game; "" looks for a name of the
	// game among those that the program lists.
	Variant string
	// Log gets the conversation at debug level; nil: nobody does.
	Log *slog.Logger
}

// Setting is an option with its value.
type Setting struct{ Name, Value string }

// Player is a running program that plays one game after the other. One
// goroutine at a time may use it.
type Player interface {
	// Name is what the program calls itself, or its file.
	Name() string
	// NewGame begins a game; the limits say how the clock will be set.
	NewGame(ctx context.Context, g *rules.Game, l search.Limits) error
	// Think returns what the program does in g's position, the last one of the
	// game begun. Errors that errors.As or errors.Is tell apart are the
	// program's fault: *IllegalError, ErrExited, ErrHung. When the context ends
	// first, it is its cause.
	Think(ctx context.Context, g *rules.Game, l search.Limits) (Thought, error)
	// CPU is the processor time used by the program so far.
	CPU() (time.Duration, error)
	// Close ends the program.
	Close()
}

// Word is what a program says instead of a move.
type Word string

// What a program may say.
const (
	Resigns   Word = "resign"
	ClaimsWin Word = "win"
	// ClaimsDraw is the claim that the game is drawn by its rules.
	ClaimsDraw Word = "draw"
	// Mute is that it has no move.
	Mute Word = "no move"
)

// Thought is a move, or a word, with what the program thinks of it.
type Thought struct {
	Move  rules.Move // 0 with a word
	Word  Word
	Score *search.Score
	Depth int
	Nodes uint64
}

// IllegalError is a move that the rules do not allow.
type IllegalError struct {
	Text string
	Err  error
}

func (e *IllegalError) Error() string { return "illegal move: " + e.Err.Error() }
func (e *IllegalError) Unwrap() error { return e.Err }

// RefusedError is a legal move that a program does not take.
type RefusedError struct{ Line string }

func (e *RefusedError) Error() string { return "legal move refused: " + e.Line }

// ErrGame says that a program does not play the game.
var ErrGame = errors.New("it does not play the game")

// Start starts the program for games of r.
func (p Program) Start(ctx context.Context, r *rules.Rules) (Player, error) {
	if p.Protocol == ProtocolCECP {
		return startCECP(ctx, p, r)
	}
	return p.startUCI(ctx, r)
}

// file names the program where it has no name of its own.
func (p Program) file() string { return filepath.Base(p.Command[0]) }

// uciPlayer plays over a protocol of the UCI family.
type uciPlayer struct {
	*UCI
	program Program
	rules   *rules.Rules
	shuffle bool
}

// The options that choose the game.
const (
	OptionVariant  = "UCI_Variant"
	OptionChess960 = "UCI_Chess960"
	optionUSI      = "USI_Variant"
)

func (p Program) startUCI(ctx context.Context, r *rules.Rules) (Player, error) {
	proto := p.Protocol
	if proto == "" {
		proto = ProtocolUCI
	}
	u, err := startFamily(ctx, proto, p.Command, p.Dir, p.Log)
	if err != nil {
		return nil, err
	}
	pl := &uciPlayer{UCI: u, program: p, rules: r, shuffle: r.Shuffled()}
	if err := pl.prepare(ctx); err != nil {
		u.Close()
		return nil, fmt.Errorf("engine %s: %w", p.file(), err)
	}
	return pl, nil
}

// prepare sets the options and the game.
func (p *uciPlayer) prepare(ctx context.Context) error {
	for _, s := range p.program.Options {
		known, err := p.Set(s.Name, s.Value)
		if err == nil && !known {
			err = fmt.Errorf("no option %q", s.Name)
		}
		if err != nil {
			return err
		}
	}
	if err := p.setVariant(); err != nil {
		return err
	}
	if p.shuffle {
		if known, err := p.Set(OptionChess960, "true"); err != nil || !known {
			return errors.Join(err, fmt.Errorf("%w: it has no option %s", ErrGame, OptionChess960))
		}
	}
	return p.Ready(ctx)
}

// setVariant tells the program which game is meant. Programs of USI and UCCI
// that have no option for it play the game of their protocol.
func (p *uciPlayer) setVariant() error {
	o, ok := p.Options[strings.ToLower(OptionVariant)]
	if !ok {
		o, ok = p.Options[strings.ToLower(optionUSI)]
	}
	name := p.program.Variant
	if name == "" {
		offered := o.Values
		if !ok {
			offered = []string{UsualGame}
			if p.proto != ProtocolUCI {
				return nil
			}
		}
		var known bool
		if name, known = nameAmong(p.rules, offered); !known {
			return fmt.Errorf("%w %s", ErrGame, p.rules.Key())
		}
	}
	if !ok {
		return nil
	}
	_, err := p.Set(o.Name, name)
	return err
}

func (p *uciPlayer) Name() string {
	if p.UCI.Name != "" {
		return p.UCI.Name
	}
	return p.program.file()
}

func (p *uciPlayer) NewGame(ctx context.Context, _ *rules.Game, _ search.Limits) error {
	if err := p.Send(newGameWord(p.proto)); err != nil {
		return err
	}
	return p.Ready(ctx)
}

func (p *uciPlayer) Think(ctx context.Context, g *rules.Game, l search.Limits) (Thought, error) {
	position, err := positionLine(p.proto, p.shuffle, g)
	if err != nil {
		return Thought{}, err
	}
	a, err := p.Search(ctx, position, GoLine(p.proto, g.Position().Turn(), l))
	if err != nil {
		return Thought{}, err
	}
	t := Thought{Score: a.Score, Depth: a.Depth, Nodes: a.Nodes}
	switch a.Move {
	case "":
		t.Word = Mute
	case "resign":
		t.Word = Resigns
	case "win":
		t.Word = ClaimsWin
	case "draw":
		t.Word = ClaimsDraw
	default:
		t.Move, err = readMove(p.proto, g.Position(), a.Move)
		if err != nil {
			return t, &IllegalError{Text: a.Move, Err: err}
		}
	}
	return t, nil
}
