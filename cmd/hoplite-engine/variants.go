package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/engine/variantfile"
)

type variantsCommand struct {
	List  variantsListCommand  `cmd:"" default:"withargs" help:"List the games; also what happens without a command."`
	Check variantsCheckCommand `cmd:"" help:"Check files with definitions of games: file, line and field of each mistake."`
}

type variantsListCommand struct {
	JSON bool `name:"json" help:"Print a JSON array."`
}

type variantsCheckCommand struct {
	Files []string `arg:"" type:"existingfile" help:"Definitions in YAML, or a variants.ini."`
}

// Run prints a line for each file: what is wrong, or what the game is.
func (c *variantsCheckCommand) Run(set *variant.Set, w out) error {
	bad := false
	shelf := variantfile.NewShelf(variantfile.Parents(set))
	for _, path := range c.Files {
		list, err := shelf.Take(path)
		if err != nil {
			bad = true
			fmt.Fprintln(w, err)
			continue
		}
		for _, d := range list {
			r, err := rules.Compile(d)
			if err != nil {
				return err
			}
			start, err := r.Start(r.UsualStart())
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s: ok: %s (%s), %d cells, %d types of men, %d moves at the start\n", path, d.Name, d.Key, r.Board().N(),
				r.Types(), start.CountMoves())
		}
	}
	if bad {
		return errDifferent{}
	}
	return nil
}

// listed is one game as the command prints it.
type listed struct {
	Key      string  `json:"key"`
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Players  int     `json:"players"`
	UCI      string  `json:"uciVariant"`
	PGN      string  `json:"pgnVariant"`
	StartFEN string  `json:"startFen"`
	Starts   int     `json:"starts"`
	Cells    int     `json:"cells"`
	Pieces   []piece `json:"pieces"`
}

type piece struct {
	Letter string  `json:"letter"`
	Name   string  `json:"name"`
	Betza  string  `json:"betza"`
	Value  float64 `json:"value"`
}

func (c *variantsListCommand) Run(set *variant.Set, w out) error {
	var list []listed
	for _, r := range set.List() {
		d := r.Definition()
		start, err := r.Start(r.UsualStart())
		if err != nil {
			return err
		}
		l := listed{Key: d.Key, Name: d.Name, Category: d.Category, Players: d.Players, UCI: d.UCIName, PGN: d.PGNName,
			StartFEN: notation.FEN(start), Starts: r.Starts(), Cells: r.Board().N()}
		for _, p := range d.Pieces {
			l.Pieces = append(l.Pieces, piece{Letter: p.Letter, Name: p.Name, Betza: p.Betza, Value: p.Value})
		}
		list = append(list, l)
	}
	if c.JSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, l := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", l.Key, l.Name, l.Category, l.StartFEN)
	}
	return t.Flush()
}
