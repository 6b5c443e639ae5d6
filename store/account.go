package store

import (
	"context"
	"encoding/json"
	"time"
)

// Account is a person, a bot, or one of the hidden accounts of the server's
// own engine.
type Account struct {
	ID           string // the name in lower case
	Name         string // as the owner writes it
	PasswordHash string // "" if no password opens the account
	Email        string
	// EmailConfirmed is when the owner showed to read that address; zero if not.
	EmailConfirmed time.Time
	Title          string // "" or "BOT"
	Role           string // "" or "admin"
	Hidden         bool   // never listed or shown, for example ai1
	Created        time.Time
	Seen           time.Time // zero if never
	Closed         time.Time // zero while open
	ClosedBy       string    // "owner" or "admin"; "" while open
	Banned         bool      // closed for breaking the rules, which everybody may see
	Kid            bool
	Language       string          // for example "en-US"
	Profile        json.RawMessage // nil if empty
	Prefs          json.RawMessage // nil if empty
	Count          Count
}

// IsBot reports whether the account plays through the Bot API.
func (a Account) IsBot() bool { return a.Title == "BOT" }

// IsClosed reports whether the account was closed.
func (a Account) IsClosed() bool { return !a.Closed.IsZero() }

// Count holds what an account has played. Only finished games with a result
// count; aborted ones do not.
type Count struct {
	All, Rated, Win, Loss, Draw, AI int
	PlayTime                        time.Duration
}

// AccountChange lists the fields of an account to change; nil fields stay.
type AccountChange struct {
	Name           *string // only its case may differ
	PasswordHash   *string
	Email          *string
	Title          *string
	Role           *string
	Hidden         *bool
	Seen           *time.Time
	Closed         *time.Time // the zero time opens it again
	ClosedBy       *string
	Banned         *bool
	EmailConfirmed *time.Time
	Kid            *bool
	Language       *string
	Profile        *json.RawMessage
	Prefs          *json.RawMessage
}

// Who closed an account.
const (
	ClosedByOwner = "owner"
	ClosedByAdmin = "admin"
)

// AccountFilter says which accounts to return. Empty fields let everything
// pass.
type AccountFilter struct {
	Query string // a part of the id, or a whole e-mail address; lower case
	State string // "open", "closed", "banned", "admin" or "bot"
	After string // only ids after this one
	Limit int
}

// Accounts keeps accounts and their ratings.
type Accounts interface {
	// CreateAccount returns ErrConflict if the id is taken.
	CreateAccount(ctx context.Context, a Account) error
	// AccountByID returns ErrNotFound for an unknown id. Closed and hidden
	// accounts are found.
	AccountByID(ctx context.Context, id string) (Account, error)
	// AccountsByID returns the accounts in the order asked for, without the
	// unknown ones; an id given twice comes once.
	AccountsByID(ctx context.Context, ids []string) ([]Account, error)
	// AccountsByEmail returns the open accounts with this address, whatever the
	// case, oldest first.
	AccountsByEmail(ctx context.Context, email string) ([]Account, error)
	// AccountsByPrefix returns open, visible accounts whose id starts with
	// prefix (lower case), in order of id.
	AccountsByPrefix(ctx context.Context, prefix string, limit int) ([]Account, error)
	// Admins returns the open accounts with the role admin.
	Admins(ctx context.Context) ([]Account, error)
	// FindAccounts returns accounts, closed and hidden ones too, in order of id.
	FindAccounts(ctx context.Context, f AccountFilter) ([]Account, error)
	// AccountsClosedSince returns accounts that were closed at or after a time,
	// in the order of closing.
	AccountsClosedSince(ctx context.Context, since time.Time, limit int) ([]Account, error)
	// CountAccounts returns how many there are, open and closed, without hidden
	// ones.
	CountAccounts(ctx context.Context) (open, closed int, err error)
	// UpdateAccount returns ErrNotFound for an unknown id.
	UpdateAccount(ctx context.Context, id string, c AccountChange) error
	// MakeBot sets the title BOT. It returns ErrConflict if the account has
	// played, or is playing, a game, and changes nothing if it is a bot already.
	MakeBot(ctx context.Context, id string) error
}

// Perf is the rating of an account in one game or speed. The key is the
// variant's key for variants at every speed, the speed for standard chess and
// games from a position, and PuzzleKey's for puzzles.
type Perf struct {
	AccountID string
	Key       string
	Rating    float64
	RD        float64
	Vol       float64
	Games     int
	Progress  int // change of the shown rating over the last twelve games
	Recent    []int
	Updated   time.Time // of the last rated game; zero if none
}

// The rating of whoever has not been rated.
const (
	DefaultRating = 1500.0
	DefaultRD     = 500.0
	DefaultVol    = 0.09
)

// NewPerf returns the rating that an account starts with.
func NewPerf(accountID, key string) Perf {
	return Perf{AccountID: accountID, Key: key, Rating: DefaultRating, RD: DefaultRD, Vol: DefaultVol}
}

// Perfs keeps ratings. Games are rated by Games.CommitSteps.
type Perfs interface {
	// PerfsOf returns the ratings of one account, in order of key.
	PerfsOf(ctx context.Context, accountID string) ([]Perf, error)
	// PerfsOfAll returns the ratings of several accounts by account id.
	PerfsOfAll(ctx context.Context, accountIDs []string) (map[string][]Perf, error)
	// Perf returns NewPerf's value if the account was never rated.
	Perf(ctx context.Context, accountID, key string) (Perf, error)
	// LockPerf is Perf inside InTx: no other transaction changes the rating
	// until this one ends. Lock in order of account id, then key.
	LockPerf(ctx context.Context, accountID, key string) (Perf, error)
	// SavePerf writes the whole rating. ErrInvalid if there is no such account.
	SavePerf(ctx context.Context, p Perf) error
	// TopPerfs returns the best ranked ratings, best first, of open and visible
	// accounts: of bots, or of everybody else.
	TopPerfs(ctx context.Context, key string, bots bool, limit int) ([]Perf, error)
	// RankOf returns how many of those that TopPerfs lists have a better rating
	// than this, and how many there are in all.
	RankOf(ctx context.Context, key string, bots bool, rating float64) (better, all int, err error)
	// RatingHistory returns what the account's ratings were at the end of each
	// day on which they changed, in order of key and day.
	RatingHistory(ctx context.Context, accountID string) ([]RatingDay, error)
}

// RankedRD is the deviation up to which a rating is ranked, as on Lichess.
const RankedRD = 75

// Ranked reports whether the rating is sure enough to be compared with others.
func (p Perf) Ranked() bool { return p.RD <= RankedRD && p.Games > 0 }

// RatingDay is a rating as people saw it at the end of a day. Whatever writes a
// rating that was updated writes its day in the same transaction.
type RatingDay struct {
	AccountID string
	Key       string
	Day       int // since 1970-01-01, UTC
	Rating    int
}

// DayOf returns the day of a time.
func DayOf(t time.Time) int { return int(t.Unix() / 86400) }
