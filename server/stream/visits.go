package stream

import (
	"net/http"

	"hoplite/server/api"
)

// OwnerOf returns the owner of the streams that a caller opens.
func OwnerOf(id *api.Identity) Owner {
	return Owner{Account: id.AccountID, Token: id.TokenID, Session: id.SessionID}
}

// Place is a slot for one stream of one credential: of the event stream, or of
// one game.
func Place(name string, id *api.Identity) string {
	return name + "/" + id.AccountID + "/" + id.TokenID + "/" + id.SessionID
}

// The operations that may answer with a stream.

// VisitChallengeCreateResponse writes the stream of a kept-alive challenge.
func (r Response) VisitChallengeCreateResponse(w http.ResponseWriter) error { return r.Visit(w) }

// VisitAPIStreamEventResponse writes the event stream.
func (r Response) VisitAPIStreamEventResponse(w http.ResponseWriter) error { return r.Visit(w) }

// VisitAPIBoardSeekResponse writes the blank lines of a seek.
func (r Response) VisitAPIBoardSeekResponse(w http.ResponseWriter) error { return r.Visit(w) }

// VisitBotGameStreamResponse writes the stream of a game to a bot.
func (r Response) VisitBotGameStreamResponse(w http.ResponseWriter) error { return r.Visit(w) }

// VisitBoardGameStreamResponse writes the stream of a game to a person.
func (r Response) VisitBoardGameStreamResponse(w http.ResponseWriter) error { return r.Visit(w) }

// VisitStreamGameResponse writes the stream of a game to a spectator.
func (r Response) VisitStreamGameResponse(w http.ResponseWriter) error { return r.Visit(w) }

// VisitGamesByUsersResponse writes the stream.
func (r Response) VisitGamesByUsersResponse(w http.ResponseWriter) error { return r.Visit(w) }

// VisitGamesByIdsResponse writes the stream.
func (r Response) VisitGamesByIdsResponse(w http.ResponseWriter) error { return r.Visit(w) }

// VisitAnalysisStreamResponse writes an analysis as it comes on.
func (r Response) VisitAnalysisStreamResponse(w http.ResponseWriter) error { return r.Visit(w) }

// VisitAPIExternalEngineAnalyseResponse writes what an external engine finds.
func (r Response) VisitAPIExternalEngineAnalyseResponse(w http.ResponseWriter) error {
	return r.Visit(w)
}

// VisitTvFeedResponse writes the stream.
func (r Response) VisitTvFeedResponse(w http.ResponseWriter) error { return r.Visit(w) }

// VisitTvChannelFeedResponse writes the stream.
func (r Response) VisitTvChannelFeedResponse(w http.ResponseWriter) error { return r.Visit(w) }
