// Package protocol lets chess programs drive the engine over their own
// protocols; for now that is UCI with variants.
package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
)

// Options configure a session.
type Options struct {
	Name, Author string
	// Variants are the games offered; the first one is the game of a session
	// that names none.
	Variants *variant.Set
	// Seed drives the chance of the levels below full strength.
	Seed uint64
}

const (
	defaultHash     = 16
	maxHash         = 65536
	maxThreads      = 256
	maxMultiPV      = 256
	maxOverhead     = 5000
	defaultOverhead = 30
)

// UCI answers the commands read from r until "quit", the end of the input or
// of ctx. A search that has a limit of its own is finished after the end of
// the input; "quit" and ctx end it at once. The returned error is that of the
// input or the output, nil after an orderly end.
//
// The goroutine that reads r ends with the session only if r's Read returns;
// a program that closes its input or exits afterwards does not notice.
func UCI(ctx context.Context, r io.Reader, w io.Writer, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := newSession(w, opts)
	if err != nil {
		return err
	}
	lines, readErr := readLines(ctx, r)
	for {
		select {
		case <-ctx.Done():
			s.finishSearch(true)
			return s.out.Err()
		case best := <-s.done:
			s.joinSearch(best)
		case line, ok := <-lines:
			if !ok {
				s.finishSearch(!s.bounded)
				if err := <-readErr; err != nil {
					return err
				}
				return s.out.Err()
			}
			if quit := s.command(ctx, line); quit {
				s.finishSearch(true)
				return s.out.Err()
			}
		}
		if s.out.Err() != nil {
			s.finishSearch(true)
			return s.out.Err()
		}
	}
}

// session is the state of one conversation. Only the goroutine that runs UCI
// touches it; the search goroutine has its own copies and the output.
type session struct {
	opts   Options
	out    *output
	rules  *rules.Rules
	game   *rules.Game
	engine *search.Engine // nil until it is needed, or after a change of options

	hash, threads, multiPV, level int
	overhead                      time.Duration
	shuffled                      bool   // UCI_Chess960
	seed                          uint64 // of the game, for the levels

	cancel  context.CancelFunc // of the running search; nil if none runs
	bounded bool               // it ends by itself
	// ponderHit is closed to tell it that the expected move was played; nil
	// if it does not ponder.
	ponderHit chan struct{}
	done      chan string // gives its last line
}

func newSession(w io.Writer, opts Options) (*session, error) {
	list := opts.Variants.List()
	if len(list) == 0 {
		return nil, errors.New("no variants to offer")
	}
	s := &session{
		opts: opts, out: &output{w: w},
		hash: defaultHash, threads: 1, multiPV: 1, level: len(search.Levels()),
		overhead: defaultOverhead * time.Millisecond, seed: opts.Seed,
	}
	if err := s.setRules(list[0]); err != nil {
		return nil, err
	}
	return s, nil
}

// setRules changes the game and puts it at its start.
func (s *session) setRules(r *rules.Rules) error {
	start, err := r.Start(standardNumber(r))
	if err != nil {
		return fmt.Errorf("start of %s: %w", r.Key(), err)
	}
	if s.rules != r {
		s.engine = nil
	}
	s.rules, s.game = r, rules.NewGame(start)
	return nil
}

// command obeys one line and reports whether it was "quit".
func (s *session) command(ctx context.Context, line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 {
		return false
	}
	args := words[1:]
	switch words[0] {
	case "uci":
		s.identify()
	case "isready":
		s.out.line("readyok")
	case "ucinewgame":
		s.finishSearch(true)
		s.seed = rand.New(rand.NewPCG(s.seed, 1)).Uint64() // the next game, another player
		if s.engine != nil {
			s.engine.NewGame()
		}
	case "setoption":
		s.setOption(args)
	case "position":
		if err := s.position(args); err != nil {
			s.out.info("position: %v", err)
		}
	case "go":
		s.goSearch(ctx, args)
	case "stop":
		s.finishSearch(true)
	case "ponderhit":
		if s.ponderHit == nil {
			s.out.info("ponderhit: the engine is not pondering")
		} else {
			s.bounded = true
			close(s.ponderHit)
			s.ponderHit = nil
		}
	case "d":
		s.out.info("fen %s", notation.FEN(s.game.Position()))
	case "debug", "register":
		// Nothing to switch: part of the protocol all the same.
	case "quit":
		return true
	default:
		s.out.info("unknown command: %s", clip(words[0]))
	}
	return false
}

// position sets up "startpos" or "fen …", then plays "moves …". On an error
// the position stays as it was.
func (s *session) position(args []string) error {
	if len(args) == 0 {
		return errors.New("startpos or fen expected")
	}
	var start *rules.Position
	var err error
	rest := args[1:]
	switch args[0] {
	case "startpos":
		start, err = s.rules.Start(standardNumber(s.rules))
	case "fen":
		n := 0
		for n < len(rest) && rest[n] != "moves" {
			n++
		}
		start, err = notation.ParseFEN(s.rules, strings.Join(rest[:n], " "))
		rest = rest[n:]
	default:
		return fmt.Errorf("startpos or fen expected, not %s", clip(args[0]))
	}
	if err != nil {
		return err
	}
	g := rules.NewGame(start)
	if len(rest) > 0 {
		if rest[0] != "moves" {
			return fmt.Errorf("moves expected, not %s", clip(rest[0]))
		}
		for i, text := range rest[1:] {
			m, err := notation.ParseMove(g.Position(), text)
			if err == nil {
				err = g.Play(m)
			}
			if err != nil {
				return fmt.Errorf("move %d: %w", i+1, err)
			}
		}
	}
	s.game = g
	return nil
}

// goSearch starts the search in a goroutine of its own.
func (s *session) goSearch(ctx context.Context, args []string) {
	if s.cancel != nil {
		s.out.info("go: a search is running already")
		return
	}
	limits, ponder, notes := parseGo(args, func(text string) (rules.Move, error) {
		return notation.ParseMove(s.game.Position(), text)
	})
	for _, n := range notes {
		s.out.info("go: %s", n)
	}
	if limits.Clock != nil {
		limits.Clock.Overhead = s.overhead
	}
	limits.MoveTime = max(limits.MoveTime-s.overhead, min(limits.MoveTime, time.Millisecond))
	limits.MultiPV = s.multiPV
	if s.engine == nil {
		s.engine = search.New(s.rules, search.Options{Hash: s.hash, Threads: s.threads})
	}
	searchCtx, cancel := context.WithCancel(ctx)
	done := make(chan string, 1)
	s.cancel, s.done = cancel, done
	if ponder {
		s.ponderHit = make(chan struct{})
		limits.Ponder = s.ponderHit
	}
	s.bounded = !limits.Infinite && !ponder && (limits.Depth > 0 || limits.Nodes > 0 ||
		limits.MoveTime > 0 || limits.Clock != nil)
	format := s.moveFormat()
	engine, g, level, seed := s.engine, s.game, s.level, s.seed
	go func() { done <- s.run(searchCtx, engine, g, limits, level, seed, format) }()
}

// run searches, reports, and returns the line with the move. The session's
// goroutine writes that line, so that it is idle once the move is out.
func (s *session) run(ctx context.Context, e *search.Engine, g *rules.Game, l search.Limits, level int, seed uint64,
	format func(*rules.Position, rules.Move) string) string {
	root := g.Position().Clone()
	onInfo := func(i search.Info) { s.out.line("%s", infoLine(root, i, format)) }
	var res search.Result
	if levels := search.Levels(); level < len(levels) {
		res = e.Choose(ctx, g, levels[level-1], l, seed)
		onInfo(search.Info{Depth: res.Depth, SelDepth: res.Depth, MultiPV: 1, Score: res.Score, Nodes: res.Nodes, PV: res.PV})
	} else {
		res = e.Search(ctx, g, l, onInfo)
	}
	if res.Best == 0 {
		return "bestmove (none)"
	}
	line := "bestmove " + format(root, res.Best)
	if res.Ponder != 0 && root.Play(res.Best) == nil {
		line += " ponder " + format(root, res.Ponder)
	}
	return line
}

// finishSearch waits for the running search, after ending it if asked to.
func (s *session) finishSearch(now bool) {
	if s.cancel == nil {
		return
	}
	if now {
		s.cancel()
	}
	s.joinSearch(<-s.done)
}

// joinSearch writes the last line of a search and forgets it.
func (s *session) joinSearch(best string) {
	s.out.line("%s", best)
	s.cancel()
	s.cancel, s.done, s.ponderHit = nil, nil, nil
}

// moveFormat is how this session writes moves: castling as king takes rook
// when the interface asked for it or the game has shuffled starts.
func (s *session) moveFormat() func(*rules.Position, rules.Move) string {
	if s.shuffled || s.rules.Shuffled() {
		return notation.FormatMoveKingRook
	}
	return notation.FormatMove
}

// infoLine formats one report.
func infoLine(root *rules.Position, i search.Info, format func(*rules.Position, rules.Move) string) string {
	var b strings.Builder
	ms := i.Elapsed.Milliseconds()
	fmt.Fprintf(&b, "info depth %d seldepth %d multipv %d score %s nodes %d nps %d hashfull %d time %d pv",
		i.Depth, i.SelDepth, max(i.MultiPV, 1), i.Score, i.Nodes,
		uint64(float64(i.Nodes)/max(i.Elapsed.Seconds(), 1e-3)), i.HashFull, ms)
	p := root.Clone()
	for _, m := range i.PV {
		text := format(p, m)
		if p.Play(m) != nil {
			break
		}
		b.WriteByte(' ')
		b.WriteString(text)
	}
	return b.String()
}

// output writes whole lines from several goroutines and keeps the first error.
type output struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

func (o *output) line(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = fmt.Fprintf(o.w, format+"\n", args...)
	}
}

func (o *output) info(format string, args ...any) {
	o.line("info string %s", strings.NewReplacer("\n", " ", "\r", " ").Replace(fmt.Sprintf(format, args...)))
}

// Err returns the first error of writing.
func (o *output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// clip keeps an echoed word readable.
func clip(word string) string {
	const most = 40
	word = strings.ToValidUTF8(word, "?")
	if r := []rune(word); len(r) > most {
		return string(r[:most]) + "..."
	}
	return word
}
