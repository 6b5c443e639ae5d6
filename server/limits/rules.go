package limits

import "time"

// Who a rule counts.
type Who uint8

// An address, or the account and without one the address, or an address together with the account it tries to enter, or
// the e-mail address that is written to.
const (
	PerAddress Who = iota
	PerCaller
	PerTarget
	PerEmail
)

// String is the word of the API for it.
func (w Who) String() string {
	switch w {
	case PerAddress:
		return "address"
	case PerCaller:
		return "account"
	case PerTarget:
		return "target"
	case PerEmail:
		return "email"
	}
	return ""
}

// Use is a rule as it applies to an operation.
type Use struct {
	Rule Rule
	Who  Who
	// Items: each item of the text body counts, not the request.
	Items bool
	// Lasting: Burst is how many may run at a time.
	Lasting bool
}

const (
	textWait = "Too many requests. Please wait a moment."
	textRuns = "Please only run %d request(s) at a time"
)

func rule(name string, burst int, per time.Duration) Rule {
	return Rule{Name: name, Burst: burst, Per: per, Text: textWait}
}

func guard(name string, burst int, per time.Duration) Rule {
	r := rule(name, burst, per)
	r.Guards = true
	return r
}

func lasting(name string, most int, who Who) Use {
	return Use{Rule: Rule{Name: name, Burst: most, Per: time.Minute, Text: textRuns}, Who: who, Lasting: true}
}

// Uses returns the limits of every operation that has one, by operation id. The names of the rules are documented.
func Uses() map[string][]Use {
	loginAddress := Use{Rule: guard("login.address", 100, 10*time.Minute), Who: PerAddress}
	loginTarget := Use{Rule: guard("login", 10, 5*time.Minute), Who: PerTarget}
	start := Use{Rule: rule("game.start", 20, 2*time.Minute), Who: PerCaller}
	follow := Use{Rule: rule("follow", 150, 72*time.Hour), Who: PerCaller}
	standing := Use{Rule: rule("standing", 120, time.Minute), Who: PerAddress}
	export := lasting("export", 2, PerCaller)
	return map[string][]Use{
		"signup": {{Rule: rule("signup", 10, time.Hour), Who: PerAddress}},
		"login":  {loginAddress, loginTarget},
		// How often a code is tried is counted by account too, in the audit log.
		"oidcFactor": {loginAddress},
		// With a password in the body it is a log-in like any other.
		"accountTokenCreate": {loginAddress, loginTarget},
		"accountPassword":    {{Rule: guard("password", 10, 5*time.Minute), Who: PerCaller}},
		"accountEmailSet":    {{Rule: guard("password", 10, 5*time.Minute), Who: PerCaller}},
		// The password is asked again.
		"accountClose":         {{Rule: guard("password", 10, 5*time.Minute), Who: PerCaller}},
		"accountTotpEnrol":     {{Rule: guard("password", 10, 5*time.Minute), Who: PerCaller}},
		"accountTotpConfirm":   {{Rule: guard("password", 10, 5*time.Minute), Who: PerCaller}},
		"accountTotpDisable":   {{Rule: guard("password", 10, 5*time.Minute), Who: PerCaller}},
		"passwordReset":        {{Rule: guard("reset.address", 20, time.Hour), Who: PerAddress}, {Rule: guard("reset", 3, time.Hour), Who: PerEmail}},
		"passwordResetConfirm": {{Rule: guard("code", 30, 10*time.Minute), Who: PerAddress}},
		"emailConfirm":         {{Rule: guard("code", 30, 10*time.Minute), Who: PerAddress}},
		"accountEmailResend":   {{Rule: guard("email.confirm", 3, time.Hour), Who: PerCaller}},
		"accountExport":        {{Rule: rule("account.export", 5, time.Hour), Who: PerCaller}},
		"reportCreate":         {{Rule: rule("report", 10, time.Hour), Who: PerCaller}},
		"adminInviteCreate":    {{Rule: rule("invite", 100, time.Hour), Who: PerCaller}},

		"apiToken":     {{Rule: rule("oauth.token", 100, 10*time.Minute), Who: PerAddress}},
		"oauthApprove": {{Rule: rule("oauth.approve", 60, 10*time.Minute), Who: PerCaller}},
		"tokenTest":    {{Rule: guard("token.test", 10000, 10*time.Minute), Who: PerAddress, Items: true}},

		"apiUsers":             {{Rule: rule("users", 8000, 10*time.Minute), Who: PerAddress, Items: true}},
		"apiUsersStatus":       {{Rule: rule("users.status", 300, time.Minute), Who: PerAddress}},
		"followUser":           {follow},
		"blockUser":            {follow},
		"writeNote":            {{Rule: rule("note", 60, 10*time.Minute), Who: PerCaller}},
		"player":               {standing},
		"playerTopNbPerfType":  {standing},
		"apiUserRatingHistory": {standing},
		"apiUserPerf":          {standing},
		"apiUserActivity":      {standing},
		"apiCrosstable":        {standing},
		"timeline":             {standing},
		"apiStreamEvent":       {{Rule: rule("event.stream", 30, 10*time.Minute), Who: PerCaller}},

		"challengeCreate": {
			{Rule: rule("challenge", 60, time.Minute), Who: PerCaller},
			{Rule: rule("challenge.day", 1000, 24*time.Hour), Who: PerCaller},
		},
		"challengeOpen": {start},
		"challengeAi":   {start},
		"apiBoardSeek":  {start},

		"gamesExportIds": {export},
		"apiGamesUser":   {export},
		"streamGame":     {lasting("stream.game", 8, PerCaller)},
		"gamesByUsers":   {lasting("stream.games", 8, PerCaller)},
		"gamesByIds":     {lasting("stream.games", 8, PerCaller)},
		"tvFeed":         {lasting("stream.game", 8, PerCaller)},
		"tvChannelFeed":  {lasting("stream.game", 8, PerCaller)},

		"apiExternalEngineCreate":  {{Rule: rule("engine", 60, time.Hour), Who: PerCaller}},
		"apiExternalEngineAnalyse": {lasting("engine.analyse", 8, PerCaller)},
		"apiExternalEngineAcquire": {lasting("engine.poll", 16, PerAddress)},
		"apiExternalEngineSubmit":  {lasting("engine.upload", 16, PerAddress)},

		"gameImport": {
			{Rule: rule("import", 10, time.Minute), Who: PerAddress},
			{Rule: rule("import.hour", 150, time.Hour), Who: PerAddress},
		},
		"apiImportedGamesUser": {export},
		"apiExportBookmarks":   {export},

		"apiPuzzleNext": {{Rule: rule("puzzle", 300, time.Minute), Who: PerCaller}},
		"puzzleSolve":   {{Rule: rule("puzzle.solve", 300, time.Minute), Who: PerCaller}},
	}
}

// BotVsBot is how many games a bot may play against other bots. Lichess's clients know its name.
func BotVsBot() Rule {
	return Rule{Name: "bot.vsBot.day", Burst: 100, Per: 24 * time.Hour,
		Text: "You played 100 games against other bots today, please wait before challenging another bot."}
}

// BotVsEngine is how many games a bot may play against the server's engine.
func BotVsEngine() Rule {
	return Rule{Name: "bot.vsAi.day", Burst: 50, Per: 24 * time.Hour,
		Text: "You played 50 games against the engine today, please wait before another one."}
}

// Sockets is how many websockets may be open from one address.
func Sockets() Rule {
	return Rule{Name: "socket", Burst: 200, Per: time.Minute, Text: "Please open at most %d sockets at a time"}
}
