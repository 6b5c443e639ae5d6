package enginetest

import (
	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// replaySFEN plays a game whose positions are SFEN and whose moves are USI, and compares after each move. The program that
// made the data knows the loss of the last royal man and no other end.
func (v *Verifier) replaySFEN(r *rules.Rules, data *OracleGame) {
	key := r.Key()
	p, err := notation.ParseSFEN(r, data.StartSFEN)
	if err != nil {
		v.differ(key, WhatText, "start position %s: %v", data.StartSFEN, err)
		return
	}
	if n := len(data.Moves); len(data.SFENs) != n || len(data.Counts) != n {
		v.differ(key, WhatText, "%d moves with %d positions and %d counts", n, len(data.SFENs), len(data.Counts))
		return
	}
	g := rules.NewGame(p)
	now := g.Position()
	for i, text := range data.Moves {
		if n := now.CountMoves(); n != data.Counts[i] {
			v.differ(key, WhatCount, "ply %d, %s: %d legal moves, the data has %d", i, notation.FEN(now), n, data.Counts[i])
		}
		if o, over := g.Outcome(); over {
			v.endedEarly(key, i, o.Reason)
			return
		}
		m, err := notation.ParseUSI(now, text)
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			v.differ(key, WhatText, "ply %d, %s: %v", i, notation.FEN(now), err)
			return
		}
		v.played(key)
		if got, err := notation.SFEN(now); err != nil || got != data.SFENs[i] {
			v.differ(key, WhatFEN, "after ply %d, %s: %s, the data has %s", i+1, text, got, data.SFENs[i])
			return
		}
	}
	o, over := g.Outcome()
	switch {
	case data.Termination == "kingslost" && (!over || o.Result() != data.Result):
		v.differ(key, WhatResult, "%s, the data has %s by the loss of the royal men", o.Result(), data.Result)
	case data.Termination != "kingslost" && over && o.Reason == rules.KingCaptured:
		v.differ(key, WhatResult, "%s by %s, the data goes on", o.Result(), o.Reason)
	case !over && now.CountMoves() != data.FinalCount:
		v.differ(key, WhatCount, "at the end, %s: %d legal moves, the data has %d", notation.FEN(now), now.CountMoves(), data.FinalCount)
	}
}
