package ws_test

import (
	"testing"

	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/servertest"
)

// TestChallenges makes, answers and takes back challenges of every kind over the socket.
func TestChallenges(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, eve := newUser(t, s), newUser(t, s), newUser(t, s)
	a, b, e := as(t, s, ann), as(t, s, bob), as(t, s, eve)
	b.do("sub", frames.Sub{Topic: "events"})
	b.want("me", nil)

	// By name, from a position of a variant.
	const position = "1k3k2/8/8/8/8/8/8/1R5K b - - 0 1"
	made := a.do("challenge", frames.Challenge{User: bob.Name, Variant: "spartan", FEN: position, Limit: ptr(300), Increment: ptr(3), Color: "white"})
	if made.Game == "" || made.Started {
		t.Fatalf("the challenge is %+v", made)
	}
	var me frames.Me
	b.want("me", &me)
	if me.Kind != frames.MeChallenge || me.Challenge == nil || me.Challenge.ID != made.Game || me.Challenge.Variant.Key != "spartan" || me.Challenge.InitialFen == "" {
		t.Fatalf("Bob is told %+v", me)
	}
	e.refused("answer", frames.Answer{Challenge: made.Game, Accept: true}, frames.CodeNotFound)
	e.refused("cancel", frames.Cancel{Challenge: made.Game}, frames.CodeNotFound)
	if got := b.do("answer", frames.Answer{Challenge: made.Game, Accept: true}); got.Game != made.Game || !got.Started {
		t.Errorf("accepted: %+v", got)
	}
	b.want("me", &me)
	if me.Kind != frames.MeGameStart || me.Game.ID != made.Game || me.Game.Color != "black" {
		t.Errorf("Bob is told %+v", me)
	}
	a.refused("cancel", frames.Cancel{Challenge: made.Game}, frames.CodeInvalid)

	// Declined, and taken back.
	declined := a.do("challenge", frames.Challenge{User: bob.Name, Days: 3})
	b.want("me", &me)
	b.do("answer", frames.Answer{Challenge: declined.Game, Reason: "later"})
	b.want("me", &me)
	if me.Kind != frames.MeChallengeDeclined || me.Challenge.DeclineReasonKey != "later" {
		t.Errorf("Bob is told %+v", me)
	}
	back := a.do("challenge", frames.Challenge{User: bob.Name})
	b.want("me", &me)
	a.do("cancel", frames.Cancel{Challenge: back.Game})
	b.want("me", &me)
	if me.Kind != frames.MeChallengeCanceled || me.Challenge.ID != back.Game {
		t.Errorf("Bob is told %+v", me)
	}
	b.refused("answer", frames.Answer{Challenge: back.Game, Accept: true}, frames.CodeInvalid)

	// Open to whoever knows the id.
	open := a.do("challenge", frames.Challenge{Variant: "seirawan", Limit: ptr(600), Increment: ptr(0)})
	if got := e.do("answer", frames.Answer{Challenge: open.Game, Accept: true, Color: "black"}); got.Started {
		t.Errorf("a game of one: %+v", got)
	}
	if got := b.do("answer", frames.Answer{Challenge: open.Game, Accept: true}); !got.Started {
		t.Errorf("the second did not start it: %+v", got)
	}
	var game openapi.Game
	r := ann.Request(t, "GET", "/game/export/"+open.Game, "", nil)
	r.Header.Set("Accept", "application/json")
	ann.Do(t, r).Want(t, 200).JSON(t, &game)
	if game.Players.Black.User.ID != eve.ID || game.Players.White.User.ID != bob.ID || game.Variant != "seirawan" {
		t.Errorf("the open challenge became %+v", game)
	}

	for name, f := range map[string]frames.Challenge{
		"nobody":     {User: "nobody-here", Days: 3},
		"half clock": {User: bob.Name, Limit: ptr(300)},
		"variant":    {User: bob.Name, Variant: "nonsense"},
		"fen":        {User: bob.Name, FEN: "x"},
		"level":      {Level: 9},
		"both":       {User: bob.Name, Level: 3},
		"message":    {User: bob.Name, Message: "come and play"},
	} {
		t.Run(name, func(t *testing.T) { a.refused("challenge", f, frames.CodeInvalid) })
	}
	watcher, _ := dial(t, s, nil)
	watcher.refused("challenge", frames.Challenge{User: bob.Name}, frames.CodeUnauthenticated)
}

// TestChallengeMessage: what the challenger says stands in the chat of the game.
func TestChallengeMessage(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := newUser(t, s), newUser(t, s)
	a, b := as(t, s, ann), as(t, s, bob)
	made := a.do("challenge", frames.Challenge{User: bob.Name, Days: 1, Message: "Hello {opponent}, here: {game}"})
	b.do("answer", frames.Answer{Challenge: made.Game, Accept: true})
	var lines []openapi.ChatMessage
	bob.Get(t, "/api/board/game/"+made.Game+"/chat").Want(t, 200).JSON(t, &lines)
	if want := "Hello " + bob.Name + ", here: " + s.URL + "/" + made.Game; len(lines) != 1 || lines[0].Text != want || lines[0].User != ann.Name {
		t.Errorf("the chat says %+v, want %q", lines, want)
	}
}
