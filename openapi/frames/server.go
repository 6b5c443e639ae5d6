package frames

import (
	"encoding/json"

	"hoplite/openapi"
)

// Hello is the first frame of a socket.
type Hello struct {
	Protocol string `json:"protocol"`
	Time     int64  `json:"time"` // the server's, in ms since the epoch
	// Account is whom the cookie names, null without one.
	Account *Account `json:"account"`
	Limits  Limits   `json:"limits"`
}

// Account is who somebody is.
type Account struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
}

// Limits are the bounds of a socket.
type Limits struct {
	Message       int   `json:"message"`       // bytes of a client's message
	Subscriptions int   `json:"subscriptions"` // at a time
	Queue         int   `json:"queue"`         // frames that may wait for the client
	KeepAlive     int64 `json:"keepAlive"`     // ms between live frames
}

// Ack answers a frame that was done. Which fields it has follows from the frame.
type Ack struct {
	// Version is the number of the row that holds the action, and for a subscription to a game the version that it
	// brings the client to.
	Version *uint64 `json:"version,omitempty"`
	// Note says so when nothing happened: a repeated offer, say.
	Note string `json:"note,omitempty"`
	// Account answers auth.
	Account *Account `json:"account,omitempty"`
	// Seek answers seek: its id.
	Seek string `json:"seek,omitempty"`
	// Game answers rematch, and a seek or join that made a game: its id, which for a rematch that waits for its answer
	// is that of the game to come.
	Game string `json:"game,omitempty"`
	// Started says that Game has begun.
	Started bool `json:"started,omitempty"`
}

// Err answers a frame that was refused. Nothing was changed by it.
type Err struct {
	Code   string              `json:"code"`
	Error  string              `json:"error"`
	Fields map[string][]string `json:"fields,omitempty"`
	Retry  int64               `json:"retry,omitempty"` // ms until another try makes sense
}

// Variant names a variant.
type Variant struct {
	Key   string `json:"key"`
	Name  string `json:"name"`
	Short string `json:"short"`
}

// Player is a seat of a game.
type Player struct {
	ID          string `json:"id,omitempty"` // none for the engine's levels
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Rating      int    `json:"rating,omitempty"`
	Provisional bool   `json:"provisional,omitempty"`
	AI          int    `json:"ai,omitempty"` // level of the server's engine
}

// Control is a time control: a clock with a limit and an increment, a delay or periods, days for each move, or neither.
type Control struct {
	Type      string `json:"type"`                // clock, correspondence, unlimited
	Limit     int64  `json:"limit,omitempty"`     // ms
	Increment int64  `json:"increment,omitempty"` // ms
	Delay     int64  `json:"delay,omitempty"`     // ms in each move before the clock runs down
	Byoyomi   int64  `json:"byoyomi,omitempty"`   // ms of a period
	Periods   int    `json:"periods,omitempty"`
	Days      int    `json:"days,omitempty"`
}

// Clock is what each player has left. If Running, that of the player to move counts down since From; nobody pays for
// what the server needs to store a move, so From may be later than the move.
type Clock struct {
	Left []int64 `json:"left"` // ms, of the limit or of the present period
	// Periods is how many periods follow for each player, with byoyomi only.
	Periods []int `json:"periods,omitempty"`
	Running bool  `json:"running"`
	From    int64 `json:"from"` // ms since the epoch, by the server's time
	// StartBy is when a game of strangers is aborted unless the player to move begins.
	StartBy int64 `json:"startBy,omitempty"`
}

// Ply is one move of a game.
type Ply struct {
	Move string `json:"m"`
	SAN  string `json:"san"`
}

// ChatLine is a line of the chat. One without a user comes from the server.
type ChatLine struct {
	Room string `json:"room"`
	User string `json:"user,omitempty"`
	Text string `json:"text"`
	At   int64  `json:"at"`
}

// Game is a game as a whole. Seats count from 0, the side that the rules name first.
type Game struct {
	Game       string   `json:"game"`
	Version    uint64   `json:"version"`
	Seat       *int     `json:"seat,omitempty"` // the receiver's own; none for spectators
	Variant    Variant  `json:"variant"`
	InitialFEN string   `json:"initialFen"`
	Players    []Player `json:"players"`
	Control    Control  `json:"control"`
	Speed      string   `json:"speed"`
	Perf       string   `json:"perf"`
	Rated      bool     `json:"rated"`
	Source     string   `json:"source"`
	Rules      []string `json:"rules,omitempty"`
	Created    int64    `json:"created"`
	Moves      []Ply    `json:"moves"`
	Clocks     []int64  `json:"clocks,omitempty"` // ms that each ply's player had left after it, of the limit or of the period
	Status     string   `json:"status"`
	Winner     *int     `json:"winner,omitempty"` // a seat
	Reason     string   `json:"reason,omitempty"`
	Clock      *Clock   `json:"clock,omitempty"`
	DrawOffer  []int    `json:"drawOffer,omitempty"` // seats with an offer that waits
	Takeback   []int    `json:"takeback,omitempty"`
	RatingDiff []*int   `json:"ratingDiff,omitempty"`
	Away       []Away   `json:"away,omitempty"`
	// Conditional are the receiver's own conditional moves, and Muted says that it does not hear the others.
	Conditional []string `json:"conditional,omitempty"`
	Muted       bool     `json:"muted,omitempty"`
	// Abortable says that the players may still abort the game.
	Abortable bool   `json:"abortable,omitempty"`
	RematchOf string `json:"rematchOf,omitempty"`
	Rematch   string `json:"rematch,omitempty"`
	// Out are the seats that are out of a game of more than two, Points what each has scored, and Places how they came out.
	Out    []int     `json:"out,omitempty"`
	Points []float64 `json:"points,omitempty"`
	Places []int     `json:"places,omitempty"`
	// Commitment is the hash of the seed of a game with chance, and Seed the seed itself once the game is over.
	Commitment string `json:"commitment,omitempty"`
	Seed       string `json:"seed,omitempty"`
	// Chat holds the lines of the room that the receiver may read.
	Chat []ChatLine `json:"chat"`
	// Scene is the position; with its legal moves for the player whose turn it is, and for nobody else. A bare
	// subscription gets none.
	Scene json.RawMessage `json:"scene,omitempty"`
}

// Away is a player who has left. After ClaimAt the other may claim the game.
type Away struct {
	Seat    int   `json:"seat"`
	ClaimAt int64 `json:"claimAt,omitempty"` // ms since the epoch
}

// The kinds of event, those of the rows of a game's log. KindSkip stands for a row whose content is not for the receiver.
const (
	KindMove            = "move"
	KindDeclare         = "declare"
	KindRetire          = "retire"
	KindDrawOffer       = "drawOffer"
	KindDrawDecline     = "drawDecline"
	KindTakebackOffer   = "takebackOffer"
	KindTakebackDecline = "takebackDecline"
	KindTakeback        = "takeback"
	KindAddTime         = "addTime"
	KindStartClocks     = "startClocks"
	KindEnd             = "end"
	KindChat            = "chat"
	KindRematch         = "rematch"
	KindMute            = "mute"
	KindConditional     = "conditional"
	KindSkip            = "skip"
)

// Event is one row of a game's log. Versions count up by one without a gap, for every receiver alike. What Event shares
// with Game replaces it, absent lists and winners too, except in chat, rematch and skip, in mute but for Muted, and in
// conditional but for Conditional. The last two kinds are for the player alone who did it.
type Event struct {
	Game        string          `json:"game"`
	Version     uint64          `json:"version"`
	Kind        string          `json:"kind"`
	Seat        *int            `json:"seat,omitempty"` // who did it; nobody for the server and spectators
	At          int64           `json:"at,omitempty"`   // ms since the epoch
	Ply         *Ply            `json:"ply,omitempty"`  // move
	Plies       *int            `json:"plies,omitempty"`
	Seconds     int             `json:"seconds,omitempty"` // addTime
	Status      string          `json:"status,omitempty"`
	Winner      *int            `json:"winner,omitempty"`
	Reason      string          `json:"reason,omitempty"`
	Clock       *Clock          `json:"clock,omitempty"`
	DrawOffer   []int           `json:"drawOffer,omitempty"`
	Takeback    []int           `json:"takeback,omitempty"`
	RatingDiff  []*int          `json:"ratingDiff,omitempty"`
	Chat        *ChatLine       `json:"chat,omitempty"`    // chat
	Rematch     string          `json:"rematch,omitempty"` // rematch: the new game
	Conditional []string        `json:"conditional,omitempty"`
	Muted       bool            `json:"muted,omitempty"` // mute
	Abortable   bool            `json:"abortable,omitempty"`
	Heard       []ChatLine      `json:"heard,omitempty"` // mute: the chat as the receiver has it from now on
	Out         []int           `json:"out,omitempty"`
	Points      []float64       `json:"points,omitempty"`
	Places      []int           `json:"places,omitempty"`
	Seed        string          `json:"seed,omitempty"`  // once a game with chance is over
	Scene       json.RawMessage `json:"scene,omitempty"` // move, declare, retire and takeback; also end, without moves
}

// Now is what of a game is in no log: how the clocks run, and who is away. It comes after a resumption, and when somebody
// leaves or comes back.
type Now struct {
	Game    string `json:"game"`
	Version uint64 `json:"version"`
	Clock   *Clock `json:"clock,omitempty"`
	Away    []Away `json:"away,omitempty"`
}

// Resync says that the events since the version that the client named cannot be had. The whole game follows.
type Resync struct {
	Game string `json:"game"`
}

// Live is the keep-alive. Games holds the version of each game that the socket follows: a client that knows less, and
// does not get the rest in a moment, subscribes again from its version.
type Live struct {
	Time  int64             `json:"time"`
	Lag   int64             `json:"lag,omitempty"` // ms of the last round trip as the server measured it
	Games map[string]uint64 `json:"games"`
}

// Lobby is every open seek: the beginning of a subscription to the lobby.
type Lobby struct {
	Seeks []LobbySeek `json:"seeks"`
}

// LobbySeek is somebody who looks for anybody to play.
type LobbySeek struct {
	ID      string  `json:"id"`
	Player  Player  `json:"player"`
	Variant Variant `json:"variant"`
	Control Control `json:"control"`
	Speed   string  `json:"speed"`
	Rated   bool    `json:"rated"`
	Color   string  `json:"color"`
	Min     int     `json:"min,omitempty"`
	Max     int     `json:"max,omitempty"`
	Created int64   `json:"created"`
}

// SeekGone says that a seek is over.
type SeekGone struct {
	ID string `json:"id"`
}

// The kinds of Me. MeAll begins a subscription: all running games and challenges, in place of what was known before.
const (
	MeAll               = "all"
	MeGameStart         = "gameStart"
	MeGameFinish        = "gameFinish"
	MeChallenge         = "challenge"
	MeChallengeCanceled = "challengeCanceled"
	MeChallengeDeclined = "challengeDeclined"
)

// Me is something that happens to the caller. Games and challenges have the form that they have in the HTTP API's event
// stream.
type Me struct {
	Kind       string              `json:"kind"`
	Game       *openapi.GameInfo   `json:"game,omitempty"`
	Challenge  *openapi.Challenge  `json:"challenge,omitempty"`
	Games      []openapi.GameInfo  `json:"games,omitzero"`
	Challenges []openapi.Challenge `json:"challenges,omitzero"`
}

// TV is the best game on each channel that has one.
type TV struct {
	Channels []TVChannel `json:"channels"`
}

// TVChannel is a channel with its game, and the strongest player in it.
type TVChannel struct {
	Channel string `json:"channel"`
	Name    string `json:"name"`
	Game    string `json:"game"`
	Player  Player `json:"player"`
	Seat    int    `json:"seat"`
	Games   int    `json:"games"` // that run on the channel, as far as TV counts them
}

// Pong answers a ping.
type Pong struct {
	Time int64 `json:"time"` // ms since the epoch
}

// Announce is a notice to everybody from those who run the server.
type Announce struct {
	Msg string `json:"msg"`
	// Date is when what is announced happens, in ms since the epoch.
	Date int64 `json:"date"`
}

// Bye comes before a close whose reason the client can do something about.
type Bye struct {
	Code   int    `json:"code"`
	Reason string `json:"reason"`
	// Resume holds the last version of each game that was sent.
	Resume map[string]uint64 `json:"resume,omitempty"`
}
