package account

import (
	"encoding/json"

	"hoplite/openapi"
	"hoplite/store"
)

// preferences returns the account's settings over the defaults. Numbers are Lichess's: its clients
// know them.
func preferences(a store.Account) openapi.AccountPreferences {
	p := defaultPreferences()
	if len(a.Prefs) > 0 {
		// What does not parse was written by a newer version: the defaults serve.
		if json.Unmarshal(a.Prefs, &p) != nil {
			p = defaultPreferences()
		}
	}
	language := a.Language
	if language == "" {
		language = "en-US"
	}
	return openapi.AccountPreferences{Prefs: p, Language: language}
}

func defaultPreferences() openapi.Preferences {
	return openapi.Preferences{
		Dark: new(false), Transp: new(false), Is3D: new(false),
		Theme: "brown", PieceSet: "hoplite", Theme3D: "wood", PieceSet3D: "basic", SoundSet: "standard",
		Blindfold: new(0), AutoQueen: new(2), AutoThreefold: new(2), Takeback: new(3), Moretime: new(3),
		ClockTenths: new(1), ClockBar: new(true), ClockSound: new(true), Premove: new(true), Animation: new(2),
		PieceNotation: new(1), Captured: new(true), Follow: new(true), Highlight: new(true), Destination: new(true),
		Coords: new(1), Replay: new(2), Challenge: new(3), Message: new(3), SubmitMove: new(4), ConfirmResign: new(1),
		InsightShare: new(1), KeyboardMove: new(0), VoiceMove: new(false), Zen: new(0), Ratings: new(1), MoveEvent: new(2),
		RookCastle: new(1), Flairs: new(true), SayGG: new(1),
	}
}
