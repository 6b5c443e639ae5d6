package rules

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"hoplite/engine/board"
)

// PrisonRule is the mechanisms exchange(prisoners) and promote(prisoner). Captured men go to the prison of the side that
// took them. In place of a move a side may give a prisoner back, who goes to his own side's hand, and free one of its own
// men, who enters at once. The rules of HandRule bound where men may enter.
type PrisonRule struct {
	// Worth lists the types that may be held, each with a value. A man can be freed only for one worth as much or more.
	Worth map[string]int
	// Ransom lets men promote only to men held by the enemy, to whom the promoting man goes in exchange. Men that could
	// promote by capturing on a cell do not attack it while there is nobody to be freed.
	Ransom bool
}

// prisonTable is a compiled PrisonRule.
type prisonTable struct {
	types []PieceType
	worth []int
	// index is the place of a type in types, or -1.
	index  [maxTypes + 1]int8
	ransom bool
}

// prisons counts the men that each side holds, by their places in prisonTable.types.
type prisons [2][maxHandTypes]uint8

func (r *Rules) compilePrison() error {
	rule := r.def.Prison
	if rule == nil {
		return nil
	}
	if r.drops == nil || r.sides != 2 || len(rule.Worth) > maxHandTypes {
		return fmt.Errorf("prisons need two sides, a hand, and at most %d types", maxHandTypes)
	}
	x := &prisonTable{ransom: rule.Ransom}
	for i := range x.index {
		x.index[i] = -1
	}
	for t := PieceType(1); int(t) <= r.types; t++ {
		if worth, held := rule.Worth[r.PieceInfo(t).Letter]; held {
			if !slices.Contains(r.handTypes, t) {
				return fmt.Errorf("the prisoner %q can never be in hand", r.PieceInfo(t).Letter)
			}
			x.index[t] = int8(len(x.types))
			x.types, x.worth = append(x.types, t), append(x.worth, worth)
		}
	}
	if len(x.types) != len(rule.Worth) {
		return fmt.Errorf("unknown men among the prisoners")
	}
	st := r.stage()
	st.cyclic = true
	st.taken = append(st.taken, x.imprison)
	st.sources = append(st.sources, x.exchanges)
	st.keys = append(st.keys, x.key)
	st.setup = append(st.setup, x.check)
	st.acts[Exchange] = &act{play: x.play, text: exchangeText, san: exchangeSAN, path: exchangePath}
	if x.ransom {
		st.mailbox = true
		st.attacks = x.attacks
		st.doubt = x.doubt
		st.mayPromote = func(p *Position, t PieceType) bool { return p.held(1-p.turn, t) != 0 }
		st.effects = append(st.effects, x.pay)
	}
	r.prison = x
	return nil
}

// HasPrison reports whether men may be held as prisoners.
func (r *Rules) HasPrison() bool { return r.prison != nil }

// Prisoners returns how many enemy men of type t side s holds.
func (p *Position) Prisoners(s Side, t PieceType) int {
	if p.rules.prison == nil || int(s) >= len(p.state.prisons) || int(t) > maxTypes {
		return 0
	}
	return int(p.held(s, t))
}

func (p *Position) held(s Side, t PieceType) uint8 {
	if i := p.rules.prison.index[t]; i >= 0 {
		return p.state.prisons[s&1][i]
	}
	return 0
}

// hold changes the number of enemy men of type t that side s holds by one up or down.
func (x *prisonTable) hold(p *Position, s Side, t PieceType, more int8) {
	if i := x.index[t]; i >= 0 {
		p.state.prisons[s&1][i] += uint8(more)
	}
}

// imprison keeps a captured man.
func (x *prisonTable) imprison(p *Position, q Piece, _ Cell) {
	x.hold(p, p.turn, p.rules.codes[q].typ, 1)
}

// exchanges appends the exchanges of prisoners. Each type that can be freed is dropped where it may enter, once for each
// type that can be given for it.
func (x *prisonTable) exchanges(p *Position, dst []Move) []Move {
	r := p.rules
	us := p.turn & 1
	mine, theirs := &p.state.prisons[us], &p.state.prisons[1-us]
	if *mine == [maxHandTypes]uint8{} || *theirs == [maxHandTypes]uint8{} {
		return dst
	}
	for i := range r.drops.entries[us] {
		e := &r.drops.entries[us][i]
		free := x.index[e.typ]
		if free < 0 || theirs[free] == 0 {
			continue
		}
		cells := r.drops.open(p, e)
		for give, t := range x.types {
			if mine[give] == 0 || x.worth[give] < x.worth[free] {
				continue
			}
			for w := 0; w < r.words; w++ {
				for b := cells[w&3]; b != 0; b &= b - 1 {
					to := Cell(w<<6 | bits.TrailingZeros64(b))
					dst = append(dst, NewMove(Exchange, board.Wall, to, e.typ, 0).giving(t))
				}
			}
		}
	}
	return dst
}

// play gives one prisoner back and lets the own man in.
func (x *prisonTable) play(p *Position, m Move) {
	us := p.turn
	x.hold(p, us, m.Given(), -1)
	p.setHand(1-us, m.Given(), p.hand[1-us][m.Given()]+1)
	x.hold(p, 1-us, m.Arg(), -1)
	p.clock = 0
	p.place(p.rules.Piece(us, m.Arg()), m.To())
}

// pay gives the promoting man for the man that comes back.
func (x *prisonTable) pay(p *Position, m Move) {
	if m.Kind().IsPromotion() {
		x.hold(p, 1-p.turn, m.Arg(), -1)
		x.hold(p, 1-p.turn, p.rules.codes[p.log.mover].typ, 1)
	}
}

// ransomed reports whether a man of side s could become somebody.
func (x *prisonTable) ransomed(p *Position, s Side, q Piece) bool {
	for i := range p.rules.codes[q].options {
		if p.held(1-s, p.rules.codes[q].options[i].typ) != 0 {
			return true
		}
	}
	return false
}

// idle reports whether the man q does not attack c because it could not promote there.
func (x *prisonTable) idle(p *Position, q Piece, c Cell) bool {
	info := &p.rules.codes[q]
	return info.promotes && info.zone.Has(c) && !x.ransomed(p, info.side, q)
}

// attacks answers whether side by could capture on c.
func (x *prisonTable) attacks(p *Position, c Cell, by Side) bool {
	r := p.rules
	for from := range r.near[by][c].Intersect(p.men[by]).All {
		q := p.cell[from]
		if r.leaps[int(q)*r.n+int(from)].take.Has(c) && !x.idle(p, q, c) {
			return true
		}
	}
	return p.slidTo(c, by)
}

// doubt reports whether looking outward from the royal men of the side to move shows an attack that is none.
func (x *prisonTable) doubt(p *Position) bool {
	r := p.rules
	them := 1 - p.turn
	for c := range p.royals[p.turn].All {
		for from := range r.near[them][c].Intersect(p.men[them]).All {
			if x.idle(p, p.cell[from], c) {
				return true
			}
		}
	}
	return false
}

// key tells prisons apart.
func (x *prisonTable) key(p *Position) (key uint64) {
	for s := range p.state.prisons {
		packed := uint64(0)
		for _, n := range p.state.prisons[s] {
			packed = packed<<5 | uint64(n)
		}
		key ^= mix(saltPrison+uint64(s), packed)
	}
	return key
}

// setup returns the prisons by side and type.
func (x *prisonTable) setup(p *Position) [][]int {
	list := make([][]int, p.rules.sides)
	for s := range list {
		list[s] = make([]int, p.rules.types+1)
		for i, t := range x.types {
			list[s][t] = int(p.state.prisons[s][i])
		}
	}
	return list
}

// setPrisons fills the prisons. It refuses men who cannot be held.
func (r *Rules) setPrisons(p *Position, setup *Setup, e *SetupError) {
	x := r.prison
	p.state.prisons = prisons{}
	for side, held := range setup.Prisons {
		for t, n := range held {
			switch {
			case n == 0:
			case x == nil || side >= r.sides || t >= len(x.index) || x.index[t] < 0:
				e.add("prison", "a prisoner that this game has not")
			case n < 0 || n > maxHand:
				e.add("prison", "%d men of one type", n)
			default:
				p.state.prisons[side][x.index[t]] = uint8(n)
			}
		}
	}
}

// check refuses more men of a type, wherever they are, than one place can hold.
func (x *prisonTable) check(r *Rules, p *Position, _ *Setup, e *SetupError) {
	for _, t := range x.types {
		n := 0
		for s := range Side(r.sides) {
			n += int(p.count[r.Piece(s, t)]) + int(p.hand[s][t]) + int(p.held(s, t))
		}
		if n > maxHand {
			e.add("prison", "%d men of the type %s in all, at most %d", n, r.PieceInfo(t).Letter, maxHand)
		}
	}
}

// readPrison reads the second pair of brackets: prisoners, each written as his own side writes him.
func (r *Rules) readPrison(s *Setup, text string) error {
	text, ok := strings.CutSuffix(text, "]")
	if !ok {
		return badFEN("prison", "no closing bracket")
	}
	if r.prison == nil {
		return badFEN("prison", "this game has no prisoners")
	}
	s.Prisons = make([][]int, r.sides)
	for i := range s.Prisons {
		s.Prisons[i] = make([]int, r.types+1)
	}
	if text == "-" {
		return nil
	}
	for text != "" {
		q, n, err := r.readMan(text, "prison")
		if err != nil {
			return err
		}
		s.Prisons[1-r.Side(q)][r.Type(q)]++
		text = text[n:]
	}
	return nil
}

func exchangeText(p *Position, m Move) string {
	return strings.ToLower(p.rules.PieceInfo(m.Given()).Letter) + "-" + dropText(p, m)
}

func exchangeSAN(p *Position, m Move) string {
	freed := p.rules.PieceInfo(m.Arg()).Letter
	return "(" + p.rules.PieceInfo(m.Given()).Letter + "-" + freed + ")" + dropText(p, m)
}

func exchangePath(_ *Position, m Move) []Step {
	return []Step{{From: InPrison, Type: m.Given()}, {From: InPrison, Type: m.Arg()}, {Cell: m.To()}}
}
