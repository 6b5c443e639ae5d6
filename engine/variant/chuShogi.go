package variant

import (
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// ChuShogi is middle shogi on 12×12 cells, without drops, in which the lion moves twice. The numbers in comments are
// paragraphs of chuShogi.md.
func ChuShogi() *rules.Definition {
	zone := rules.PromotionRule{Rows: []int{last, lastButOne, lastButTwo, lastButThree}, Declined: true, Deferred: true} // 9
	far := zone
	far.Again = []int{last}
	man := func(letter, name, betza string, value float64) rules.PieceDef {
		return rules.PieceDef{Letter: letter, Name: name, Betza: betza, Value: value}
	}
	d := &rules.Definition{
		Key:        "chuShogi",
		Name:       "Chu shogi",
		UCIName:    "chushogi",
		Programs:   rules.ProgramNames{Also: []string{"chu_shogi"}, XBoard: "chu", Drawn: true},
		PGNName:    "Chu shogi",
		PGNAliases: []string{"Middle shogi"},
		Category:   "The chess family",
		Players:    2,
		Text:       sheet("chuShogi"),

		Board: rules.BoardRule{Shape: board.Rect, Files: 12, Ranks: 12},
		Start: rules.StartRule{FEN: "lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/PPPPPPPPPPPP/" +
			"MVRHDNQDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL w - - 0 1"},
		Pieces: []rules.PieceDef{
			king(),
			promotable(man("E", "Drunk elephant", "FsfW", 3), zone),
			{Letter: "+E", Name: "Prince", Betza: "K", Royal: true},
			promotable(man("G", "Gold", gold, 3), zone),
			man("+G", "Promoted gold", "R", 6),
			promotable(man("S", "Silver", "FfW", 2), zone),
			man("+S", "Promoted silver", "vRsW", 4),
			promotable(man("C", "Copper", "fFvW", 2), zone),
			man("+C", "Promoted copper", "sRvW", 4),
			promotable(man("F", "Ferocious leopard", "FvW", 3), zone),
			man("+F", "Promoted leopard", "B", 4),
			promotable(man("T", "Blind tiger", "FsbW", 3), zone),
			man("+T", "Flying stag", "vRFsW", 6),
			promotable(man("I", "Go-between", "vW", 1), zone),
			man("+I", "Promoted go-between", "FsfW", 3),
			promotable(rules.PieceDef{Letter: "P", Name: "Pawn", Betza: "fW", Value: 1, Pawn: true}, far),
			man("+P", "Promoted pawn", gold, 3),
			promotable(man("L", "Lance", "fR", 3), far),
			man("+L", "White horse", "vRfB", 6),
			promotable(man("A", "Reverse chariot", "vR", 4), zone),
			man("+A", "Whale", "vRbB", 5),
			promotable(man("M", "Side mover", "sRvW", 4), zone),
			man("+M", "Free boar", "sRB", 8),
			promotable(man("V", "Vertical mover", "vRsW", 4), zone),
			man("+V", "Flying ox", "vRB", 8),
			promotable(man("B", "Bishop", "B", 4), zone),
			man("+B", "Promoted bishop", "BW", 7),
			promotable(man("R", "Rook", "R", 6), zone),
			man("+R", "Promoted rook", "RF", 8),
			promotable(man("H", "Dragon horse", "BW", 7), zone),
			man("+H", "Horned falcon", "BsbRfWfD", 9), // 5
			promotable(man("D", "Dragon king", "RF", 8), zone),
			man("+D", "Soaring eagle", "RbBfFfA", 10), // 5
			promotable(man("O", "Kirin", "FD", 3), zone),
			man("+O", "Promoted kirin", "KADN", 18),
			promotable(man("X", "Phoenix", "WA", 3), zone),
			man("+X", "Promoted phoenix", "Q", 12),
			man("Q", "Queen", "Q", 12),
			man("N", "Lion", "KADN", 18), // 3
		},

		Royal: rules.RoyalCapture, // 2
		Legs: &rules.LegsRule{
			Powers: []rules.LegPower{
				{Types: "N+O", Step: "K", Turns: true}, // 4
				{Types: "+H", Step: "fW"},
				{Types: "+D", Step: "fF"},
			},
			Lions: "N+O", Weak: "PI", // 6, 7, 8
		},

		Ends: []rules.EndRule{{Kind: rules.EndRoyal}, {Kind: rules.EndLone, Lone: rules.LoneRule{Dead: "PL", Light: "PI"}},
			stalemateLoses(), material(rules.MaterialRule{Untouched: true})},
		Repeat:   rules.RepeatRule{Draw: 4, Perpetual: rules.PerpetualAttack},
		FlagFall: rules.FlagRule{Loses: true},
		Notation: rules.NotationRule{Shogi: true},
		Look:     rules.Look{Native: rules.NativeShogi, Plain: true},
	}
	var army string
	for i := range d.Pieces {
		p := &d.Pieces[i]
		army += p.Letter
		p.Kanji = chuKanji(p.Letter)
	}
	d.Sides = senteGote(army)
	for i := range d.Sides {
		d.Sides[i].Royals = 2
	}
	return d
}

// chuKanji returns the name of a man in records: promoted men without a name of their own are called by what they were.
func chuKanji(token string) string {
	names := map[string]string{"K": "玉 王", "E": "象", "+E": "太", "G": "金", "S": "銀", "C": "銅", "F": "豹", "T": "虎", "I": "仲", "P": "歩", "L": "香", "A": "反", "M": "横", "V": "竪", "B": "角", "R": "飛", "H": "馬", "+H": "鷹", "D": "龍 竜", "+D": "鷲", "O": "麒", "X": "鳳", "Q": "奔", "N": "獅"}
	if name, own := names[token]; own {
		return name
	}
	base, _, _ := strings.Cut(names[token[1:]], " ")
	return "成" + base
}
