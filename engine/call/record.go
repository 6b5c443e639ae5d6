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

// textQuestion holds the record of a game to read. Key is the game that it is of, where the form of the record does not
// say it.
type textQuestion struct {
	Text string `json:"text"`
	Key  string `json:"key,omitempty"`
}

// readRecord reads the first game of a text: PGN or, for a game that is recorded so, KIF.
func (d *Desk) readRecord(q textQuestion) (*Line, error) {
	rec, err := d.record(q)
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

func (d *Desk) record(q textQuestion) (*notation.Record, error) {
	failed := errors.New("there is no game in this text")
	for rec, err := range notation.ReadPGN(d.set, strings.NewReader(q.Text)) {
		if err == nil {
			return rec, nil
		}
		failed = err
		break
	}
	if r, ok := d.set.Get(q.Key); ok {
		if rec, err := notation.ReadKIF(r, strings.NewReader(q.Text)); err == nil {
			return rec, nil
		}
	}
	return nil, failed
}
