package gormdb

import "hoplite/store"

// The rows as GORM sees them. A test compares them with the migrations.

type accountRow struct {
	ID             string `gorm:"primaryKey"`
	Name           string
	PasswordHash   string
	Email          string
	EmailConfirmed int64
	Title          string
	Role           string
	Hidden         bool
	Created        int64
	Seen           int64
	Closed         int64
	ClosedBy       string
	Banned         bool
	Kid            bool
	Language       string
	Profile        string
	Prefs          string
	CountAll       int64
	CountRated     int64
	CountWin       int64
	CountLoss      int64
	CountDraw      int64
	CountAI        int64 `gorm:"column:count_ai"`
	PlayTime       int64
}

func (accountRow) TableName() string { return "accounts" }

func newAccountRow(a store.Account) accountRow {
	return accountRow{
		ID: a.ID, Name: a.Name, PasswordHash: a.PasswordHash, Email: a.Email, Title: a.Title, Role: a.Role,
		EmailConfirmed: toMs(a.EmailConfirmed), Hidden: a.Hidden, Created: toMs(a.Created), Seen: toMs(a.Seen),
		Closed: toMs(a.Closed), ClosedBy: a.ClosedBy, Banned: a.Banned, Kid: a.Kid,
		Language: a.Language, Profile: string(a.Profile), Prefs: string(a.Prefs),
		CountAll: int64(a.Count.All), CountRated: int64(a.Count.Rated), CountWin: int64(a.Count.Win),
		CountLoss: int64(a.Count.Loss), CountDraw: int64(a.Count.Draw), CountAI: int64(a.Count.AI),
		PlayTime: durMs(a.Count.PlayTime),
	}
}

func (r accountRow) record() store.Account {
	return store.Account{
		ID: r.ID, Name: r.Name, PasswordHash: r.PasswordHash, Email: r.Email, Title: r.Title, Role: r.Role,
		EmailConfirmed: fromMs(r.EmailConfirmed), Hidden: r.Hidden, Created: fromMs(r.Created), Seen: fromMs(r.Seen),
		Closed: fromMs(r.Closed), ClosedBy: r.ClosedBy, Banned: r.Banned, Kid: r.Kid,
		Language: r.Language, Profile: rawJSON(r.Profile), Prefs: rawJSON(r.Prefs),
		Count: store.Count{
			All: int(r.CountAll), Rated: int(r.CountRated), Win: int(r.CountWin), Loss: int(r.CountLoss),
			Draw: int(r.CountDraw), AI: int(r.CountAI), PlayTime: msDur(r.PlayTime),
		},
	}
}

type perfRow struct {
	AccountID string `gorm:"primaryKey"`
	Key       string `gorm:"primaryKey"`
	Rating    float64
	RD        float64 `gorm:"column:rd"`
	Vol       float64
	Games     int64
	Progress  int64
	Recent    string
	Updated   int64
}

func (perfRow) TableName() string { return "perfs" }

func newPerfRow(p store.Perf) perfRow {
	return perfRow{
		AccountID: p.AccountID, Key: p.Key, Rating: p.Rating, RD: p.RD, Vol: p.Vol, Games: int64(p.Games),
		Progress: int64(p.Progress), Recent: packInts(p.Recent), Updated: toMs(p.Updated),
	}
}

func (r perfRow) record() store.Perf {
	return store.Perf{
		AccountID: r.AccountID, Key: r.Key, Rating: r.Rating, RD: r.RD, Vol: r.Vol, Games: int(r.Games),
		Progress: int(r.Progress), Recent: unpackInts(r.Recent), Updated: fromMs(r.Updated),
	}
}

type sessionRow struct {
	ID        string `gorm:"primaryKey"`
	AccountID string
	Created   int64
	Expires   int64
	UserAgent string
}

func (sessionRow) TableName() string { return "sessions" }

func newSessionRow(s store.Session) sessionRow {
	return sessionRow{
		ID: s.ID, AccountID: s.AccountID, Created: toMs(s.Created), Expires: toMs(s.Expires),
		UserAgent: storable(s.UserAgent),
	}
}

func (r sessionRow) record() store.Session {
	return store.Session{
		ID: r.ID, AccountID: r.AccountID, Created: fromMs(r.Created), Expires: fromMs(r.Expires), UserAgent: r.UserAgent,
	}
}

type tokenRow struct {
	ID          string `gorm:"primaryKey"`
	Hash        []byte
	Prefix      string
	AccountID   string
	Description string
	Scopes      string
	Created     int64
	Used        int64
	Expires     int64

	ClientID     string
	ClientOrigin string
}

func (tokenRow) TableName() string { return "tokens" }

func newTokenRow(t store.Token) tokenRow {
	return tokenRow{
		ID: t.ID, Hash: t.Hash[:], Prefix: t.Prefix, AccountID: t.AccountID, Description: t.Description,
		Scopes: words(t.Scopes), Created: toMs(t.Created), Used: toMs(t.Used), Expires: toMs(t.Expires),
		ClientID: t.ClientID, ClientOrigin: t.ClientOrigin,
	}
}

func (r tokenRow) record() store.Token {
	t := store.Token{
		ID: r.ID, Prefix: r.Prefix, AccountID: r.AccountID, Description: r.Description, Scopes: fromWords(r.Scopes),
		Created: fromMs(r.Created), Used: fromMs(r.Used), Expires: fromMs(r.Expires),
		ClientID: r.ClientID, ClientOrigin: r.ClientOrigin,
	}
	copy(t.Hash[:], r.Hash)
	return t
}

type challengeRow struct {
	ID            string `gorm:"primaryKey"`
	Status        string
	ChallengerID  string
	DestID        string
	Variant       string
	InitialFEN    string `gorm:"column:initial_fen"`
	StartNumber   int64
	Rated         bool
	Color         string
	FinalColor    string
	HasClock      bool
	ClockLimit    int64
	Increment     int64
	ClockDelay    int64
	Byoyomi       int64
	Periods       int64
	Days          int64
	Rules         string
	Open          bool
	OpenUsers     string
	Name          string
	DeclineReason string
	RematchOf     string
	Created       int64
	Seen          int64
	Expires       int64
	Message       string
}

func (challengeRow) TableName() string { return "challenges" }

func newChallengeRow(c store.Challenge) challengeRow {
	return challengeRow{
		ID: c.ID, Status: c.Status, ChallengerID: c.ChallengerID, DestID: c.DestID, Variant: c.Variant,
		InitialFEN: c.InitialFEN, StartNumber: int64(c.StartNumber), Rated: c.Rated, Color: c.Color,
		FinalColor: c.FinalColor, HasClock: c.HasClock, ClockLimit: durMs(c.Limit), Increment: durMs(c.Increment),
		ClockDelay: durMs(c.Delay), Byoyomi: durMs(c.Byoyomi), Periods: int64(c.Periods),
		Days: int64(c.Days), Rules: words(c.Rules), Open: c.Open, OpenUsers: words(c.OpenUsers), Name: c.Name,
		DeclineReason: c.DeclineReason, RematchOf: c.RematchOf, Created: toMs(c.Created), Seen: toMs(c.Seen),
		Expires: toMs(c.Expires), Message: c.Message,
	}
}

func (r challengeRow) record() store.Challenge {
	return store.Challenge{
		ID: r.ID, Status: r.Status, ChallengerID: r.ChallengerID, DestID: r.DestID, Variant: r.Variant,
		InitialFEN: r.InitialFEN, StartNumber: int(r.StartNumber), Rated: r.Rated, Color: r.Color,
		FinalColor: r.FinalColor, HasClock: r.HasClock, Limit: msDur(r.ClockLimit), Increment: msDur(r.Increment),
		Delay: msDur(r.ClockDelay), Byoyomi: msDur(r.Byoyomi), Periods: int(r.Periods),
		Days: int(r.Days), Rules: fromWords(r.Rules), Open: r.Open, OpenUsers: fromWords(r.OpenUsers), Name: r.Name,
		DeclineReason: r.DeclineReason, RematchOf: r.RematchOf, Created: fromMs(r.Created), Seen: fromMs(r.Seen),
		Expires: fromMs(r.Expires), Message: r.Message,
	}
}

type seekRow struct {
	ID        string `gorm:"primaryKey"`
	AccountID string
	Variant   string
	Days      int64
	Rated     bool
	Color     string
	RatingMin int64
	RatingMax int64
	Created   int64
	Expires   int64
}

func (seekRow) TableName() string { return "seeks" }

func newSeekRow(s store.Seek) seekRow {
	return seekRow{
		ID: s.ID, AccountID: s.AccountID, Variant: s.Variant, Days: int64(s.Days), Rated: s.Rated, Color: s.Color,
		RatingMin: int64(s.RatingMin), RatingMax: int64(s.RatingMax), Created: toMs(s.Created), Expires: toMs(s.Expires),
	}
}

func (r seekRow) record() store.Seek {
	return store.Seek{
		ID: r.ID, AccountID: r.AccountID, Variant: r.Variant, Days: int(r.Days), Rated: r.Rated, Color: r.Color,
		RatingMin: int(r.RatingMin), RatingMax: int(r.RatingMax), Created: fromMs(r.Created), Expires: fromMs(r.Expires),
	}
}

type metaRow struct {
	Key   string `gorm:"primaryKey"`
	Value string
}

func (metaRow) TableName() string { return "meta" }

type heartbeatRow struct {
	ID int64 `gorm:"primaryKey;autoIncrement:false"`
	At int64
}

func (heartbeatRow) TableName() string { return "heartbeat" }

// records turns rows into what callers get.
func records[R interface{ record() T }, T any](rows []R) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = r.record()
	}
	return out
}
