package external

import (
	"encoding/hex"

	"hoplite/openapi"
)

// Work, polls and uploads find each other over the bus, wherever they are: each listens to a topic of its own, whose
// name nobody can guess, and says to the others what follows here. Nothing of it is stored. What gets lost between two
// nodes is made up for by asking again, or by a time that runs out.
//
//	work begins to wait         Wanted to all polls of its provider
//	a poll begins               Idle to all work of its provider, which answers Wanted
//	a poll wants the work       Claim; the first has it (Job), the others hear Taken
//	the provider answers        Begin; Begun, then Found again and again, End
//	the client is gone          Over

// Idle says that a provider waits for work.
type Idle struct{ Poll string }

// Removed says that an engine is there no more.
type Removed struct{ Engine string }

// ToWork is said to work. One field is set.
type ToWork struct {
	Claim string                          `json:",omitempty"` // the poll that wants it
	Begin string                          `json:",omitempty"` // the upload that begins to answer it
	Found *openapi.ExternalEngineAnalysis `json:",omitempty"`
	End   string                          `json:",omitempty"` // the upload that is over
}

// ToProvider is said to a poll or to an upload. One field is set.
type ToProvider struct {
	Wanted string                      `json:",omitempty"` // work that looks for a provider
	Taken  string                      `json:",omitempty"` // work that has found another one
	Job    *openapi.ExternalEngineJob  `json:",omitempty"` // work that is the poll's from now on
	Begun  *openapi.ExternalEngineWork `json:",omitempty"` // what the upload answers
	Over   bool                        `json:",omitempty"` // nobody wants the upload
}

// mailbox is how much may wait for one who listens. Who leaves it full is given up.
const mailbox = 64

func workTopic(id string) string     { return "external/work/" + id }
func providerTopic(id string) string { return "external/provider/" + id }
func engineTopic(id string) string   { return "external/engine/" + id }

func wantedTopic(provider [32]byte) string {
	return "external/wanted/" + hex.EncodeToString(provider[:])
}
func idleTopic(provider [32]byte) string { return "external/idle/" + hex.EncodeToString(provider[:]) }
