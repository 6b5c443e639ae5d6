package store

import (
	"context"
	"encoding/json"
	"time"
)

// Game is one game: its terms, which never change, and the state after the
// last committed step.
type Game struct {
	ID          string
	Variant     string
	InitialFEN  string // "" for the usual start
	StartNumber int    // of a shuffled start
	Speed       string
	Perf        string // key of the rating that it counts for
	Rated       bool
	Source      string // "friend", "lobby", "ai", ...
	Players     []GamePlayer
	Limit       time.Duration
	Increment   time.Duration
	Delay       time.Duration
	Byoyomi     time.Duration // length of a period
	Periods     int
	Days        int    // per turn, correspondence
	HasClock    bool   // Limit and what follows it hold
	Seed        string // of the game's chance, in hexadecimal digits; "" without
	Rules       []string
	RematchOf   string
	Created     time.Time
	GameState
}

// GamePlayer is one side of a game, as it was when the game began.
type GamePlayer struct {
	AccountID   string // "" for the anonymous
	Name        string
	Title       string
	Rating      int // 0 if not rated
	Provisional bool
	RatingDiff  *int // set when the game was rated
	AILevel     int  // 0 for people and bots
}

// GameState is what the steps of a game change.
type GameState struct {
	Seq          int64 // of the last row of the log, 0 before the first
	Status       Status
	Winner       int // index of the player, -1 for none
	Reason       string
	Plies        int
	Turn         int             // index of the player to move
	Moves        string          // the current line, separated by spaces
	Declared     []string        // what was declared between the moves, one word each
	ClockHistory []time.Duration // the mover's clock after each ply
	Clocks       []time.Duration // what remains per player, with all periods, as of TurnStart
	TurnStart    time.Time       // zero while no clock runs
	Deadline     time.Time       // when time alone changes the game; zero for never
	LastMove     time.Time       // of the last move, or of the end
	Rematch      string          // id of the game that followed
	Points       []float64       // by seat, in games with points
	Places       []int           // by seat, once a game of more than two is over
}

// Action is a row of a game's log, which only grows. Its key is (GameID, Seq).
type Action struct {
	GameID   string
	Seq      int64 // from 1 without gaps; the version that events carry
	Kind     string
	Player   int    // index, -1 for a spectator or the server
	ActionID string // idempotency key: unique per game and player unless ""
	At       time.Time
	Data     json.RawMessage // nil if empty
}

// Step is what one action does to one game, committed whole or not at all.
type Step struct {
	// New is a game that begins; the rows are its first. Otherwise GameID names
	// the game and State is what it becomes.
	New    *Game
	GameID string
	State  GameState
	// Rows continue the log: the last one's Seq is the state's, and the first
	// one's follows what is stored. A step may have none.
	Rows []Action
	// Counts are added to the accounts' (FinishCounts).
	Counts []CountChange
	// Rate asks for the game to be rated.
	Rate *RateRequest
	// Epoch is that of the lease of the game's shard, under which the step was
	// made; 0 where there are no leases.
	Epoch int64
}

// ID returns the id of the step's game.
func (s Step) ID() string {
	if s.New != nil {
		return s.New.ID
	}
	return s.GameID
}

// CountChange is added to what an account has played.
type CountChange struct {
	AccountID string
	Add       Count
}

// RateRequest asks for the result of a game between players 0 and 1 to be
// counted in their ratings. The keys are those of the ratings, which differ
// between a person and a bot.
type RateRequest struct {
	Keys     [2]string
	Accounts [2]string
	Score    float64 // of player 0: 1, 0.5 or 0
	At       time.Time
}

// RateFunc returns both ratings after a game between them. It is called inside
// the transaction: it only computes.
type RateFunc func(first, second Perf, score float64, at time.Time) (Perf, Perf)

// StepResult is what the commit itself decided.
type StepResult struct {
	Rated bool
	Diffs [2]int  // change of the shown ratings
	Perfs [2]Perf // after
	// Lost says that the shard of the game is leased in another epoch than the
	// step's: nothing of it was stored.
	Lost bool
}

// GameCursor is a place in lists of games, which are ordered by (Created, ID).
type GameCursor struct {
	Created time.Time
	ID      string
}

// GameFilter chooses games of one account. Zero fields do not restrict.
type GameFilter struct {
	AccountID string
	Vs        string // the opponent's account id
	Since     time.Time
	Until     time.Time // inclusive
	Rated     *bool
	Perfs     []string
	Player    *int  // index that the account played as
	Ongoing   bool  // include games that are not over
	Finished  bool  // include games that are over and were not aborted
	Analysed  *bool // the engine has looked at the game
	After     *GameCursor
	Ascending bool // oldest first
	Limit     int
}

// DueGame is a game and the time by which its owner must look at it.
type DueGame struct {
	GameID   string
	Deadline time.Time
}

// Games keeps games and their logs.
type Games interface {
	// CommitSteps makes the steps durable in one transaction. A game may occur
	// once in a batch. The results are in the order of the steps. Steps whose
	// lease is lost are left out, and their results say so. If another step
	// cannot be stored (*StepError) or the store fails, nothing is.
	CommitSteps(ctx context.Context, steps []Step, rate RateFunc) ([]StepResult, error)
	// GameByID returns ErrNotFound for an unknown id.
	GameByID(ctx context.Context, id string) (Game, error)
	// GamesByID returns the known ones of the ids, newest first.
	GamesByID(ctx context.Context, ids []string) ([]Game, error)
	// VersionsOf returns the Seq of the known ones of the ids.
	VersionsOf(ctx context.Context, ids []string) (map[string]int64, error)
	// LogOf returns the rows with Seq > after, in order. An unknown game has
	// none.
	LogOf(ctx context.Context, gameID string, after int64) ([]Action, error)
	// ActionByID finds a row by its idempotency key; ErrNotFound if there is
	// none.
	ActionByID(ctx context.Context, gameID string, player int, actionID string) (Action, error)
	// DueGames returns games that are not over and have a deadline up to before,
	// most urgent first, and reads no log.
	DueGames(ctx context.Context, before time.Time, limit int) ([]DueGame, error)
	// GamesTurned returns the ids of the games that ended at a time or later, and
	// of those that began then and are not over, and reads no log.
	GamesTurned(ctx context.Context, since time.Time) ([]string, error)
	// ShiftDeadlines moves the deadlines and turn starts of the correspondence
	// games that are not over, for an outage that ended now. It works in chunks;
	// epoch, the time of the heartbeat before the outage, makes a repetition
	// after a crash harmless: a game is shifted once per epoch, and one that was
	// made after the outage not at all.
	ShiftDeadlines(ctx context.Context, epoch time.Time, by time.Duration) (int, error)
	// OngoingOf returns the account's games that are not over, the one with the
	// earliest deadline first, those without one last.
	OngoingOf(ctx context.Context, accountID string) ([]Game, error)
	// LiveGames returns running games with a clock in which somebody has moved,
	// those of the strongest players first: at most so many of each perf among
	// people, with bots, and with the engine.
	LiveGames(ctx context.Context, each int) ([]Game, error)
	// CountOngoing returns the number of the account's games that are not over.
	CountOngoing(ctx context.Context, accountID string) (int, error)
	// GamesOfPrograms returns when the account's newest games since a time were
	// made in which another player is a bot, or with engine the server's own
	// engine; newest first.
	GamesOfPrograms(ctx context.Context, accountID string, engine bool, since time.Time, limit int) ([]time.Time, error)
	// Games returns one page. Paging by After neither repeats nor leaves out a
	// game, also while games are played.
	Games(ctx context.Context, f GameFilter) ([]Game, error)
	// CurrentGame returns the account's last game: one that is being played
	// before any other. ErrNotFound if it has played none.
	CurrentGame(ctx context.Context, accountID string) (Game, error)
	// EachGame calls f for every game in order of id, reading in pages, until f
	// fails.
	EachGame(ctx context.Context, f func(Game) error) error
}

// FinishCounts returns what a game that is over adds to its players' counts,
// nothing if it has no result.
func FinishCounts(g *Game) []CountChange {
	if !g.Status.Counts() {
		return nil
	}
	withAI := false
	for _, p := range g.Players {
		withAI = withAI || p.AILevel > 0
	}
	var out []CountChange
	for i, p := range g.Players {
		if p.AccountID == "" {
			continue
		}
		c := Count{All: 1, PlayTime: max(0, g.LastMove.Sub(g.Created))}
		if g.Rated {
			c.Rated = 1
		}
		switch g.Winner {
		case -1:
			c.Draw = 1
		case i:
			c.Win = 1
		default:
			c.Loss = 1
		}
		if withAI && p.AILevel == 0 {
			c.AI = 1
		}
		if g.Days > 0 || !g.HasClock {
			c.PlayTime = 0 // days of waiting are not time spent playing
		}
		out = append(out, CountChange{AccountID: p.AccountID, Add: c})
	}
	return out
}
