// Package frames holds the frames of the websocket protocol hoplite.v1 as Go types. asyncapi.yaml describes them; a test
// holds the two together.
//
// A frame is {"t": type, "id": n, "d": {…}}. The client chooses ids and the server answers each frame that has one by an
// ack or an err with the same id. Later versions of the protocol only add types and fields.
package frames

import "encoding/json"

// Protocol is the subprotocol that both sides name in the handshake.
const Protocol = "hoplite.v1"

// Path is where the server takes sockets.
const Path = "/api/ws"

// Bounds of one connection.
const (
	// MaxMessage is the size of the largest message that the server reads, in bytes.
	MaxMessage = 16 << 10
	// MaxSubscriptions is how many topics one socket may follow.
	MaxSubscriptions = 64
	// MaxID is the largest id of a frame: the largest integer that every JSON reader knows exactly.
	MaxID = 1<<53 - 1
)

// The codes with which the server closes a socket, beside the usual ones (1000 at the client's wish, 1003 for a binary
// message, 1009 for one that is too large).
const (
	CloseRestart  = 1012 // the server is going down; connect again
	CloseRevoked  = 4001 // the token or session does not hold any more, or too many wrong ones were sent
	CloseProtocol = 4002 // too many frames that are none
	CloseSlow     = 4008 // the client did not read; connect again and resume
)

// Frame is the form of every message, both ways.
type Frame struct {
	T  string          `json:"t"`
	ID uint64          `json:"id,omitempty"`
	D  json.RawMessage `json:"d,omitempty"`
}

// The topics of a subscription.
const (
	TopicGame   = "game"
	TopicLobby  = "lobby"
	TopicEvents = "events"
	TopicTV     = "tv"
)

// The error codes of [Err].
const (
	CodeMalformed       = "malformed"       // no frame, or its d does not fit its type
	CodeUnknown         = "unknown"         // no such type of frame
	CodeInvalid         = "invalid"         // understood and refused
	CodeUnauthenticated = "unauthenticated" // the socket has no account, or the token is none
	CodeForbidden       = "forbidden"       // the account or its token may not
	CodeNotFound        = "notFound"        // no such game, seek, …; or not the caller's
	CodeConflict        = "conflict"        // not in this state of the socket, or somebody was faster
	CodeLimited         = "limited"         // too often; retry says when
	CodeUnavailable     = "unavailable"     // not now; the same frame with the same key may be sent again
	CodeInternal        = "internal"        // our fault
)

// Codes lists the error codes.
func Codes() []string {
	return []string{
		CodeMalformed, CodeUnknown, CodeInvalid, CodeUnauthenticated, CodeForbidden, CodeNotFound, CodeConflict,
		CodeLimited, CodeUnavailable, CodeInternal,
	}
}

// The directions of a frame.
const (
	FromClient = "client"
	FromServer = "server"
)

// Type describes one type of frame.
type Type struct {
	T    string // as in Frame
	From string // FromClient or FromServer
	D    any    // a zero value of the type of its d
}

// Types lists every type of frame.
func Types() []Type {
	return []Type{
		{"auth", FromClient, Auth{}},
		{"sub", FromClient, Sub{}},
		{"unsub", FromClient, Unsub{}},
		{"move", FromClient, Move{}},
		{"chat", FromClient, Chat{}},
		{"mute", FromClient, Mute{}},
		{"conditional", FromClient, Conditional{}},
		{"offer", FromClient, Offer{}},
		{"abort", FromClient, Abort{}},
		{"resign", FromClient, Resign{}},
		{"claim", FromClient, Claim{}},
		{"rematch", FromClient, Rematch{}},
		{"challenge", FromClient, Challenge{}},
		{"answer", FromClient, Answer{}},
		{"cancel", FromClient, Cancel{}},
		{"seek", FromClient, Seek{}},
		{"unseek", FromClient, Unseek{}},
		{"join", FromClient, Join{}},
		{"ping", FromClient, Ping{}},

		{"hello", FromServer, Hello{}},
		{"ack", FromServer, Ack{}},
		{"err", FromServer, Err{}},
		{"game", FromServer, Game{}},
		{"event", FromServer, Event{}},
		{"now", FromServer, Now{}},
		{"resync", FromServer, Resync{}},
		{"live", FromServer, Live{}},
		{"lobby", FromServer, Lobby{}},
		{"seek+", FromServer, LobbySeek{}},
		{"seek-", FromServer, SeekGone{}},
		{"me", FromServer, Me{}},
		{"tv", FromServer, TV{}},
		{"pong", FromServer, Pong{}},
		{"announce", FromServer, Announce{}},
		{"bye", FromServer, Bye{}},
	}
}
