package rules

// Reason says why a game is over.
type Reason string

// The reasons that the rules themselves give, and those that a server adds.
const (
	Mate       Reason = "mate"
	NoMove     Reason = "noMove"
	Material   Reason = "material"
	Clock      Reason = "clock"
	Repetition Reason = "repetition"
	// PerpetualLoss is the loss of who has forced a repetition by check, chase or attack.
	PerpetualLoss Reason = "perpetual"
	Resign        Reason = "resign"
	Flag          Reason = "flag"
	Agreed        Reason = "agreed"
	Aborted       Reason = "aborted"
	// Claimed is a result that a player has claimed.
	Claimed Reason = "claim"
	// KingCaptured is the loss of the last royal man.
	KingCaptured Reason = "kingCaptured"
	// BareKing is what became of a side with nothing but its king left.
	BareKing Reason = "bareKing"
	// PointsDecide is a result that the points on the board decide.
	PointsDecide Reason = "points"
	// KingExploded is the loss of the last royal man by an explosion.
	KingExploded Reason = "kingExploded"
	// Checks is giving the last of a number of checks.
	Checks Reason = "checks"
	// LastAlive is being the last army in the game.
	LastAlive Reason = "lastAlive"
	// Goal is what men on goal cells bring about.
	Goal Reason = "goal"
	// Extinct is what having no men brings about.
	Extinct Reason = "extinct"
	// Counting is a draw by a counting rule.
	Counting Reason = "counting"
)

// NoWinner is the Winner of a drawn game.
const NoWinner = -1

// Outcome is the result of a finished game.
type Outcome struct {
	// Winner is the side that won, or NoWinner for a draw.
	Winner int
	Reason Reason
	// Points holds what each side scored, by side: 1, ½ or 0. It is an array so that asking for the outcome, which search
	// does at every position of some games, allocates nothing.
	Points [maxSides]float64
	// Places are the places from 1 in a game of several armies, which may share one; zero in games of two.
	Places [maxSides]uint8
}

// Result returns the result as game records write it: "1-0", "0-1" or "1/2-1/2".
func (o Outcome) Result() string {
	switch o.Winner {
	case 0:
		return "1-0"
	case 1:
		return "0-1"
	}
	return "1/2-1/2"
}

func won(by Side, sides int, reason Reason) Outcome {
	o := Outcome{Winner: int(by), Reason: reason}
	o.Points[by] = 1
	return o
}

func drawn(sides int, reason Reason) Outcome {
	o := Outcome{Winner: NoWinner, Reason: reason}
	for i := range o.Points[:sides] {
		o.Points[i] = 1 / float64(sides)
	}
	return o
}
