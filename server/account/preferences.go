package account

import (
	"context"
	"encoding/json"
	"fmt"

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

// Preferences returns an account's settings, with the defaults where it has none.
func Preferences(a store.Account) openapi.Preferences { return preferences(a).Prefs }

// Followable says whether the account lets others follow it.
func Followable(a store.Account) bool {
	follow := Preferences(a).Follow
	return follow == nil || *follow
}

func defaultPreferences() openapi.Preferences {
	return openapi.Preferences{
		Dark: new(false), Transp: new(false), Is3D: new(false),
		Theme: "brown", PieceSet: "hoplite", Theme3D: "wood", PieceSet3D: "basic", SoundSet: "standard",
		Blindfold: new(0), AutoQueen: new(2), AutoThreefold: new(2), Takeback: new(3), Moretime: new(3),
		ClockTenths: new(1), ClockBar: new(true), ClockSound: new(true), Premove: new(true), Animation: new(2),
		PieceNotation: new(1), Captured: new(true), Follow: new(true), Highlight: new(true), Destination: new(true),
		Coords: new(1), Replay: new(2), Challenge: new(4), Message: new(3), SubmitMove: new(2), ConfirmResign: new(1),
		InsightShare: new(1), KeyboardMove: new(0), VoiceMove: new(false), Zen: new(0), Ratings: new(1), MoveEvent: new(2),
		RookCastle: new(1), Flairs: new(true), SayGG: new(1),
		Scheme: openapi.PreferencesSchemeSystem, Volume: new(70),
	}
}

// SetPreferences changes the settings that change names, and returns all of them.
func (s *Service) SetPreferences(ctx context.Context, accountID string, change openapi.Preferences) (openapi.AccountPreferences, error) {
	if change.Scheme != "" {
		// Lichess's clients know no third choice.
		change.Dark = new(change.Scheme == openapi.PreferencesSchemeDark)
	}
	named, err := json.Marshal(change)
	if err != nil {
		return openapi.AccountPreferences{}, fmt.Errorf("settings of %s: %w", accountID, err)
	}
	var all openapi.AccountPreferences
	err = s.store.InTx(ctx, func(tx store.Store) error {
		a, err := tx.AccountByID(ctx, accountID)
		if err != nil {
			return err
		}
		all = preferences(a)
		if err := json.Unmarshal(named, &all.Prefs); err != nil {
			return err
		}
		kept, err := json.Marshal(all.Prefs)
		if err != nil {
			return err
		}
		prefs := json.RawMessage(kept)
		return tx.UpdateAccount(ctx, accountID, store.AccountChange{Prefs: &prefs})
	})
	if err != nil {
		return openapi.AccountPreferences{}, err
	}
	return all, nil
}
