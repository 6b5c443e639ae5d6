package enginetest

import (
	"slices"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// Some games of the data come from a program that writes positions as lists of men (w:rook:a1) and moves as two cells
// (a7-a8=queen). It has no rules for the end of a game beyond the lack of moves, so its results are left out.

// manLetters are the letters of the men by the names of that data.
var manLetters = map[string]string{"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P",
	"unicorn": "U", "elephant": "E", "fers": "F", "pawn-cw": "P", "pawn-ccw": "A"}

// misnamed are cells that the data calls by a name that its board has not: in Shafran's game f11 stands for g7.
var misnamed = map[string]string{"f11": "g7"}

// ourCell returns the name that the board has for a cell of the data.
func ourCell(r *rules.Rules, name string) string {
	if _, ok := r.Board().ParseCell(name); !ok {
		return misnamed[name]
	}
	return name
}

// men lists the men of a position of the data in our letters, sorted.
func men(r *rules.Rules, text string) (list []string) {
	for _, man := range strings.Fields(text) {
		part := strings.Split(man, ":")
		if len(part) != 3 {
			return nil
		}
		letter := manLetters[part[1]]
		if part[0] != r.Definition().Sides[0].Letter {
			letter = strings.ToLower(letter)
		}
		list = append(list, letter+ourCell(r, part[2]))
	}
	slices.Sort(list)
	return list
}

// standing lists the men of one of our positions in the same way.
func standing(p *rules.Position) (list []string) {
	r := p.Rules()
	for c := range rules.Cell(r.Board().N()) {
		if q := p.At(c); q != 0 {
			list = append(list, notation.Letter(r, q)+r.Board().CellName(c))
		}
	}
	slices.Sort(list)
	return list
}

// ourMove writes a move of the data as a move string.
func ourMove(r *rules.Rules, text string) string {
	cells, become, _ := strings.Cut(text, "=")
	from, to, _ := strings.Cut(cells, "-")
	return ourCell(r, from) + ourCell(r, to) + strings.ToLower(manLetters[become])
}

// detours is how many moves the data counts twice: a slide round a ring reaches some cells both ways, and the data lists
// each way.
func detours(p *rules.Position) int {
	r := p.Rules()
	if r.Board().Shape() != board.Ring {
		return 0
	}
	n := 0
	for _, m := range p.Moves(nil) {
		ways := 0
		for _, way := range r.Ways(p.At(m.From()), m.From()) {
			at := slices.Index(way.Cells, m.To())
			if at < 0 || p.At(m.To()) == 0 && !way.Quiet || p.At(m.To()) != 0 && !way.Take {
				continue
			}
			if !slices.ContainsFunc(way.Cells[:at], func(c rules.Cell) bool { return p.At(c) != 0 }) {
				ways++
			}
		}
		n += ways - 1
	}
	return n
}

// replayBoards plays a game whose positions are lists of men and compares after each move.
func (v *Verifier) replayBoards(r *rules.Rules, data *OracleGame) {
	key := r.Key()
	p, err := r.Start(r.UsualStart())
	if err != nil {
		v.differ(key, WhatText, "start position: %v", err)
		return
	}
	if want := men(r, data.StartBoard); !slices.Equal(standing(p), want) {
		v.differ(key, WhatFEN, "start position %v, the data has %v", standing(p), want)
		return
	}
	if n := len(data.Moves); len(data.Boards) != n || len(data.Counts) != n || len(data.Strings) != n {
		v.differ(key, WhatText, "%d moves with %d boards, %d counts and %d texts", n, len(data.Boards), len(data.Counts),
			len(data.Strings))
		return
	}
	g := rules.NewGame(p)
	for i, text := range data.Moves {
		now := g.Position()
		if o, over := g.Outcome(); over {
			v.endedEarly(key, i, o.Reason)
			return
		}
		if n := now.CountMoves() + detours(now); n != data.Counts[i] {
			v.differ(key, WhatCount, "ply %d, %s: %d legal moves, the data has %d", i, notation.FEN(now), n, data.Counts[i])
		}
		m, err := notation.ParseMove(now, ourMove(r, text))
		if err != nil {
			v.differ(key, WhatText, "ply %d, %s: %v", i, notation.FEN(now), err)
			return
		}
		if err := g.Play(m); err != nil {
			v.differ(key, WhatText, "ply %d: %v", i, err)
			return
		}
		v.played(key)
		if got, want := standing(now), men(r, data.Boards[i]); !slices.Equal(got, want) {
			v.differ(key, WhatFEN, "after ply %d, %s: %v, the data has %v", i+1, text, got, want)
			return
		}
		if check := strings.HasSuffix(data.Strings[i], "+"); check != now.InCheck() {
			v.differ(key, WhatCheck, "after ply %d, %s: check %t, the data has %s", i+1, notation.FEN(now), now.InCheck(), data.Strings[i])
		}
	}
	if _, over := g.Outcome(); over {
		return
	}
	if n := g.Position().CountMoves() + detours(g.Position()); n != data.FinalCount {
		v.differ(key, WhatCount, "at the end, %s: %d legal moves, the data has %d", notation.FEN(g.Position()), n, data.FinalCount)
	}
}
