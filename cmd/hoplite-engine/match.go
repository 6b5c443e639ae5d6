package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"hoplite/engine/match"
	"hoplite/engine/notation"
	"hoplite/engine/variant"
)

// matchCommand plays two engines against each other.
type matchCommand struct {
	Variant string   `arg:"" help:"Key of the game."`
	Engine  []string `required:"" sep:"none" placeholder:"KEY=VALUE,…" help:"An engine; to be given twice. Keys: name, cmd, dir, proto (uci, usi, ucci, cecp; own without cmd), variant, option.NAME, and the limits nodes, depth, movetime, cpu, tc."`
	Games   int      `default:"100" help:"Games to play, in pairs that share an opening."`
	Boards  int      `default:"1" help:"Games at the same time."`

	Nodes    uint64        `help:"Nodes for a move, of engines that give no limits of their own."`
	Depth    int           `help:"Plies to search."`
	Movetime time.Duration `help:"Time for a move."`
	CPU      time.Duration `name:"cpu" help:"Processor time for a move, on average."`
	TC       string        `name:"tc" placeholder:"[MOVES/]SECONDS[+INC]" help:"Clock."`

	Openings string `type:"existingfile" help:"File with a position, 'moves …', or both a line; without it openings are random moves."`
	Plies    int    `default:"6" help:"Random moves of an opening."`
	Balance  int    `default:"120" help:"Greatest advantage after a random opening in centipawns; 0: any."`
	Seed     uint64 `default:"1" help:"Seed of the random openings."`

	SPRT    []float64 `name:"sprt" placeholder:"ELO0,ELO1" help:"End as soon as a sequential test of these two differences in rating is decided."`
	Alpha   float64   `default:"0.05" help:"Chance of accepting ELO1 wrongly."`
	Beta    float64   `default:"0.05" help:"Chance of accepting ELO0 wrongly."`
	Journal string    `placeholder:"FILE" help:"Keep the games here, and go on from those that are there."`
	PGN     string    `name:"pgn" placeholder:"FILE" help:"Write all games to this file."`

	MaxPlies int   `default:"400" help:"Draw a game after so many moves of both sides; 0: never."`
	Resign   []int `placeholder:"CP,MOVES" help:"End a game that both see decided by CP centipawns for MOVES moves."`
	Draw     []int `placeholder:"CP,MOVES,PLY" help:"Draw a game that both see within CP for MOVES moves, after PLY."`

	Patience time.Duration `default:"1m" help:"How long an engine may take beyond its time before it counts as hung."`
	Every    int           `default:"10" help:"Print the score every so many games."`
	Verbose  bool          `help:"Print what is said to and by the engines on standard error."`
}

// heading tells this match from others: what a journal must agree in.
type heading struct {
	Variant  string             `json:"variant"`
	Engines  []string           `json:"engines"`
	Limits   match.Limits       `json:"limits"`
	Openings string             `json:"openings,omitempty"`
	Plies    int                `json:"plies"`
	Balance  int                `json:"balance"`
	Seed     uint64             `json:"seed"`
	Rule     match.Adjudication `json:"rule"`
}

func (c *matchCommand) Run(set *variant.Set, o out) error {
	ctx, stop := interruptible()
	defer stop()
	m, head, err := c.match(set)
	if err != nil {
		return err
	}
	if c.Journal != "" {
		if m.Journal, err = match.OpenJournal[match.Record](c.Journal, head); err != nil {
			return err
		}
		defer m.Journal.Close()
	}
	pgn, err := newPGNFile(c.PGN)
	if err != nil {
		return err
	}
	defer pgn.Close()
	if err := pgn.writeAll(m); err != nil {
		return err
	}
	begun := time.Now()
	m.OnGame = func(rec *match.Record, s *match.Summary) { c.progress(o, m, pgn, rec, s) }
	s, err := m.Run(ctx)
	if s != nil {
		report(o, m, s, time.Since(begun))
	}
	if err == nil {
		err = pgn.err
	}
	return err
}

// match puts the flags together.
func (c *matchCommand) match(set *variant.Set) (*match.Match, heading, error) {
	var head heading
	r, err := gameOf(set, c.Variant)
	if err != nil {
		return nil, head, err
	}
	if len(c.Engine) != 2 {
		return nil, head, fmt.Errorf("--engine was given %d times, not twice", len(c.Engine))
	}
	usual := match.Limits{Nodes: c.Nodes, Depth: c.Depth, MoveTime: c.Movetime, CPU: c.CPU}
	if c.TC != "" {
		if err := usual.Set("tc", c.TC); err != nil {
			return nil, head, fmt.Errorf("--tc: %w", err)
		}
	}
	m := &match.Match{
		Rules: r, Games: c.Games, Boards: c.Boards, Patience: c.Patience,
		Openings:   match.Openings{Rules: r, Plies: c.Plies, Seed: c.Seed, Balance: c.Balance},
		Adjudicate: match.Adjudication{MaxPlies: c.MaxPlies},
	}
	log := slog.New(slog.DiscardHandler)
	if c.Verbose {
		log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	for i, text := range c.Engine {
		one, err := match.ParseContestant(text, r, usual, log)
		if err != nil {
			return nil, head, err
		}
		m.Contestants[i] = one
	}
	if m.Contestants[0].Name == m.Contestants[1].Name {
		m.Contestants[1].Name += " (2)"
	}
	if err := c.rules(m); err != nil {
		return nil, head, err
	}
	return m, heading{Variant: r.Key(), Engines: c.Engine, Limits: usual, Openings: c.Openings,
		Plies: c.Plies, Balance: c.Balance, Seed: c.Seed, Rule: m.Adjudicate}, nil
}

// rules reads the flags that end games or the match, and the file of openings.
func (c *matchCommand) rules(m *match.Match) error {
	switch len(c.SPRT) {
	case 0:
	case 2:
		m.SPRT = &match.SPRT{Elo0: c.SPRT[0], Elo1: c.SPRT[1], Alpha: c.Alpha, Beta: c.Beta}
	default:
		return fmt.Errorf("--sprt: two ratings expected, not %d", len(c.SPRT))
	}
	switch len(c.Resign) {
	case 0:
	case 2:
		m.Adjudicate.ResignScore, m.Adjudicate.ResignMoves = c.Resign[0], c.Resign[1]
	default:
		return fmt.Errorf("--resign: centipawns and moves expected, not %d numbers", len(c.Resign))
	}
	switch len(c.Draw) {
	case 0:
	case 3:
		m.Adjudicate.DrawScore, m.Adjudicate.DrawMoves, m.Adjudicate.DrawFrom = c.Draw[0], c.Draw[1], c.Draw[2]
	default:
		return fmt.Errorf("--draw: centipawns, moves and ply expected, not %d numbers", len(c.Draw))
	}
	if c.Openings == "" {
		return nil
	}
	f, err := os.Open(c.Openings)
	if err != nil {
		return err
	}
	defer f.Close()
	m.Openings.Lines, err = match.ReadOpenings(m.Rules, f)
	return err
}

// progress prints a line every so many games and writes each game's record.
func (c *matchCommand) progress(w io.Writer, m *match.Match, pgn *pgnFile, rec *match.Record, s *match.Summary) {
	if rec == nil {
		if s.Games() > 0 {
			fmt.Fprintf(w, "going on after %d games: %s\n", s.Games(), s.Tally)
		}
		return
	}
	pgn.write(m, rec)
	if rec.Fault {
		fmt.Fprintf(w, "game %d: %s - %s %s, %s\n", rec.Game+1, m.Contestants[rec.First].Name,
			m.Contestants[1-rec.First].Name, rec.Result, rec.Reason)
	}
	if s.Games()%max(c.Every, 1) == 0 {
		fmt.Fprintf(w, "%5d games: %s%s\n", s.Games(), s.Tally, ratio(m, s))
	}
}

func ratio(m *match.Match, s *match.Summary) string {
	if m.SPRT == nil {
		return ""
	}
	low, high := m.SPRT.Limits()
	return fmt.Sprintf(", LLR %.2f (%.2f, %.2f)", m.SPRT.LLR(s.Tally), low, high)
}

// report prints what the match has come to.
func report(w io.Writer, m *match.Match, s *match.Summary, took time.Duration) {
	fmt.Fprintf(w, "%s, %s against %s: %d games in %s\n", m.Rules.Key(), m.Contestants[0].Name, m.Contestants[1].Name,
		s.Games(), took.Round(time.Second))
	fmt.Fprintf(w, "%s, LOS %.1f%%%s\n", s.Tally, 100*s.Superior(), ratio(m, s))
	if m.SPRT != nil && s.Verdict != match.Undecided {
		fmt.Fprintf(w, "SPRT (%g, %g): %s\n", m.SPRT.Elo0, m.SPRT.Elo1, s.Verdict)
	}
	for i, c := range m.Contestants {
		moves := float64(max(s.Plies[i], 1))
		fmt.Fprintf(w, "%s: %d moves, %.1f ms CPU and %.0f nodes a move, %d games lost by faults\n", c.Name, s.Plies[i],
			s.CPU[i]/moves, float64(s.Nodes[i])/moves, s.Faults[i])
	}
	var ends []string
	for reason, n := range s.Reasons {
		ends = append(ends, fmt.Sprintf("%s %d", reason, n))
	}
	slices.Sort(ends)
	fmt.Fprintf(w, "ends: %s\n", strings.Join(ends, ", "))
}

// pgnFile writes the games of a match; one without a path writes nothing.
type pgnFile struct {
	file *os.File
	err  error
}

func newPGNFile(path string) (*pgnFile, error) {
	if path == "" {
		return &pgnFile{}, nil
	}
	f, err := os.Create(path)
	return &pgnFile{file: f}, err
}

// writeAll writes the games that the journal has already.
func (f *pgnFile) writeAll(m *match.Match) error {
	for _, rec := range m.Journal.Records() {
		f.write(m, &rec)
	}
	return f.err
}

func (f *pgnFile) write(m *match.Match, rec *match.Record) {
	if f.file == nil || f.err != nil {
		return
	}
	var game *notation.Record
	if game, f.err = m.PGN(rec); f.err == nil {
		f.err = notation.WritePGN(f.file, game, notation.PGNOptions{})
	}
}

func (f *pgnFile) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
