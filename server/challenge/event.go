package challenge

import (
	"context"
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/lichess"
	"hoplite/server/live"
	"hoplite/server/live/clock"
	"hoplite/server/rating"
	"hoplite/store"

	"github.com/oapi-codegen/nullable"
)

// eventKind is what can happen to a challenge.
type eventKind uint8

const (
	kindCreated eventKind = iota
	kindCanceled
	kindDeclined
)

// tell publishes an event to both players, and the outcome to whoever keeps
// the challenge alive. An open challenge concerns no event stream.
func (s *Service) tell(ctx context.Context, kind eventKind, c store.Challenge) {
	if kind != kindCreated {
		s.Bus.Publish(Topic(c.ID), outcomeOf(c))
	}
	if c.Open {
		return
	}
	shown, users, err := s.show(ctx, c)
	if err != nil {
		// The state is stored; the players learn of it when they ask again.
		s.Log.Error("challenge event not sent", "challenge", c.ID, "error", err)
		return
	}
	for _, u := range users {
		s.Bus.Publish(live.UserTopic(u.ID), event(kind, shown, u.IsBot(), c))
	}
}

// outcomeOf says what became of a challenge.
func outcomeOf(c store.Challenge) openapi.ChallengeOutcome {
	switch c.Status {
	case store.ChallengeAccepted:
		return openapi.ChallengeOutcome{Done: "accepted"}
	case store.ChallengeDeclined:
		return openapi.ChallengeOutcome{Done: "declined"}
	}
	return openapi.ChallengeOutcome{Done: "canceled"}
}

// event is a line of the event stream of one of the players.
func event(kind eventKind, shown openapi.Challenge, bot bool, c store.Challenge) any {
	switch kind {
	case kindCanceled:
		return openapi.ChallengeCanceledEvent{Type: "challengeCanceled", Challenge: shown}
	case kindDeclined:
		return openapi.ChallengeDeclinedEvent{Type: "challengeDeclined", Challenge: shown}
	}
	return openapi.ChallengeEvent{
		Type: "challenge", Challenge: shown, Compat: lichess.Compat(bot, control(c), lichess.SourceFriend),
	}
}

// Pending returns the events of the challenges that wait for the account's
// answer, oldest first: the second part of its event stream's beginning.
func (s *Service) Pending(ctx context.Context, accountID string) ([]openapi.ChallengeEvent, error) {
	in, _, err := s.List(ctx, accountID)
	if err != nil {
		return nil, err
	}
	var events []openapi.ChallengeEvent
	for _, c := range in {
		shown, users, err := s.show(ctx, c)
		if err != nil {
			return nil, err
		}
		bot := false
		for _, u := range users {
			bot = bot || u.ID == accountID && u.IsBot()
		}
		events = append(events, event(kindCreated, shown, bot, c).(openapi.ChallengeEvent))
	}
	return events, nil
}

// show returns the challenge as the API shows it, and the accounts in it.
func (s *Service) show(ctx context.Context, c store.Challenge) (openapi.Challenge, []store.Account, error) {
	tc := control(c)
	speed := tc.Speed()
	perf := s.Games.Perf(c.Variant, speed)
	shown := openapi.Challenge{
		ID: c.ID, URL: s.URL + "/" + c.ID, Status: openapi.ChallengeStatus(c.Status),
		Variant: s.Games.VariantName(c.Variant), Rated: c.Rated, Speed: openapi.Speed(speed),
		TimeControl: timeControl(tc), Color: openapi.ColorChoice(c.Color), FinalColor: openapi.Color(c.FinalColor),
		Perf: s.Games.PerfName(perf), InitialFen: c.InitialFEN, RematchOf: c.RematchOf, Rules: c.Rules,
		Challenger: nullable.NewNullNullable[openapi.ChallengeUser](),
		DestUser:   nullable.NewNullNullable[openapi.ChallengeUser](),
	}
	if c.Status == store.ChallengeDeclined {
		shown.DeclineReasonKey = strings.ToLower(c.DeclineReason)
		shown.DeclineReason = declineSentence(c.DeclineReason)
	}
	if c.Open {
		shown.Open = &openapi.OpenChallengeUsers{UserIds: c.OpenUsers}
		shown.Name = c.Name
		shown.URLWhite, shown.URLBlack = shown.URL+"?color=white", shown.URL+"?color=black"
		shown.ExpiresAt = c.Expires.UnixMilli()
		return shown, nil, nil
	}
	var users []store.Account
	for _, id := range []string{c.ChallengerID, c.DestID} {
		if id == "" {
			continue
		}
		a, err := s.Store.AccountByID(ctx, id)
		if err != nil {
			return shown, nil, err
		}
		users = append(users, a)
	}
	for i, a := range users {
		// The rating is the one that the game would be rated under.
		opponent := ""
		if len(users) == 2 {
			opponent = users[1-i].Title
		}
		p, err := s.Store.Perf(ctx, a.ID, rating.Pool(perf, a.Title, opponent))
		if err != nil {
			return shown, nil, err
		}
		to := &shown.DestUser
		if a.ID == c.ChallengerID {
			to = &shown.Challenger
		}
		to.Set(openapi.ChallengeUser{
			ID: a.ID, Name: a.Name, Title: openapi.Title(a.Title), Rating: rating.Shown(p.Rating),
			Provisional: rating.Provisional(p.RD), Online: s.Presence.Online(a.ID),
		})
	}
	return shown, users, nil
}

// control is the time control of a stored challenge.
func control(c store.Challenge) clock.Control {
	return clock.Terms{
		HasClock: c.HasClock, Limit: c.Limit, Increment: c.Increment, Delay: c.Delay, Byoyomi: c.Byoyomi,
		Periods: c.Periods, Days: c.Days,
	}.Control()
}

func timeControl(c clock.Control) openapi.TimeControl {
	switch {
	case c.HasClock():
		limit, inc := int(c.Limit/time.Second), int(c.Increment/time.Second)
		return openapi.TimeControl{
			Type: "clock", Limit: &limit, Increment: &inc, Delay: int(c.Delay / time.Second),
			Byoyomi: int(c.Period / time.Second), Periods: c.Periods, Show: c.Show(),
		}
	case c.Kind == clock.Correspondence:
		return openapi.TimeControl{Type: "correspondence", DaysPerTurn: c.Days}
	}
	return openapi.TimeControl{Type: "unlimited"}
}
