package puzzle

import (
	"hoplite/engine/rules"
)

// dull says what makes a line not worth setting, if anything.
func dull(f facts, n int) string {
	switch {
	case f.onlyMove:
		return "the only legal move"
	case f.unmoved:
		return "most men unmoved"
	case f.recapture:
		return "a recapture"
	case f.greedy && n > 1:
		return "every move takes the best man"
	}
	return ""
}

// pool knows the puzzles there are, to refuse those that are too like them.
type pool struct {
	rules *rules.Rules
	keys  map[uint64]bool
	ids   map[string]bool
	near  []fingerprint
	// counts for the shares that Options ask for
	total, oneMovers int
	bySolver         [2]int
}

// fingerprint is what is compared: the last move with the royal it hits, and
// the board the solver sees.
type fingerprint struct {
	solver     rules.Side
	final      rules.Piece
	at, royal  rules.Cell
	tail       [2]rules.Move
	board      []rules.Piece
	men, moves int
}

func newPool(r *rules.Rules) *pool {
	return &pool{rules: r, keys: make(map[uint64]bool), ids: make(map[string]bool)}
}

// load adds the puzzles of an earlier run.
func (p *pool) load(list []Puzzle) error {
	for i := range list {
		pos, line, err := list[i].replay(p.rules)
		if err != nil {
			return err
		}
		f := found{puzzle: list[i], pos: pos, line: line}
		f.end = pos.Clone()
		var u rules.Undo
		for _, m := range line[1:] {
			f.end.Make(m, &u)
		}
		p.add(&f)
	}
	return nil
}

func (p *pool) add(f *found) {
	p.keys[f.pos.Key()] = true
	p.ids[f.puzzle.ID] = true
	p.near = append(p.near, p.fingerprint(f))
	p.total++
	p.oneMovers += btoi(f.puzzle.Goal.MateIn == 1)
	p.bySolver[f.pos.Turn()&1]++
}

// full says which share of the pool is used up, if any.
func (p *pool) full(moves int, solver rules.Side, opts *Options) string {
	want := float64(opts.Want)
	if moves == 1 && float64(p.oneMovers+1) > opts.OneMoveShare*want {
		return "enough mates in one"
	}
	if float64(p.bySolver[solver&1]+1) > (1-opts.Balance)*want {
		return "enough for this side"
	}
	return ""
}

// newID returns an id that is not taken yet.
func (p *pool) newID(z *Puzzle) string {
	for salt := uint64(0); ; salt++ {
		if id := makeID(z.Variant, z.FEN, z.Moves, salt); !p.ids[id] {
			return id
		}
	}
}

func (p *pool) fingerprint(f *found) fingerprint {
	last := f.line[len(f.line)-1]
	royals := f.end.Royals(f.end.Turn())
	fp := fingerprint{solver: f.pos.Turn(), final: f.end.At(last.To()), at: last.To(), royal: royals.First(),
		tail: [2]rules.Move{f.line[len(f.line)-2], last}, moves: f.puzzle.Goal.MateIn}
	for c := range p.rules.Board().N() {
		q := f.pos.At(rules.Cell(c))
		fp.board = append(fp.board, q)
		fp.men += btoi(q != 0)
	}
	return fp
}

// refuse says what makes a candidate too like a puzzle of the pool, if
// anything: the same position, or the same man mating on the same cell the
// same royal out of nearly the same position or by the same last moves.
func (p *pool) refuse(f *found) string {
	if p.keys[f.pos.Key()] {
		return "the same position"
	}
	fp := p.fingerprint(f)
	for i := range p.near {
		o := &p.near[i]
		if o.solver != fp.solver || o.final != fp.final || o.at != fp.at || o.royal != fp.royal {
			continue
		}
		same := 0
		for c, q := range fp.board {
			same += btoi(q != 0 && q == o.board[c])
		}
		if same*10 > 8*max(fp.men, o.men) || fp.moves > 1 && o.tail == fp.tail {
			return "much like another"
		}
	}
	return ""
}
