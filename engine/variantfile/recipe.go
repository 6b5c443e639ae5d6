package variantfile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// recipe is a game as variants.ini describes it: settings that only together make a definition. All games start from the
// orthodox settings without men.
type recipe struct {
	files, ranks int
	fen          string
	pieces       []piece
	values       map[string]float64 // by letter, in pawns
	pawns        string             // letters in capitals, as everywhere here

	// Ranks of regions, nil where the file gives none.
	promotionWhite, promotionBlack []int
	doubleWhite, doubleBlack       []int
	promotesTo                     string
	promotionLimit                 map[string]int
	promoted                       map[string]string // of types that are no pawns
	mustPawn, mustPiece            bool

	doubleStep bool
	enPassant  bool
	// What else counts as a pawn; nil stands for the same types.
	passers, resetters *string

	castling                           bool
	kingFile, kingSide, queenSide      int
	rookKingSide, rookQueenSide        int
	noCheck, mustCapture               bool
	drops, toHand, firstRankDrops      bool
	zoneDrops, dropLoop                bool
	noDoubled                          string
	noDoubledCount                     int
	immobilityIllegal, dropMateIllegal bool
	gating, seirawan                   bool
	moveRule, foldRule                 int
	stalemate, extinction              string
	extinct, flagPiece                 string
	flagMove                           bool
	flagWhite, flagBlack               string // regions as they are written
	checkCounting, blast               bool
	pseudoRoyal, duck                  bool
	facing, perpetual                  bool
	mobility                           map[string][2]string // regions as they are written, by man and side
}

// piece is a type of men: its name in variants.ini, its letter and its movement.
type piece struct {
	name, letter, betza string
}

func newRecipe() *recipe {
	return &recipe{files: 8, ranks: 8, fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", pawns: "P",
		promotesTo: "NBRQ", values: map[string]float64{}, mobility: map[string][2]string{}, promotionLimit: map[string]int{}, promoted: map[string]string{}, mustPawn: true,
		doubleStep: true, enPassant: true, castling: true, kingFile: -1, kingSide: -1, queenSide: -1, rookKingSide: -1,
		rookQueenSide: -1, moveRule: 50, foldRule: 3, stalemate: "draw", noDoubledCount: 1}
}

func (b *recipe) clone() *recipe {
	c := *b
	c.pieces = slices.Clone(b.pieces)
	c.mobility, c.values = maps.Clone(b.mobility), maps.Clone(b.values)
	c.promotionLimit, c.promoted = maps.Clone(b.promotionLimit), maps.Clone(b.promoted)
	return &c
}

// setPiece gives a type its letter, or takes it away with -.
func (b *recipe) setPiece(name, value string) error {
	b.pieces = slices.DeleteFunc(b.pieces, func(p piece) bool { return p.name == name })
	if value == "-" {
		return nil
	}
	letter, own, hasOwn := strings.Cut(value, ":")
	letter = strings.ToUpper(strings.TrimSpace(letter))
	if len(letter) != 1 || letter[0] < 'A' || letter[0] > 'Z' {
		return fmt.Errorf("%q is no letter of a man", value)
	}
	betza, _ := pieceBetza(name)
	if hasOwn {
		betza = strings.TrimSpace(own)
	}
	if betza == "" {
		return fmt.Errorf("%s needs a letter and a movement, such as a:QN", name)
	}
	b.pieces = slices.DeleteFunc(b.pieces, func(p piece) bool { return p.letter == letter })
	b.pieces = append(b.pieces, piece{name: name, letter: letter, betza: betza})
	return nil
}

// setMobility keeps a man of one side within a region.
func (b *recipe) setMobility(man string, side int, region string) {
	both := b.mobility[man]
	both[side] = region
	b.mobility[man] = both
}

// setValues reads values of types in the units of the other program, in which a pawn has 126.
func (b *recipe) setValues(value string) error {
	const pawn = 126
	return b.mapping(value, func(letter, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is no value", text)
		}
		b.values[letter] = float64(n) / pawn
		return nil
	})
}

// mapping reads a text like "q:1 r:2". The letters are handed over in capitals.
func (b *recipe) mapping(value string, do func(letter, value string) error) error {
	for _, part := range strings.Fields(value) {
		letter, v, ok := strings.Cut(part, ":")
		if !ok || len(letter) != 1 {
			return fmt.Errorf("%q is no letter with a value", part)
		}
		if err := do(strings.ToUpper(letter), v); err != nil {
			return err
		}
	}
	return nil
}

func (b *recipe) pieceSet(value string, to *string) error {
	letters := strings.ToUpper(strings.ReplaceAll(value, " ", ""))
	if letters == "-" {
		letters = ""
	}
	for _, l := range letters {
		if l < 'A' || l > 'Z' {
			return fmt.Errorf("%q is no row of letters of men", value)
		}
	}
	*to = letters
	return nil
}

// otherSet reads a row of letters that is usually that of the pawns.
func (b *recipe) otherSet(value string, to **string) error {
	*to = new(string)
	return b.pieceSet(value, *to)
}

func (b *recipe) file(value string, to *int) error {
	if len(value) == 1 && value[0] >= 'a' && value[0] <= 'z' {
		*to = int(value[0] - 'a')
		return nil
	}
	if err := number(value, 1, 26, to); err != nil {
		return err
	}
	*to--
	return nil
}

// has reports whether the game has a man with the letter.
func (b *recipe) has(letter string) bool {
	return slices.ContainsFunc(b.pieces, func(p piece) bool { return p.letter == letter })
}

// royal returns the letter of the king, or "".
func (b *recipe) royal() string {
	for _, p := range b.pieces {
		if p.name == "king" {
			return p.letter
		}
	}
	return ""
}

func (b *recipe) spec() board.Spec {
	return rules.BoardRule{Shape: board.Rect, Files: b.files, Ranks: b.ranks}
}
