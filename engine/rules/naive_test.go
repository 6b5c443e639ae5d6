package rules_test

import (
	"slices"
	"strings"
	"testing"

	"hoplite/engine/betza"
	"hoplite/engine/board"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// naive is a second reading of the movements, straight from Betza's notation and the board, without any table.
type naive struct {
	r     *rules.Rules
	cells []rules.Piece
	held  [][]int // prisoners by holder and type; nil in games without
	// leaps are the cells whose men have a leap left, checked whether the side to move is in check.
	leaps   board.Set
	checked bool
}

// walk calls do for each cell that the man on c reaches; empty says whether nobody stands there.
func (n *naive) walk(t *testing.T, c rules.Cell, do func(a *betza.Atom, to rules.Cell, empty bool)) {
	t.Helper()
	q := n.cells[c]
	def := n.r.PieceInfo(n.r.Type(q))
	side := n.r.Side(q)
	b := n.r.Board()
	movement := def.Betza
	for _, power := range def.Powers {
		for _, region := range n.r.Definition().Regions {
			cells := region.Cells[min(int(side), len(region.Cells)-1)]
			if region.Name == power.Region && slices.Contains(strings.Fields(cells), b.CellName(c)) {
				movement += power.Betza
			}
		}
	}
	if rule := n.r.Definition().Privilege; rule != nil && n.leaps.Has(c) {
		for _, leap := range rule.Leaps {
			if leap.Man == def.Letter && (leap.InCheck || !n.checked) {
				movement += leap.Betza
			}
		}
	}
	atoms, err := betza.ParseOn(b.Shape(), movement)
	if err != nil {
		t.Fatal(err)
	}
	for i := range atoms {
		turned := atoms[i].Turn(b, n.r.Definition().Sides[side].Heading)
		a := &turned
		if first := n.r.InitialCells(q); a.Initial && !first.Has(c) {
			continue
		}
		for j, v := range a.Vectors {
			if a.Lame && slices.ContainsFunc(a.Way[j], func(w board.Vector) bool {
				via := b.Step(c, w)
				return via == board.Wall || n.cells[via] != 0
			}) {
				continue
			}
			if a.Bend == nil {
				n.slide(c, v, a, a.Min, a.Range, do)
				continue
			}
			bend := b.Step(c, v)
			if bend == board.Wall {
				continue
			}
			if a.Bend.Stop {
				do(a, bend, n.cells[bend] == 0)
			}
			for _, then := range a.Bend.Then[j] {
				if n.cells[bend] == 0 {
					n.slide(bend, then, a, a.Bend.Min, a.Bend.Range, do)
				}
			}
		}
	}
}

// slide calls do for the cells that a man reaches from c by steps of v, over one man if it hops.
func (n *naive) slide(c rules.Cell, v board.Vector, a *betza.Atom, least, most int, do func(*betza.Atom, rules.Cell, bool)) {
	step := n.r.Board().Step
	if a.Lines {
		step = n.r.Board().LineStep
	}
	screens, allowed := 0, 0
	if a.Hop {
		allowed = 1
	}
	to := c
	for i := 1; (most == 0 || i <= most) && screens <= allowed; i++ {
		if to = step(to, v); to == board.Wall || to == c {
			return
		}
		if i >= least && screens == allowed {
			do(a, to, n.cells[to] == 0)
		}
		if n.cells[to] != 0 {
			screens++
		}
	}
}

func (n *naive) attacked(t *testing.T, by rules.Side) (cells board.Set) {
	t.Helper()
	for c, q := range n.cells {
		if q == 0 || n.r.Side(q) != by {
			continue
		}
		n.walk(t, rules.Cell(c), func(a *betza.Atom, to rules.Cell, empty bool) {
			if zone := n.r.PromotionZone(q); a.Take && !(zone.Has(to) && len(n.options(q)) == 0) {
				cells.Add(to)
			}
		})
	}
	return cells
}

// safe reports whether side s has no royal men or some that are not attacked.
func (n *naive) safe(t *testing.T, s rules.Side) bool {
	t.Helper()
	if rule := n.r.Definition().Royal; rule == rules.RoyalNone || rule == rules.RoyalCapture {
		return true
	}
	attacked := n.attacked(t, 1-s)
	royals := 0
	for c, q := range n.cells {
		if q != 0 && n.r.Side(q) == s && n.r.PieceInfo(n.r.Type(q)).Royal {
			royals++
			if !attacked.Has(rules.Cell(c)) {
				return true
			}
		}
	}
	return royals == 0 || royals > 1 && n.r.Definition().Royal == rules.RoyalRanked
}

// allowed reports whether no ban of the game forbids a move that leads to after; whether there are captures is known to
// the caller.
func (n *naive) allowed(t *testing.T, after *naive, s rules.Side) bool {
	t.Helper()
	return !slices.Contains(n.r.Definition().Filters, rules.NoCheck) || after.safe(t, 1-s)
}

// steps lists the legal pairs of cells, castling and captures in passing apart.
func (n *naive) steps(t *testing.T, s rules.Side) (pairs []uint16) {
	t.Helper()
	var captures []uint16
	for c, q := range n.cells {
		if q == 0 || n.r.Side(q) != s {
			continue
		}
		from := rules.Cell(c)
		var targets board.Set
		n.walk(t, from, func(a *betza.Atom, to rules.Cell, empty bool) {
			if empty && a.Quiet || !empty && a.Take && n.r.Side(n.cells[to]) != s && !n.guarded(to) {
				targets.Add(to)
			}
		})
		zone := n.r.PromotionZone(q)
		for to := range targets.All {
			become := []rules.Piece{q}
			if zone.Has(to) {
				become = nil
				for _, typ := range n.options(q) {
					become = append(become, n.r.Piece(s, typ))
				}
			}
			legal := false
			for _, b := range become {
				if limit := n.r.PieceInfo(n.r.Type(q)).Promotion; b != q && limit != nil {
					most := limit.Limit[n.r.PieceInfo(n.r.Type(b)).Letter]
					if have := n.count(b); most != 0 && have >= most {
						continue
					}
				}
				after := n.after(from, to, b)
				legal = legal || after.pass(t, to, s) && after.safe(t, s) && n.allowed(t, after, s)
			}
			if legal {
				pairs = append(pairs, uint16(from)<<8|uint16(to))
				if n.cells[to] != 0 {
					captures = append(captures, uint16(from)<<8|uint16(to))
				}
			}
		}
	}
	if len(captures) > 0 && slices.Contains(n.r.Definition().Filters, rules.MustCapture) {
		pairs = captures
	}
	slices.Sort(pairs)
	return pairs
}

// pass sends the man on c to the other layer where the game has two, and reports whether it may go there.
func (n *naive) pass(t *testing.T, c rules.Cell, s rules.Side) bool {
	t.Helper()
	if n.r.Definition().Layers != rules.LayersPass {
		return true
	}
	to := n.r.Board().Across(c)
	attacked := n.attacked(t, 1-s)
	if n.cells[to] != 0 || n.r.PieceInfo(n.r.Type(n.cells[c])).Royal && attacked.Has(c) {
		return false
	}
	n.cells[to], n.cells[c] = n.cells[c], 0
	return true
}

// options lists what a man on its last cell may become.
func (n *naive) options(q rules.Piece) []rules.PieceType {
	list := n.r.Promotions(q)
	if rule := n.r.Definition().Prison; rule == nil || !rule.Ransom {
		return list
	}
	return slices.DeleteFunc(list, func(t rules.PieceType) bool { return n.held[1-n.r.Side(q)][t] == 0 })
}

// after returns the board after the man on one cell has gone to another and become b there.
func (n *naive) after(from, to rules.Cell, b rules.Piece) *naive {
	next := naive{r: n.r, cells: slices.Clone(n.cells), leaps: n.leaps}
	next.cells[from], next.cells[to] = 0, b
	s := n.r.Side(b)
	for _, held := range n.held {
		next.held = append(next.held, slices.Clone(held))
	}
	if n.held != nil && n.cells[to] != 0 {
		next.held[s][n.r.Type(n.cells[to])]++
	}
	if n.held != nil && n.cells[from] != b {
		next.held[1-s][n.r.Type(b)]--
		next.held[1-s][n.r.Type(n.cells[from])]++
	}
	return &next
}

// guarded reports whether a man stands on c whose capture hangs on more than movements: the second reading knows nothing of
// that and leaves it out.
func (n *naive) guarded(c rules.Cell) bool {
	rule := n.r.Definition().Legs
	if rule == nil || n.cells[c] == 0 {
		return false
	}
	letter := n.r.PieceInfo(n.r.Type(n.cells[c])).Letter
	return strings.Contains(rule.Lions, letter) && (letter[0] == '+' || !strings.Contains(rule.Lions, "+"+letter))
}

func (n *naive) count(q rules.Piece) (k int) {
	for _, o := range n.cells {
		if o == q {
			k++
		}
	}
	return k
}

// readable reports whether the second reading knows all movements of a game: steps and slides anywhere on the board and
// lame moves without capture, no leaps over men, bent ways, extra lines and regions.
func readable(t *testing.T, d *rules.Definition) bool {
	if d.Explosion != nil || d.Blocker != nil {
		return false
	}
	for i := range d.Pieces {
		p := &d.Pieces[i]
		atoms, err := betza.ParseOn(d.Board.Shape, p.Betza)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range atoms {
			if a.Hop || a.Bend != nil || a.Lines || a.Min > 1 || a.Lame && a.Take || p.Within != "" || p.Powers != nil {
				return false
			}
		}
	}
	return true
}

// TestNaive compares attacks and moves with the second reading, in random games of every game of the catalogue and of
// boards with other slides. Men that capture elsewhere than where they go have a second reading in TestPassiveAttacks, unions in
// TestUnionTurns.
func TestNaive(t *testing.T) {
	list := slices.DeleteFunc(variant.All(), func(d *rules.Definition) bool { return d.Passive != nil || d.Union != nil })
	odd := variant.Standard()
	odd.Key = "odd"
	odd.Castling = nil
	odd.Start.FEN = "rnbqkqbr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKQBR w - - 0 1"
	odd.Pieces[1].Betza = "R3NN"
	odd.Pieces[3].Betza = "mB2cBW"
	big := variant.Standard()
	big.Key = "big"
	big.Castling = nil
	big.Board.Files, big.Board.Ranks = 10, 9
	big.Start.FEN = "rnbqkqbnrr/pppppppppp/10/10/10/10/10/PPPPPPPPPP/RNBQKQBNRR w - - 0 1"
	big.Pieces[1].Betza = "R3NN"
	for _, d := range append(list, odd, big) {
		if !readable(t, d) {
			continue
		}
		t.Run(d.Key, func(t *testing.T) {
			t.Parallel()
			r, err := rules.Compile(d)
			if err != nil {
				t.Fatal(err)
			}
			state := uint64(1)
			for game := range 4 {
				p, err := r.Start(game * 200 % r.Starts())
				if err != nil {
					t.Fatal(err)
				}
				var u rules.Undo
				for range 60 {
					n := naive{r: r, cells: p.Setup().Cells, held: p.Setup().Prisons, leaps: p.Leaps(),
						checked: p.InCheck()}
					for s := range rules.Side(2) {
						attacked := n.attacked(t, s)
						for c := range rules.Cell(r.Board().N()) {
							if p.Attacked(c, s) != attacked.Has(c) {
								t.Fatalf("%v: %s attacked by side %d: %t", n.cells, r.Board().CellName(c), s, p.Attacked(c, s))
							}
						}
					}
					if decided(p) {
						break
					}
					moves := p.Moves(nil)
					var pairs []uint16
					passing := false
					for _, m := range moves {
						passing = passing || m.Kind() == rules.EnPassant
						if d.SelfPromotion != nil && m.Kind() == rules.Promotion {
							continue // no step of the man itself
						}
						switch m.Kind() {
						case rules.Quiet, rules.Capture, rules.Double, rules.Promotion, rules.PromotionCapture, rules.Gate, rules.GateCapture,
							rules.Become:
							if !n.guarded(m.To()) {
								pairs = append(pairs, uint16(m.From())<<8|uint16(m.To()))
							}
						}
					}
					slices.Sort(pairs)
					if passing && slices.Contains(d.Filters, rules.MustCapture) {
						break // the second reading knows no capture in passing
					}
					setting := d.Hand != nil && d.Hand.SetUp && p.HandSize(p.Turn()) != 0 // nothing but drops
					if got, want := slices.Compact(pairs), n.steps(t, p.Turn()); !slices.Equal(got, want) && !setting {
						t.Fatalf("%v, side %d to move: steps %x, want %x", n.cells, p.Turn(), got, want)
					}
					if len(moves) == 0 {
						break
					}
					state = state*6364136223846793005 + 1442695040888963407
					p.Make(moves[int(state>>33)%len(moves)], &u)
				}
			}
		})
	}
}

// decided reports whether the game is over by something that leaves no moves, whatever the men could do.
func decided(p *rules.Position) bool {
	_, over := p.Decided()
	return over
}
