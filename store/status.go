package store

// Status is the state of a game, with the numbers and names of the Lichess
// API. From StatusAborted on the game is over, from StatusMate on it has a
// result, except StatusNoStart and StatusUnknownFinish.
type Status int16

// The states of a game.
const (
	StatusCreated       Status = 10
	StatusStarted       Status = 20
	StatusAborted       Status = 25
	StatusMate          Status = 30
	StatusResign        Status = 31
	StatusStalemate     Status = 32
	StatusTimeout       Status = 33 // a player left and the other claimed
	StatusDraw          Status = 34
	StatusOutOfTime     Status = 35
	StatusCheat         Status = 36
	StatusNoStart       Status = 37
	StatusUnknownFinish Status = 38
	StatusMaterialClaim Status = 39
	StatusVariantEnd    Status = 60
)

// Over reports whether nothing more can be played.
func (s Status) Over() bool { return s >= StatusAborted }

// Counts reports whether the game has a result that counts for its players.
func (s Status) Counts() bool {
	return s >= StatusMate && s != StatusNoStart && s != StatusUnknownFinish
}

// String returns the name in the Lichess API, "" for an unknown number.
func (s Status) String() string {
	switch s {
	case StatusCreated:
		return "created"
	case StatusStarted:
		return "started"
	case StatusAborted:
		return "aborted"
	case StatusMate:
		return "mate"
	case StatusResign:
		return "resign"
	case StatusStalemate:
		return "stalemate"
	case StatusTimeout:
		return "timeout"
	case StatusDraw:
		return "draw"
	case StatusOutOfTime:
		return "outoftime"
	case StatusCheat:
		return "cheat"
	case StatusNoStart:
		return "noStart"
	case StatusUnknownFinish:
		return "unknownFinish"
	case StatusMaterialClaim:
		return "insufficientMaterialClaim"
	case StatusVariantEnd:
		return "variantEnd"
	}
	return ""
}

// ParseStatus is the inverse of String.
func ParseStatus(name string) (Status, bool) {
	for _, s := range []Status{
		StatusCreated, StatusStarted, StatusAborted, StatusMate, StatusResign, StatusStalemate, StatusTimeout,
		StatusDraw, StatusOutOfTime, StatusCheat, StatusNoStart, StatusUnknownFinish, StatusMaterialClaim, StatusVariantEnd,
	} {
		if s.String() == name {
			return s, true
		}
	}
	return 0, false
}
