package challenge

import (
	"context"
	"errors"
	"slices"
	"time"

	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/limits"
	"hoplite/server/live/game"
	"hoplite/server/pairing"
	"hoplite/store"
)

// Accept makes the challenge a game, or takes the first of two places in an
// open one, in which color may choose the side.
func (s *Service) Accept(ctx context.Context, by Player, id, color string) error {
	defer s.lock(id)()
	c, err := s.load(ctx, id)
	if err != nil {
		return err
	}
	if !c.Open && c.DestID != by.ID || c.Open && len(c.OpenUsers) > 0 && seat(c, by.ID) < 0 {
		return errNoChallenge()
	}
	if err := s.playable(ctx, &c); err != nil {
		return err
	}
	if by.Bot && !lichess.BotSpeed(control(c)) {
		return fault.Invalid("Bots do not play games as fast as this one")
	}
	if by.Bot && !c.Open {
		from, err := s.Store.AccountByID(ctx, c.ChallengerID)
		if err != nil {
			return err
		}
		if other := otherBot(by, from); other != "" {
			if err := s.checkBotDay(ctx, limits.BotVsBot(), false, by, other); err != nil {
				return err
			}
		}
	}
	if c.Open {
		return s.join(ctx, c, by.ID, color)
	}
	white, black := c.ChallengerID, c.DestID
	if c.FinalColor == "black" {
		white, black = black, white
	}
	return s.begin(ctx, c, white, black)
}

// join takes a place in an open challenge. The first to come waits as its
// DestID, on the side that FinalColor leaves; the second starts the game.
func (s *Service) join(ctx context.Context, c store.Challenge, accountID, color string) error {
	wish := lichess.PlayerOf(color)
	if fixed := seat(c, accountID); fixed >= 0 {
		wish = fixed
	}
	if c.DestID == accountID {
		return nil // already waiting
	}
	if c.DestID == "" {
		if wish < 0 {
			wish = 1 - lichess.PlayerOf(c.FinalColor)
		}
		other := string(lichess.Color(1 - wish))
		_, err := s.Store.ChangeChallenge(ctx, c.ID, []string{store.ChallengeCreated},
			store.ChallengeChange{DestID: &accountID, FinalColor: &other})
		return err
	}
	mine := lichess.PlayerOf(c.FinalColor)
	if wish >= 0 && wish != mine {
		return fault.Invalid("This color is taken")
	}
	white, black := accountID, c.DestID
	if mine == 1 {
		white, black = black, white
	}
	return s.begin(ctx, c, white, black)
}

// seat is the player that an account was made by the list of an open
// challenge, -1 for none.
func seat(c store.Challenge, accountID string) int { return slices.Index(c.OpenUsers, accountID) }

// begin takes the challenge out of play and makes the game. A game that could
// not be made gives the challenge back.
func (s *Service) begin(ctx context.Context, c store.Challenge, white, black string) error {
	if blocked, err := s.Store.Blocked(ctx, white, black); err != nil || blocked {
		if err == nil {
			err = fault.Invalid("You cannot play against this player")
		}
		return err
	}
	accepted, created := store.ChallengeAccepted, store.ChallengeCreated
	change := store.ChallengeChange{Status: &accepted}
	c, err := s.Store.ChangeChallenge(ctx, c.ID, []string{created}, change)
	if errors.Is(err, store.ErrConflict) {
		return errNoChallenge()
	}
	if err != nil {
		return err
	}
	snap, err := s.Maker.Start(ctx, pairing.Order{
		ID: c.ID, Variant: c.Variant, FEN: c.InitialFEN, Number: c.StartNumber, Control: control(c),
		Rated: c.Rated, Rules: c.Rules, Source: lichess.SourceFriend, RematchOf: c.RematchOf,
	}, white, black)
	if err != nil {
		s.giveBack(ctx, c.ID)
		return err
	}
	s.Bus.Publish(Topic(c.ID), outcomeOf(c))
	s.say(ctx, c, snap)
	return nil
}

// maxLine is the length of a line of a game's chat.
const maxLine = 140

// say writes the challenger's message into the chat of the game that began.
// Nobody depends on it.
func (s *Service) say(ctx context.Context, c store.Challenge, snap *game.Snapshot) {
	player := snap.PlayerOf(c.ChallengerID)
	if c.Message == "" || player < 0 {
		return
	}
	opponent := snap.Players[(player+1)%len(snap.Players)].Name
	line := []rune(pairing.FillMessage(c.Message, s.URL+"/"+c.ID, opponent))
	_, err := s.Live.Act(ctx, c.ID, game.Action{
		Kind: game.Chat, Player: player, ID: "challenge-message", Room: game.RoomPlayer,
		Username: snap.Players[player].Name, Text: string(line[:min(len(line), maxLine)]),
	})
	if err != nil {
		s.Log.Info("the message of a challenge was not written", "challenge", c.ID, "error", err)
	}
}

// giveBack undoes an acceptance without a game. If the game exists after all
// (the answer was lost, not the game), the acceptance stands.
func (s *Service) giveBack(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, err := s.Live.Snapshot(ctx, id); fault.KindOf(err) != fault.KindNotFound {
		return
	}
	created := store.ChallengeCreated
	_, err := s.Store.ChangeChallenge(ctx, id, []string{store.ChallengeAccepted}, store.ChallengeChange{Status: &created})
	if err != nil {
		s.Log.Error("challenge stays accepted without a game", "challenge", id, "error", err)
	}
}
