package relation_test

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hoplite/client"
	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/servertest"
	"hoplite/store"
)

func names(t *testing.T, users iter.Seq2[openapi.User, error]) string {
	t.Helper()
	var list []string
	for u, err := range users {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, u.Username)
	}
	return strings.Join(list, " ")
}

// flags are what a profile says about the caller's relation to its owner.
func flags(t *testing.T, c *client.Client, name string) string {
	t.Helper()
	u, err := c.Users.Get(t.Context(), name, openapi.APIUserParams{})
	if err != nil {
		t.Fatal(err)
	}
	var set []string
	for _, f := range []struct {
		name string
		on   *bool
	}{{"followable", u.Followable}, {"following", u.Following}, {"followsYou", u.FollowsYou}, {"blocking", u.Blocking}} {
		if f.on == nil {
			t.Fatalf("%s is not told", f.name)
		}
		if *f.on {
			set = append(set, f.name)
		}
	}
	return strings.Join(set, " ")
}

func TestRelations(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	annUser, bobUser := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	s.SignUp(t, "Cleo")
	ann, bob := annUser.Client(t), bobUser.Client(t)
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := names(t, ann.Relations.Following(ctx)); got != "" {
		t.Errorf("follows %q before the first", got)
	}
	must(ann.Relations.Follow(ctx, "BOB"))
	must(ann.Relations.Follow(ctx, "Bob"))
	must(ann.Relations.Follow(ctx, "cleo"))
	if got := names(t, ann.Relations.Following(ctx)); got != "Bob Cleo" {
		t.Errorf("follows %q", got)
	}
	if got := flags(t, ann, "bob"); got != "followable following" {
		t.Errorf("ann sees bob: %q", got)
	}
	if got := flags(t, bob, "ann"); got != "followable followsYou" {
		t.Errorf("bob sees ann: %q", got)
	}
	must(ann.Relations.Unfollow(ctx, "cleo"))
	must(ann.Relations.Unfollow(ctx, "cleo"))

	must(bob.Relations.Block(ctx, "ann"))
	if got := names(t, bob.Relations.Blocking(ctx)); got != "Ann" {
		t.Errorf("blocks %q", got)
	}
	if got := names(t, ann.Relations.Following(ctx)); got != "" {
		t.Errorf("the blocked one follows %q", got)
	}
	if got := flags(t, bob, "ann"); got != "followable blocking" {
		t.Errorf("bob sees ann: %q", got)
	}
	if got := flags(t, ann, "bob"); got != "" {
		t.Errorf("ann sees bob: %q", got)
	}
	annUser.Post(t, "/api/rel/follow/bob", nil).Want(t, http.StatusBadRequest)
	must(bob.Relations.Unblock(ctx, "ann"))
	must(ann.Relations.Follow(ctx, "bob"))

	// Who does not wish to be followed is not.
	no := false
	if _, err := bob.Account.SetPreferences(ctx, openapi.Preferences{Follow: &no}); err != nil {
		t.Fatal(err)
	}
	must(ann.Relations.Unfollow(ctx, "bob"))
	if got := flags(t, ann, "bob"); got != "" {
		t.Errorf("ann sees bob: %q", got)
	}
	if got := annUser.Post(t, "/api/rel/follow/bob", nil).Want(t, http.StatusBadRequest).Error(t); got != "You cannot follow Bob." {
		t.Errorf("error %q", got)
	}
}

func TestRelationsRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	s.SignUp(t, "Gone")
	ann.Post(t, "/api/rel/follow/gone", nil).Want(t, http.StatusOK)
	now := time.Now()
	if err := s.Store.UpdateAccount(t.Context(), "gone", store.AccountChange{Closed: &now}); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"follow", "unfollow", "block", "unblock"} {
		ann.Post(t, "/api/rel/"+verb+"/nobody", nil).Want(t, http.StatusNotFound)
		ann.Post(t, "/api/rel/"+verb+"/a%00b", nil).Want(t, http.StatusNotFound)
		s.Anonymous().Post(t, "/api/rel/"+verb+"/ann", nil).Want(t, http.StatusUnauthorized)
	}
	for _, verb := range []string{"follow", "block"} {
		ann.Post(t, "/api/rel/"+verb+"/ann", nil).Want(t, http.StatusBadRequest)
		ann.Post(t, "/api/rel/"+verb+"/gone", nil).Want(t, http.StatusNotFound)
	}
	ann.Post(t, "/api/rel/unfollow/gone", nil).Want(t, http.StatusOK)
	ann.Get(t, "/api/rel/follow/ann").Want(t, http.StatusMethodNotAllowed)

	var made struct{ Token string }
	session := ann.Post(t, "/api/login", url.Values{"username": {"ann"}, "password": {"correct horse battery"}}).Want(t, http.StatusOK)
	var in struct{ Session string }
	session.JSON(t, &in)
	owner := s.Anonymous()
	owner.Token = in.Session
	owner.PostJSON(t, "/api/account/tokens", map[string]any{"description": "reads", "scopes": []string{"follow:read"}}).
		Want(t, http.StatusCreated).JSON(t, &made)
	reader := s.Anonymous()
	reader.Token = made.Token
	reader.Get(t, "/api/rel/following").Want(t, http.StatusOK)
	reader.Post(t, "/api/rel/follow/gone", nil).Want(t, http.StatusForbidden)
}

func TestNotes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	annUser, bobUser := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	ann, bob := annUser.Client(t), bobUser.Client(t)
	for _, text := range []string{"  loves gambits ", "ψ & <b>"} {
		if err := ann.Users.AddNote(t.Context(), "BOB", text); err != nil {
			t.Fatal(err)
		}
	}
	notes, err := ann.Users.Notes(t.Context(), "bob")
	if err != nil || len(notes) != 2 || notes[0].Text != "ψ & <b>" || notes[1].Text != "loves gambits" ||
		notes[0].From != "ann" || notes[0].To != "bob" || notes[0].Date < time.Now().Add(-time.Minute).UnixMilli() {
		t.Errorf("notes %+v, %v", notes, err)
	}
	if notes, err := bob.Users.Notes(t.Context(), "bob"); err != nil || len(notes) != 0 {
		t.Errorf("another account reads %+v, %v", notes, err)
	}
	// As Lichess's clients send it.
	annUser.Post(t, "/api/user/bob/note", url.Values{"text": {"a form"}}).Want(t, http.StatusOK)
	for _, bad := range []string{"", "   ", strings.Repeat("x", 2001)} {
		annUser.Post(t, "/api/user/bob/note", url.Values{"text": {bad}}).Want(t, http.StatusBadRequest)
	}
	annUser.Post(t, "/api/user/nobody/note", url.Values{"text": {"x"}}).Want(t, http.StatusNotFound)
	annUser.Get(t, "/api/user/nobody/note").Want(t, http.StatusNotFound)
	s.Anonymous().Get(t, "/api/user/bob/note").Want(t, http.StatusUnauthorized)
	for range 97 {
		annUser.Post(t, "/api/user/bob/note", url.Values{"text": {"again"}}).Want(t, http.StatusOK)
	}
	annUser.Post(t, "/api/user/bob/note", url.Values{"text": {"one too many"}}).Want(t, http.StatusBadRequest)
}

// TestBlockedDoNotMeet: no challenge, no acceptance, no rematch, no chat.
func TestBlockedDoNotMeet(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	terms := url.Values{"clock.limit": {"600"}, "clock.increment": {"5"}, "color": {"white"}}
	var c struct{ ID string }
	challenge := func(from *servertest.User, to string) string {
		t.Helper()
		from.Post(t, "/api/challenge/"+to, terms).Want(t, http.StatusOK).JSON(t, &c)
		return c.ID
	}
	// One game to look back on, one that goes on, and a challenge that waits.
	over := challenge(ann, "bob")
	bob.Post(t, "/api/challenge/"+over+"/accept", nil).Want(t, http.StatusOK)
	ann.Post(t, "/api/board/game/"+over+"/move/e2e4", nil).Want(t, http.StatusOK)
	bob.Post(t, "/api/board/game/"+over+"/move/e7e5", nil).Want(t, http.StatusOK)
	ann.Post(t, "/api/board/game/"+over+"/resign", nil).Want(t, http.StatusOK)
	running := challenge(ann, "bob")
	bob.Post(t, "/api/challenge/"+running+"/accept", nil).Want(t, http.StatusOK)
	waiting := challenge(ann, "bob")
	var open struct{ ID string }
	ann.Post(t, "/api/challenge/open", url.Values{"clock.limit": {"600"}, "clock.increment": {"5"}}).Want(t, http.StatusOK).JSON(t, &open)
	ann.Post(t, "/api/challenge/"+open.ID+"/accept", nil).Want(t, http.StatusOK)

	bob.Post(t, "/api/rel/block/ann", nil).Want(t, http.StatusOK)
	for _, test := range []struct {
		who  *servertest.User
		to   string
		text string
	}{{ann, "bob", "You cannot challenge Bob."}, {bob, "ann", "You cannot challenge Ann."}} {
		if got := test.who.Post(t, "/api/challenge/"+test.to, terms).Want(t, http.StatusBadRequest).Error(t); got != test.text {
			t.Errorf("%s: %q", test.to, got)
		}
	}
	bob.Post(t, "/api/challenge/"+waiting+"/accept", nil).Want(t, http.StatusBadRequest)
	bob.Post(t, "/api/challenge/"+open.ID+"/accept", nil).Want(t, http.StatusBadRequest)

	line := url.Values{"room": {"player"}, "text": {"hello"}}
	ann.Post(t, "/api/board/game/"+running+"/chat", line).Want(t, http.StatusForbidden)
	bob.Post(t, "/api/board/game/"+running+"/chat", line).Want(t, http.StatusOK)
	// The game itself goes on.
	ann.Post(t, "/api/board/game/"+running+"/move/e2e4", nil).Want(t, http.StatusOK)

	socket, err := ann.Client(t).Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if _, err := socket.Rematch(t.Context(), frames.Rematch{Game: over, Accept: true}); err == nil || !strings.Contains(err.Error(), "You cannot challenge Bob.") {
		t.Errorf("rematch: %v", err)
	}
	if _, err := socket.Chat(t.Context(), frames.Chat{Game: running, Text: "hello"}); err == nil || !strings.Contains(err.Error(), "blocks you") {
		t.Errorf("chat: %v", err)
	}

	bob.Post(t, "/api/rel/unblock/ann", nil).Want(t, http.StatusOK)
	bob.Post(t, "/api/challenge/"+waiting+"/accept", nil).Want(t, http.StatusBadRequest) // it was declined by the block
	bob.Post(t, "/api/challenge/"+challenge(ann, "bob")+"/accept", nil).Want(t, http.StatusOK)
	ann.Post(t, "/api/board/game/"+running+"/chat", line).Want(t, http.StatusOK)
}

// TestWhoMayChallenge goes through the choices of the preference.
func TestWhoMayChallenge(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bobUser := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	bob := bobUser.Client(t)
	terms := url.Values{"clock.limit": {"600"}, "clock.increment": {"5"}}
	wish := func(n int) {
		t.Helper()
		if _, err := bob.Account.SetPreferences(context.Background(), openapi.Preferences{Challenge: &n}); err != nil {
			t.Fatal(err)
		}
	}
	try := func(want string) {
		t.Helper()
		answer := ann.Post(t, "/api/challenge/bob", terms)
		if want == "" {
			answer.Want(t, http.StatusOK)
			return
		}
		if got := answer.Want(t, http.StatusBadRequest).Error(t); got != want {
			t.Errorf("error %q, want %q", got, want)
		}
	}
	rate := func(r float64, rd float64) {
		t.Helper()
		p := store.Perf{AccountID: "ann", Key: "rapid", Rating: r, RD: rd, Vol: 0.06, Games: 30, Updated: time.Now()}
		if err := s.Store.SavePerf(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	try("")
	wish(1)
	try("Bob does not accept challenges.")
	wish(3)
	try("Bob only accepts challenges from friends.")
	wish(2)
	try("Cannot challenge due to provisional Rapid rating.")
	rate(1900, 60)
	try("Your Rapid rating is too far from Bob.")
	rate(1750, 60)
	try("")
	rate(1900, 60)
	bobUser.Post(t, "/api/rel/follow/ann", nil).Want(t, http.StatusOK)
	try("") // a friend
	wish(3)
	try("")
	wish(1)
	try("Bob does not accept challenges.")
	wish(5)
	try("")
}

// TestBlockWithdrawsChallenges: what waits between the two is gone, what waits between others stays.
func TestBlockWithdrawsChallenges(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, cleo := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.SignUp(t, "Cleo")
	form := url.Values{"clock.limit": {"300"}, "clock.increment": {"3"}}
	ann.Post(t, "/api/challenge/Bob", form).Want(t, 200)
	bob.Post(t, "/api/challenge/Ann", form).Want(t, 200)
	cleo.Post(t, "/api/challenge/Ann", form).Want(t, 200)
	ann.Post(t, "/api/challenge/Cleo", form).Want(t, 200)
	if err := ann.Client(t).Relations.Block(t.Context(), "Bob"); err != nil {
		t.Fatal(err)
	}
	for _, who := range []struct {
		user    *servertest.User
		in, out string
	}{{ann, "cleo", "cleo"}, {bob, "", ""}, {cleo, "ann", "ann"}} {
		list, err := who.user.Client(t).Challenges.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		in, out := "", ""
		for _, c := range list.In {
			in += c.Challenger.MustGet().ID
		}
		for _, c := range list.Out {
			out += c.DestUser.MustGet().ID
		}
		if in != who.in || out != who.out {
			t.Errorf("%s: in %q, out %q; want %q, %q", who.user.Name, in, out, who.in, who.out)
		}
	}
}
