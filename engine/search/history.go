package search

import "hoplite/engine/rules"

// history is what a worker has learned about moves from cut-offs, whatever the
// position.
type history struct {
	quiet [256][256]int16 // by piece and target cell
	gates [256][256]int16 // by gated piece and its cell

	number [256]int32 // of the men of the game from 1; 0 for none
	cells  int32
	width  int32 // slots: men by cells
	rows   int32
	// replies holds, for each man and cell that a move led to, a row of values
	// of men and cells that may follow; row 0 stays empty.
	replies []int16
	// counters are, by slot, the quiet moves that last refuted a move.
	counters []rules.Move
	// errors of the evaluation, see correct.go.
	errors corrections
}

// maxReplies bounds the table of replies; in games with many cells and men,
// moves share rows.
const maxReplies = 1 << 20

func newHistory(r *rules.Rules) *history {
	h := &history{cells: int32(r.Board().N())}
	men := int32(0)
	for side := range rules.Side(r.Sides()) {
		for i := range r.Definition().Pieces {
			if q := r.Piece(side, rules.PieceType(i+1)); q != 0 && h.number[q] == 0 {
				men++
				h.number[q] = men
			}
		}
	}
	h.width = (men + 1) * h.cells
	h.rows = min(h.width, max(maxReplies/h.width, 2))
	h.replies = make([]int16, h.rows*h.width)
	h.counters = make([]rules.Move, h.width)
	return h
}

// slot numbers a man and a cell.
func (h *history) slot(q rules.Piece, c rules.Cell) int32 {
	return h.number[q]*h.cells + int32(c)
}

// row is where the replies to a man's coming to a cell begin. The men of
// number 0, which are none, own the empty row.
func (h *history) row(slot int32) int32 {
	switch {
	case slot < h.cells:
		return 0
	case slot >= h.rows:
		slot = 1 + slot%(h.rows-1)
	}
	return slot * h.width
}

func (h *history) clear() {
	clear(h.quiet[:])
	clear(h.gates[:])
	clear(h.replies)
	clear(h.counters)
	h.errors = corrections{}
}

// fade halves what is known of moves alone: it still orders in the next search.
func (h *history) fade() {
	for i := range h.quiet {
		for j := range h.quiet[i] {
			h.quiet[i][j] /= 2
			h.gates[i][j] /= 2
		}
	}
}

// reward remembers a quiet move that cut off, and blames those tried before.
func (w *worker) reward(ply int, m rules.Move, depth, tried int) {
	f := &w.stack[ply]
	if f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	if ply > 0 && w.stack[ply-1].move != 0 {
		w.history.counters[w.stack[ply-1].slot] = m
	}
	bonus := historyBonus(depth)
	w.learn(f, m, bonus)
	for _, q := range f.quiets[:tried] {
		if q != m {
			w.learn(f, q, -bonus)
		}
	}
}

// rewardBefore remembers a quiet move to which no answer at ply was any good.
func (w *worker) rewardBefore(ply, depth int) {
	if depth < 3 || ply < 2 || w.traits.keepsTurn {
		return
	}
	before := &w.stack[ply-1]
	if before.move == 0 || !before.quiet {
		return
	}
	for _, row := range before.rows {
		if row > 0 {
			gravity(&w.history.replies[row+before.slot], historyBonus(depth))
		}
	}
}

// historyBonus is what a search so many plies deep is worth to its best move.
func historyBonus(depth int) int { return min(19*depth*depth+155*depth, 2400) }

// learn moves the history of a quiet move by bonus, less the nearer it is to
// its bound.
func (w *worker) learn(f *frame, m rules.Move, bonus int) {
	h := w.history
	q := w.actor(m)
	gravity(&h.quiet[q][m.To()], bonus)
	if m.Kind().IsGate() {
		gravity(&h.gates[m.Arg()][m.From()], bonus)
	}
	at := h.slot(q, m.To())
	for _, row := range f.rows {
		if row > 0 {
			gravity(&h.replies[row+at], bonus)
		}
	}
}

// actor is the man that moves or enters.
func (w *worker) actor(m rules.Move) rules.Piece {
	if m.Kind() == rules.Drop {
		return w.pos.Rules().Piece(w.pos.Turn(), m.Arg())
	}
	return w.pos.At(m.From())
}

func gravity(h *int16, bonus int) {
	v := int(*h)
	*h = int16(v + bonus - v*abs(bonus)/historyMax)
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
