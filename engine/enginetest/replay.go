package enginetest

import (
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

func parse(r *rules.Rules, fen string) (*rules.Position, error) {
	return notation.ParseFEN(r, tidyFEN(fen))
}

// tidyFEN fills in the dash that some builds of the reference program leave out of an empty castling field.
func tidyFEN(fen string) string {
	f := strings.Split(fen, " ")
	for i := range f {
		if f[i] == "" {
			f[i] = "-"
		}
	}
	return strings.Join(f, " ")
}

// replay plays a game of the data and compares after each move. After the first difference of a game the rest would
// differ as well, so it ends there, except for counts and check flags, which stand alone.
func (v *Verifier) replay(r *rules.Rules, data *OracleGame) {
	key := r.Key()
	p, err := parse(r, data.StartFEN)
	if err != nil {
		v.differ(key, WhatText, "start position %s: %v", data.StartFEN, err)
		return
	}
	if n := len(data.Moves); len(data.FENs) != n || len(data.Counts) != n || len(data.Checks) != n {
		v.differ(key, WhatText, "%d moves with %d positions, %d counts and %d check flags", n, len(data.FENs),
			len(data.Counts), len(data.Checks))
		return
	}
	g := rules.NewGame(p)
	for i, text := range data.Moves {
		now := g.Position()
		o, over := g.Outcome()
		// A game that our rules have ended may have no moves any more.
		if n := now.CountMoves(); n != data.Counts[i] && !(over && n == 0) {
			v.differ(key, WhatCount, "ply %d, %s: %d legal moves, the data has %d", i, notation.FEN(now), n, data.Counts[i])
		}
		if over {
			v.endedEarly(key, i, o.Reason)
			return
		}
		m, err := notation.ParseMove(now, text)
		if err != nil {
			v.differ(key, WhatText, "ply %d, %s: %v", i, notation.FEN(now), err)
			return
		}
		double := m.Kind() == rules.Double
		if err := g.Play(m); err != nil {
			v.differ(key, WhatText, "ply %d: %v", i, err)
			return
		}
		v.played(key)
		if got := notation.FEN(now); !sameFEN(got, data.FENs[i], double) {
			v.differ(key, WhatFEN, "after ply %d, %s: %s, the data has %s", i+1, text, got, data.FENs[i])
			return
		}
		if now.InCheck() != data.Checks[i] {
			v.differ(key, WhatCheck, "after ply %d, %s: check %t, the data has %t", i+1, data.FENs[i], now.InCheck(), data.Checks[i])
		}
	}
	if n := g.Position().CountMoves(); n != data.FinalCount {
		v.differ(key, WhatCount, "at the end, %s: %d legal moves, the data has %d", notation.FEN(g.Position()), n, data.FinalCount)
	}
	v.compareEnd(g, data)
}

// compareEnd compares how a game ended. Data without a verdict was cut; draws that our rules leave to a claim or do not
// know are no contrary result.
func (v *Verifier) compareEnd(g *rules.Game, data *OracleGame) {
	key := g.Position().Rules().Key()
	o, over := g.Outcome()
	switch {
	case over && data.Result != "*" && o.Result() != data.Result:
		v.differ(key, WhatResult, "%s by %s, the data has %s by %s", o.Result(), o.Reason, data.Result, data.Termination)
	case over && data.Result == "*" && (o.Reason == rules.Mate || o.Reason == rules.NoMove):
		v.differ(key, WhatResult, "%s by %s, the data goes on", o.Result(), o.Reason)
	case !over && (data.Termination == "checkmate" || data.Termination == "stalemate" || data.Termination == "variantEnd"):
		v.differ(key, WhatResult, "the game goes on, the data has %s by %s", data.Result, data.Termination)
	case !over && data.Termination == "repetition" && !g.CanClaimDraw():
		v.differ(key, WhatResult, "the game goes on and no draw can be claimed, the data has a repetition")
	case !over && data.Termination == "ruleLimit":
		v.differ(key, WhatResult, "the game goes on, the data has reached a limit")
	}
}

// sameFEN compares two FENs but for the order of the letters in hand and in the rights, and for what follows the move
// number in ours only. A target of capture in passing that only the data has counts as equal if a double step has just
// been made: the data writes it also when the capture is not legal. Where the data has a number in the place of such a
// target, both fields from there on are its way to count moves and are left out (rules README 5).
func sameFEN(ours, theirs string, double bool) bool {
	a, b := strings.Split(ours, " "), strings.Split(tidyFEN(theirs), " ")
	if len(a) < 6 || len(b) < 6 {
		return false
	}
	a = a[:min(len(a), len(b))]
	if _, err := strconv.Atoi(b[3]); err == nil {
		a[3], a[4] = b[3], b[4]
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		switch i {
		case 0:
			boardA, handA, _ := strings.Cut(a[0], "[")
			boardB, handB, _ := strings.Cut(b[0], "[")
			if boardA != boardB || sorted(handA) != sorted(handB) {
				return false
			}
		case 2:
			if sorted(a[2]) != sorted(b[2]) {
				return false
			}
		case 3:
			if a[3] != b[3] && !(double && a[3] == "-") {
				return false
			}
		default:
			if a[i] != b[i] {
				return false
			}
		}
	}
	return true
}

func sorted(s string) string {
	b := []byte(s)
	slices.Sort(b)
	return string(b)
}
