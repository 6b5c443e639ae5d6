package challenge

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/limits"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/pairing"
	"hoplite/store"
)

// ChallengeCancel withdraws a challenge, or aborts the game that it became.
func (h Handlers) ChallengeCancel(ctx context.Context, r api.ChallengeCancelRequestObject) (api.ChallengeCancelResponseObject, error) {
	by := caller(ctx)
	canceled, err := h.challenges.Cancel(ctx, by, r.ChallengeID)
	// A game against the engine has no challenge behind it.
	if err == nil && !canceled || fault.KindOf(err) == fault.KindNotFound {
		err = h.abort(ctx, by, lichess.GameID(r.ChallengeID), r.Params.OpponentToken)
	}
	if err != nil {
		return nil, err
	}
	return api.ChallengeCancel200JSONResponse{DoneJSONResponse: done()}, nil
}

// abort ends a game without a result: alone while that is possible, later
// with the opponent's agreement, shown by a token.
func (h Handlers) abort(ctx context.Context, by Player, id, opponentToken string) error {
	snap, err := h.challenges.Live.Snapshot(ctx, id)
	if err != nil {
		if fault.KindOf(err) == fault.KindNotFound {
			return errNoChallenge()
		}
		return err
	}
	player := snap.PlayerOf(by.ID)
	if player < 0 {
		return errNoChallenge()
	}
	if snap.Over() {
		return fault.Invalid("This game is already over")
	}
	act := game.Action{Kind: game.Abort, Player: player}
	if !snap.MayAbort() {
		if len(snap.Players) != 2 {
			return fault.Invalid("This game can no longer be aborted")
		}
		if opponentToken == "" {
			return fault.Invalid("Missing opponentToken")
		}
		owner, err := h.tokenOwner(ctx, opponentToken)
		if err != nil {
			return err
		}
		if owner != snap.Players[1-player].AccountID {
			return fault.Invalid("The opponentToken is not the opponent's")
		}
		act.Player = -1
	}
	_, err = h.challenges.Live.Act(ctx, id, act)
	return err
}

// tokenOwner returns whose token it is, if it may write challenges.
func (h Handlers) tokenOwner(ctx context.Context, token string) (string, error) {
	id, err := h.auth.Authenticate(ctx, token, "")
	if err != nil && fault.KindOf(err) != fault.KindUnauthenticated {
		return "", err
	}
	if err != nil || id.TokenID == "" || !id.Has("challenge:write") {
		return "", fault.Invalid("Not a challenge:write token")
	}
	return id.AccountID, nil
}

// ChallengeStartClocks starts the clocks of a game whose players agree.
func (h Handlers) ChallengeStartClocks(ctx context.Context, r api.ChallengeStartClocksRequestObject) (api.ChallengeStartClocksResponseObject, error) {
	id := lichess.GameID(r.GameID)
	snap, err := h.challenges.Live.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	var agreed []string
	for _, token := range []string{r.Params.Token1, r.Params.Token2} {
		if token == "" {
			continue
		}
		owner, err := h.tokenOwner(ctx, token)
		if err != nil {
			return nil, err
		}
		agreed = append(agreed, owner)
	}
	for _, p := range snap.Players {
		if p.AILevel == 0 && !slices.Contains(agreed, p.AccountID) {
			return nil, fault.Invalid("Both players' tokens are needed")
		}
	}
	if _, err := h.challenges.Live.Act(ctx, id, game.Action{Kind: game.StartClocks, Player: -1}); err != nil {
		return nil, err
	}
	return api.ChallengeStartClocks200JSONResponse{DoneJSONResponse: done()}, nil
}

// RoundAddTime gives the opponent more time.
func (h Handlers) RoundAddTime(ctx context.Context, r api.RoundAddTimeRequestObject) (api.RoundAddTimeResponseObject, error) {
	id := lichess.GameID(r.GameID)
	snap, err := h.challenges.Live.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	player := snap.PlayerOf(caller(ctx).ID)
	if player < 0 {
		return nil, fault.NotFound("Not your game")
	}
	if err := h.challenges.mayGiveTime(ctx, snap, player); err != nil {
		return nil, err
	}
	if _, err := h.challenges.Live.Act(ctx, id, game.Action{Kind: game.AddTime, Player: player, Seconds: r.Seconds}); err != nil {
		return nil, err
	}
	return api.RoundAddTime200JSONResponse{DoneJSONResponse: done()}, nil
}

// ChallengeAi starts a game against the server's engine.
func (h Handlers) ChallengeAi(ctx context.Context, r api.ChallengeAiRequestObject) (api.ChallengeAiResponseObject, error) {
	var form openapi.AiForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	by := caller(ctx)
	terms, bad := pairing.Form{
		Clock: clock.Form{
			Limit: form.ClockLimit, Increment: form.ClockIncrement, Delay: form.ClockDelay,
			Byoyomi: form.ClockByoyomi, Periods: form.ClockPeriods, Days: form.Days,
		},
		Color: string(form.Color), Variant: form.Variant, FEN: form.Fen,
	}.Terms(h.challenges.Games, pairing.Pick)
	h.challenges.checkEngine(by, form.Level, terms, bad)
	if len(bad) > 0 {
		return nil, fieldsError(bad)
	}
	if err := h.challenges.checkBotDay(ctx, limits.BotVsEngine(), true, by, ""); err != nil {
		return nil, err
	}
	snap, player, err := h.challenges.PlayEngine(ctx, by, form.Level, terms)
	if err != nil {
		return nil, err
	}
	games := h.challenges.Games
	snap = snap.For(player)
	shown := openapi.AiGame{
		ID: snap.ID, Variant: games.VariantName(snap.Variant), Speed: openapi.Speed(snap.Speed), Perf: snap.Perf,
		Source: snap.Source, CreatedAt: snap.Created.UnixMilli(), Fen: games.FEN(snap.Variant, snap.FEN),
		Turns: len(snap.Moves), Status: lichess.Status(snap.Status), Player: lichess.Color(snap.Turn),
		FullID: lichess.FullID(snap.ID, player), InitialFen: terms.Start.FEN, LastMove: snap.LastMove, Check: snap.Check,
	}
	return api.ChallengeAi201JSONResponse(shown), nil
}

// ChallengeOpen makes a challenge for whoever has the link.
func (h Handlers) ChallengeOpen(ctx context.Context, r api.ChallengeOpenRequestObject) (api.ChallengeOpenResponseObject, error) {
	var form openapi.OpenForm
	if r.JSONBody != nil {
		form = *r.JSONBody
	}
	terms, bad := pairing.Form{
		Clock: clock.Form{
			Limit: form.ClockLimit, Increment: form.ClockIncrement, Delay: form.ClockDelay,
			Byoyomi: form.ClockByoyomi, Periods: form.ClockPeriods, Days: form.Days,
		},
		Rated: form.Rated, Variant: form.Variant, FEN: form.Fen, Rules: ruleList(form.Rules),
	}.Terms(h.challenges.Games, pairing.Pick)
	if slices.Contains(terms.Rules, game.RuleNoAbort) {
		bad["rules"] = append(bad["rules"], "noAbort is reserved")
	}
	var expires time.Time
	if form.ExpiresAt != 0 {
		expires = time.UnixMilli(form.ExpiresAt).UTC()
		if now := h.challenges.Now(); !expires.After(now) || expires.After(now.Add(SlowLife)) {
			bad["expiresAt"] = append(bad["expiresAt"], "must be within the next two weeks")
		}
	}
	users, wrong, err := h.challenges.openUsers(ctx, form.Users)
	if err != nil {
		return nil, err
	}
	if wrong != "" {
		bad["users"] = append(bad["users"], wrong)
	}
	if len(bad) > 0 {
		return nil, fieldsError(bad)
	}
	c, err := h.challenges.CreateOpen(ctx, caller(ctx), terms, strings.TrimSpace(form.Name), users, expires)
	if err != nil {
		return nil, err
	}
	shown, err := h.shown(ctx, c, "")
	if err != nil {
		return nil, err
	}
	return api.ChallengeOpen200JSONResponse(shown), nil
}

// openUsers reads the list of those who alone may join an open challenge.
// wrong says what is the matter with it.
func (s *Service) openUsers(ctx context.Context, list string) (users []string, wrong string, err error) {
	if strings.TrimSpace(list) == "" {
		return nil, "", nil
	}
	for _, name := range strings.Split(list, ",") {
		users = append(users, strings.ToLower(strings.TrimSpace(name)))
	}
	if len(users) != 2 || users[0] == users[1] {
		return nil, "must be two different users", nil
	}
	for _, id := range users {
		a, err := s.Store.AccountByID(ctx, id)
		if isUnknown(a, err) {
			return nil, "No such user: " + id, nil
		}
		if err != nil {
			return nil, "", err
		}
	}
	return users, "", nil
}

// PlayEngine starts a game against a level of the engine and returns it with
// the caller's side.
func (s *Service) PlayEngine(ctx context.Context, by Player, level int, t pairing.Terms) (*game.Snapshot, int, error) {
	engine := pairing.EngineAccount(level)
	if a, err := s.Store.AccountByID(ctx, engine); err != nil || a.IsClosed() || pairing.EngineLevel(a) != level {
		if err == nil || isUnknown(a, err) {
			err = fault.Unavailable("The engine does not play on this server")
		}
		return nil, 0, err
	}
	if err := s.checkLoad(ctx, by.ID); err != nil {
		return nil, 0, err
	}
	player := lichess.PlayerOf(pairing.FinalColor(t.Color))
	seats := [2]string{by.ID, engine}
	if player == 1 {
		seats[0], seats[1] = seats[1], seats[0]
	}
	t.Rated = false
	snap, err := s.Maker.Start(ctx, t.Order("", lichess.SourceAI), seats[0], seats[1])
	return snap, player, err
}

// fullID is the handle of the game that a challenge became, "" for those who
// do not play in it.
func (s *Service) fullID(ctx context.Context, id, accountID string) (string, error) {
	snap, err := s.Live.Snapshot(ctx, id)
	if fault.KindOf(err) == fault.KindNotFound {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if player := snap.PlayerOf(accountID); player >= 0 {
		return lichess.FullID(id, player), nil
	}
	return "", nil
}

// keepAlive pings the challenge until stop is called or ctx ends. stop waits
// for the last ping.
func (s *Service) keepAlive(ctx context.Context, c store.Challenge) (stop func()) {
	if !c.Expires.IsZero() {
		return func() {} // it lives without
	}
	ctx, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.pings(ctx, c.ID)
	}()
	return func() {
		cancel()
		<-over
	}
}

// pings keeps a challenge alive until ctx ends or it is answered.
func (s *Service) pings(ctx context.Context, id string) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			// A missed ping is made up by the next one.
			if err := s.Ping(ctx, id); errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) {
				return
			}
		}
	}
}

// pingEvery is well below SeenLife, so that one lost write does not matter.
const pingEvery = SeenLife / 3
