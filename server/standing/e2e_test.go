package standing_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/openapi"
	"hoplite/server/rating"
	"hoplite/server/servertest"
	"hoplite/store"
)

func got[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// past writes games into the store that ended before the test began.
type past struct {
	s *servertest.Server
	n int
}

// game has white play black for a minute; winner is a seat or -1.
func (p *past) game(t *testing.T, white, black string, at time.Time, status store.Status, winner int, change func(*store.Game)) string {
	t.Helper()
	p.n++
	g := &store.Game{
		ID: fmt.Sprintf("past%04d", p.n), Variant: "standard", Speed: "blitz", Perf: "blitz", Rated: true, Source: "friend",
		HasClock: true, Limit: 3 * time.Minute, Increment: 2 * time.Second, Created: at.UTC().Truncate(time.Millisecond),
		GameState: store.GameState{
			Seq: 1, Status: status, Winner: winner, Plies: 2, Moves: "e2e4 e7e5", LastMove: at.Add(time.Minute).UTC().Truncate(time.Millisecond),
		},
	}
	var keys [2]string
	accounts := make([]store.Account, 2)
	for i, id := range []string{white, black} {
		a, err := p.s.Store.AccountByID(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		accounts[i] = a
	}
	for i, a := range accounts {
		keys[i] = rating.Pool(g.Perf, a.Title, accounts[1-i].Title)
		perf, err := p.s.Store.Perf(t.Context(), a.ID, keys[i])
		if err != nil {
			t.Fatal(err)
		}
		g.Players = append(g.Players, store.GamePlayer{
			AccountID: a.ID, Name: a.Name, Title: a.Title, Rating: rating.Shown(perf.Rating), Provisional: rating.Provisional(perf.RD),
		})
	}
	if change != nil {
		change(g)
	}
	step := store.Step{New: g, Counts: store.FinishCounts(g), Rows: []store.Action{{GameID: g.ID, Seq: 1, Kind: "start", Player: -1, At: g.Created}}}
	if g.Rated {
		score := map[int]float64{-1: 0.5, 0: 1, 1: 0}[winner]
		step.Rate = &store.RateRequest{Keys: keys, Accounts: [2]string{white, black}, Score: score, At: g.LastMove}
	}
	if _, err := p.s.Store.CommitSteps(t.Context(), []store.Step{step}, rating.Game); err != nil {
		t.Fatal(err)
	}
	return g.ID
}

func (p *past) settle(t *testing.T, account, key string, r, rd float64) {
	t.Helper()
	err := p.s.Store.SavePerf(t.Context(), store.Perf{
		AccountID: account, Key: key, Rating: r, RD: rd, Vol: 0.06, Games: 30, Progress: 7, Updated: time.Now().AddDate(0, 0, -20),
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLeaderboards(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	p := &past{s: s}
	ann, c := s.SignUp(t, "Ann"), s.Anonymous()
	for _, name := range []string{"Bob", "Cleo", "Unsure"} {
		s.SignUp(t, name)
	}
	robot := s.SignUpBot(t, "Robot")
	p.settle(t, "ann", "blitz", 1700.4, 60)
	p.settle(t, "bob", "blitz", 1800, 75)
	p.settle(t, "cleo", "spartan", 1650, 50)
	p.settle(t, "unsure", "blitz", 2500, 76)
	p.settle(t, "robot", "blitz", 2900, 50)
	defer robot.Stream(t, "/api/stream/event").Close()
	users := c.Client(t).Users

	boards := got[map[string][]openapi.TopUser](t)(users.Leaderboards(t.Context(), openapi.PlayerParams{}))
	names := func(list []openapi.TopUser) string {
		var out []string
		for _, u := range list {
			out = append(out, u.Username)
		}
		return strings.Join(out, " ")
	}
	if got := names(boards["blitz"]); got != "Bob Ann" {
		t.Errorf("blitz: %q", got)
	}
	if got := names(boards["spartan"]); got != "Cleo" {
		t.Errorf("spartan: %q", got)
	}
	if d := cmp.Diff(boards["blitz"][1], openapi.TopUser{ID: "ann", Username: "Ann", Perfs: map[string]openapi.TopPerf{"blitz": {Rating: 1700, Progress: 7}}}); d != "" {
		t.Error(d)
	}
	var missing []string
	for _, key := range strings.Fields("bullet blitz rapid classical ultraBullet crazyhouse chess960 kingOfTheHill threeCheck antichess atomic horde racingKings") {
		if _, ok := boards[key]; !ok {
			missing = append(missing, key)
		}
	}
	if _, has := boards["correspondence"]; has || len(missing) > 0 || len(boards) != 14 {
		t.Errorf("%d boards, without %v", len(boards), missing)
	}
	boards = got[map[string][]openapi.TopUser](t)(users.Leaderboards(t.Context(), openapi.PlayerParams{Bots: "true"}))
	if got := names(boards["blitz"]); got != "Robot" || !boards["blitz"][0].Online || boards["blitz"][0].Title != "BOT" {
		t.Errorf("bots: %+v", boards["blitz"])
	}

	top := got[openapi.Leaderboard](t)(users.Top(t.Context(), 1, "blitz", openapi.PlayerTopNbPerfTypeParams{}))
	if got := names(top.Users); got != "Bob" {
		t.Errorf("top 1: %q", got)
	}
	answer := c.Get(t, "/api/player/top/10/rapid").Want(t, http.StatusOK)
	if kind := answer.Header.Get("Content-Type"); kind != "application/vnd.lichess.v3+json" || strings.TrimSpace(string(answer.Body)) != `{"users":[]}` {
		t.Errorf("%s: %s", kind, answer.Body)
	}
	for path, status := range map[string]int{
		"top/0/blitz": 400, "top/201/blitz": 400, "top/x/blitz": 400, "top/10/nonsense": 404, "top/10/puzzle": 404, "top/10/correspondence": 404,
	} {
		c.Get(t, "/api/player/"+path).Want(t, status)
	}

	// Ranks in profiles are those of the leaderboards.
	for name, want := range map[string]int{"ann": 2, "bob": 1, "unsure": 0, "robot": 1} {
		u := got[openapi.User](t)(users.Get(t.Context(), name, openapi.APIUserParams{Rank: "true"}))
		if u.Perfs["blitz"].Rank != want {
			t.Errorf("%s has rank %d, want %d", name, u.Perfs["blitz"].Rank, want)
		}
	}
	several := got[[]openapi.User](t)(users.List(t.Context(), []string{"ann", "robot"}, openapi.APIUsersParams{Rank: "true"}))
	if several[0].Perfs["blitz"].Rank != 2 || several[1].Perfs["blitz"].Rank != 1 {
		t.Errorf("ranks %+v", several)
	}
	if body := string(ann.Get(t, "/api/user/ann?trophies=1").Want(t, http.StatusOK).Body); !strings.Contains(body, `"trophies":[]`) {
		t.Errorf("trophies: %s", body)
	}
	if body := strings.TrimSpace(string(c.Get(t, "/api/streamer/live").Want(t, http.StatusOK).Body)); body != "[]" {
		t.Errorf("streamers: %s", body)
	}
}

// TestPools plays real games: a person's rating among people is not moved by a bot.
func TestPools(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann, bob, robot, other := s.SignUp(t, "Ann"), s.SignUp(t, "Bob"), s.SignUpBot(t, "Robot"), s.SignUpBot(t, "Other")
	play := func(white, black *servertest.User, loser *servertest.User) {
		t.Helper()
		var c openapi.Challenge
		white.Post(t, "/api/challenge/"+black.ID, url.Values{
			"clock.limit": {"600"}, "clock.increment": {"0"}, "color": {"white"}, "rated": {"true"},
		}).Want(t, http.StatusOK).JSON(t, &c)
		black.Post(t, "/api/challenge/"+c.ID+"/accept", nil).Want(t, http.StatusOK)
		door := func(u *servertest.User) string {
			if u == robot || u == other {
				return "/api/bot/game/"
			}
			return "/api/board/game/"
		}
		white.Post(t, door(white)+c.ID+"/move/e2e4", nil).Want(t, http.StatusOK)
		black.Post(t, door(black)+c.ID+"/move/e7e5", nil).Want(t, http.StatusOK)
		loser.Post(t, door(loser)+c.ID+"/resign", nil).Want(t, http.StatusOK)
	}
	perfs := func(u *servertest.User) string {
		t.Helper()
		var user openapi.User
		s.Anonymous().Get(t, "/api/user/"+u.ID).Want(t, http.StatusOK).JSON(t, &user)
		var out []string
		for key, p := range user.Perfs {
			if p.Games > 0 {
				sign := "+"
				if p.Rating < 1500 {
					sign = "-"
				}
				out = append(out, fmt.Sprintf("%s%s%d", key, sign, p.Games))
			}
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	play(ann, robot, robot)
	play(robot, other, other)
	play(bob, ann, bob)
	for _, c := range []struct {
		u    *servertest.User
		want string
	}{{ann, "bots/rapid+1 rapid+1"}, {bob, "rapid-1"}, {other, "rapid-1"}} {
		if got := perfs(c.u); got != c.want {
			t.Errorf("%s: %q, want %q", c.u.ID, got, c.want)
		}
	}
	if got := perfs(robot); !strings.HasSuffix(got, "2") {
		t.Errorf("robot: %q", got)
	}
	// The rating that a challenge and a game show is the one that is at stake.
	var c openapi.Challenge
	ann.Post(t, "/api/challenge/robot", url.Values{"clock.limit": {"600"}, "clock.increment": {"0"}}).Want(t, http.StatusOK).JSON(t, &c)
	p, err := s.Store.Perf(t.Context(), "ann", rating.BotsKey("rapid"))
	if err != nil {
		t.Fatal(err)
	}
	if shown := c.Challenger.MustGet().Rating; shown != rating.Shown(p.Rating) {
		t.Errorf("the challenge shows %d, want %v", shown, p.Rating)
	}
	// Each pool has its statistics and its history.
	users := ann.Client(t).Users
	for _, c := range []struct{ bots, opponent, key string }{{"", "bob", "rapid"}, {"true", "robot", "bots/rapid"}} {
		stat := got[openapi.PerfStat](t)(users.PerfStat(t.Context(), "ann", "rapid", openapi.APIUserPerfParams{Bots: openapi.Flag(c.bots)}))
		if stat.Stat.Count.All != 1 || stat.Perf.Nb != 1 || stat.Stat.Count.Win != 1 || stat.Stat.PerfType.Key != c.key {
			t.Errorf("%s: %+v", c.key, stat)
		}
	}
	history := got[[]openapi.RatingHistory](t)(users.RatingHistory(t.Context(), "ann"))
	points := map[string]int{}
	for _, h := range history {
		points[h.Key] = len(h.Points)
	}
	if points["rapid"] != 1 || points["bots/rapid"] != 1 || points["blitz"] != 0 || len(history) != 7 {
		t.Errorf("history %+v", history)
	}
}

func TestPerfStat(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	s.SignUp(t, "Bob")
	s.SignUp(t, "Cleo")
	p := &past{s: s}
	p.settle(t, "ann", "blitz", 1700, 60)
	p.settle(t, "bob", "blitz", 1750, 60)
	p.settle(t, "cleo", "blitz", 1600, 200) // provisional
	start := time.Now().Add(-10 * 24 * time.Hour)
	at := func(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }
	first := p.game(t, "ann", "bob", at(0), store.StatusMate, 0, nil)
	p.game(t, "cleo", "ann", at(5), store.StatusResign, 1, nil)
	third := p.game(t, "ann", "bob", at(10), store.StatusOutOfTime, 0, nil)
	p.game(t, "ann", "bob", at(200), store.StatusDraw, -1, func(g *store.Game) { g.Rated = false })
	fifth := p.game(t, "bob", "ann", at(205), store.StatusTimeout, 0, nil)
	p.game(t, "ann", "bob", at(300), store.StatusMate, 0, func(g *store.Game) { g.Perf, g.Speed, g.Rated = "rapid", "rapid", false })

	stat := got[openapi.PerfStat](t)(ann.Client(t).Users.PerfStat(t.Context(), "ANN", "blitz", openapi.APIUserPerfParams{}))
	c := stat.Stat.Count
	if c.All != 5 || c.Rated != 4 || c.Win != 3 || c.Draw != 1 || c.Loss != 1 || c.Disconnects != 1 || c.Seconds != 300 || c.Tour != 0 || c.Berserk != 0 || c.OpAvg < 1600 {
		t.Errorf("count %+v", c)
	}
	if stat.User.Name != "Ann" || stat.Perf.Nb != 34 || stat.Perf.Glicko.Provisional || stat.Stat.UserID.ID != "ann" {
		t.Errorf("%+v", stat)
	}
	high, low := stat.Stat.Highest, stat.Stat.Lowest
	if high == nil || low == nil || high.GameID != third || low.GameID != first && low.GameID != fifth || high.Int <= low.Int {
		t.Errorf("highest %+v, lowest %+v", high, low)
	}
	if wins := stat.Stat.BestWins.Results; len(wins) != 2 || wins[0].GameID != first || wins[0].OpRating != 1750 || wins[0].OpID.Name != "Bob" {
		t.Errorf("best wins %+v", wins)
	}
	if losses := stat.Stat.WorstLosses.Results; len(losses) != 1 || losses[0].GameID != fifth {
		t.Errorf("worst losses %+v", losses)
	}
	win, loss := stat.Stat.ResultStreak.Win, stat.Stat.ResultStreak.Loss
	if win.Max.V != 3 || win.Max.From.GameID != first || win.Max.To.GameID != third || win.Cur.V != 0 || loss.Cur.V != 1 || loss.Max.V != 1 {
		t.Errorf("streaks %+v %+v", win, loss)
	}
	play := stat.Stat.PlayStreak
	if play.Nb.Max.V != 3 || play.Time.Max.V != 180 || play.Nb.Cur.V != 0 || play.LastDate == nil {
		t.Errorf("play streak %+v", play)
	}
	// Whom nobody beats, and a rating that is not sure.
	bob := got[openapi.PerfStat](t)(ann.Client(t).Users.PerfStat(t.Context(), "bob", "blitz", openapi.APIUserPerfParams{}))
	rank, err := bob.Rank.Get()
	if err != nil || rank < 1 || rank > 2 {
		t.Errorf("bob's rank %d, %v", rank, err)
	}
	var raw map[string]json.RawMessage
	s.Anonymous().Get(t, "/api/user/cleo/perf/blitz").Want(t, http.StatusOK).JSON(t, &raw)
	if string(raw["rank"]) != "null" {
		t.Errorf("a provisional rank: %s", raw["rank"])
	}
	// Never played: zeros, not an error.
	empty := got[openapi.PerfStat](t)(ann.Client(t).Users.PerfStat(t.Context(), "ann", "bullet", openapi.APIUserPerfParams{}))
	if empty.Stat.Count.All != 0 || empty.Stat.Highest != nil || empty.Stat.ResultStreak.Win.Max.From != nil || !empty.Perf.Glicko.Provisional {
		t.Errorf("unplayed %+v", empty)
	}
	for path, status := range map[string]int{"ann/perf/nonsense": 404, "ann/perf/standard": 404, "nobody/perf/blitz": 404} {
		s.Anonymous().Get(t, "/api/user/"+path).Want(t, status)
	}
}

func TestHistoryActivityCrosstableTimeline(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	annUser := s.SignUp(t, "Ann")
	bobUser := s.SignUp(t, "Bob")
	cleo := s.SignUp(t, "Cleo")
	ann := annUser.Client(t)
	p := &past{s: s}
	now := time.Now()
	p.game(t, "ann", "bob", now.AddDate(0, 0, -20), store.StatusMate, 1, nil)
	p.game(t, "ann", "bob", now.Add(-30*time.Minute), store.StatusMate, 0, nil)
	p.game(t, "bob", "ann", now.Add(-20*time.Minute), store.StatusDraw, -1, nil)
	slow := p.game(t, "cleo", "ann", now.AddDate(0, 0, -30), store.StatusResign, 0, func(g *store.Game) {
		g.HasClock, g.Days, g.Speed, g.Perf, g.Rated = false, 2, "correspondence", "correspondence", false
		g.LastMove = now.Add(-10 * time.Minute).UTC().Truncate(time.Millisecond)
	})
	annUser.Post(t, "/api/rel/follow/bob", nil).Want(t, http.StatusOK)
	bobUser.Post(t, "/api/rel/follow/cleo", nil).Want(t, http.StatusOK)
	cleo.Post(t, "/api/rel/follow/ann", nil).Want(t, http.StatusOK)
	cleo.Post(t, "/api/rel/follow/bob", nil).Want(t, http.StatusOK) // none of Ann's business

	for _, h := range got[[]openapi.RatingHistory](t)(ann.Users.RatingHistory(t.Context(), "ann")) {
		if h.Key != "blitz" {
			continue
		}
		old := now.AddDate(0, 0, -20).UTC()
		if h.Name != "Blitz" || len(h.Points) < 2 || !slices.Equal(h.Points[0][:3], []int{old.Year(), int(old.Month()) - 1, old.Day()}) || h.Points[0][3] >= 1500 {
			t.Errorf("history %+v", h)
		}
	}

	days := got[[]openapi.UserActivity](t)(ann.Users.Activity(t.Context(), "ann"))
	var win, draw, loss int
	var before, after int
	var ends []openapi.ActivityGame
	follows := map[string][]string{}
	for _, d := range slices.Backward(days) { // midnight may be between the games
		if d.Interval.End-d.Interval.Start != 86400000 {
			t.Errorf("interval %+v", d.Interval)
		}
		if b, ok := d.Games["blitz"]; ok {
			win, draw, loss = win+b.Win, draw+b.Draw, loss+b.Loss
			if before == 0 {
				before = b.Rp.Before
			}
			after = b.Rp.After
		}
		if d.CorrespondenceEnds != nil {
			ends = append(ends, d.CorrespondenceEnds.Games...)
		}
		if f := d.Follows; f != nil && f.In != nil && f.Out != nil {
			follows["in"], follows["out"] = f.In.Ids, f.Out.Ids
		}
	}
	if win != 1 || draw != 1 || loss != 0 || before == 0 || after <= before {
		t.Errorf("%d won, %d drawn, %d lost, %d to %d", win, draw, loss, before, after)
	}
	if len(ends) != 1 || ends[0].ID != slow || ends[0].Color != "black" || ends[0].Opponent == nil || ends[0].Opponent.User != "cleo" {
		t.Errorf("correspondence %+v", ends)
	}
	if !slices.Equal(follows["in"], []string{"cleo"}) || !slices.Equal(follows["out"], []string{"bob"}) {
		t.Errorf("follows %v", follows)
	}

	table := got[openapi.Crosstable](t)(ann.Users.Crosstable(t.Context(), "Ann", "BOB", openapi.APICrosstableParams{Matchup: "true"}))
	want := openapi.Crosstable{
		Users: map[string]float64{"ann": 1.5, "bob": 1.5}, NbGames: 3,
		Matchup: &openapi.Matchup{Users: map[string]float64{"ann": 1.5, "bob": 0.5}, NbGames: 2},
	}
	if d := cmp.Diff(want, table); d != "" {
		t.Error(d)
	}
	table = got[openapi.Crosstable](t)(ann.Users.Crosstable(t.Context(), "bob", "cleo", openapi.APICrosstableParams{Matchup: "true"}))
	if table.NbGames != 0 || table.Matchup != nil || table.Users["bob"] != 0 {
		t.Errorf("strangers: %+v", table)
	}
	s.Anonymous().Get(t, "/api/crosstable/ann/nobody").Want(t, http.StatusNotFound)

	line := got[openapi.Timeline](t)(ann.Account.Timeline(t.Context(), openapi.TimelineParams{}))
	var told []string
	for _, e := range line.Entries {
		m := e.(map[string]any)
		data := m["data"].(map[string]any)
		if m["type"] == "follow" {
			told = append(told, fmt.Sprint(data["u1"], ">", data["u2"]))
		} else {
			told = append(told, fmt.Sprint(m["type"], data["opponent"], data["win"]))
			if len(data["fullId"].(string)) != 12 {
				t.Errorf("full id %v", data["fullId"])
			}
		}
	}
	if got, want := strings.Join(told, " "), "cleo>ann bob>cleo game-endcleofalse game-endbob<nil> game-endbobtrue game-endbobfalse"; got != want {
		t.Errorf("timeline %q, want %q", got, want)
	}
	if len(line.Users) != 3 || line.Users["cleo"].Name != "Cleo" {
		t.Errorf("users %+v", line.Users)
	}
	line = got[openapi.Timeline](t)(ann.Account.Timeline(t.Context(), openapi.TimelineParams{Nb: 2, Since: now.Add(-24 * time.Hour).UnixMilli()}))
	if len(line.Entries) != 2 {
		t.Errorf("two entries: %+v", line.Entries)
	}
	s.Anonymous().Get(t, "/api/timeline").Want(t, http.StatusUnauthorized)
	annUser.Get(t, "/api/timeline?nb=31").Want(t, http.StatusBadRequest)
}

func TestAutocomplete(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	for _, name := range []string{"Leonidas", "Leonora", "Leonard", "Gone-Leon", "LeonGone"} {
		s.SignUp(t, name)
	}
	now := time.Now()
	if err := s.Store.UpdateAccount(t.Context(), "leongone", store.AccountChange{Closed: &now}); err != nil {
		t.Fatal(err)
	}
	ask := func(u *servertest.User, query string) string {
		t.Helper()
		return strings.TrimSpace(string(u.Get(t, "/api/player/autocomplete?"+query).Want(t, http.StatusOK).Body))
	}
	nobody := s.Anonymous()
	for query, want := range map[string]string{
		"term=LEO":                         `["leonard","leonidas","leonora"]`,
		"term=leon&names=1":                `["Leonard","Leonidas","Leonora"]`,
		"term=leoni&object=true":           `{"result":[{"id":"leonidas","name":"Leonidas"}]}`,
		"term=le":                          `[]`,
		"term=xyz":                         `[]`,
		"term=%25%25%25":                   `[]`,
		"term=leonidas&exists=true":        `true`,
		"term=leonid&exists=true":          `false`,
		"term=LeonGone&exists=1":           `true`,
		"term=leon&friend=true&names=true": `["Leonard","Leonidas","Leonora"]`,
	} {
		if got := ask(nobody, query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	nobody.Get(t, "/api/player/autocomplete").Want(t, http.StatusBadRequest)
	if got := ask(ann, "term=leo&friend=true"); got != `["leonard","leonidas","leonora"]` {
		t.Errorf("no friends: %s", got)
	}
	ann.Post(t, "/api/rel/follow/leonora", nil).Want(t, http.StatusOK)
	if got := ask(ann, "term=leo&friend=true"); got != `["leonora"]` {
		t.Errorf("friends: %s", got)
	}
	defer ann.Stream(t, "/api/stream/event").Close()
	if got := ask(nobody, "term=ann&object=1"); got != `{"result":[{"id":"ann","name":"Ann","online":true}]}` {
		t.Errorf("online: %s", got)
	}
}
