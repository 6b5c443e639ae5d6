package external

import (
	"slices"

	"hoplite/engine/foreign"
	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/openapi"
)

// maxPV bounds how much of a line is told.
const maxPV = 60

// finder puts together what a program says of a position.
type finder struct {
	root     *rules.Position
	lines    int
	info     foreign.Info
	found    openapi.ExternalEngineAnalysis
	fresh    bool // there is something that was not taken yet
	complete bool // the last line of a depth was the last one read
}

// newFinder is for up to so many lines of play from a position.
func newFinder(root *rules.Position, lines int) *finder {
	legal := len(root.Moves(nil))
	return &finder{root: root, lines: min(lines, legal)}
}

// read reads a line of a program. It reports whether the search is over.
func (f *finder) read(line string) (over bool) {
	if _, ok := foreign.ParseBestMove(line); ok {
		return true
	}
	i := &f.info
	if !i.Read(line) || i.Score == nil || i.Bound || i.Line < 1 || i.Line > min(f.lines, len(f.found.Pvs)+1) {
		return false
	}
	pv := openapi.ExternalEnginePv{Depth: i.Depth, Moves: f.legal(i.PV)}
	if len(pv.Moves) == 0 {
		return false
	}
	// UCI scores from the side to move; Lichess tells them for White.
	sign := 1
	if f.root.Turn() != 0 {
		sign = -1
	}
	if i.Score.Mate != 0 {
		mate := sign * i.Score.Mate
		pv.Mate = &mate
	} else {
		cp := sign * i.Score.CP
		pv.Cp = &cp
	}
	if i.Line > len(f.found.Pvs) {
		f.found.Pvs = append(f.found.Pvs, pv)
	} else {
		f.found.Pvs[i.Line-1] = pv
	}
	f.found.Depth = f.found.Pvs[0].Depth
	f.found.Time, f.found.Nodes = i.Time.Milliseconds(), int64(min(i.Nodes, 1<<53))
	f.fresh, f.complete = true, i.Line == f.lines
	return false
}

// take returns what was found so far. It is the caller's.
func (f *finder) take() openapi.ExternalEngineAnalysis {
	f.fresh = false
	found := f.found
	found.Pvs = slices.Clone(found.Pvs)
	return found
}

// legal is a line of play as far as the rules allow it, as this server writes moves.
func (f *finder) legal(texts []string) []string {
	p := f.root.Clone()
	var moves []string
	for _, text := range texts[:min(len(texts), maxPV)] {
		m, err := notation.ParseMove(p, text)
		if err != nil {
			break
		}
		moves = append(moves, notation.FormatMoveDistinct(p, m))
		if p.Play(m) != nil {
			break
		}
	}
	return moves
}
