package store

import (
	"context"
	"time"
)

// The states of a challenge.
const (
	ChallengeCreated  = "created"
	ChallengeOffline  = "offline" // not seen for too long; gone for both sides
	ChallengeCanceled = "canceled"
	ChallengeDeclined = "declined"
	ChallengeAccepted = "accepted"
)

// Challenge is an invitation to a game. Its id becomes the game's.
type Challenge struct {
	ID            string
	Status        string
	ChallengerID  string // "" for an open one made without an account
	DestID        string // "" for an open one
	Variant       string
	InitialFEN    string // "" for the usual start
	StartNumber   int
	Rated         bool
	Color         string // as asked: "white", "black", "random"
	FinalColor    string // the challenger's: "white" or "black"
	Limit         time.Duration
	Increment     time.Duration
	Delay         time.Duration
	Byoyomi       time.Duration // length of a period
	Periods       int
	Days          int // per turn; 0 without a clock is unlimited
	HasClock      bool
	Rules         []string
	Open          bool
	OpenUsers     []string // the two account ids allowed, white first; empty for anybody
	Name          string
	Message       string // for the chat of the game, "" for none
	DeclineReason string // key in its usual spelling, "" unless declined
	RematchOf     string
	Created       time.Time
	Seen          time.Time // when the challenger last kept it alive
	Expires       time.Time // zero if it lives by Seen only
}

// ChallengeChange lists the fields to change; nil fields stay.
type ChallengeChange struct {
	Status        *string
	DestID        *string
	FinalColor    *string
	DeclineReason *string
	Seen          *time.Time
	Expires       *time.Time
}

// Challenges keeps challenges.
type Challenges interface {
	// CreateChallenge returns ErrConflict if the id is taken by a challenge or
	// by a game.
	CreateChallenge(ctx context.Context, c Challenge) error
	// ChallengeByID returns ErrNotFound for an unknown id.
	ChallengeByID(ctx context.Context, id string) (Challenge, error)
	// ChangeChallenge makes the change if the challenge's status is one of from
	// (any, if from is empty), and returns the new state. Of several callers
	// that take it out of the same state one succeeds; the others get
	// ErrConflict, and the unchanged record. ErrNotFound for an unknown id.
	ChangeChallenge(ctx context.Context, id string, from []string, c ChallengeChange) (Challenge, error)
	// ChallengesOf returns the account's challenges in the state created,
	// incoming and outgoing, oldest first.
	ChallengesOf(ctx context.Context, accountID string) (in, out []Challenge, err error)
	// ExpireChallenges sets up to limit challenges to offline that are in the
	// state created and either expired by now or, having no expiry, were last
	// seen before seenBefore. It returns them in their new state.
	ExpireChallenges(ctx context.Context, now, seenBefore time.Time, limit int) ([]Challenge, error)
	// SweepChallenges deletes up to limit challenges that are in no state to be
	// played and were created before the given time.
	SweepChallenges(ctx context.Context, before time.Time, limit int) (int, error)
}

// Seek is a correspondence seek, which waits for an opponent whether or not
// its owner is there.
type Seek struct {
	ID        string
	AccountID string
	Variant   string
	Days      int // 0 for unlimited
	Rated     bool
	Color     string // "white", "black", "random"
	RatingMin int    // 0 for none
	RatingMax int    // 0 for none
	Created   time.Time
	Expires   time.Time // zero if never
}

// Seeks keeps correspondence seeks.
type Seeks interface {
	// CreateSeek returns ErrConflict for a known id.
	CreateSeek(ctx context.Context, s Seek) error
	// SeekByID returns ErrNotFound for an unknown id.
	SeekByID(ctx context.Context, id string) (Seek, error)
	// TakeSeek deletes the seek and returns it. Of several callers one gets it,
	// the others ErrNotFound.
	TakeSeek(ctx context.Context, id string) (Seek, error)
	// SeeksOf returns the account's seeks, oldest first.
	SeeksOf(ctx context.Context, accountID string) ([]Seek, error)
	// Seeks returns the seeks that live at now, oldest first; variant "" is any.
	Seeks(ctx context.Context, variant string, now time.Time, limit int) ([]Seek, error)
}
