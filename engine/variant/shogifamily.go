package variant

import (
	"strings"

	"hoplite/engine/rules"
)

// What the games of the shogi family share.

// Rows counted from the far edge.
const (
	last         = -1
	lastButOne   = -2
	lastButTwo   = -3
	lastButThree = -4
)

// gold is the movement of the gold general, which most promoted men have.
const gold = "WfF"

// senteGote are the two players with the same men; the first has the upper-case letters.
func senteGote(army string) []rules.SideDef {
	sides := twoSides(army)
	sides[0].Name, sides[1].Name = "Sente", "Gote"
	return sides
}

// promotable gives a man its promotion. It becomes the token with a + before its letter.
func promotable(p rules.PieceDef, rule rules.PromotionRule) rules.PieceDef {
	rule.To = "+" + p.Letter
	p.Promotion = &rule
	return p
}

// demotions lets each of the promoted men listed go to the hand as what it was.
func demotions(promoted string) map[string]string {
	back := make(map[string]string)
	for _, token := range strings.Fields(promoted) {
		back[token] = strings.TrimPrefix(token, "+")
	}
	return back
}

// lostWithoutMove are the ends of games in which having no move loses, check or not.
func lostWithoutMove() []rules.EndRule {
	return []rules.EndRule{checkmate(), stalemateLoses()}
}
