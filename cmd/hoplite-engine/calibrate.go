package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"hoplite/engine/foreign"
	"hoplite/engine/match"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
)

// calibrateCommand measures the levels of play in a game and moves their node
// limits until the steps between them are alike.
type calibrateCommand struct {
	Variant string   `arg:"" help:"Key of the game."`
	Dir     string   `required:"" placeholder:"DIR" help:"Folder of the journals; work goes on from what is there."`
	Games   int      `default:"100" help:"Games of each two levels."`
	Apart   int      `default:"2" help:"Greatest distance of two levels that play; those farther apart tell nothing."`
	Rounds  int      `default:"3" help:"Round robins; after each the limits are moved."`
	Nodes   []uint64 `help:"Node limits of the levels below full strength to begin with; by default those of the game."`
	Most    uint64   `default:"200000" help:"Greatest node limit that is proposed."`
	Full    uint64   `default:"0" help:"Nodes with which full strength takes part; 0: it does not."`
	Plies   int      `default:"6" help:"Random moves of an opening."`
	Balance int      `default:"120" help:"Greatest advantage after it, in centipawns."`
	Seed    uint64   `default:"1" help:"Seed of the openings and of the chance of the levels."`
	Boards  int      `default:"1" help:"Games at the same time."`
}

func (c *calibrateCommand) Run(set *variant.Set, o out) error {
	ctx, stop := interruptible()
	defer stop()
	r, err := gameOf(set, c.Variant)
	if err != nil {
		return err
	}
	nodes := c.Nodes
	if len(nodes) == 0 {
		nodes = search.LevelNodes(r)
	}
	if !search.ValidLevelNodes(nodes) {
		return fmt.Errorf("--nodes: %d rising limits expected, not %v", len(search.Levels())-1, nodes)
	}
	if c.Apart < 1 || c.Rounds < 1 || c.Most <= nodes[0] {
		return fmt.Errorf("--apart and --rounds must be positive, and --most above the first limit")
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return err
	}
	var results []match.LevelResult
	for range c.Rounds {
		more, err := c.round(ctx, o, r, nodes)
		if err != nil {
			return err
		}
		results = append(results, more...)
		scale := match.FitScale(results)
		c.table(o, r, nodes, scale)
		fmt.Fprintf(o, "as played: %s\n", line(r, nodes, scale))
		nodes = scale.Propose(nodes, c.Most)
		fmt.Fprintf(o, "proposed: %s\n", line(r, nodes, scale))
	}
	if results, err = c.kept(r); err != nil {
		return err
	}
	scale := match.FitScale(results)
	_, err = fmt.Fprintf(o, "by all %d journals of the folder, a doubling of nodes worth %.0f: %s\n", len(results), scale.Doubling,
		line(r, scale.Propose(nodes, c.Most), scale))
	return err
}

// line is what engine/search/levels.txt holds of a game: limits, and the
// ratings that the scale gives them, from that of the first level on.
func line(r *rules.Rules, nodes []uint64, scale match.Scale) string {
	text := r.Key()
	base := float64(search.Levels()[0].Rating) - scale.Rating(match.Level{Nodes: nodes[0]})
	for i, n := range nodes {
		text += fmt.Sprintf(" %d:%.0f", n, base+scale.Rating(match.Level{Number: i, Nodes: n}))
	}
	return text
}

// players is how many levels play.
func (c *calibrateCommand) players(nodes []uint64) int {
	if c.Full > 0 {
		return len(nodes) + 1
	}
	return len(nodes)
}

// level is a level by its number, counted from 0, with its nodes.
func (c *calibrateCommand) level(nodes []uint64, number int) match.Level {
	if number == len(nodes) {
		return match.Level{Number: number, Nodes: c.Full}
	}
	return match.Level{Number: number, Nodes: nodes[number]}
}

// round lets all levels play those near them.
func (c *calibrateCommand) round(ctx context.Context, w io.Writer, r *rules.Rules, nodes []uint64) ([]match.LevelResult, error) {
	var results []match.LevelResult
	players := c.players(nodes)
	for b := range players {
		for a := b + 1; a < min(b+c.Apart+1, players); a++ {
			res := match.LevelResult{A: c.level(nodes, a), B: c.level(nodes, b)}
			s, err := c.pairing(ctx, r, nodes, res.A, res.B)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(w, "levels %d and %d: %s\n", a+1, b+1, s.Tally)
			res.Games, res.Score = s.Games(), s.Score()*float64(s.Games())
			results = append(results, res)
		}
	}
	return results, nil
}

// pairing plays two levels.
func (c *calibrateCommand) pairing(ctx context.Context, r *rules.Rules, nodes []uint64, a, b match.Level) (*match.Summary, error) {
	const maxPlies = 400
	journal, err := c.journal(r, a, b)
	if err != nil {
		return nil, err
	}
	defer journal.Close()
	m := &match.Match{
		Rules: r, Games: c.Games, Boards: c.Boards, Journal: journal,
		Contestants: [2]match.Contestant{c.player(r, nodes, a), c.player(r, nodes, b)},
		Openings: match.Openings{Rules: r, Plies: c.Plies, Balance: c.Balance,
			Seed: c.Seed<<16 + uint64(b.Number<<8+a.Number)},
		Adjudicate: match.Adjudication{MaxPlies: maxPlies},
	}
	return m.Run(ctx)
}

// journal opens the journal of two levels.
func (c *calibrateCommand) journal(r *rules.Rules, a, b match.Level) (*match.Journal[match.Record], error) {
	return match.OpenJournal[match.Record](filepath.Join(c.Dir, journalName(r, a, b)),
		[]any{r.Key(), levelName(a), levelName(b), c.Plies, c.Balance, c.Seed})
}

// journalName is the name of the journal of two levels, which parseJournalName
// reads.
func journalName(r *rules.Rules, a, b match.Level) string {
	return fmt.Sprintf("%s-%s-%s.jsonl", r.Key(), levelName(a), levelName(b))
}

func parseJournalName(r *rules.Rules, name string) (a, b match.Level, ok bool) {
	rest, _ := strings.CutPrefix(name, r.Key()+"-")
	if _, err := fmt.Sscanf(rest, "level%d-%d-level%d-%d.jsonl", &a.Number, &a.Nodes, &b.Number, &b.Nodes); err != nil {
		return a, b, false
	}
	a.Number--
	b.Number--
	inside := min(a.Number, b.Number) >= 0 && max(a.Number, b.Number) < len(search.Levels())
	return a, b, inside && journalName(r, a, b) == name
}

// kept reads the results of all journals of the game in the folder, whichever
// limits they were played with.
func (c *calibrateCommand) kept(r *rules.Rules) ([]match.LevelResult, error) {
	files, err := os.ReadDir(c.Dir)
	if err != nil {
		return nil, err
	}
	var results []match.LevelResult
	for _, f := range files {
		a, b, ok := parseJournalName(r, f.Name())
		if !ok {
			continue
		}
		journal, err := c.journal(r, a, b)
		if errors.Is(err, match.ErrOtherMatch) {
			continue // played from other openings
		}
		if err != nil {
			return nil, err
		}
		res := match.LevelResult{A: a, B: b}
		for _, rec := range journal.Records() {
			res.Games++
			res.Score += rec.Score
		}
		results = append(results, res)
		if err := journal.Close(); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// levelName is what a journal calls a level.
func levelName(l match.Level) string { return fmt.Sprintf("level%d-%d", l.Number+1, l.Nodes) }

// player makes a level play.
func (c *calibrateCommand) player(r *rules.Rules, nodes []uint64, l match.Level) match.Contestant {
	own := match.Own{Options: search.Options{LevelNodes: nodes}, Seed: c.Seed}
	if l.Number < len(nodes) {
		own.Level = l.Number + 1
	}
	return match.Contestant{
		Name:   levelName(l),
		Limits: match.Limits{Nodes: l.Nodes},
		Open:   func(context.Context) (foreign.Player, error) { return own.Start(r) },
	}
}

// table prints the ratings of a round.
func (c *calibrateCommand) table(w io.Writer, r *rules.Rules, nodes []uint64, scale match.Scale) {
	fmt.Fprintf(w, "%s\nlevel  nodes    rating  step\n", r.Key())
	first, before := scale.Rating(c.level(nodes, 0)), 0.0
	for i := range c.players(nodes) {
		l := c.level(nodes, i)
		rating, step := scale.Rating(l)-first, ""
		if i > 0 {
			step = fmt.Sprintf("%+.0f", rating-before)
		}
		fmt.Fprintf(w, "%5d  %-8d %6.0f  %s\n", i+1, l.Nodes, rating, step)
		before = rating
	}
}
