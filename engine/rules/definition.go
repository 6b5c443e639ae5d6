package rules

import "hoplite/engine/board"

// Definition is a game as data. Compile turns it into Rules. The named mechanisms in it (royalty, promotion, castling
// and so on) are all that the core knows about a game; it never asks for the key.
type Definition struct {
	// Key is the stable name of the game, in lowerCamelCase; it is stored and appears in URLs.
	Key string
	// Name is the title of the game as people read it.
	Name string
	// UCIName is the value of the UCI_Variant option.
	UCIName string
	// UCIShuffled is its value for programs that know the game by the option UCI_Chess960; empty is UCIName.
	UCIShuffled string
	// Programs are the names that other programs have for the game.
	Programs ProgramNames
	// PGNName is written into the Variant tag; PGNAliases are read as well.
	PGNName    string
	PGNAliases []string
	// Category is the heading of the catalogue that lists the game.
	Category string
	// Players is the number of people that a game needs.
	Players int
	// Lichess holds the identity of the game in Lichess's interface, or nil if it has none there.
	Lichess *LichessInfo
	Text    Text

	Board BoardRule
	// Regions are the parts of the board that matter to movement.
	Regions []Region
	// Sides are the armies in turn order.
	Sides  []SideDef
	Start  StartRule
	Pieces []PieceDef

	Royal     RoyalRule
	Castling  *CastlingRule
	EnPassant EnPassantRule
	Gate      *GateRule
	Hand      *HandRule
	Prison    *PrisonRule
	// Layers says what the two layers of a board mean; empty on boards of one.
	Layers LayerRule
	// Union lets men unite instead of capturing.
	Union *UnionRule
	// Passive lets men take others elsewhere than where they go, or keep them from moving.
	Passive *PassiveRule
	Legs    *LegsRule
	// Series makes turns of several moves; nil stands for turns of one.
	Series *SeriesRule
	// Citadels are extra cells with an owner.
	Citadels []Citadel
	// Swap lets a royal man change places once.
	Swap *SwapRule
	// Lives is a pawn that lives three times.
	Lives *LivesRule
	// Facing lists the types of men that leave the board when a move brings two of one side face to face.
	Facing string

	Explosion *ExplosionRule
	Blocker   *BlockerRule
	// Filters are bans on moves.
	Filters []Filter

	// Ends are the tests for the end of the game, in order; the first hit decides. Repetition stands apart because it
	// needs the history.
	Ends   []EndRule
	Repeat RepeatRule
	// SelfPromotion promotes men by moves of their own; nil: none.
	SelfPromotion *SelfPromotionRule
	// Debt crowns pawns, which pay steps before they promote; nil: they promote by their own rules.
	Debt *DebtRule
	// Privilege gives men leaps until their first move; nil: none.
	Privilege *PrivilegeRule
	// NoMateBy lists men that may not mate alone.
	NoMateBy string
	// CheckSeries lets a mate count only if there was a check of some weight in the series that leads to it; nil: any counts.
	CheckSeries *CheckSeriesRule
	// Count draws by counting moves; nil: nothing is counted.
	Count *CountRule
	// Impasse lets a king that has got through win by a claim.
	Impasse *ImpasseRule
	// Points are what the men count where an end of the game is decided by points, or nil.
	Points *PointsRule
	// FlagFall says which material cannot win for the player with time left; against it, running out of time draws.
	FlagFall FlagRule

	// Seats are the rules for more than two armies, nil in games of two.
	Seats *SeatsRule
	// View says what players see of the position.
	View ViewRule

	Notation NotationRule
	// Look is for whoever draws the game; no rule depends on it.
	Look Look
}

// Look says how a game can be drawn besides cells and the international symbols.
type Look struct {
	// Native names the drawings that the men have where the game comes from.
	Native NativeSet
	// Plain draws all cells in one colour, with lines between them.
	Plain bool
	// Points draws lines through the middles of the cells, so that men stand on their crossings.
	Points bool
	// River is the number of the rank, counted from 1, between which and the next the lines of the files are left out,
	// but for those at the edges. It needs Points.
	River int
	// Zones are regions to be shaded, with the names of their cells separated by blanks.
	Zones []LookZone
}

// LookZone is a region of the board with a meaning in the rules.
type LookZone struct{ Name, Cells string }

// NativeSet names a way to draw men.
type NativeSet string

const (
	// NativeXiangqi are discs with Chinese characters, one for each side.
	NativeXiangqi NativeSet = "xiangqi"
	// NativeJanggi are octagons with Chinese characters.
	NativeJanggi NativeSet = "janggi"
	// NativeShogi are wedges that point to the enemy, with Japanese characters.
	NativeShogi NativeSet = "shogi"
)

// ProgramNames are what chess programs call a game besides its UCI name.
type ProgramNames struct {
	// Also are names under which programs ask for the game.
	Also []string
	// XBoard is its name in the protocol of XBoard; empty is the UCI name.
	XBoard string
	// Drawn says that XBoard knows the game under that name: board, men and array. Other games are described to it.
	Drawn bool
}

// LichessInfo is how Lichess's interface names a game.
type LichessInfo struct {
	ID    int
	Short string
	// BySpeed says that games of this kind are rated by their speed, and not under their key.
	BySpeed bool
	// FromPosition is how the game is called when it starts anywhere else, nil if that changes nothing.
	FromPosition *PositionAlias
}

// PositionAlias is the name of a game that starts from a position of somebody's own, and the game by whose rules it is
// played then.
type PositionAlias struct {
	Key, Name, Short string
	// Rules is the key of that game.
	Rules string
}

// Text is what people read about a game, in our own words, as Markdown.
type Text struct {
	Summary, Rules, History, OtherReadings string
}

// BoardRule is the mechanism graph.
type BoardRule = board.Spec

// SideDef is one army.
type SideDef struct {
	// Name is the name of the side ("White", "Spartans").
	Name string
	// Letter stands for the side in FEN.
	Letter string
	// Also is another letter that position texts may have for the side; it is never written.
	Also string
	// Heading is the direction in which the army looks.
	Heading board.Heading
	// Army lists the letters of the types that the side may have on the board.
	Army string
	// Royals is the greatest number of royal men that the side may own; 0 means 1.
	Royals int
}

// StartRule is the mechanism setup: one fixed array, or a generator of numbered arrays.
type StartRule struct {
	// FEN is the start position. With a generator it is the usual one, for display.
	FEN string
	// Generator names the numbering of shuffled arrays: "" or "scharnagl".
	Generator Generator
	// Arrays generates the arrays of a home row by conditions, or is nil.
	Arrays *ArrayRule
	// Usual is the number of the start position that FEN shows.
	Usual int
	// Chance says what of the start position a seed decides.
	Chance ChanceRule
	// Choice is what the sides may choose of the array, or nil.
	Choice *ChoiceRule
}

// Generator names a numbering of shuffled start positions.
type Generator string

// Scharnagl numbers the 960 arrays in which the king stands between the rooks and the bishops on both colours.
const Scharnagl Generator = "scharnagl"

// PieceDef is one type of man.
type PieceDef struct {
	// Letter is the token of the type in FEN and SAN: an upper-case letter, with the marks + before and ' or ~ after it
	// where promoted men and their kin are types of their own.
	Letter string
	// Also are other letters that position texts may have for the type; they are never written.
	Also string
	Name string
	// Kanji are the names that records of the shogi family give the man, separated by blanks: the first is written, all are
	// read.
	Kanji string
	// Sign stands for the man in algebraic notation; empty is its letter, and nothing for a pawn.
	Sign string
	// Betza is the movement, seen by a side that looks up the board. Unions have none of their own.
	Betza string
	// Value is a hint of what the man is worth, in pawns. Royal men have 0 unless losing one does not lose the game.
	Value float64
	// Royal men must not be lost, in the way that Definition.Royal says.
	Royal bool
	// Pawn marks the men whose moves reset the counter of moves without progress and whose moves are written without a
	// letter.
	Pawn bool
	// InitialRow is the row, counted from 0 at the own edge, on which the moves marked i in Betza are available.
	InitialRow int
	// InitialCells names these cells instead, by side, where they are no row; names are separated by blanks.
	InitialCells []string
	// Unpassed are rows, counted from the own edge, from which a first step leaves nothing to capture on in passing.
	Unpassed  []int
	Promotion *PromotionRule
	// Within names the region that the man never leaves; "" is the whole board.
	Within string
	// Powers are further ways of moving in regions.
	Powers []Power
	// HopBars lists the types that the man, moving by leaping over another, neither leaps over nor takes.
	HopBars string
	// Barred are rows, counted from the own edge, where no position may have this man; negative rows count from the far
	// edge, -1 being the last.
	Barred []int
	// BarredCells names further such cells, by side, separated by blanks.
	BarredCells []string
}

// PromotionRule is the mechanism promote: what a man may become, and where.
type PromotionRule struct {
	// Rows are the rows of the zone, counted from the own edge, negative ones from the far edge; nil is the farthest row.
	Rows []int
	// Cells, if not nil, are the zone instead: for each side the names of its cells, separated by blanks.
	Cells []string
	// Declined lets the man stay what it is. On the rows of Must it has no choice.
	Declined bool
	Must     []int
	// Leaving lets a man promote also when it leaves or moves within the zone.
	Leaving bool
	// Deferred lets a man that starts its move in the zone promote by a capture only, wherever that ends, or on the rows of
	// Again.
	Deferred bool
	Again    []int
	// To lists the letters of the types, in the order in which moves are generated.
	To string
	// Limit gives the number of men of a type that the side may own after promoting to it.
	Limit map[string]int
}

// RoyalRule is the mechanism royal.
type RoyalRule string

const (
	// RoyalOne is one king a side, never left attacked.
	RoyalOne RoyalRule = "one"
	// RoyalAllAttacked allows several kings; a side is in check when all of them are attacked.
	RoyalAllAttacked RoyalRule = "all-attacked"
	// RoyalNone knows no royal men.
	RoyalNone RoyalRule = "none"
	// RoyalFacing is RoyalOne, and the royal men of the two sides may not face each other.
	RoyalFacing RoyalRule = "facing"
	// RoyalBikjang is RoyalOne with passing: royal men that face each other end the game if the other side passes.
	RoyalBikjang RoyalRule = "bikjang"
	// RoyalExplodable is one king a side, which may be lost in an explosion (with EndRoyal). It needs Explosion.
	RoyalExplodable RoyalRule = "explodable"
	// RoyalCapture has no check: who takes the last royal man of the other side wins (with EndRoyal).
	RoyalCapture RoyalRule = "capture"
	// RoyalUnite has no check: who unites with the royal man of the other side wins (with EndRoyal and Union).
	RoyalUnite RoyalRule = "unite"
)

// CastlingRule is the mechanism castle.
type CastlingRule struct {
	// Unsafe castling asks for no safety of the king.
	Unsafe bool
	// Renewed lets a rook that comes in on its first cell bring the right back as long as the king has never moved.
	Renewed bool
	// Files lets king and rook start on any files of the home row ("files"); otherwise they start where the wings say
	// ("fixed").
	Files bool
	Wings []CastlingWing
}

// CastlingWing is one way of castling.
type CastlingWing struct {
	Side Side
	// Letter stands for the right in FEN, upper case. Two wings with the same men and different goals share a letter.
	Letter string
	// King and Rook are the letters of the two men.
	King, Rook string
	// KingFrom, RookFrom, KingTo and RookTo are cell names. With Files, the first two are only the usual cells.
	KingFrom, KingTo, RookFrom, RookTo string
	// SAN is how the move is written.
	SAN string
}

// EnPassantRule is the mechanism ep.
type EnPassantRule string

const (
	// EnPassantNone lets nobody capture a man that has passed.
	EnPassantNone EnPassantRule = ""
	// EnPassantOne lets men with the Betza mark e capture on the one cell that a double step has passed, in the very
	// next move.
	EnPassantOne EnPassantRule = "one"
	// EnPassantPath is EnPassantOne for every cell that a first step has passed.
	EnPassantPath EnPassantRule = "path"
	// EnPassantOtherLayer is EnPassantOne for men that pass to the other layer (Layers): who captures may stand on either
	// layer, and takes the man wherever it has gone.
	EnPassantOtherLayer EnPassantRule = "other-layer"
	// EnPassantDrawBack draws the man or union that has made a double step back to the cell it has passed when an enemy
	// goes there in the way of a capture in passing, for games of unions.
	EnPassantDrawBack EnPassantRule = "draw-back"
	// EnPassantSeveral is EnPassantOne for every double step of the last turn, for turns of several moves (Series).
	EnPassantSeveral EnPassantRule = "several"
)

// GateRule is the mechanisms hand(fixed) and gate: men in hand from the start enter on the cells that men of the home
// row leave on their first move.
type GateRule struct {
	// Hand lists the letters of the types that may be in hand.
	Hand string
}

// NativeNotation names a notation of game records.
type NativeNotation string

const (
	// NativeWXF is that of the World Xiangqi Federation: files from the mover's right, a sign, then a file or a number of
	// points. With it, moves with ranks counted from 0 are read as well.
	NativeWXF NativeNotation = "wxf"
	// NativeKorean names points by two digits: the rank from the far edge of the first side, 0 being the tenth, and the file.
	NativeKorean NativeNotation = "korean"
)

// NotationRule holds the quirks of a game's texts.
type NotationRule struct {
	// CastlingByRook writes castling as the king taking its own rook.
	CastlingByRook bool
	// PlainPromotion leaves out what a man becomes, where that follows from the man.
	PlainPromotion bool
	// Native is the notation of game records where the game comes from, which is read and written beside the algebraic one.
	Native NativeNotation
	// Shogi says that the game belongs to the shogi family, whose programs write positions as SFEN and moves as USI.
	Shogi bool
	// RightsByFile writes castling rights as the files of the rooks.
	RightsByFile bool
	// JoinTurn writes the moves of a turn of several as one word of a game record, joined by commas; otherwise they stand
	// apart.
	JoinTurn bool
	// NumberTurns numbers each side's turn in game records by the moves that it has.
	NumberTurns bool
	// RightsIgnored reads letters of castling rights in a game that has none, as some programs write them.
	RightsIgnored bool
	// EndMarked writes # after a move that ends the game with a winner.
	EndMarked bool
}
