package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"hoplite/engine/foreign"
	"hoplite/engine/rules"
)

// Contestant is one of the two engines of a match.
type Contestant struct {
	Name string
	// Open starts a player. It is called for each board, and again after a
	// player died or hung.
	Open   func(ctx context.Context) (foreign.Player, error)
	Limits Limits
	// Clocked programs have no limit of nodes; an equal processor time is then
	// kept by what their clock shows.
	Clocked bool
}

// Match is two engines that play a number of games.
type Match struct {
	Rules       *rules.Rules
	Contestants [2]Contestant
	Games       int // rounded up to pairs
	Boards      int // games at the same time; 0 means 1
	Openings    Openings
	Adjudicate  Adjudication
	// Patience is how long a player may take besides the time of its limits;
	// 0 means a minute.
	Patience time.Duration
	// SPRT ends the match early; nil: all games are played.
	SPRT *SPRT
	// Journal keeps the games, and gives those of an earlier run. It may be
	// nil.
	Journal *Journal[Record]
	// OnGame, if not nil, is called after each game, and once before the first
	// with the games of earlier runs.
	OnGame func(rec *Record, s *Summary)

	played []Record // by earlier runs
}

// Summary is what a match has come to.
type Summary struct {
	Tally
	// Verdict is that of the SPRT.
	Verdict Verdict
	// By contestant: milliseconds of processor time, nodes, moves, and games
	// lost by a fault.
	CPU    [2]float64
	Nodes  [2]uint64
	Plies  [2]int
	Faults [2]int
	// Reasons counts the ends of the games.
	Reasons map[string]int
}

const defaultPatience = time.Minute

// Validate reports what makes no match.
func (m *Match) Validate() error {
	switch {
	case m.Rules.Sides() != 2:
		return fmt.Errorf("match: %s is no game of two sides", m.Rules.Key())
	case m.Rules.Hides():
		return fmt.Errorf("match: %s hides things from its players, which engines are not told", m.Rules.Key())
	case m.Games < 1:
		return errors.New("match: no games")
	}
	for _, c := range m.Contestants {
		if err := c.Limits.Validate(); err != nil {
			return fmt.Errorf("match: %s: %w", c.Name, err)
		}
	}
	if m.SPRT != nil {
		return m.SPRT.Validate()
	}
	return nil
}

// Run plays what the journal has not got, and returns what the whole match has
// come to. When ctx ends, it returns the cause with the summary so far; games
// under way are lost, and a later run plays them again.
func (m *Match) Run(ctx context.Context) (*Summary, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	s := newLedger(m)
	m.played = slices.Clone(m.Journal.Records())
	for _, rec := range m.played {
		s.count(rec)
	}
	s.decide()
	if m.OnGame != nil {
		m.OnGame(nil, &s.Summary)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var failure error
	for o := range m.start(ctx, s.todo()) {
		if failure != nil || s.Verdict != Undecided {
			continue // it was under way when the match ended
		}
		if failure = m.take(s, o); failure != nil {
			stop(failure)
		} else if s.Verdict != Undecided {
			stop(errDecided)
		}
	}
	if failure == nil && s.Verdict == Undecided && len(s.scores) < s.games() {
		failure = context.Cause(ctx)
	}
	return &s.Summary, failure
}

// start plays games on all boards. The channel is closed after the last one has
// ended.
func (m *Match) start(ctx context.Context, todo []int) <-chan outcome {
	tasks, finished := make(chan int), make(chan outcome)
	var all sync.WaitGroup
	for range max(m.Boards, 1) {
		all.Go(func() { m.board(ctx, tasks, finished) })
	}
	all.Go(func() {
		defer close(tasks)
		for _, number := range todo {
			select {
			case tasks <- number:
			case <-ctx.Done():
				return
			}
		}
	})
	go func() {
		all.Wait()
		close(finished)
	}()
	return finished
}

// take keeps and counts a game.
func (m *Match) take(s *ledger, o outcome) error {
	if o.err != nil {
		return o.err
	}
	if err := m.Journal.Add(o.rec); err != nil {
		return err
	}
	s.count(o.rec)
	s.decide()
	if m.OnGame != nil {
		m.OnGame(&o.rec, &s.Summary)
	}
	return nil
}

// errDecided calls off the games that are under way when a test has ended.
var errDecided = errors.New("the test is decided")

// outcome is what a board reports: a game, or why there was none.
type outcome struct {
	rec Record
	err error
}

// ledger counts the games of a match.
type ledger struct {
	Summary
	match  *Match
	scores map[int]float64 // of the first contestant, by game
}

func newLedger(m *Match) *ledger {
	return &ledger{match: m, scores: map[int]float64{}, Summary: Summary{Reasons: map[string]int{}}}
}

// games is the number of games to play.
func (l *ledger) games() int { return l.match.Games + l.match.Games&1 }

// todo lists the games that are missing, in order.
func (l *ledger) todo() []int {
	var list []int
	for number := range l.games() {
		if _, done := l.scores[number]; !done && l.Verdict == Undecided {
			list = append(list, number)
		}
	}
	return list
}

func (l *ledger) count(rec Record) {
	if _, twice := l.scores[rec.Game]; twice {
		return
	}
	var other *float64
	if score, ok := l.scores[rec.Game^1]; ok {
		other = &score
	}
	l.scores[rec.Game] = rec.Score
	l.add(rec.Score, other)
	for who := range 2 {
		l.CPU[who] += rec.CPU[who]
		l.Nodes[who] += rec.Nodes[who]
		l.Plies[who] += rec.Plies[who]
	}
	if rec.Fault {
		loser := 0
		if rec.Score > 0.5 {
			loser = 1
		}
		l.Faults[loser]++
	}
	l.Reasons[rec.Reason]++
}

func (l *ledger) decide() {
	if l.match.SPRT != nil {
		l.Verdict = l.match.SPRT.Decide(l.Tally)
	}
}
