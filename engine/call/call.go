// Package call answers questions to the rules core and the search in JSON, for callers that are not Go: the page runs it
// as WebAssembly. Every question names its game and its moves, so nothing is lost when a caller has to begin anew.
package call

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
	"hoplite/engine/variant"
	"hoplite/engine/view"
)

// Desk answers questions. It may be used by several goroutines.
type Desk struct {
	set *variant.Set
	// Yield is handed to every search, see search.Limits.
	Yield func()

	searches chan struct{} // one at a time
	engine   *search.Engine

	// own is the game last compiled from a definition.
	own struct {
		sync.Mutex
		definition []byte
		rules      *rules.Rules
	}
}

// New returns a desk for all games.
func New() (*Desk, error) {
	set, err := variant.Catalogue()
	if err != nil {
		return nil, err
	}
	return &Desk{set: set, searches: make(chan struct{}, 1)}, nil
}

// Line names a position: a game, where it began and what has been played.
type Line struct {
	Key string `json:"key"`
	// Definition is the game itself, if it is none of the catalogue.
	Definition json.RawMessage `json:"definition,omitempty"`
	// FEN is the position it began with; without it, it is the game's start with the number Start, or the usual one.
	FEN   string `json:"fen,omitempty"`
	Start *int   `json:"start,omitempty"`
	// Moves may be in any form that notation.ParseMove reads; declarations stand among them by their names.
	Moves []string `json:"moves,omitempty"`
}

// State is a position with the way that led to it.
type State struct {
	Key string `json:"key"`
	// Start is the position that the line began with.
	Start string     `json:"start"`
	Plies []Ply      `json:"plies"`
	Scene view.Scene `json:"scene"`
	// SAN holds the legal moves as people write them, by the text that is sent.
	SAN map[string]string `json:"san"`
	// Outcome is missing while the game goes on.
	Outcome *Outcome `json:"outcome,omitempty"`
	// CanClaim says that the side to move may claim a draw by repetition.
	CanClaim bool `json:"canClaim,omitempty"`
}

// Ply is a move of a line. Turn is whose move it was, Number that of the turn in the game, and Cells the way that it was
// pointed out on the board.
type Ply struct {
	Move   string   `json:"move"`
	SAN    string   `json:"san"`
	FEN    string   `json:"fen"` // after it
	Turn   int      `json:"turn"`
	Number int      `json:"number"`
	Cells  []string `json:"cells"`
	// Take and Check say what can be heard of it.
	Take  bool `json:"take,omitempty"`
	Check bool `json:"check,omitempty"`
}

// Outcome is how a game ended.
type Outcome struct {
	Winner int          `json:"winner"` // the seat, -1 for a draw
	Reason rules.Reason `json:"reason"`
	Result string       `json:"result"` // as game records write it
	Text   string       `json:"text"`   // as a sentence
}

// Do answers the question of the given name. progress, if not nil, hears of what is found on the way.
func (d *Desk) Do(ctx context.Context, name string, question []byte, progress func(any)) (any, error) {
	switch name {
	case "state":
		return answer(question, d.state)
	case "move":
		return answer(question, d.move)
	case "writePGN":
		return answer(question, d.writePGN)
	case "readRecord":
		return answer(question, d.readRecord)
	case "reach":
		return answer(question, d.reach)
	case "levels":
		return levels(), nil
	case "search":
		return answer(question, func(q searchQuestion) (any, error) { return d.search(ctx, q, progress) })
	}
	return nil, fmt.Errorf("no question is called %q", name)
}

func answer[Q, A any](question []byte, f func(Q) (A, error)) (any, error) {
	var q Q
	if err := json.Unmarshal(question, &q); err != nil {
		return nil, fmt.Errorf("malformed question: %w", err)
	}
	return f(q)
}

// rules finds a game of the catalogue, or compiles the definition given.
func (d *Desk) rules(key string, definition json.RawMessage) (*rules.Rules, error) {
	r, ok := d.set.Get(key)
	if ok {
		return r, nil
	}
	if len(definition) == 0 {
		return nil, fmt.Errorf("no game is called %q", key)
	}
	d.own.Lock()
	defer d.own.Unlock()
	if d.own.rules != nil && d.own.rules.Key() == key && bytes.Equal(d.own.definition, definition) {
		return d.own.rules, nil
	}
	var def rules.Definition
	if err := json.Unmarshal(definition, &def); err != nil {
		return nil, fmt.Errorf("malformed definition: %w", err)
	}
	if def.Key != key {
		return nil, fmt.Errorf("the definition is of %q, not of %q", def.Key, key)
	}
	r, err := rules.Compile(&def)
	if err != nil {
		return nil, err
	}
	d.own.rules, d.own.definition = r, bytes.Clone(definition)
	return r, nil
}

// game plays a line, and tells of each move before it is made.
func (d *Desk) game(l Line, each func(*rules.Position, rules.Move)) (*rules.Game, error) {
	r, err := d.rules(l.Key, l.Definition)
	if err != nil {
		return nil, err
	}
	var start *rules.Position
	switch {
	case l.FEN != "":
		start, err = notation.ParseFEN(r, l.FEN)
	case l.Start != nil:
		start, err = r.Start(*l.Start)
	default:
		start, err = r.Start(r.UsualStart())
	}
	if err != nil {
		return nil, err
	}
	g := rules.NewGame(start)
	for i, text := range l.Moves {
		m, err := parse(g.Position(), text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		if each != nil {
			each(g.Position(), m)
		}
		if m.Kind() == rules.Declare {
			err = g.Declare(m.Claim())
		} else {
			err = g.Play(m)
		}
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return g, nil
}

// parse reads a move or a declaration.
func parse(p *rules.Position, text string) (rules.Move, error) {
	if claim := rules.Claim(text); slices.Contains(p.Claims(), claim) {
		return p.Declaration(claim)
	}
	return notation.ParseMove(p, text)
}

func (d *Desk) state(l Line) (*State, error) {
	s := &State{Key: l.Key, Plies: []Ply{}, SAN: map[string]string{}}
	g, err := d.game(l, func(p *rules.Position, m rules.Move) { s.Plies = append(s.Plies, plyOf(p, m)) })
	if err != nil {
		return nil, err
	}
	s.Start = notation.FEN(g.Start())
	p := g.Position()
	if o, over := g.Outcome(); over {
		s.Scene = view.Still(p)
		s.Outcome = &Outcome{Winner: o.Winner, Reason: o.Reason, Result: o.Result(), Text: view.Verdict(p.Rules(), o)}
		return s, nil
	}
	s.Scene = view.Of(p)
	s.CanClaim = g.CanClaimDraw()
	for _, m := range p.Moves(nil) {
		s.SAN[notation.FormatMove(p, m)] = notation.SAN(p, m)
	}
	return s, nil
}

func plyOf(p *rules.Position, m rules.Move) Ply {
	name := p.Rules().Board().CellName
	if m.Kind() == rules.Declare {
		said := string(m.Claim())
		return Ply{Move: said, SAN: said, Turn: int(p.Turn()), Number: p.FullMoves(), Cells: []string{}, FEN: after(p, m)}
	}
	ply := Ply{
		Move: notation.FormatMove(p, m), SAN: notation.SAN(p, m), Turn: int(p.Turn()), Number: p.FullMoves(),
		Cells: []string{}, Take: p.IsCapture(m), Check: p.GivesCheck(m),
	}
	for _, step := range p.Path(m) {
		if step.From == "" {
			ply.Cells = append(ply.Cells, name(step.Cell))
		}
	}
	ply.FEN = after(p, m)
	return ply
}

// after returns the position that a move leads to.
func after(p *rules.Position, m rules.Move) string {
	next := p.Clone()
	var u rules.Undo
	next.Make(m, &u)
	return notation.FEN(next)
}

// moveQuestion asks which move a person meant.
type moveQuestion struct {
	Line
	Text string `json:"text"`
}

// Named is a legal move in both forms.
type Named struct {
	Move string `json:"move"`
	SAN  string `json:"san"`
}

func (d *Desk) move(q moveQuestion) (*Named, error) {
	g, err := d.game(q.Line, nil)
	if err != nil {
		return nil, err
	}
	p := g.Position()
	text := strings.TrimSpace(q.Text)
	m, err := notation.ParseSAN(p, text)
	if err != nil {
		var other error
		if m, other = notation.ParseMove(p, strings.ToLower(text)); other != nil {
			if looksLikeCells(p.Rules(), text) {
				err = other
			}
			return nil, err
		}
	}
	return &Named{Move: notation.FormatMove(p, m), SAN: notation.SAN(p, m)}, nil
}

// looksLikeCells says whether a text names two cells, so that the reason why that is no move says more.
func looksLikeCells(r *rules.Rules, text string) bool {
	for i := range text {
		_, first := r.Board().ParseCell(strings.ToLower(text[:i]))
		_, second := r.Board().ParseCell(strings.ToLower(text[i:]))
		if first && second {
			return true
		}
	}
	return false
}
