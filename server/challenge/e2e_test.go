package challenge_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hoplite/openapi"
	"hoplite/server/servertest"
	"hoplite/store"
)

func clockTerms(more ...string) url.Values {
	form := url.Values{"clock.limit": {"600"}, "clock.increment": {"5"}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

func create(t *testing.T, from *servertest.User, to string, form url.Values) openapi.Challenge {
	t.Helper()
	var c openapi.Challenge
	from.Post(t, "/api/challenge/"+to, form).Want(t, http.StatusOK).JSON(t, &c)
	return c
}

func refused(t *testing.T, a *servertest.Answer, status int, text string) {
	t.Helper()
	a.Want(t, status)
	if got := a.Error(t); !strings.Contains(got, text) {
		t.Errorf("error %q, want %q in it", got, text)
	}
}

func TestChallengeObject(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	// As berserk sends it: JSON, dotted names, nulls.
	var c openapi.Challenge
	ann.PostJSON(t, "/api/challenge/BOB", map[string]any{
		"rated": true, "clock.limit": 90, "clock.increment": 2, "days": nil, "color": nil, "variant": "spartan", "fen": nil, "rules": "",
	}).Want(t, http.StatusOK).JSON(t, &c)
	from, to := c.Challenger.MustGet(), c.DestUser.MustGet()
	if len(c.ID) != 8 || c.URL != s.Server.URL()+"/"+c.ID || c.Status != "created" || c.Direction != "out" || !c.Rated ||
		c.Speed != "bullet" || c.Color != "random" || c.FinalColor == "" || c.Perf.Name != c.Variant.Name || c.Variant.Key != "spartan" ||
		from.ID != "ann" || from.Rating != 1500 || !from.Provisional || to.Name != "Bob" || c.InitialFen != "" {
		t.Errorf("challenge %+v", c)
	}
	if tc := c.TimeControl; tc.Type != "clock" || *tc.Limit != 90 || *tc.Increment != 2 || tc.Show != "1.5+2" {
		t.Errorf("time control %+v", tc)
	}
	for _, test := range []struct {
		name string
		form url.Values
		want func(openapi.Challenge) bool
	}{
		{"days", url.Values{"days": {"3"}, "color": {"black"}}, func(c openapi.Challenge) bool {
			return c.TimeControl.Type == "correspondence" && c.TimeControl.DaysPerTurn == 3 && c.FinalColor == "black" && c.Speed == "correspondence"
		}},
		{"no limit", url.Values{}, func(c openapi.Challenge) bool {
			return c.TimeControl.Type == "unlimited" && c.Variant.Key == "standard" && c.Perf.Name == "Correspondence"
		}},
		{"a position", clockTerms("fen", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), func(c openapi.Challenge) bool {
			return c.Variant.Key == "fromPosition" && c.InitialFen == "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1" && c.Perf.Name == "Rapid"
		}},
		{"shuffled", clockTerms("variant", "chess960"), func(c openapi.Challenge) bool {
			return strings.HasSuffix(c.InitialFen, " w KQkq - 0 1") && c.Variant.Name == "Chess960"
		}},
		{"rules", clockTerms("rules", "noAbort,noRematch"), func(c openapi.Challenge) bool { return len(c.Rules) == 2 }},
	} {
		if c := create(t, ann, "bob", test.form); !test.want(c) {
			t.Errorf("%s: %+v", test.name, c)
		}
	}

	var mine, bobs openapi.ChallengeList
	ann.Get(t, "/api/challenge").Want(t, http.StatusOK).JSON(t, &mine)
	bob.Get(t, "/api/challenge").Want(t, http.StatusOK).JSON(t, &bobs)
	if len(mine.Out) != 6 || len(mine.In) != 0 || len(bobs.In) != 6 || bobs.In[0].ID != c.ID || bobs.In[0].Direction != "in" {
		t.Errorf("lists: %d out, %d in; Bob's %d in", len(mine.Out), len(mine.In), len(bobs.In))
	}
}

func TestRefusedChallenges(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	s.SignUp(t, "Bob")
	robot := s.SignUpBot(t, "Robot")
	ultra := url.Values{"clock.limit": {"15"}, "clock.increment": {"0"}}
	for _, test := range []struct {
		name, to string
		form     url.Values
		status   int
		text     string
	}{
		{"oneself", "ANN", clockTerms(), 404, "yourself"},
		{"nobody", "nobody", clockTerms(), 400, "No such user: nobody"},
		{"an engine's account", "ai3", clockTerms(), 400, "No such user: ai3"},
		{"an unknown game", "bob", clockTerms("variant", "nonsense"), 400, "variant"},
		{"a broken position", "bob", clockTerms("fen", "8/8"), 400, "invalidFen"},
		{"no array of 960", "bob", clockTerms("variant", "chess960", "fen", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), 400, "invalidFen"},
		{"a rated position", "bob", clockTerms("rated", "true", "fen", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), 400, "can't be rated"},
		{"a rated variant by days", "bob", url.Values{"days": {"2"}, "rated": {"true"}, "variant": {"spartan"}}, 400, "can't be rated"},
		{"an odd limit", "bob", clockTerms("clock.limit", "100"), 400, "clock.limit"},
		{"a word as limit", "bob", clockTerms("clock.limit", "abc"), 400, "clock.limit"},
		{"half a clock", "bob", url.Values{"clock.limit": {"300"}}, 400, "clock.increment"},
		{"no time", "bob", clockTerms("clock.limit", "0", "clock.increment", "0"), 400, "Invalid clock"},
		{"four days", "bob", url.Values{"days": {"4"}}, 400, "days"},
		{"a strange rule", "bob", clockTerms("rules", "noMoves"), 400, "rules"},
		{"a bot at ultrabullet", "robot", ultra, 400, "Invalid speed"},
		{"a bot with rules", "robot", clockTerms("rules", "noAbort"), 400, "rules"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := ann.Post(t, "/api/challenge/"+test.to, test.form)
			refused(t, a, test.status, test.text)
			// Form errors stand twice, as old clients read them.
			var twice map[string]json.RawMessage
			a.JSON(t, &twice)
			var fields map[string]json.RawMessage
			if json.Unmarshal(twice["error"], &fields) == nil {
				for name := range fields {
					if len(twice[name]) == 0 {
						t.Errorf("field %s is not at the top: %s", name, a.Body)
					}
				}
			}
		})
	}
	refused(t, robot.Post(t, "/api/challenge/ann", ultra), 400, "Invalid speed")
	var list openapi.ChallengeList
	ann.Get(t, "/api/challenge").Want(t, http.StatusOK).JSON(t, &list)
	if len(list.In)+len(list.Out) != 0 {
		t.Errorf("refused challenges are listed: %+v", list)
	}
}

func TestDeclineAndCancel(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, eve := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.SignUp(t, "Eve")
	annHears, bobHears := ann.Stream(t, "/api/stream/event"), bob.Stream(t, "/api/stream/event")
	post := func(u *servertest.User, id, what string, form url.Values) *servertest.Answer {
		return u.Post(t, "/api/challenge/"+id+"/"+what, form)
	}
	for sent, key := range map[string]string{"TooFast": "toofast", "nobot": "nobot", "": "generic", "whatever": "generic"} {
		c := create(t, ann, "bob", clockTerms())
		post(bob, c.ID, "decline", url.Values{"reason": {sent}}).Want(t, http.StatusOK)
		for _, hears := range []*servertest.Stream{annHears, bobHears} {
			var ev openapi.ChallengeDeclinedEvent
			hears.NextType(t, "challengeDeclined", &ev)
			if ev.Challenge.ID != c.ID || ev.Challenge.DeclineReasonKey != key || ev.Challenge.DeclineReason == "" || ev.Challenge.Status != "declined" {
				t.Errorf("reason %q: event %+v", sent, ev)
			}
		}
		refused(t, post(bob, c.ID, "accept", nil), http.StatusBadRequest, "declined")
		refused(t, post(ann, c.ID, "cancel", nil), http.StatusNotFound, "No such challenge")
	}

	c := create(t, ann, "bob", clockTerms())
	refused(t, post(eve, c.ID, "accept", nil), http.StatusNotFound, "No such challenge")
	refused(t, post(ann, c.ID, "accept", nil), http.StatusNotFound, "No such challenge")
	refused(t, post(eve, c.ID, "decline", nil), http.StatusNotFound, "No such challenge")
	refused(t, post(eve, c.ID, "cancel", nil), http.StatusNotFound, "No such challenge")
	refused(t, eve.Get(t, "/api/challenge/"+c.ID+"/show"), http.StatusNotFound, "No such challenge")
	refused(t, post(bob, "nosuch00", "accept", nil), http.StatusNotFound, "No such challenge")
	post(ann, c.ID, "cancel", nil).Want(t, http.StatusOK)
	for _, hears := range []*servertest.Stream{annHears, bobHears} {
		var ev openapi.ChallengeCanceledEvent
		hears.NextType(t, "challengeCanceled", &ev)
		if ev.Challenge.ID != c.ID || ev.Challenge.Status != "canceled" {
			t.Errorf("event %+v", ev)
		}
	}
	refused(t, post(bob, c.ID, "accept", nil), http.StatusBadRequest, "canceled")

	// The target's cancel is a decline.
	c = create(t, ann, "bob", clockTerms())
	post(bob, c.ID, "cancel", nil).Want(t, http.StatusOK)
	annHears.NextType(t, "challengeDeclined", nil)
	var shown openapi.Challenge
	ann.Get(t, "/api/challenge/"+c.ID+"/show").Want(t, http.StatusOK).JSON(t, &shown)
	if shown.Status != "declined" || shown.FullID != "" {
		t.Errorf("shown %+v", shown)
	}

	// A game is aborted, and later only by both.
	c = create(t, ann, "bob", clockTerms("color", "white"))
	post(bob, c.ID, "accept", nil).Want(t, http.StatusOK)
	ann.Get(t, "/api/challenge/"+c.ID+"/show").Want(t, http.StatusOK).JSON(t, &shown)
	if shown.Status != "accepted" || !strings.HasPrefix(shown.FullID, c.ID) || len(shown.FullID) != 12 {
		t.Errorf("shown %+v", shown)
	}
	ann.Post(t, "/api/board/game/"+c.ID+"/move/e2e4", nil).Want(t, http.StatusOK)
	bob.Post(t, "/api/board/game/"+c.ID+"/move/e7e5", nil).Want(t, http.StatusOK)
	refused(t, post(ann, c.ID, "cancel", nil), http.StatusBadRequest, "Missing opponentToken")
	refused(t, post(eve, c.ID, "cancel?opponentToken="+bob.Token, nil), http.StatusNotFound, "No such challenge")
	refused(t, post(ann, c.ID, "cancel?opponentToken="+eve.Token, nil), http.StatusBadRequest, "opponent")
	refused(t, post(ann, c.ID, "cancel?opponentToken=lip_none", nil), http.StatusBadRequest, "token")
	post(ann, c.ID, "cancel?opponentToken="+bob.Token, nil).Want(t, http.StatusOK)
	var finish openapi.GameFinishEvent
	bobHears.NextType(t, "gameFinish", &finish)
	if finish.Game.Status.Name != "aborted" {
		t.Errorf("gameFinish %+v", finish.Game)
	}
	refused(t, post(ann, c.ID, "cancel", nil), http.StatusBadRequest, "over")
}

// TestExpiry: a challenge with a clock that nobody keeps alive ends after
// twenty seconds, for both sides; one without lives on.
func TestExpiry(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64 // the server's time stands still but for this
	begun := time.Now()
	s := servertest.Start(t, servertest.Now(func() time.Time { return begun.Add(time.Duration(ahead.Load())) }))
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	slow := create(t, ann, "bob", url.Values{"days": {"1"}})
	c := create(t, ann, "bob", clockTerms())
	annHears, bobHears := ann.Stream(t, "/api/stream/event"), bob.Stream(t, "/api/stream/event")
	ahead.Store(int64(19 * time.Second))
	var shown openapi.Challenge
	ann.Get(t, "/api/challenge/"+c.ID+"/show").Want(t, http.StatusOK).JSON(t, &shown)
	if shown.Status != "created" {
		t.Errorf("after 19 s: %s", shown.Status)
	}
	ahead.Store(int64(25 * time.Second))
	refused(t, bob.Post(t, "/api/challenge/"+c.ID+"/accept", nil), http.StatusNotFound, "No such challenge")
	for _, hears := range []*servertest.Stream{annHears, bobHears} {
		var ev openapi.ChallengeCanceledEvent
		hears.NextType(t, "challengeCanceled", &ev)
		if ev.Challenge.ID != c.ID || ev.Challenge.Status != "offline" {
			t.Errorf("event %+v", ev)
		}
	}
	// The sweep tells of those that nobody asks for.
	c = create(t, ann, "bob", clockTerms())
	ahead.Store(int64(60 * time.Second))
	var ev openapi.ChallengeCanceledEvent
	bobHears.NextType(t, "challengeCanceled", &ev)
	if ev.Challenge.ID != c.ID {
		t.Errorf("event %+v, want the end of %s", ev, c.ID)
	}
	var list openapi.ChallengeList
	bob.Get(t, "/api/challenge").Want(t, http.StatusOK).JSON(t, &list)
	if len(list.In) != 1 || list.In[0].ID != slow.ID {
		t.Errorf("left: %+v", list.In)
	}
	ahead.Store(int64(15 * 24 * time.Hour))
	refused(t, bob.Post(t, "/api/challenge/"+slow.ID+"/accept", nil), http.StatusNotFound, "No such challenge")
}

func TestKeepAliveStream(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	hears := bob.Stream(t, "/api/stream/event")
	for answer, want := range map[string]string{"accept": "accepted", "decline": "declined", "cancel": "canceled"} {
		form := clockTerms("keepAliveStream", "true")
		stream := ann.OpenStream(t, ann.Request(t, http.MethodPost, "/api/challenge/bob", "application/x-www-form-urlencoded", strings.NewReader(form.Encode())))
		var c openapi.Challenge
		stream.Next(t, &c)
		var ev openapi.ChallengeEvent
		hears.NextType(t, "challenge", &ev)
		if ev.Challenge.ID != c.ID {
			t.Fatalf("Bob hears of %s, want %s", ev.Challenge.ID, c.ID)
		}
		who := bob
		if answer == "cancel" {
			who = ann
		}
		who.Post(t, "/api/challenge/"+c.ID+"/"+answer, nil).Want(t, http.StatusOK)
		var out openapi.ChallengeOutcome
		stream.Next(t, &out)
		if string(out.Done) != want {
			t.Errorf("after %s: %q, want %q", answer, out.Done, want)
		}
		stream.End(t)
	}
}

func TestOpenChallenge(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, eve := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.SignUp(t, "Eve")
	hears := ann.Stream(t, "/api/stream/event")
	open := func(form url.Values) openapi.Challenge {
		var c openapi.Challenge
		s.Anonymous().Post(t, "/api/challenge/open", form).Want(t, http.StatusOK).JSON(t, &c)
		return c
	}
	accept := func(u *servertest.User, id, query string) *servertest.Answer {
		return u.Post(t, "/api/challenge/"+id+"/accept"+query, nil)
	}
	c := open(clockTerms("variant", "spartan", "name", "club evening"))
	if !c.Challenger.IsNull() || !c.DestUser.IsNull() || c.Open == nil || c.URLWhite != c.URL+"?color=white" || c.URLBlack != c.URL+"?color=black" || c.Name != "club evening" {
		t.Errorf("open challenge %+v", c)
	}
	accept(ann, c.ID, "?color=black").Want(t, http.StatusOK)
	accept(ann, c.ID, "").Want(t, http.StatusOK) // waits already
	refused(t, accept(bob, c.ID, "?color=black"), http.StatusBadRequest, "color")
	accept(bob, c.ID, "").Want(t, http.StatusOK)
	var start openapi.GameStartEvent
	hears.NextType(t, "gameStart", &start)
	if start.Game.ID != c.ID || start.Game.Color != "black" || start.Game.Opponent.Username != "Bob" {
		t.Errorf("gameStart %+v", start.Game)
	}
	refused(t, accept(eve, c.ID, ""), http.StatusNotFound, "No such challenge")

	c = open(clockTerms("users", "Bob, ann"))
	refused(t, accept(eve, c.ID, ""), http.StatusNotFound, "No such challenge")
	accept(ann, c.ID, "?color=white").Want(t, http.StatusOK) // the list decides
	accept(bob, c.ID, "").Want(t, http.StatusOK)
	hears.NextType(t, "gameStart", &start)
	if start.Game.ID != c.ID || start.Game.Color != "black" {
		t.Errorf("gameStart %+v", start.Game)
	}

	for _, form := range []url.Values{
		clockTerms("users", "ann"), clockTerms("users", "ann,ann"), clockTerms("users", "ann,nobody"), clockTerms("expiresAt", "1"),
		clockTerms("rules", "noAbort"),
	} {
		s.Anonymous().Post(t, "/api/challenge/open", form).Want(t, http.StatusBadRequest)
	}
	// Only the one who made it may take it back.
	var mine openapi.Challenge
	ann.Post(t, "/api/challenge/open", clockTerms()).Want(t, http.StatusOK).JSON(t, &mine)
	refused(t, bob.Post(t, "/api/challenge/"+mine.ID+"/cancel", nil), http.StatusNotFound, "No such challenge")
	ann.Post(t, "/api/challenge/"+mine.ID+"/cancel", nil).Want(t, http.StatusOK)
	refused(t, accept(bob, mine.ID, ""), http.StatusBadRequest, "canceled")
}

func TestEngineChallenge(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	form := url.Values{"level": {"3"}, "clock.limit": {"300"}, "clock.increment": {"3"}, "color": {"black"}, "variant": {"spartan"}}
	ann.Post(t, "/api/challenge/ai", form).Want(t, http.StatusServiceUnavailable) // nobody plays the engine here
	if err := s.Store.CreateAccount(context.Background(), store.Account{ID: "ai3", Name: "ai3", Title: "BOT", Hidden: true, Created: time.Now()}); err != nil {
		t.Fatal(err)
	}
	hears := ann.Stream(t, "/api/stream/event")
	var g openapi.AiGame
	ann.Post(t, "/api/challenge/ai", form).Want(t, http.StatusCreated).JSON(t, &g)
	if g.Source != "ai" || g.Player != "white" || g.Variant.Key != "spartan" || g.Perf != "spartan" || g.Status.Name != "started" || g.Rated ||
		len(g.FullID) != 12 || g.Turns != 0 || g.InitialFen != "" {
		t.Errorf("game %+v", g)
	}
	var start openapi.GameStartEvent
	hears.NextType(t, "gameStart", &start)
	if o := start.Game.Opponent; start.Game.ID != g.ID || start.Game.Color != "black" || !o.ID.IsNull() || o.Ai != 3 {
		t.Errorf("gameStart %+v", start.Game)
	}
	for _, level := range []string{"0", "9", ""} {
		form.Set("level", level)
		ann.Post(t, "/api/challenge/ai", form).Want(t, http.StatusBadRequest)
	}
	ann.Post(t, "/api/challenge/"+g.ID+"/cancel", nil).Want(t, http.StatusOK)
	hears.NextType(t, "gameFinish", nil)
}

func TestClocksAndTime(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, eve := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.SignUp(t, "Eve")
	c := create(t, ann, "bob", clockTerms("color", "white"))
	bob.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusOK)
	path := "/api/challenge/" + c.ID + "/start-clocks?token1="
	refused(t, ann.Post(t, path+ann.Token, nil), http.StatusBadRequest, "tokens")
	refused(t, ann.Post(t, path+ann.Token+"&token2="+eve.Token, nil), http.StatusBadRequest, "tokens")
	sees := ann.Stream(t, "/api/board/game/stream/"+c.ID)
	sees.Next(t, nil)
	ann.Post(t, path+bob.Token+"&token2="+ann.Token, nil).Want(t, http.StatusOK)
	time.Sleep(50 * time.Millisecond)
	var full openapi.GameFull
	bob.Stream(t, "/api/board/game/stream/"+c.ID).Next(t, &full)
	if full.State.Wtime >= 600_000 || full.State.Btime != 600_000 {
		t.Errorf("clocks %d and %d, want White's running", full.State.Wtime, full.State.Btime)
	}
	ann.Post(t, path+bob.Token+"&token2="+ann.Token, nil).Want(t, http.StatusOK) // they run already

	bob.Post(t, "/api/round/"+c.ID+"/add-time/60", nil).Want(t, http.StatusOK)
	seen := map[int64]bool{}
	for range 2 {
		var state openapi.GameState
		sees.NextType(t, "gameState", &state)
		seen[state.Wtime/10_000] = true
	}
	if want := map[int64]bool{59: true, 65: true}; !maps.Equal(seen, want) {
		t.Errorf("White's clock in tens of seconds %v, want %v", seen, want)
	}
	refused(t, eve.Post(t, "/api/round/"+c.ID+"/add-time/60", nil), http.StatusNotFound, "Not your game")
	bob.Post(t, "/api/round/"+c.ID+"/add-time/61", nil).Want(t, http.StatusBadRequest)
	bob.Post(t, "/api/round/nosuch00/add-time/15", nil).Want(t, http.StatusNotFound)
}

// TestWhoGivesTime goes through the choices of the preference, of either player.
func TestWhoGivesTime(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	games := map[bool]string{}
	for _, rated := range []bool{false, true} {
		c := create(t, ann, "bob", clockTerms("color", "white", "rated", strconv.FormatBool(rated)))
		bob.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusOK)
		games[rated] = c.ID
	}
	for _, tc := range []struct {
		ann, bob int
		rated    bool
		want     string
	}{
		{3, 3, true, ""}, {2, 2, false, ""}, {1, 3, false, "Your settings do not let time be given in this game"},
		{3, 1, false, "Bob does not let time be given in this game"}, {3, 2, true, "Bob does not let time be given in this game"},
	} {
		for user, choice := range map[*servertest.User]int{ann: tc.ann, bob: tc.bob} {
			if _, err := user.Client(t).Account.SetPreferences(t.Context(), openapi.Preferences{Moretime: &choice}); err != nil {
				t.Fatal(err)
			}
		}
		answer := ann.Post(t, "/api/round/"+games[tc.rated]+"/add-time/15", nil)
		if tc.want == "" {
			answer.Want(t, http.StatusOK)
		} else if got := answer.Want(t, http.StatusBadRequest).Error(t); got != tc.want {
			t.Errorf("%+v: %q", tc, got)
		}
	}
}

// fullDisk is a store that cannot commit games while it is full.
type fullDisk struct {
	store.Store
	full *atomic.Bool
}

func (d fullDisk) CommitSteps(ctx context.Context, steps []store.Step, rate store.RateFunc) ([]store.StepResult, error) {
	if d.full.Load() {
		return nil, store.ErrUnavailable
	}
	return d.Store.CommitSteps(ctx, steps, rate)
}

// TestAcceptOnAFullDisk: no game, no acknowledgement, and the challenge can be
// accepted later.
func TestAcceptOnAFullDisk(t *testing.T) {
	t.Parallel()
	var full atomic.Bool
	s := servertest.Start(t, servertest.Store(func(inner store.Store) store.Store { return fullDisk{inner, &full} }))
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	hears := bob.Stream(t, "/api/stream/event")
	c := create(t, ann, "bob", clockTerms())
	full.Store(true)
	bob.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusServiceUnavailable)
	var shown openapi.Challenge
	bob.Get(t, "/api/challenge/"+c.ID+"/show").Want(t, http.StatusOK).JSON(t, &shown)
	if shown.Status != "created" || shown.FullID != "" {
		t.Errorf("after the failure: %+v", shown)
	}
	full.Store(false)
	bob.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusOK)
	var start openapi.GameStartEvent
	hears.NextType(t, "gameStart", &start)
	if start.Game.ID != c.ID {
		t.Errorf("gameStart %+v", start.Game)
	}
}
