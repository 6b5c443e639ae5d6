// Package pairing turns what players ask for into games: it checks the terms
// of a request, looks the players up and has the game made.
package pairing

import (
	"errors"
	"slices"
	"strings"

	"hoplite/server/lichess"
	"hoplite/server/live/clock"
)

// Form is what a request for a game says, whatever its endpoint. Pointers are
// nil for what was not sent.
type Form struct {
	Clock   clock.Form
	Rated   bool
	Color   string
	Variant string
	FEN     string
	Rules   []string
	Message string
}

// Terms is a checked [Form].
type Terms struct {
	Control clock.Control
	Start   lichess.Start
	Rated   bool
	Color   string // white, black or random
	Rules   []string
	Message string // for the chat of the game, "" for none
}

// Speed is the speed of the game.
func (t Terms) Speed() clock.Speed { return t.Control.Speed() }

// The agreements that a challenge may make, as Lichess names them.
var gameRules = []string{"noAbort", "noRematch", "noGiveTime", "noClaimWin", "noEarlyDraw"}

// What stands for the address of the game and for the opponent's name in the
// message of a challenge.
const (
	messageGame     = "{game}"
	messageOpponent = "{opponent}"
)

// FillMessage puts the address of the game and the opponent's name into the
// message of a challenge.
func FillMessage(message, game, opponent string) string {
	return strings.NewReplacer(messageGame, game, messageOpponent, opponent).Replace(message)
}

// formErrors collects what is wrong, by field.
type formErrors map[string][]string

func (e formErrors) add(field string, texts ...string) {
	e[field] = append(e[field], texts...)
}

// Terms checks the form. The second result is empty if nothing is wrong.
func (f Form) Terms(games *lichess.Games, pick func(n int) int) (Terms, map[string][]string) {
	bad := formErrors{}
	t := Terms{Rated: f.Rated, Color: f.Color}
	t.Control = f.control(bad)
	switch f.Color {
	case "":
		t.Color = "random"
	case "white", "black", "random":
	default:
		bad.add("color", "must be white, black or random")
	}
	for _, rule := range f.Rules {
		switch {
		case !slices.Contains(gameRules, rule):
			bad.add("rules", "must be a list of "+strings.Join(gameRules, ", "))
		case !slices.Contains(t.Rules, rule):
			t.Rules = append(t.Rules, rule)
		}
	}
	if t.Message = strings.TrimSpace(f.Message); t.Message != "" && !strings.Contains(t.Message, messageGame) {
		bad.add("message", "must contain "+messageGame)
	}
	variant := f.Variant
	if variant == "" {
		variant = games.Usual()
	}
	start, err := games.Start(variant, strings.TrimSpace(f.FEN), pick)
	switch {
	case errors.Is(err, lichess.ErrUnknownVariant):
		bad.add("variant", "unknown variant")
	case err != nil:
		bad.add("fen", "invalidFen", err.Error())
	}
	t.Start = start
	if len(bad) == 0 {
		t.settleRated(games, bad)
	}
	return t, bad
}

func (f Form) control(bad formErrors) clock.Control {
	c, err := f.Clock.Control()
	var wrong *clock.ControlError
	if errors.As(err, &wrong) {
		bad.add(wrong.Field, wrong.Text)
	}
	return c
}

// settleRated refuses rated games that nobody may ask for, and makes casual
// those that are casual by nature.
func (t *Terms) settleRated(games *lichess.Games, bad formErrors) {
	if !t.Rated {
		return
	}
	exotic := !games.BySpeed(t.Start.Variant)
	switch {
	case games.Anywhere(t.Start.Variant):
		bad.add("rated", "A game from a position can't be rated")
	case exotic && !t.Control.HasClock(), t.Control.Kind == clock.Unlimited:
		bad.add("rated", "A game without a clock can't be rated")
	case t.Start.Custom, exotic && t.Speed() == clock.UltraBullet:
		t.Rated = false
	}
}
