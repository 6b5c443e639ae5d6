package call

import (
	"errors"
	"fmt"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// recordQuestion asks for a game as an archive holds it.
type recordQuestion struct {
	Line
	// Tags are pairs of a name and a value.
	Tags [][2]string `json:"tags,omitempty"`
	// Result is that of a game that the position alone does not end; "" for what the rules say.
	Result string `json:"result,omitempty"`
}

func (d *Desk) writePGN(q recordQuestion) (string, error) {
	var plies []notation.Ply
	g, err := d.game(q.Line, func(_ *rules.Position, m rules.Move) {
		if m.Kind() != rules.Declare { // which is said and not played
			plies = append(plies, notation.Ply{Move: m})
		}
	})
	if err != nil {
		return "", err
	}
	rec := &notation.Record{Start: g.Start(), Rules: g.Start().Rules(), Moves: plies, Result: q.Result}
	if o, over := g.Outcome(); over && rec.Result == "" {
		rec.Result = o.Result()
	}
	for _, tag := range q.Tags {
		rec.Tags = append(rec.Tags, notation.Tag{Name: tag[0], Value: tag[1]})
	}
	var b strings.Builder
	if err := notation.WritePGN(&b, rec, notation.PGNOptions{}); err != nil {
		return "", err
	}
	return b.String(), nil
}

// textQuestion holds a text to read.
type textQuestion struct {
	Text string `json:"text"`
}

// readPGN reads the first game of a text.
func (d *Desk) readPGN(q textQuestion) (*Line, error) {
	for rec, err := range notation.ReadPGN(d.set, strings.NewReader(q.Text)) {
		if err != nil {
			return nil, err
		}
		l := &Line{Key: rec.Rules.Key(), FEN: notation.FEN(rec.Start), Moves: []string{}}
		p := rec.Start.Clone()
		for _, ply := range rec.Moves {
			l.Moves = append(l.Moves, notation.FormatMove(p, ply.Move))
			if err := p.Play(ply.Move); err != nil {
				return nil, fmt.Errorf("%s: %w", ply.SAN, err)
			}
		}
		return l, nil
	}
	return nil, errors.New("there is no game in this text")
}
