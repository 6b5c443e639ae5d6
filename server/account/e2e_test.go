package account_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/openapi"
	"hoplite/server/servertest"
	"hoplite/store"
)

func TestOwnAccount(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	before := time.Now().Add(-time.Second).UnixMilli()
	ann := s.SignUp(t, "Ann")
	s.Anonymous().Post(t, "/api/signup", url.Values{"username": {"Mail"}, "password": {"correct horse battery"}, "email": {"mail@sparta.example"}}).Want(t, 201)

	answer := ann.Get(t, "/api/account").Want(t, 200)
	var me map[string]json.RawMessage
	answer.JSON(t, &me)
	for field, want := range map[string]string{
		"id": `"ann"`, "username": `"Ann"`, "url": fmt.Sprintf("%q", s.URL+"/@/Ann"),
		"count":      `{"all":0,"rated":0,"ai":0,"draw":0,"drawH":0,"loss":0,"lossH":0,"win":0,"winH":0,"bookmark":0,"playing":0,"import":0,"me":0}`,
		"playTime":   `{"total":0,"tv":0}`,
		"followable": "true", "following": "false", "blocking": "false",
	} {
		var got, wanted any
		if err := json.Unmarshal(me[field], &got); err != nil {
			t.Errorf("%s: %v in %s", field, err, answer.Body)
			continue
		}
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			t.Fatal(err)
		}
		if counts, ok := got.(map[string]any); ok && field == "count" {
			for _, key := range []string{"all", "rated", "draw", "loss", "win", "bookmark", "playing", "import", "me"} {
				if counts[key] != 0.0 {
					t.Errorf("count.%s is %v", key, counts[key])
				}
			}
			continue
		}
		if d := cmp.Diff(wanted, got); d != "" {
			t.Errorf("%s: want, got: %s", field, d)
		}
	}
	for _, field := range []string{"title", "disabled", "tosViolation", "playing", "patron", "verified", "streaming"} {
		if value, has := me[field]; has {
			t.Errorf("%s is %s, want it left out", field, value)
		}
	}
	if strings.Contains(string(answer.Body), "null") {
		t.Errorf("a null in %s", answer.Body)
	}
	var times struct{ CreatedAt, SeenAt int64 }
	answer.JSON(t, &times)
	if times.CreatedAt < before || times.SeenAt < before {
		t.Errorf("times %+v, want after %d", times, before)
	}
	var perfs struct {
		Perfs map[string]struct {
			Games, Rating, Rd, Prog int
			Prov                    bool
		}
	}
	answer.JSON(t, &perfs)
	keys := slices.Sorted(func(yield func(string) bool) {
		for k := range perfs.Perfs {
			if !yield(k) {
				return
			}
		}
	})
	if want := []string{"blitz", "bullet", "classical", "correspondence", "rapid"}; !slices.Equal(keys, want) {
		t.Errorf("perfs %v, want %v", keys, want)
	}
	if p := perfs.Perfs["blitz"]; p.Rating != 1500 || p.Rd != 500 || !p.Prov || p.Games != 0 {
		t.Errorf("blitz %+v", p)
	}

	if b := string(ann.Get(t, "/api/account/email").Want(t, 200).Body); strings.TrimSpace(b) != `{"email":""}` {
		t.Errorf("e-mail %s", b)
	}
	for _, c := range []struct {
		v    string
		kid  bool
		code int
	}{{"true", true, 200}, {"False", false, 200}, {"1", true, 200}, {"no", false, 200}, {"on", true, 200}, {"maybe", true, 400}, {"", true, 400}} {
		ann.Post(t, "/api/account/kid?v="+c.v, nil).Want(t, c.code)
		var kid struct{ Kid bool }
		ann.Get(t, "/api/account/kid").Want(t, 200).JSON(t, &kid)
		if kid.Kid != c.kid {
			t.Errorf("after v=%s: %v", c.v, kid.Kid)
		}
	}
	var prefs struct {
		Prefs    map[string]any
		Language string
	}
	ann.Get(t, "/api/account/preferences").Want(t, 200).JSON(t, &prefs)
	if prefs.Language != "en-US" || prefs.Prefs["premove"] != true || prefs.Prefs["dark"] != false || prefs.Prefs["blindfold"] != 0.0 || len(prefs.Prefs) < 30 {
		t.Errorf("preferences %+v", prefs)
	}
	for _, path := range []string{"/api/account", "/api/account/email", "/api/account/kid", "/api/account/preferences"} {
		if e := s.Anonymous().Get(t, path).Want(t, 401).Error(t); e != "Missing authorization header" {
			t.Errorf("%s: %q", path, e)
		}
	}
}

func TestEmail(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	u := s.Anonymous()
	var made struct{ Token string }
	u.Post(t, "/api/signup", url.Values{"username": {"Mail"}, "password": {"correct horse battery"}, "email": {"mail@sparta.example"}}).Want(t, 201).JSON(t, &made)
	u.Token = made.Token
	if b := string(u.Get(t, "/api/account/email").Want(t, 200).Body); strings.TrimSpace(b) != `{"email":"mail@sparta.example"}` {
		t.Errorf("e-mail %s", b)
	}
	if b := string(s.Anonymous().Get(t, "/api/user/mail").Want(t, 200).Body); strings.Contains(b, "sparta") {
		t.Errorf("the address is public: %s", b)
	}
}

func TestPublicProfiles(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	s.SignUp(t, "Bob")
	s.SignUp(t, "Gone")
	nobody := s.Anonymous()
	now := time.Now()
	if err := s.Store.UpdateAccount(t.Context(), "gone", store.AccountChange{Closed: &now}); err != nil {
		t.Fatal(err)
	}
	if err := s.Store.CreateAccount(t.Context(), store.Account{ID: "shadow", Name: "shadow", Hidden: true, Created: now}); err != nil {
		t.Fatal(err)
	}
	profile := json.RawMessage(`{"bio":"of Sparta","links":"a\nb"}`)
	if err := s.Store.UpdateAccount(t.Context(), "bob", store.AccountChange{Profile: &profile}); err != nil {
		t.Fatal(err)
	}
	for _, p := range []store.Perf{
		{AccountID: "bob", Key: "spartan", Rating: 1733.6, RD: 60.4, Vol: 0.06, Games: 20, Progress: 12, Updated: now},
		{AccountID: "bob", Key: "blitz", Rating: 1600, RD: 120, Vol: 0.06, Games: 3, Updated: now},
		{AccountID: "bob", Key: store.PuzzleKey("spartan"), Rating: 1900, RD: 90, Vol: 0.06, Games: 7, Updated: now},
	} {
		if err := s.Store.SavePerf(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}

	type user struct {
		ID, Username, URL string
		Disabled          bool
		Followable        *bool
		Count             *struct{ All int }
		Profile           struct{ Bio string }
		Perfs             map[string]struct {
			Games, Rating, Rd, Prog, Rank int
			Prov                          *bool
		}
	}
	var bob user
	for _, name := range []string{"bob", "BOB", "Bob"} {
		bob = user{}
		nobody.Get(t, "/api/user/"+name).Want(t, 200).JSON(t, &bob)
		if bob.ID != "bob" || bob.Username != "Bob" || bob.Followable != nil || bob.Count == nil || bob.Profile.Bio != "of Sparta" {
			t.Errorf("%s: %+v", name, bob)
		}
	}
	if p := bob.Perfs["spartan"]; p.Rating != 1734 || p.Rd != 60 || p.Games != 20 || p.Prog != 12 || p.Prov != nil || p.Rank != 0 {
		t.Errorf("spartan %+v", p)
	}
	if p := bob.Perfs["blitz"]; p.Rating != 1600 || p.Prov == nil || !*p.Prov {
		t.Errorf("blitz %+v", p)
	}
	if p := bob.Perfs["puzzle"]; p.Rating != 1900 || p.Games != 7 {
		t.Errorf("puzzle %+v", p)
	}
	var seen user
	ann.Get(t, "/api/user/bob?profile=false&rank=True").Want(t, 200).JSON(t, &seen)
	if seen.Followable == nil || seen.Profile.Bio != "" || seen.Perfs["spartan"].Rank != 1 || seen.Perfs["blitz"].Rank != 0 {
		t.Errorf("with a token: %+v", seen)
	}
	var me user
	ann.Get(t, "/api/user/me").Want(t, 200).JSON(t, &me)
	if me.ID != "ann" {
		t.Errorf("me is %q", me.ID)
	}
	closed := nobody.Get(t, "/api/user/gone").Want(t, 200)
	if got := strings.TrimSpace(string(closed.Body)); got != `{"disabled":true,"id":"gone","username":"Gone"}` {
		t.Errorf("closed account: %s", got)
	}
	for _, name := range []string{"nobody", "me", "shadow", "n%C3%A9", "a%00b", "a%2Fb", strings.Repeat("x", 400), "%FF"} {
		if e := nobody.Get(t, "/api/user/"+name).Want(t, 404).Error(t); e != "Not found" {
			t.Errorf("%s: %q", name, e)
		}
	}

	list := func(body string) []user {
		var users []user
		nobody.Do(t, nobody.Request(t, "POST", "/api/users", "", strings.NewReader(body))).Want(t, 200).JSON(t, &users)
		return users
	}
	got := list("bob, nobody,ANN,gone\nshadow,bob,né")
	var ids []string
	for _, u := range got {
		ids = append(ids, u.ID)
	}
	if !slices.Equal(ids, []string{"bob", "ann", "gone"}) {
		t.Errorf("users %v", ids)
	}
	if got[0].URL != "" || got[0].Count != nil || got[0].Perfs["spartan"].Rating != 1734 || !got[2].Disabled {
		t.Errorf("users %+v", got)
	}
	if got := list(""); got == nil || len(got) != 0 {
		t.Errorf("no names: %v", got)
	}
	var names []string
	for i := range 300 {
		names = append(names, fmt.Sprintf("nobody%d", i))
	}
	if got := list(strings.Join(names, ",") + ",ann"); len(got) != 0 {
		t.Errorf("the 301st name was looked up: %+v", got)
	}
	if got := list(strings.Join(names[1:], ",") + ",ann"); len(got) != 1 {
		t.Errorf("the 300th name was not looked up: %+v", got)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob := s.SignUp(t, "Ann"), s.SignUpBot(t, "Bob")
	nobody := s.Anonymous()
	ask := func(query string) string {
		t.Helper()
		return strings.TrimSpace(string(nobody.Get(t, "/api/users/status?"+query).Want(t, 200).Body))
	}
	if got := ask("ids=Ann,nobody,bob,ann"); got != `[{"id":"ann","name":"Ann"},{"id":"bob","name":"Bob","title":"BOT"}]` {
		t.Errorf("offline: %s", got)
	}
	stream := bob.Stream(t, "/api/stream/event")
	// The header of the stream comes before its first act.
	for end := time.Now().Add(10 * time.Second); ask("ids=bob") != `[{"id":"bob","name":"Bob","online":true,"title":"BOT"}]`; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("with an open stream: %s", ask("ids=bob"))
		}
	}
	var challenge struct{ ID string }
	ann.PostJSON(t, "/api/challenge/bob", map[string]any{"clock.limit": 180, "clock.increment": 2, "variant": "spartan"}).Want(t, 200).JSON(t, &challenge)
	bob.Post(t, "/api/challenge/"+challenge.ID+"/accept", nil).Want(t, 200)
	if got := ask("ids=ann&withGameIds=true"); got != fmt.Sprintf(`[{"id":"ann","name":"Ann","playing":true,"playingId":"%s"}]`, challenge.ID) {
		t.Errorf("playing: %s", got)
	}
	if got := ask("ids=ann&withGameMetas=true"); got != fmt.Sprintf(`[{"id":"ann","name":"Ann","playing":{"clock":"3+2","id":"%s","variant":"spartan"}}]`, challenge.ID) {
		t.Errorf("playing: %s", got)
	}
	var profile struct {
		Playing string
		Count   struct{ Playing int }
	}
	nobody.Get(t, "/api/user/ann").Want(t, 200).JSON(t, &profile)
	if profile.Playing != s.URL+"/"+challenge.ID || profile.Count.Playing != 1 {
		t.Errorf("profile %+v", profile)
	}
	stream.Close()
	deadline := time.Now().Add(10 * time.Second)
	for strings.Contains(ask("ids=bob"), "online") {
		if time.Now().After(deadline) {
			t.Fatal("still online after the stream was closed")
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, query := range []string{"", "ids="} {
		nobody.Get(t, "/api/users/status?"+query).Want(t, 400)
	}
	if got := ask("ids=%2C,%20,né"); got != "[]" {
		t.Errorf("nonsense: %s", got)
	}
}

// TestSignal: whose websocket has answered a ping is told with the quality of the connection, to those who ask.
func TestSignal(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	socket, err := ann.Client(t).Socket(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	users := s.Anonymous().Client(t).Users
	signal := func(with openapi.Flag) int {
		t.Helper()
		list, err := users.Status(t.Context(), openapi.APIUsersStatusParams{Ids: "ann", WithSignal: with})
		if err != nil || len(list) != 1 || !list[0].Online {
			t.Fatalf("%+v, %v", list, err)
		}
		return list[0].Signal
	}
	for end := time.Now().Add(60 * time.Second); signal(openapi.FlagTrue) == 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the connection is never measured")
		}
	}
	if got := signal(""); got != 0 {
		t.Errorf("nobody asked for it: %d", got)
	}
}

func TestBots(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	nobody := s.Anonymous()
	if b := nobody.Get(t, "/api/bot/online").Want(t, 200).Body; len(b) != 0 {
		t.Errorf("no bots: %q", b)
	}
	human := s.SignUp(t, "Human")
	open := []*servertest.Stream{human.Stream(t, "/api/stream/event")}
	for _, name := range []string{"Cbot", "Abot", "Bbot"} {
		open = append(open, s.SignUpBot(t, name).Stream(t, "/api/stream/event"))
	}
	s.SignUpBot(t, "Offline")
	defer func() {
		for _, o := range open {
			o.Close()
		}
	}()
	answer := nobody.Get(t, "/api/bot/online?nb=512").Want(t, 200)
	if kind := answer.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/x-ndjson") {
		t.Errorf("content type %q", kind)
	}
	lines := strings.Split(strings.TrimSuffix(string(answer.Body), "\n"), "\n")
	var names []string
	for _, line := range lines {
		var bot struct {
			Username, Title, URL string
			Perfs                map[string]struct{ Rating int }
		}
		if err := json.Unmarshal([]byte(line), &bot); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		if bot.Title != "BOT" || bot.Perfs["blitz"].Rating != 1500 || bot.URL != "" {
			t.Errorf("bot %s", line)
		}
		names = append(names, bot.Username)
	}
	if !slices.Equal(names, []string{"Abot", "Bbot", "Cbot"}) {
		t.Errorf("bots %v", names)
	}
	if b := string(nobody.Get(t, "/api/bot/online?nb=1").Want(t, 200).Body); strings.Count(b, "\n") != 1 {
		t.Errorf("nb=1: %q", b)
	}
	nobody.Get(t, "/api/bot/online?nb=0").Want(t, 400)
	nobody.Get(t, "/api/bot/online?nb=x").Want(t, 400)
}

func TestUpgrade(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	bot := s.SignUp(t, "Robot")
	for range 2 {
		if b := strings.TrimSpace(string(bot.Post(t, "/api/bot/account/upgrade", nil).Want(t, 200).Body)); b != `{"ok":true}` {
			t.Errorf("upgrade answered %s", b)
		}
	}
	var me struct{ Title string }
	bot.Get(t, "/api/account").Want(t, 200).JSON(t, &me)
	if me.Title != "BOT" {
		t.Errorf("title %q", me.Title)
	}
	// The title counts at once, although the token was just looked up.
	bot.Post(t, "/api/board/seek", url.Values{"time": {"10"}, "increment": {"0"}}).Want(t, 403)

	a, b := s.SignUp(t, "Ann"), s.SignUp(t, "Bob")
	var challenge struct{ ID string }
	a.PostJSON(t, "/api/challenge/bob", map[string]any{"clock.limit": 180, "clock.increment": 2}).Want(t, 200).JSON(t, &challenge)
	b.Post(t, "/api/challenge/"+challenge.ID+"/accept", nil).Want(t, 200)
	if e := a.Post(t, "/api/bot/account/upgrade", nil).Want(t, 400).Error(t); !strings.Contains(e, "already played") {
		t.Errorf("error %q", e)
	}
	s.Anonymous().Post(t, "/api/bot/account/upgrade", nil).Want(t, 401)
}
