package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
)

// session is the state of one conversation. Only the goroutine of Serve
// touches it; the search goroutine has its own copies and the output.
type session struct {
	opts     Options
	out      *output
	variants *variant.Set
	named    *rules.Rules // the game that was asked for
	rules    *rules.Rules // that is played: named or its shuffled form
	game     *rules.Game
	engine   *search.Engine // nil until it is needed, or after a change of options
	settings settings
	seed     uint64   // of the game, for the levels
	run      *running // the search; nil if there is none
}

// running is a search in its goroutine.
type running struct {
	cancel  context.CancelFunc
	result  chan search.Result
	bounded bool // it ends by itself
	// hit is closed to tell it that the expected move was played; nil if it
	// does not ponder, or not any more.
	hit chan struct{}
}

// errand is what a search is for.
type errand struct {
	game   *rules.Game // must not change while the search runs
	limits search.Limits
	ponder bool
	full   bool // at full strength whatever the level
	// report, which may be nil, is called from the search goroutine.
	report func(search.Info)
}

func newSession(w io.Writer, opts Options) (*session, error) {
	list := opts.Variants.List()
	if len(list) == 0 {
		return nil, errors.New("no variants to offer")
	}
	s := &session{opts: opts, out: &output{w: w}, variants: opts.Variants, settings: defaults(), seed: opts.Seed}
	if opts.Engine == nil {
		s.opts.Engine = search.New
	}
	if opts.Hash > 0 {
		s.settings.hash = min(opts.Hash, maxHash)
	}
	return s, s.choose(list[0])
}

// choose changes the game, or takes its shuffled form if that is asked for,
// and puts it at its start. The same game again changes nothing.
func (s *session) choose(named *rules.Rules) error {
	r := named
	if s.settings.shuffled {
		if other, ok := s.shuffledForm(r); ok {
			r = other
		}
	}
	if r != s.rules {
		start, err := r.Start(r.UsualStart())
		if err != nil {
			return fmt.Errorf("start of %s: %w", r.Key(), err)
		}
		s.rules, s.engine, s.game = r, nil, rules.NewGame(start)
	}
	s.named = named
	return nil
}

// restart puts the game at its start.
func (s *session) restart() error {
	start, err := s.rules.Start(s.rules.UsualStart())
	if err == nil {
		s.game = rules.NewGame(start)
	}
	return err
}

// newGame forgets what was learned from the last game. The next one is against
// another player.
func (s *session) newGame() {
	s.seed = rand.New(rand.NewPCG(s.seed, 1)).Uint64()
	if s.engine != nil {
		s.engine.NewGame()
	}
}

// ready returns the engine for the game and the options, made if need be.
func (s *session) ready() *search.Engine {
	if s.engine == nil {
		s.engine = s.opts.Engine(s.rules, search.Options{Hash: s.settings.hash, Threads: s.settings.threads, Plain: s.settings.plain})
	}
	return s.engine
}

// begin starts a search. None may be running.
func (s *session) begin(ctx context.Context, e errand) {
	engine := s.ready()
	ctx, cancel := context.WithCancel(ctx)
	run := &running{cancel: cancel, result: make(chan search.Result, 1)}
	l := &e.limits
	if e.ponder {
		run.hit = make(chan struct{})
		l.Ponder = run.hit
	}
	if l.Clock != nil {
		l.Clock.Overhead = s.settings.overhead
	}
	l.MoveTime = max(l.MoveTime-s.settings.overhead, min(l.MoveTime, time.Millisecond))
	l.MultiPV = s.settings.multiPV
	bounded := l.Depth > 0 || l.Nodes > 0 || l.MoveTime > 0 || l.Clock != nil
	l.Nodes = s.bound(l.Nodes)
	run.bounded = !l.Infinite && !e.ponder && bounded
	s.run = run
	seed := s.seed
	level, limited := s.settings.strength(s.rules)
	limited = limited && !e.full
	if e.report == nil {
		e.report = func(search.Info) {}
	}
	go func() {
		if limited {
			res := engine.Choose(ctx, e.game, level, e.limits, seed)
			e.report(search.Info{Depth: res.Depth, SelDepth: res.Depth, MultiPV: 1, Score: res.Score, Nodes: res.Nodes, PV: res.PV})
			run.result <- res
			return
		}
		run.result <- engine.Search(ctx, e.game, e.limits, e.report)
	}()
}

// bound is a limit of nodes within that of the options.
func (s *session) bound(nodes uint64) uint64 {
	if most := s.opts.Nodes; most > 0 && (nodes == 0 || nodes > most) {
		return most
	}
	return nodes
}

// results gives the result of the running search when it has one.
func (s *session) results() <-chan search.Result {
	if s.run == nil {
		return nil
	}
	return s.run.result
}

// forget notes that the search has ended.
func (s *session) forget() {
	s.run.cancel()
	s.run = nil
}

// stop ends the running search at once and returns what it came to. It fails
// if there was none.
func (s *session) stop() (res search.Result, ok bool) {
	if s.run == nil {
		return res, false
	}
	s.run.cancel()
	res = <-s.run.result
	s.forget()
	return res, true
}

// abandon ends the running search, if any, for nothing.
func (s *session) abandon() { s.stop() }

// finish waits, at the end of the input, for searches that end by themselves,
// and ends any other.
func (s *session) finish(ctx context.Context, d dialect) {
	for s.run != nil && s.run.bounded {
		select {
		case res := <-s.run.result:
			s.forget()
			d.found(ctx, res)
		case <-ctx.Done():
			return
		}
	}
	if res, ok := s.stop(); ok {
		d.found(ctx, res)
	}
}

// ponderHit tells the running search that the expected move was played, and
// reports whether it was pondering.
func (s *session) ponderHit() bool {
	if s.run == nil || s.run.hit == nil {
		return false
	}
	close(s.run.hit)
	s.run.hit, s.run.bounded = nil, true
	return true
}

// without lists the moves to look at when some are not, nil for all. some is
// false if there is none left.
func (s *session) without(excluded []rules.Move) (only []rules.Move, some bool) {
	if len(excluded) == 0 {
		return nil, true
	}
	for _, m := range s.game.Position().Moves(nil) {
		if !slices.Contains(excluded, m) {
			only = append(only, m)
		}
	}
	return only, len(only) > 0
}

// lines are the notations of a dialect for positions and moves.
type lines struct {
	position func(r *rules.Rules, text string) (*rules.Position, error)
	// moves reads one word, which may be a turn of several moves.
	moves  func(p *rules.Position, text string) ([]rules.Move, error)
	format func(p *rules.Position, m rules.Move) string
}

// setUp sets up the position that the words name: "startpos", or keyword and a
// position in the dialect's notation, then "moves …". On an error the position
// stays as it was.
func (s *session) setUp(args []string, keyword string, n lines) error {
	if len(args) == 0 {
		return fmt.Errorf("startpos or %s expected", keyword)
	}
	var start *rules.Position
	var err error
	rest := args[1:]
	switch args[0] {
	case "startpos":
		start, err = s.rules.Start(s.rules.UsualStart())
	case keyword:
		at := 0
		for at < len(rest) && rest[at] != "moves" {
			at++
		}
		start, err = n.position(s.rules, strings.Join(rest[:at], " "))
		rest = rest[at:]
	default:
		return fmt.Errorf("startpos or %s expected, not %s", keyword, clip(args[0]))
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
			if err := play(g, text, n); err != nil {
				return fmt.Errorf("move %d: %w", i+1, err)
			}
		}
	}
	s.game = g
	return nil
}

// play makes the moves that a word names.
func play(g *rules.Game, text string, n lines) error {
	moves, err := n.moves(g.Position(), text)
	for i := 0; err == nil && i < len(moves); i++ {
		err = g.Play(moves[i])
	}
	return err
}

// lineText writes the moves of a line that begins in p, as far as they are
// possible, with blanks between them.
func lineText(p *rules.Position, moves []rules.Move, format func(*rules.Position, rules.Move) string) string {
	var b strings.Builder
	p = p.Clone()
	for i, m := range moves {
		text := format(p, m)
		if p.Play(m) != nil {
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String()
}

// single makes a reader of words that are one move each.
func single(parse func(*rules.Position, string) (rules.Move, error)) func(*rules.Position, string) ([]rules.Move, error) {
	return func(p *rules.Position, text string) ([]rules.Move, error) {
		m, err := parse(p, text)
		return []rules.Move{m}, err
	}
}

// usualLines are the notations of the rule sheets. Castling is written as king
// takes rook if asked for, or if the game has shuffled starts.
func (s *session) usualLines() lines {
	n := lines{position: notation.ParseFEN, moves: notation.ParseTurn, format: notation.FormatMove}
	if s.settings.shuffled || s.rules.Shuffled() {
		n.format = notation.FormatMoveKingRook
	}
	return n
}

// fromZero makes notations count ranks from 0 instead of from 1.
func (n lines) fromZero() lines {
	moves, format := n.moves, n.format
	n.moves = func(p *rules.Position, text string) ([]rules.Move, error) {
		return notation.ParseFromZero(p, text, moves)
	}
	n.format = func(p *rules.Position, m rules.Move) string { return notation.CountFromZero(format(p, m)) }
	return n
}
