package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	engine "hoplite/engine/puzzle"
	"hoplite/engine/variantfile"
	"hoplite/server/puzzle"
	"hoplite/store"
)

// puzzleCmd holds the commands for puzzles. Their files have one puzzle a line, as JSON.
type puzzleCmd struct {
	Generate puzzleGenerateCmd `cmd:"" help:"Make puzzles from games that the engine plays against itself."`
	Verify   puzzleVerifyCmd   `cmd:"" help:"Prove puzzles by looking at every defence."`
	Import   puzzleImportCmd   `cmd:"" help:"Add proven puzzles to the database."`
	Export   puzzleExportCmd   `cmd:"" help:"Write the database's puzzles as a file."`
}

type puzzleGenerateCmd struct {
	Variant  string `arg:"" help:"Key of the game."`
	Dir      string `default:"." type:"existingdir" placeholder:"FOLDER" help:"Folder of the file VARIANT.jsonl, which is continued (default: this one)."`
	Want     int    `default:"200" help:"How many puzzles the file shall have in the end (default: 200)."`
	Games    int    `default:"0" help:"Stop after so many games; 0 means when there are enough puzzles."`
	MaxMoves int    `default:"3" help:"The longest mate to look for (default: 3)."`
	Tries    int    `default:"2" help:"How often each level tries a puzzle, for its rating (default: 2)."`
	Quiet    bool   `help:"Print the result only."`
}

// Run mines puzzles. It can be stopped at any time and goes on where it was.
func (c puzzleGenerateCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	games, err := variantfile.Catalogue(g.Variants)
	if err != nil {
		return fmt.Errorf("catalogue of games: %w", err)
	}
	r, ok := games.Get(c.Variant)
	if !ok {
		return fmt.Errorf("unknown variant %q", c.Variant)
	}
	o := engine.Options{Want: c.Want, Games: c.Games, MaxMoves: c.MaxMoves, Tries: c.Tries}
	if !c.Quiet {
		o.Found = func(p engine.Puzzle) error {
			_, err := fmt.Fprintf(s.out, "%s  mate in %d, rating %d, from %s\n", p.ID, p.Goal.MateIn, p.Rating, p.Source)
			return err
		}
	}
	stats, err := engine.GenerateFile(ctx, r, c.Dir, o)
	_, printed := fmt.Fprintf(s.out, "%d new puzzles from %d games, %d positions, %d candidates\n",
		stats.Found, stats.Games, stats.Scanned, stats.Candidates)
	return errors.Join(err, printed)
}

type puzzleVerifyCmd struct {
	Files  []string `arg:"" optional:"" help:"Files to prove, - for the standard input (default: the puzzles that come with the program)."`
	Stored bool     `help:"Prove the database's puzzles instead."`
}

// Run proves each puzzle and prints those that fail.
func (c puzzleVerifyCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	var list []engine.Puzzle
	var err error
	switch {
	case c.Stored && len(c.Files) > 0:
		return errors.New("either files or --stored")
	case c.Stored:
		err = withStore(ctx, g, false, func(db store.Store) error {
			list, err = storedPuzzles(ctx, db, "")
			return err
		})
	case len(c.Files) == 0:
		list, err = engine.Load(engine.Data())
	default:
		list, err = readPuzzles(s, c.Files)
	}
	if err != nil {
		return err
	}
	return prove(ctx, g, s.out, list)
}

// prove prints the puzzles that are not what they say, and how many of each game there are.
func prove(ctx context.Context, g *Globals, out io.Writer, list []engine.Puzzle) error {
	games, err := variantfile.Catalogue(g.Variants)
	if err != nil {
		return fmt.Errorf("catalogue of games: %w", err)
	}
	good := make(map[string]int)
	err = engine.Verify(ctx, games.Get, list, func(p *engine.Puzzle, err error) {
		if err != nil {
			fmt.Fprintln(out, err)
			return
		}
		good[p.Variant]++
	})
	for _, r := range games.List() {
		if n := good[r.Key()]; n > 0 {
			fmt.Fprintf(out, "%s: %d puzzles proven\n", r.Key(), n)
		}
	}
	if err == nil && len(list) == 0 {
		fmt.Fprintln(out, "no puzzles")
	}
	return err
}

func readPuzzles(s *streams, files []string) ([]engine.Puzzle, error) {
	var all []engine.Puzzle
	for _, name := range files {
		list, err := readPuzzleFile(s, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, list...)
	}
	return all, nil
}

func readPuzzleFile(s *streams, name string) ([]engine.Puzzle, error) {
	if name == "-" {
		return engine.Read(s.in)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return engine.Read(f)
}

type puzzleImportCmd struct {
	Files []string `arg:"" help:"Files to read, - for the standard input."`
}

// Run adds all puzzles or, if one is not proven, none. Known ones keep their ratings. A running server shows the new
// ones within five minutes.
func (c puzzleImportCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	list, err := readPuzzles(s, c.Files)
	if err != nil {
		return err
	}
	if err := prove(ctx, g, s.out, list); err != nil {
		return fmt.Errorf("nothing imported: %w", err)
	}
	return withStore(ctx, g, true, func(db store.Store) error {
		if err := puzzle.Save(ctx, db, list, time.Now()); err != nil {
			return err
		}
		_, err := fmt.Fprintf(s.out, "%d puzzles imported\n", len(list))
		return err
	})
}

type puzzleExportCmd struct {
	Variant string `placeholder:"KEY" help:"Of this game only."`
	Output  string `short:"o" placeholder:"FILE" help:"Where to write (default: standard output)."`
}

// Run writes puzzles with the ratings that they have now.
func (c puzzleExportCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	return withStore(ctx, g, false, func(db store.Store) error {
		list, err := storedPuzzles(ctx, db, c.Variant)
		if err != nil {
			return err
		}
		if c.Output == "" {
			return engine.Write(s.out, list)
		}
		f, err := os.Create(c.Output)
		if err != nil {
			return err
		}
		return errors.Join(engine.Write(f, list), f.Close())
	})
}

func storedPuzzles(ctx context.Context, db store.Puzzles, variantKey string) ([]engine.Puzzle, error) {
	var all []engine.Puzzle
	for row, err := range store.Each(math.MaxInt, func(last store.Puzzle, limit int) ([]store.Puzzle, error) {
		return db.Puzzles(ctx, store.PuzzleFilter{Variant: variantKey, AfterID: last.ID, Limit: limit})
	}) {
		if err != nil {
			return nil, err
		}
		p, err := puzzle.FromStore(row)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
