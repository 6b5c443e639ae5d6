package call

import (
	"encoding/json"
	"fmt"

	"hoplite/engine/rules"
	"hoplite/engine/view"
)

// reachQuestion asks for the diagram of one man.
type reachQuestion struct {
	Key        string          `json:"key"`
	Definition json.RawMessage `json:"definition,omitempty"`
	Side       int             `json:"side"`
	Letter     string          `json:"letter"`
	// Cell is where it stands; "" for where the diagram shows it best.
	Cell string `json:"cell,omitempty"`
	// Own and Enemies are the cells of men in the way.
	Own     []string `json:"own,omitempty"`
	Enemies []string `json:"enemies,omitempty"`
}

// Reaches is the diagram of a man.
type Reaches struct {
	Cell  string       `json:"cell"`
	Reach []view.Reach `json:"reach"`
}

func (d *Desk) reach(q reachQuestion) (*Reaches, error) {
	r, err := d.rules(q.Key, q.Definition)
	if err != nil {
		return nil, err
	}
	t := r.TypeOf(q.Letter)
	if q.Side < 0 || q.Side >= r.Sides() || t == 0 || !r.InArmy(rules.Side(q.Side), t) {
		return nil, fmt.Errorf("side %d has no man %q", q.Side, q.Letter)
	}
	s := rules.Side(q.Side)
	at, err := view.DiagramCell(r, s, t)
	if err != nil {
		return nil, err
	}
	if q.Cell != "" {
		if at, err = cellOf(r, q.Cell); err != nil {
			return nil, err
		}
	}
	way := make(map[rules.Cell]view.Other)
	for other, names := range map[view.Other][]string{view.Own: q.Own, view.Enemy: q.Enemies} {
		for _, name := range names {
			c, err := cellOf(r, name)
			if err != nil {
				return nil, err
			}
			if c != at {
				way[c] = other
			}
		}
	}
	list, err := view.Diagram(r, s, t, at, way)
	if list == nil {
		list = []view.Reach{}
	}
	return &Reaches{Cell: r.Board().CellName(at), Reach: list}, err
}

func cellOf(r *rules.Rules, name string) (rules.Cell, error) {
	c, ok := r.Board().ParseCell(name)
	if !ok {
		return c, fmt.Errorf("no cell is called %q", name)
	}
	return c, nil
}
