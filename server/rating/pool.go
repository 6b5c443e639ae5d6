package rating

import "strings"

// titleBot marks accounts that programs play.
const titleBot = "BOT"

// botsPrefix begins the keys of people's ratings against bots.
const botsPrefix = "bots/"

// BotsKey is the key under which people's games of a perf against bots are
// rated.
func BotsKey(perf string) string { return botsPrefix + perf }

// PerfOfKey is the inverse of BotsKey; other keys stay and are none of bots.
func PerfOfKey(key string) (perf string, bots bool) { return strings.CutPrefix(key, botsPrefix) }

// Pool returns the key under which an account with this title is rated in a
// game of a perf against one with the other title. People among themselves are
// one pool. Whoever plays a bot is in the other one, with a rating of its own:
// a bot's only rating, and a person's second one.
func Pool(perf, title, opponent string) string {
	if opponent == titleBot && title != titleBot {
		return BotsKey(perf)
	}
	return perf
}
