package rules

import (
	"math/bits"

	"hoplite/engine/board"
)

// maxLines is the number of directions that lines can hold.
const maxLines = 16

// lines are the slides of a board of up to 64 cells as single words. Along each direction the cell numbers only rise or
// only fall, so that the first man on the way is the lowest or highest bit. They are an index beside the paths of
// Rules: boards that do not fit do without them.
type lines struct {
	on bool
	// ray[d][c] are the cells from c in direction d; past the cells of the board it is empty.
	ray [maxLines][64]uint64
	// rising are the directions along which cell numbers rise.
	rising [maxLines]bool
	// man holds the leaps of men as words, by man and cell as in Rules.
	man []lineMan
	// lame and promoting are the cells, by side, from which some man has a lame leap or reaches its promotion zone.
	lame, promoting [maxSides]uint64
}

// lineMan is where a man may go from a cell: leaps to empty cells and to enemies, and the first cells of its slides.
type lineMan struct{ quiet, take, steps uint64 }

// compileLines fills in the lines if the board allows it.
func (t *tables) compileLines() {
	r := t.r
	if r.words != 1 || r.dirs > maxLines || r.stages.mailbox {
		return
	}
	for d := range r.dirs {
		for c := range Cell(r.n) {
			r.lines.ray[d][c] = r.dirSet[d*r.n+int(c)][0]
			if first := r.path[r.dirPath[d*r.n+int(c)]]; int(first) < r.n {
				r.lines.rising[d] = first > c
			}
		}
	}
	for d := range r.dirs {
		for c := range Cell(r.n) {
			last := c
			for i := r.dirPath[d*r.n+int(c)]; int(r.path[i]) < r.n; i++ {
				if r.path[i] > last != r.lines.rising[d] {
					return
				}
				last = r.path[i]
			}
		}
	}
	r.lines.on = true
	r.lines.man = make([]lineMan, len(r.leaps))
	for i := range t.movers {
		t.straighten(&t.movers[i])
	}
	for i := range r.lameList {
		l := &r.lameList[i]
		need := board.SetOf(l.via[:l.n]...)
		need.Add(l.to)
		l.need = need[0]
	}
	for i := range r.leaps {
		m := &r.lines.man[i]
		m.quiet, m.take = r.leaps[i].quiet[0], r.leaps[i].take[0]
		for _, ray := range r.rayList[r.rays[i].at:][:r.rays[i].n] {
			m.steps |= 1 << (r.path[ray.at] & 63)
		}
		q, c := Piece(i/r.n), Cell(i%r.n)
		side := r.codes[q].side
		if r.lame[i].n != 0 {
			r.lines.lame[side] |= 1 << c
		}
		if quiet, take := r.Targets(q, c); r.codes[q].promotes && (quiet[0]|take[0])&r.codes[q].zone[0] != 0 {
			r.lines.promoting[side] |= 1 << c
		}
	}
}

// straighten notes the directions of a man if all its slides are without limit and both move and take.
func (t *tables) straighten(m *mover) {
	r := t.r
	info := &r.codes[m.q]
	var rising, falling []uint8
	for _, a := range m.atoms {
		if a.Range == 1 || walked(&a.Atom) {
			continue
		}
		if a.Range != 0 || !a.Quiet || !a.Take {
			return
		}
		for _, v := range a.Vectors {
			if d := uint8(t.direction(v)); r.lines.rising[d] {
				rising = append(rising, d)
			} else {
				falling = append(falling, d)
			}
		}
	}
	if len(rising)+len(falling) > len(info.dirs) {
		return
	}
	info.straight = true
	info.rising, info.slides = uint8(len(rising)), uint8(len(rising)+len(falling))
	copy(info.dirs[copy(info.dirs[:], rising):], falling)
}

// slides returns the cells that a straight man on c reaches along its lines, the first man on each included.
func (r *Rules) slides(info *code, c Cell, all uint64) uint64 {
	var t uint64
	i := uint8(0)
	for ; i < info.rising; i++ {
		ray := &r.lines.ray[info.dirs[i&7]&(maxLines-1)]
		m := ray[c&63]
		t |= m ^ ray[bits.TrailingZeros64(m&all|1<<63)&63]
	}
	for ; i < info.slides; i++ {
		ray := &r.lines.ray[info.dirs[i&7]&(maxLines-1)]
		m := ray[c&63]
		t |= m ^ ray[(63-bits.LeadingZeros64(m&all|1))&63]
	}
	return t
}

// first returns the first man from c in direction d. There must be one.
func (l *lines) first(d int, c Cell, all uint64) Cell {
	m := l.ray[d&(maxLines-1)][c&63] & all
	if l.rising[d&(maxLines-1)] {
		return Cell(bits.TrailingZeros64(m))
	}
	return Cell(63 - bits.LeadingZeros64(m))
}

// slidTo64 is slidTo by lines.
func (p *Position) slidTo64(c Cell, by Side) bool {
	r := p.rules
	sliders := p.sliders[by][0]
	if r.sight[c][0]&sliders == 0 {
		return false
	}
	var all uint64
	for s := 0; s < r.sides; s++ {
		all |= p.men[s&(maxSides-1)][0]
	}
	for d := 0; d < r.dirs; d++ {
		m := r.lines.ray[d&(maxLines-1)][c&63]
		if m&sliders == 0 {
			continue
		}
		at := r.lines.first(d, c, all)
		if sliders>>(at&63)&1 != 0 && r.slidesTo(p.cell[at], d, m, at) {
			return true
		}
	}
	return false
}

// slidesTo reports whether the slider q, first on the line m in direction d, captures back along it.
func (r *Rules) slidesTo(q Piece, d int, m uint64, at Cell) bool {
	reach := r.reach[int(q)*r.dirs+int(r.opposite[d])]
	return reach == 255 || int(reach) >= bits.OnesCount64(m^r.lines.ray[d&(maxLines-1)][at&63])
}
