package frames

// Auth names the account of a socket. It comes before the first subscription, once.
type Auth struct {
	Token string `json:"token"` // an API token, or the session of a log-in
}

// Sub follows a topic. For a game, Version is the last version that the client knows: it gets every event since. Without
// it the game comes as a whole. A Bare game comes without scenes, for programs that know the rules.
type Sub struct {
	Topic   string  `json:"topic"`
	Game    string  `json:"game,omitempty"`
	Version *uint64 `json:"version,omitempty"`
	Bare    bool    `json:"bare,omitempty"`
}

// Unsub ends a subscription; one that there is not is none to end.
type Unsub struct {
	Topic string `json:"topic"`
	Game  string `json:"game,omitempty"`
}

// Move plays a move. Draw offers a draw before it, or accepts the one that is offered.
//
// Here and below, Key makes the action repeatable: the same key of the same player in the same game acts once and gets
// the first answer again.
type Move struct {
	Game string `json:"game"`
	Move string `json:"move"`
	Draw bool   `json:"draw,omitempty"`
	Key  string `json:"key,omitempty"`
}

// The rooms of a game's chat: players read and write the first, everybody else the second.
const (
	RoomPlayer    = "player"
	RoomSpectator = "spectator"
)

// Chat writes a line. Without a room it goes to the writer's own.
type Chat struct {
	Game string `json:"game"`
	Room string `json:"room,omitempty"`
	Text string `json:"text"`
	Key  string `json:"key,omitempty"`
}

// Mute hides from a player what the others write in a game, or shows it again.
type Mute struct {
	Game string `json:"game"`
	On   bool   `json:"on"`
	Key  string `json:"key,omitempty"`
}

// Conditional replaces the player's conditional moves in a game without a clock: lines of plies from the position in
// which the opponent is to move, each separated by spaces. What the opponent plays as foreseen is answered at once.
type Conditional struct {
	Game  string   `json:"game"`
	Lines []string `json:"lines"`
	Key   string   `json:"key,omitempty"`
}

// The kinds of offer.
const (
	OfferDraw     = "draw"
	OfferTakeback = "takeback"
)

// Offer offers or accepts, or declines or withdraws.
type Offer struct {
	Game   string `json:"game"`
	Kind   string `json:"kind"`
	Accept bool   `json:"accept"`
	Key    string `json:"key,omitempty"`
}

// Abort ends a game without a result while not every player has had a turn.
type Abort struct {
	Game string `json:"game"`
	Key  string `json:"key,omitempty"`
}

// Resign gives the game up, or aborts it while that is possible.
type Resign struct {
	Game string `json:"game"`
	Key  string `json:"key,omitempty"`
}

// The kinds of claim that every game has. Others are the declarations of the game's rules; the scene lists those that are
// open.
const (
	ClaimVictory = "victory"
	ClaimDraw    = "draw"
)

// Claim ends a game whose opponent has left, or a draw by repetition, or declares what the rules allow.
type Claim struct {
	Game string `json:"game"`
	Kind string `json:"kind"`
	Key  string `json:"key,omitempty"`
}

// Rematch offers or accepts another game with the colours exchanged, or declines or withdraws it. It needs no key: only
// one rematch follows a game.
type Rematch struct {
	Game   string `json:"game"`
	Accept bool   `json:"accept"`
}

// Challenge invites a user to a game of any variant, from any position, or a level of the server's engine; without
// either it is open to whoever knows its id, which becomes that of the game. With a clock it lives as long as the
// socket. It has no key, so it is not to be repeated blindly: look at the open challenges first.
type Challenge struct {
	User      string   `json:"user,omitempty"`
	Level     int      `json:"level,omitempty"`
	Variant   string   `json:"variant,omitempty"` // standard if empty
	FEN       string   `json:"fen,omitempty"`
	Limit     *int     `json:"limit,omitempty"`     // seconds
	Increment *int     `json:"increment,omitempty"` // seconds
	Delay     int      `json:"delay,omitempty"`
	Byoyomi   int      `json:"byoyomi,omitempty"`
	Periods   int      `json:"periods,omitempty"`
	Days      int      `json:"days,omitempty"`
	Rated     bool     `json:"rated,omitempty"`
	Color     string   `json:"color,omitempty"`
	Rules     []string `json:"rules,omitempty"`
	Message   string   `json:"message,omitempty"`
}

// Answer accepts a challenge or declines it, with one of Lichess's reasons. In an open one Color chooses the side.
type Answer struct {
	Challenge string `json:"challenge"`
	Accept    bool   `json:"accept"`
	Color     string `json:"color,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

// Cancel takes a challenge of one's own back.
type Cancel struct {
	Challenge string `json:"challenge"`
}

// Seek looks for anybody to play. With a clock it lives as long as the socket, and a new one replaces it; by days it
// stays until it is taken back. It has no key, so it is not to be repeated blindly: after a lost answer look at the
// games that have started first.
type Seek struct {
	Variant   string `json:"variant,omitempty"`   // standard if empty
	Limit     *int   `json:"limit,omitempty"`     // seconds
	Increment *int   `json:"increment,omitempty"` // seconds
	Delay     int    `json:"delay,omitempty"`     // seconds; instead of an increment
	Byoyomi   int    `json:"byoyomi,omitempty"`   // seconds of a period; instead of an increment
	Periods   int    `json:"periods,omitempty"`   // 1 if left out
	Days      int    `json:"days,omitempty"`
	Rated     bool   `json:"rated,omitempty"`
	Color     string `json:"color,omitempty"` // white, black or random
	Min       int    `json:"min,omitempty"`   // rating of the opponent; 0: any
	Max       int    `json:"max,omitempty"`
	// Quick looks near the caller's own rating first, and further the longer it takes. Such a seek is not shown in the
	// lobby.
	Quick bool `json:"quick,omitempty"`
}

// Unseek takes a seek of one's own back: without an id the one with a clock.
type Unseek struct {
	Seek string `json:"seek,omitempty"`
}

// Join takes somebody's seek.
type Join struct {
	Seek string `json:"seek"`
}

// Ping asks for a pong.
type Ping struct{}
