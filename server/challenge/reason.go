package challenge

import "strings"

const reasonGeneric = "generic"

// declineReasons are the keys of the API, each with a sentence for people.
func declineReasons() [][2]string {
	return [][2]string{
		{reasonGeneric, "No game now, thank you."},
		{"later", "This is a bad moment, please ask me again later."},
		{"tooFast", "This is too fast for me, please offer more time."},
		{"tooSlow", "This is too slow for me, please offer less time."},
		{"timeControl", "I do not play with this time control."},
		{"rated", "Please offer a rated game instead."},
		{"casual", "Please offer a casual game instead."},
		{"standard", "For now I play standard chess only."},
		{"variant", "I do not play this variant at the moment."},
		{"noBot", "I do not play against bots."},
		{"onlyBot", "I play against bots only."},
	}
}

// declineKey finds the reason that a request means; generic if it means none.
func declineKey(reason string) string {
	for _, r := range declineReasons() {
		if strings.EqualFold(r[0], reason) {
			return r[0]
		}
	}
	return reasonGeneric
}

func declineSentence(key string) string {
	for _, r := range declineReasons() {
		if r[0] == key {
			return r[1]
		}
	}
	return declineSentence(reasonGeneric)
}
