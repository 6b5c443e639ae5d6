package enginetest

import (
	"strings"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// Some games of the data come from a program that writes positions as board, side to move, number, rights as the files of
// rooks (i for a right that is lost) and targets of capture in passing. Men on a second layer have letters of their own.
// It knows mate and having no move, and no other end.

// layered and behind are the letters of men on the first and the second layer in that data.
const layered, behind = "PRNBQKprnbqk", "SUOCTLsuoctl"

// vchessMove writes a move of the data as a move string.
func vchessMove(text string) string {
	cells, become, found := strings.Cut(text, "=")
	if i := strings.Index(behind, become); found && i >= 0 {
		become = layered[i : i+1]
	}
	return cells + become
}

// vchessBoard writes the men of one of our positions as the data does.
func vchessBoard(p *rules.Position) string {
	text := notation.Placement(p)
	for i := range layered {
		text = strings.ReplaceAll(text, "|"+layered[i:i+1], behind[i:i+1])
	}
	return text
}

// vchessRights writes the castling rights of one of our positions as the data does, or nothing in games without.
func vchessRights(p *rules.Position) string {
	d := p.Rules().Definition()
	if d.Castling == nil {
		return ""
	}
	text := ""
	for side := range rules.Side(p.Rules().Sides()) {
		for _, file := range []string{"a", "h"} {
			have := "i"
			for _, right := range p.CastlingRights() {
				if d.Castling.Wings[right.Wing].Side == side && p.Rules().Board().FileName(right.Rook) == file {
					have = file
				}
			}
			text += have
		}
	}
	return text
}

// compareVchess compares a position with one of the data and returns what our side of it reads, or "".
func compareVchess(p *rules.Position, data string) string {
	f := strings.Fields(data)
	if len(f) < 3 {
		return "a position of the data with too few fields"
	}
	ours := []string{vchessBoard(p), p.Rules().Definition().Sides[p.Turn()].Letter}
	theirs := f[:2:2]
	if rights := vchessRights(p); rights != "" && len(f) > 3 {
		ours, theirs = append(ours, rights), append(theirs, f[3])
	}
	if a := strings.Join(ours, " "); a != strings.Join(theirs, " ") {
		return a
	}
	return ""
}

// vchessReading returns the rules that the data was computed by where our sheets take another reading: passive captures
// by the pure rules, in which frozen men are not removed and freezing can be cancelled (ultima.md, Other readings).
func vchessReading(r *rules.Rules) (*rules.Rules, error) {
	d := *r.Definition()
	if d.Passive == nil {
		return r, nil
	}
	pure := *d.Passive
	pure.Removal, pure.Cancelled = false, true
	d.Passive = &pure
	return rules.Compile(&d)
}

// replayVchess plays a game of that data and compares after each move.
func (v *Verifier) replayVchess(r *rules.Rules, data *OracleGame) {
	key := r.Key()
	r, err := vchessReading(r)
	if err != nil {
		v.differ(key, WhatText, "%v", err)
		return
	}
	p, err := r.Start(r.UsualStart())
	if err != nil {
		v.differ(key, WhatText, "start position: %v", err)
		return
	}
	if ours := compareVchess(p, data.StartFEN); ours != "" {
		v.differ(key, WhatFEN, "start position %s, the data has %s", ours, data.StartFEN)
		return
	}
	if n := len(data.Moves); len(data.FENs) != n || len(data.Counts) != n || len(data.Turns) != n {
		v.differ(key, WhatText, "%d moves with %d positions, %d counts and %d sides", n, len(data.FENs), len(data.Counts),
			len(data.Turns))
		return
	}
	g := rules.NewGame(p)
	for i, text := range data.Moves {
		now := g.Position()
		if o, over := g.Outcome(); over {
			v.endedEarly(key, i, o.Reason)
			return
		}
		v.countVchess(now, i, data.Counts[i])
		m, err := notation.ParseMove(now, vchessMove(text))
		if err != nil {
			v.differ(key, WhatText, "ply %d, %s: %v", i, notation.FEN(now), err)
			return
		}
		if err := g.Play(m); err != nil {
			v.differ(key, WhatText, "ply %d: %v", i, err)
			return
		}
		v.played(key)
		if ours := compareVchess(now, data.FENs[i]); ours != "" {
			v.differ(key, WhatFEN, "after ply %d, %s: %s, the data has %s", i+1, text, ours, data.FENs[i])
			return
		}
	}
	o, over := g.Outcome()
	switch ended := data.Result != "*"; {
	case ended && !over:
		v.differ(key, WhatResult, "the game goes on, the data has %s", data.Result)
	case ended && o.Result() != data.Result:
		v.differ(key, WhatResult, "%s by %s, the data has %s", o.Result(), o.Reason, data.Result)
	case over && !ended && (o.Reason == rules.Mate || o.Reason == rules.NoMove):
		v.differ(key, WhatResult, "%s by %s, the data goes on", o.Result(), o.Reason)
	}
	if !over {
		v.countVchess(g.Position(), len(data.Moves), data.FinalCount)
	}
}

// countVchess compares the number of legal moves. Captures in passing, which the data may not know, are named in the
// difference.
func (v *Verifier) countVchess(p *rules.Position, ply, want int) {
	moves := p.Moves(nil)
	if len(moves) == want {
		return
	}
	passing := 0
	for _, m := range moves {
		if m.Kind() == rules.EnPassant {
			passing++
		}
	}
	if passing > 0 && len(moves)-passing == want {
		v.differ(p.Rules().Key(), WhatCount, "ply %d, %s: %d legal moves, the data leaves out %d captures in passing", ply,
			notation.FEN(p), len(moves), passing)
		return
	}
	v.differ(p.Rules().Key(), WhatCount, "ply %d, %s: %d legal moves, the data has %d", ply, notation.FEN(p), len(moves), want)
}
