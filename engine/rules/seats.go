package rules

import (
	"fmt"
	"slices"
	"strings"

	"hoplite/engine/board"
)

// SeatsRule are the mechanisms seats and score for more than two armies. They move in turn. An army is out when its last
// royal man is taken, when it cannot move in its turn, and when its player leaves (Retire); its men stay and may be
// taken, and its turns are left out. It takes a game without check, and the end test EndLast.
type SeatsRule struct {
	// Points are scored for taking a man of an army that is still in, by the letter of the man. nil is a game without
	// points, whose last army wins.
	Points map[string]int
}

// seats is what a position knows of its armies.
type seats struct {
	out    uint8           // armies that are out, a bit each
	place  [maxSides]uint8 // of an army that is out: how many were in before
	points [maxSides]uint16
}

// EndLast ends a game of several armies when one is left.
const EndLast EndKind = "last"

func (r *Rules) compileSeats() error {
	rule := r.def.Seats
	if rule == nil {
		return nil
	}
	if r.sides < 3 || r.sides >= maxSides {
		return fmt.Errorf("%d sides", r.sides)
	}
	if r.def.Royal != RoyalCapture {
		return fmt.Errorf("armies fall by the capture of their kings")
	}
	if !slices.ContainsFunc(r.def.Ends, func(e EndRule) bool { return e.Kind == EndLast }) {
		return fmt.Errorf("no end when one army is left")
	}
	for letter, points := range rule.Points {
		t := r.TypeOf(letter)
		if t == 0 || points < 0 {
			return fmt.Errorf("%d points for %q", points, letter)
		}
		r.worth[t] = uint16(points)
	}
	st := r.stage()
	st.taken = append(st.taken, func(p *Position, q Piece, _ Cell) {
		if s := r.Side(q); !p.Out(s) {
			p.state.seats.points[p.turn] += r.worth[r.Type(q)]
		}
	})
	st.after = append(st.after, func(p *Position, _ Move) {
		for s := range Side(r.sides) {
			if p.royals[s].Empty() && !p.Out(s) {
				p.drop(s)
			}
		}
	})
	st.turn = func(p *Position, _ Move) Side { return p.nextIn(p.turn) }
	st.keys = append(st.keys, func(p *Position) uint64 { return mix(saltSeats, uint64(p.state.seats.out)) })
	return nil
}

// Out reports whether an army is out of the game.
func (p *Position) Out(s Side) bool { return p.state.seats.out>>s&1 != 0 }

// Scored returns the points of an army.
func (p *Position) Scored(s Side) int { return int(p.state.seats.points[s&(maxSides-1)]) }

// in is the number of armies that are still in.
func (p *Position) in() (n int) {
	for s := range Side(p.rules.sides) {
		if !p.Out(s) {
			n++
		}
	}
	return n
}

// drop puts an army out.
func (p *Position) drop(s Side) {
	p.state.seats.place[s&(maxSides-1)] = uint8(p.in())
	p.state.seats.out |= 1 << s
}

// nextIn returns the army that moves after s. One that cannot move goes out on its turn, unless it is the last.
func (p *Position) nextIn(s Side) Side {
	was := p.turn
	defer func() { p.turn = was }()
	for range p.rules.sides {
		s = p.next(s)
		if p.Out(s) {
			continue
		}
		p.turn = s
		if p.probing || p.in() == 1 || len(p.stagedMoves(nil, anyMove)) > 0 {
			return s
		}
		p.drop(s)
	}
	return was
}

// endLast ends a game when one army is left, or none.
func endLast(p *Position) (Outcome, bool) {
	if p.in() > 1 {
		return Outcome{}, false
	}
	return p.Standings(LastAlive), true
}

// Standings ranks the armies: by points in a game with points, else by how long they were in. Those that are still in
// share the first place then.
func (p *Position) Standings(reason Reason) Outcome {
	r := p.rules
	o := Outcome{Winner: NoWinner, Reason: reason}
	first := 0
	for s := range Side(r.sides) {
		place := 1
		if r.def.Seats.Points == nil {
			if p.Out(s) {
				place = int(p.state.seats.place[s])
			}
		} else {
			o.Points[s] = float64(p.state.seats.points[s])
			for other := range Side(r.sides) {
				if p.state.seats.points[other] > p.state.seats.points[s] {
					place++
				}
			}
		}
		o.Places[s] = uint8(place)
		if place == 1 {
			first++
			o.Winner = int(s)
		}
	}
	if first > 1 {
		o.Winner = NoWinner
	}
	return o
}

// Retirement returns, as a move that Make and Unmake understand, that the player of an army leaves the game. It need not
// be the army's turn.
func (p *Position) Retirement(s Side) (Move, error) {
	if p.rules.def.Seats == nil || int(s) >= p.rules.sides || p.Out(s) {
		return 0, fmt.Errorf("no army that can leave the game")
	}
	return NewMove(Retire, board.Wall, board.Wall, PieceType(s)+1, 0), nil
}

// makeRetirement carries a retirement out. The turn passes on if it was the army's.
func (p *Position) makeRetirement(m Move) {
	s := Side(m.Arg() - 1)
	p.key ^= p.stateKey() ^ p.rules.keys.turn[p.turn]
	p.drop(s)
	if s == p.turn {
		p.turn = p.nextIn(s)
	}
	p.key ^= p.stateKey() ^ p.rules.keys.turn[p.turn]
}

// The position text of several armies (rules README 4.3): turn, armies that are out, two lists of castling rights,
// points, plies without progress, rows. Cells are separated by commas: x is no cell, a number are empty ones, and a man
// is the letter of his army with his own.

// SeatsText writes the position in the form for several armies, "" in other games.
func (p *Position) SeatsText() string { return p.seatsText(p.rules.everywhere()) }

func (p *Position) seatsText(known board.Set) string {
	r := p.rules
	if r.def.Seats == nil {
		return ""
	}
	list := func(entry func(s Side) int) string {
		parts := make([]string, r.sides)
		for s := range parts {
			parts[s] = fmt.Sprint(entry(Side(s)))
		}
		return strings.Join(parts, ",")
	}
	none := list(func(Side) int { return 0 })
	out := list(func(s Side) int { return int(p.state.seats.out >> s & 1) })
	points := list(p.Scored)
	var rows []string
	for _, row := range r.board.Rows() {
		var tokens []string
		empty := 0
		flush := func() {
			if empty > 0 {
				tokens = append(tokens, fmt.Sprint(empty))
				empty = 0
			}
		}
		for _, c := range row {
			switch q := p.At(c); {
			case c == board.Wall:
				flush()
				tokens = append(tokens, "x")
			case !known.Has(c):
				flush()
				tokens = append(tokens, "?")
			case q == 0:
				empty++
			default:
				flush()
				tokens = append(tokens, r.def.Sides[r.Side(q)].Letter+r.PieceInfo(r.Type(q)).Letter)
			}
		}
		flush()
		rows = append(rows, strings.Join(tokens, ","))
	}
	turn := strings.ToUpper(r.def.Sides[p.turn].Letter)
	return fmt.Sprintf("%s-%s-%s-%s-%s-%d-%s", turn, out, none, none, points, p.clock, strings.Join(rows, "/"))
}

// readSeats reads such a text.
func (r *Rules) readSeats(text string) (Setup, error) {
	s := Setup{Cells: make([]Piece, r.n), Passed: board.Wall, FullMoves: 1}
	parts := strings.SplitN(text, "-", 7)
	if len(parts) != 7 {
		return s, badFEN("board", "%d parts instead of 7", len(parts))
	}
	turn := slices.IndexFunc(r.def.Sides, func(d SideDef) bool { return strings.ToUpper(d.Letter) == parts[0] })
	if turn < 0 {
		return s, badFEN("side", "no army %q", parts[0])
	}
	s.Turn = Side(turn)
	var err error
	read := func(field, list string, entry func(i, n int)) {
		entries := strings.Split(list, ",")
		if len(entries) != r.sides && err == nil {
			err = badFEN(field, "%d entries for %d armies", len(entries), r.sides)
		}
		for i, e := range entries {
			if err != nil {
				return
			}
			var n int
			if n, err = readCounter(field, e); err == nil {
				entry(i, n)
			}
		}
	}
	read("armies that are out", parts[1], func(i, n int) {
		if n != 0 {
			s.state.seats.out |= 1 << i
			s.state.seats.place[i] = uint8(r.sides)
		}
	})
	for _, rights := range parts[2:4] {
		read("castling", rights, func(_, n int) {
			if n != 0 && err == nil {
				err = badFEN("castling", "this game has no castling")
			}
		})
	}
	read("points", parts[4], func(i, n int) { s.state.seats.points[i] = uint16(n) })
	if err == nil {
		s.Clock, err = readCounter("plies without progress", parts[5])
	}
	if err == nil && s.state.seats.out>>turn&1 != 0 {
		err = badFEN("side", "the army of %s is out", r.sideName(s.Turn))
	}
	if err != nil {
		return s, err
	}
	return s, r.readSeatRows(&s, parts[6])
}

func (r *Rules) readSeatRows(s *Setup, text string) error {
	lines, rows := strings.Split(text, "/"), r.board.Rows()
	if len(lines) != len(rows) {
		return badFEN("board", "%d rows instead of %d", len(lines), len(rows))
	}
	for i, row := range rows {
		at := 0
		for _, token := range strings.Split(lines[i], ",") {
			n := 1
			count, err := readCounter("board", token)
			if err == nil {
				n = count
			}
			if n < 1 || at+n > len(row) {
				return badFEN("board", "row %d is longer than the board", i+1)
			}
			cells := row[at : at+n]
			at += n
			missing := slices.Contains(cells, board.Wall)
			if token == "x" != missing {
				return badFEN("board", "%q in row %d stands where it cannot", token, i+1)
			}
			if missing || err == nil {
				continue
			}
			side := slices.IndexFunc(r.def.Sides, func(d SideDef) bool { return strings.HasPrefix(token, d.Letter) })
			if side < 0 {
				return badFEN("board", "no army for %q", token)
			}
			t := r.TypeOf(strings.TrimPrefix(token, r.def.Sides[side].Letter))
			if t == 0 || !r.InArmy(Side(side), t) {
				return badFEN("board", "the army of %s has no man %q", r.sideName(Side(side)), token)
			}
			s.Cells[cells[0]] = r.Piece(Side(side), t)
		}
		if at != len(row) {
			return badFEN("board", "row %d has %d cells instead of %d", i+1, at, len(row))
		}
	}
	return nil
}
