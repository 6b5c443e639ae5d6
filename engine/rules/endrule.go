package rules

// EndRule is one test for the end of the game.
type EndRule struct {
	// Kind is the mechanism.
	Kind EndKind
	// Lost says, for EndNoMove and EndExtinct, that the side without a move or without men loses, Won that it wins;
	// otherwise having no move is a draw.
	Lost, Won bool
	// Plies is the limit of EndClock. CapturesOnly keeps moves of pawns from starting its count again.
	Plies        int
	CapturesOnly bool
	// SpareChecks, if not 0, is the number of checks of a side that EndClock counts since the last capture. For each more,
	// of the side that gave more, it leaves two plies out.
	SpareChecks int
	// ByPoints lets the points on the board decide in place of a draw.
	ByPoints bool
	// Material are the parameters of EndMaterial.
	Material MaterialRule
	// Lone are the parameters of EndLone.
	Lone LoneRule
	// Bare is the parameter of EndBare.
	Bare BareRule
	// Checks is the number of EndChecks.
	Checks int
	// Goal are the parameters of EndGoal.
	Goal GoalRule
}

// EndKind names an end test.
type EndKind string

const (
	// EndMate is lost by a side in check without a legal move.
	EndMate EndKind = "mate"
	// EndNoMove values having no legal move without being in check.
	EndNoMove EndKind = "nomove"
	// EndMaterial draws when neither side can win.
	EndMaterial EndKind = "material"
	// EndClock draws after a number of plies without progress.
	EndClock EndKind = "clock"
	// EndPasses is decided by points when passing has ended the game (RoyalBikjang).
	EndPasses EndKind = "passes"
	// EndChecks is won by giving the last of a number of checks.
	EndChecks EndKind = "checks"
	// EndGoal is decided by men on goal cells.
	EndGoal EndKind = "goal"
	// EndExtinct values having no men.
	EndExtinct EndKind = "extinct"
	// EndCitadel draws when a royal man stands in another side's citadel.
	EndCitadel EndKind = "citadel"
	// EndRoyal is lost by a side without a royal man.
	EndRoyal EndKind = "royal"
	// EndCounting draws when a counted move has used up its limit.
	EndCounting EndKind = "counting"
	// EndBare values having nothing but the royal man left.
	EndBare EndKind = "bare"
	// EndLone is lost by a side left with one royal man, under conditions.
	EndLone EndKind = "lone"
)

// MaterialRule lists what cannot win. A position is drawn if each side has a single royal man and the other men on the
// board are none, one of Single, or only men of OneColour that all stand on cells of one colour.
type MaterialRule struct {
	// OnlyRoyals draws as soon as all men are royal, however many.
	OnlyRoyals bool
	Single     string
	OneColour  string
	// HandCounts makes a man in hand count as long as its owner can still bring it in.
	HandCounts bool
	// HandMen makes men in hand the same as men on the board.
	HandMen bool
	// PrisonMen keeps a position with prisoners from being drawn.
	PrisonMen bool
	// Untouched keeps a position from being drawn while a royal man could be taken.
	Untouched bool
	// Unable, if not nil, stands in place of all else.
	Unable *UnableRule
}

// FlagRule lists what cannot win for the player with time left. A single royal man and nothing that can still come in
// never can; the zero value knows nothing else.
type FlagRule struct {
	// Loses makes running out of time lose whatever the opponent has.
	Loses bool
	// Lone cannot win as the only man beside the king if the opponent has only men of LoneAgainst beside his.
	Lone, LoneAgainst string
	// OneColour cannot win, however many, all on cells of one colour, unless a man of Helpers, of either side, or one of
	// OneColour on the other colour is there to get in the way of the king.
	OneColour, Helpers string
	// Unable, if not nil, stands in place of all else.
	Unable *UnableRule
}

// RepeatRule is the mechanism repeat. Claim and Draw are the numbers of occurrences that allow a claim and that draw; 0
// means never. The rest says who loses instead of a draw.
type RepeatRule struct {
	Claim, Draw int
	// Perpetual is what loses for a side that has done it with each of its moves since the position first occurred, if the
	// other side has not.
	Perpetual Perpetual
	// Loser is the side that loses where Perpetual finds nobody.
	Loser RepeatLoser
	// Chase are the parameters of PerpetualChase.
	Chase ChaseRule
}
