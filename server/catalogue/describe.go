package catalogue

import (
	"cmp"
	"fmt"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/openapi"
)

// describe turns rules into what the API says about the game; puzzles is filled in later.
func describe(r *rules.Rules) (openapi.VariantDetail, error) {
	d := r.Definition()
	start, err := r.Start(d.Start.Usual)
	if err != nil {
		return openapi.VariantDetail{}, fmt.Errorf("variant %s: start: %w", d.Key, err)
	}
	v := openapi.VariantDetail{
		Key: d.Key, Name: d.Name, Short: d.Name, Category: d.Category, Players: d.Players,
		UciName: d.UCIName, PgnName: d.PGNName, PgnAliases: d.PGNAliases,
		Board: shape(r.Board()), StartFen: notation.FEN(start), Starts: r.Starts(),
		Sides: sides(d), Pieces: pieces(d), Cells: cells(r.Board()), Rules: card(d),
		Text: openapi.VariantText{
			Summary: d.Text.Summary, Rules: d.Text.Rules, History: d.Text.History, OtherReadings: d.Text.OtherReadings,
		},
	}
	if d.Lichess != nil {
		v.LichessID = d.Lichess.ID
		v.Short = cmp.Or(d.Lichess.Short, d.Name)
	}
	return v, nil
}

func summary(v openapi.VariantDetail) openapi.VariantSummary {
	return openapi.VariantSummary{
		Key: v.Key, Name: v.Name, Category: v.Category, Players: v.Players, Board: v.Board,
		StartFen: v.StartFen, Puzzles: v.Puzzles, CourseTasks: v.CourseTasks,
	}
}

func shape(b *board.Board) openapi.BoardShape {
	return openapi.BoardShape{Shape: string(b.Shape()), Files: b.Files(), Ranks: b.Ranks(), Cells: b.N()}
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

func pieces(d *rules.Definition) []openapi.VariantPiece {
	list := make([]openapi.VariantPiece, 0, len(d.Pieces))
	for _, p := range d.Pieces {
		v := openapi.VariantPiece{
			Letter: p.Letter, Name: p.Name, Betza: p.Betza, Value: float32(p.Value), Royal: p.Royal,
		}
		for i, s := range d.Sides {
			if strings.Contains(s.Army, p.Letter) {
				v.Sides = append(v.Sides, color(d, i))
			}
		}
		if p.Promotion != nil {
			v.PromotesTo = letters(p.Promotion.To)
		}
		list = append(list, v)
	}
	return list
}

func letters(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "")
}

func cells(b *board.Board) []openapi.VariantCell {
	list := make([]openapi.VariantCell, 0, b.N())
	for i := range b.N() {
		c := board.Cell(i)
		x, y := b.Center(c)
		v := openapi.VariantCell{Name: b.CellName(c), X: float32(x), Y: float32(y), Shade: b.Shade(c)}
		for _, p := range b.Outline(c) {
			v.Outline = append(v.Outline, []float32{float32(p[0]), float32(p[1])})
		}
		list = append(list, v)
	}
	return list
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
		v.Hand = letters(d.Gate.Hand)
	}
	for _, e := range d.Ends {
		v.Ends = append(v.Ends, openapi.VariantEnd{
			Kind: string(e.Kind), Lost: e.Lost || e.Kind == rules.EndMate, Plies: e.Plies,
		})
	}
	return v
}
