package archive

import (
	"strconv"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/live/game"
)

// played fills the players into the setup and returns how the game went.
func played(rec *notation.Record, setup *game.Setup) game.Played {
	for i, side := range rec.Rules.Definition().Sides {
		// Records of games of two have the usual tags, whatever the sides are called.
		tag := side.Name
		if i < 2 {
			tag = []string{"White", "Black"}[i]
		}
		setup.Players = append(setup.Players, player(rec, tag))
	}
	p := game.Played{Winner: rules.NoWinner, Status: game.StatusUnknown}
	p.Status, p.Winner, p.Reason = ending(rec)
	for _, ply := range rec.Moves {
		p.Moves = append(p.Moves, ply.Move)
	}
	p.Clocks = clocks(rec, setup)
	return p
}

// clocks is what the clock of the mover had on it after each ply, nothing if the
// record does not say it of all.
func clocks(rec *notation.Record, setup *game.Setup) []time.Duration {
	if !setup.Control.HasClock() {
		return nil
	}
	pos := rec.Start.Clone()
	shown := make([][]time.Duration, len(setup.Players))
	plies := make([][]int, len(setup.Players)) // of each player
	for i, ply := range rec.Moves {
		if !ply.HasClock {
			return nil
		}
		mover := pos.Turn()
		shown[mover], plies[mover] = append(shown[mover], ply.Clock), append(plies[mover], i)
		if pos.Play(ply.Move) != nil {
			return nil // the game will be refused
		}
	}
	left := make([]time.Duration, len(rec.Moves))
	for player := range shown {
		for i, l := range setup.Control.Unread(shown[player]) {
			left[plies[player][i]] = l
		}
	}
	return left
}

// maxName bounds the name of a player in a record.
const maxName = 60

func player(rec *notation.Record, tag string) game.Player {
	p := game.Player{Name: known(rec.Tag(tag)), Title: ""}
	if r := []rune(p.Name); len(r) > maxName {
		p.Name = string(r[:maxName])
	}
	if elo, err := strconv.Atoi(rec.Tag(tag + "Elo")); err == nil && elo > 0 && elo < 5000 {
		p.Rating = elo
	}
	return p
}

// known is the value of a tag, empty where it says that it is not known.
func known(value string) string {
	if value = strings.TrimSpace(value); value == "?" || value == "-" {
		return ""
	}
	return value
}

// ending is how a game ended by the tags of its record, where the rules do not
// say it.
func ending(rec *notation.Record) (status string, winner int, reason string) {
	winner = rules.NoWinner
	switch rec.Result {
	case "1-0":
		winner = 0
	case "0-1":
		winner = 1
	case "1/2-1/2":
		return game.StatusDraw, winner, string(rules.Agreed)
	default:
		return game.StatusUnknown, winner, ""
	}
	switch termination := strings.ToLower(rec.Tag("Termination")); {
	case strings.Contains(termination, "time"):
		return game.StatusOutOfTime, winner, string(rules.Flag)
	case strings.Contains(termination, "abandon"):
		return game.StatusTimeout, winner, game.ReasonLeft
	}
	return game.StatusResign, winner, string(rules.Resign)
}

// maxDate bounds what is kept of the date of a record.
const maxDate = 20

func date(rec *notation.Record) string {
	for _, tag := range []string{"UTCDate", "Date"} {
		if d := rec.Tag(tag); d != "" && !strings.HasPrefix(d, "????") {
			return d[:min(len(d), maxDate)]
		}
	}
	return ""
}
