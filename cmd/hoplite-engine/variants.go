package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"hoplite/engine/notation"
	"hoplite/engine/variant"
)

type variantsCommand struct {
	JSON bool `name:"json" help:"Print a JSON array."`
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

func (c *variantsCommand) Run(set *variant.Set, w out) error {
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
