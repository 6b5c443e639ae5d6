package catalogue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/view"
	"hoplite/openapi"
)

// describe turns rules into what the API says about the game; puzzles is filled in later.
func describe(r *rules.Rules) (openapi.VariantDetail, error) {
	d := r.Definition()
	start, err := r.Start(d.Start.Usual)
	if err != nil {
		return openapi.VariantDetail{}, fmt.Errorf("variant %s: start: %w", d.Key, err)
	}
	men, err := pieces(r)
	if err != nil {
		return openapi.VariantDetail{}, fmt.Errorf("variant %s: %w", d.Key, err)
	}
	v := openapi.VariantDetail{
		Key: d.Key, Name: d.Name, Short: d.Name, Category: d.Category, Players: d.Players,
		UciName: d.UCIName, PgnName: d.PGNName, PgnAliases: d.PGNAliases,
		Board: shape(r), StartFen: notation.FEN(start), Starts: r.Starts(), StartScene: scene(start),
		Sides: sides(d), Pieces: men, Cells: cells(r), Rules: card(d),
		Text: openapi.VariantText{
			Summary: d.Text.Summary, Rules: d.Text.Rules, History: d.Text.History, OtherReadings: d.Text.OtherReadings,
		},
	}
	if v.Arrangements, err = arrangements(r); err != nil {
		return openapi.VariantDetail{}, fmt.Errorf("variant %s: %w", d.Key, err)
	}
	if d.Lichess != nil {
		v.LichessID = d.Lichess.ID
		v.Short = cmp.Or(d.Lichess.Short, d.Name)
	}
	if d.Look.Native != "" {
		v.Look = openapi.VariantLook{Native: openapi.VariantLookNative(d.Look.Native)}
	}
	return v, nil
}

// definition returns the game as the rules core reads it.
func definition(r *rules.Rules) (map[string]any, error) {
	text, err := json.Marshal(r.Definition())
	if err != nil {
		return nil, fmt.Errorf("variant %s: %w", r.Key(), err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("variant %s: %w", r.Key(), err)
	}
	return fields, nil
}

// arrangements lists the start positions that the players may choose by name.
func arrangements(r *rules.Rules) ([]openapi.VariantArrangement, error) {
	var list []openapi.VariantArrangement
	for n := range r.Starts() {
		name := r.StartName(n)
		if name == "" {
			return nil, nil
		}
		p, err := r.Start(n)
		if err != nil {
			return nil, fmt.Errorf("start %d: %w", n, err)
		}
		list = append(list, openapi.VariantArrangement{Name: name, Fen: notation.FEN(p)})
	}
	return list, nil
}

func summary(v openapi.VariantDetail) openapi.VariantSummary {
	s := openapi.VariantSummary{
		Key: v.Key, Name: v.Name, Category: v.Category, Players: v.Players, Board: v.Board,
		StartFen: v.StartFen, Puzzles: v.Puzzles, CourseTasks: v.CourseTasks, Arrangements: v.Arrangements,
	}
	s.Board.Lines = nil // to be drawn only with the cells
	return s
}

func sides(d *rules.Definition) []openapi.VariantSide {
	list := make([]openapi.VariantSide, 0, len(d.Sides))
	for i, s := range d.Sides {
		list = append(list, openapi.VariantSide{Name: s.Name, Color: color(d, i)})
	}
	return list
}

// color is the word for a side elsewhere in the API: white and black for the first and the second,
// whatever they are called on the board.
func color(d *rules.Definition, side int) string {
	switch side {
	case 0:
		return "white"
	case 1:
		return "black"
	}
	return strings.ToLower(d.Sides[side].Name)
}

func pieces(r *rules.Rules) ([]openapi.VariantPiece, error) {
	d := r.Definition()
	list := make([]openapi.VariantPiece, 0, len(d.Pieces))
	for _, p := range d.Pieces {
		if d.Union != nil && d.Union.Types[p.Letter] != "" {
			continue // two men on one cell, each of which is described by itself
		}
		v := openapi.VariantPiece{
			Letter: p.Letter, Name: p.Name, Betza: p.Betza, Value: float32(p.Value), Royal: p.Royal,
		}
		for i := range d.Sides {
			if r.InArmy(rules.Side(i), r.TypeOf(p.Letter)) {
				v.Sides = append(v.Sides, color(d, i))
				shown, err := diagram(r, rules.Side(i), r.TypeOf(p.Letter))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", p.Name, err)
				}
				v.Diagrams = append(v.Diagrams, shown)
			}
		}
		if p.Promotion != nil {
			v.PromotesTo = rules.Tokens(p.Promotion.To)
		}
		list = append(list, v)
	}
	return list, nil
}

// scene is a position without its moves.
func scene(p *rules.Position) openapi.VariantScene {
	still := view.Still(p)
	s := openapi.VariantScene{Fen: still.FEN, Turn: still.Turn, Men: make(map[string]string, len(still.Men)), Hands: still.Hands,
		Prisons: still.Prisons}
	for _, f := range still.Facts {
		s.Facts = append(s.Facts, openapi.VariantFact{Kind: string(f.Kind), Seat: f.Seat, Text: f.Text})
	}
	for cell, man := range still.Men {
		s.Men[cell] = string(man)
	}
	return s
}

// diagram shows how a man moves from where that is seen best.
func diagram(r *rules.Rules, s rules.Side, t rules.PieceType) (openapi.VariantDiagram, error) {
	at, err := view.DiagramCell(r, s, t)
	if err != nil {
		return openapi.VariantDiagram{}, err
	}
	list, err := view.Diagram(r, s, t, at, nil)
	if err != nil {
		return openapi.VariantDiagram{}, err
	}
	shown := openapi.VariantDiagram{
		Side: color(r.Definition(), int(s)), Cell: r.Board().CellName(at),
		Reach: make([]openapi.VariantReach, 0, len(list)),
	}
	for _, w := range list {
		shown.Reach = append(shown.Reach, openapi.VariantReach{
			Cell: w.Cell, How: openapi.VariantReachHow(w.How),
			Quiet: w.Quiet, Take: w.Take, Passing: w.Passing, Initial: w.Initial,
		})
	}
	return shown, nil
}

// card is the game's rules in short.
func card(d *rules.Definition) openapi.VariantRules {
	v := openapi.VariantRules{
		Royal: string(d.Royal), EnPassant: string(d.EnPassant),
		RepetitionClaim: d.Repeat.Claim, RepetitionDraw: d.Repeat.Draw,
		Ends: make([]openapi.VariantEnd, 0, len(d.Ends)),
	}
	if d.Castling != nil {
		v.CastlingAnywhere = d.Castling.Files
		for _, w := range d.Castling.Wings {
			v.Castling = append(v.Castling, openapi.VariantCastling{
				Side: color(d, int(w.Side)), Name: w.SAN,
				KingFrom: w.KingFrom, KingTo: w.KingTo, RookFrom: w.RookFrom, RookTo: w.RookTo,
			})
		}
	}
	if d.Gate != nil {
		v.Hand = rules.Tokens(d.Gate.Hand)
	}
	for _, e := range d.Ends {
		v.Ends = append(v.Ends, openapi.VariantEnd{
			Kind: string(e.Kind), Lost: e.Lost || e.Kind == rules.EndMate, Plies: e.Plies,
		})
	}
	return v
}
