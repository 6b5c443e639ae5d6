package rules

import (
	"fmt"
	"sync"

	"hoplite/engine/board"
)

// Compile checks a definition and builds its tables. The definition must not be changed afterwards.
func Compile(d *Definition) (*Rules, error) {
	if d.Key == "" || d.Name == "" {
		return nil, fmt.Errorf("rules: a definition without key or name")
	}
	r := newRules(d)
	if err := r.compile(); err != nil {
		return nil, err
	}
	return r, nil
}

func newRules(d *Definition) *Rules {
	r := &Rules{def: d, sides: len(d.Sides), types: len(d.Pieces)}
	r.usual = sync.OnceValue(func() *Position {
		p, err := r.Start(r.UsualStart())
		if err != nil {
			return nil // whoever asks for it by Start learns why
		}
		return p
	})
	return r
}

// compile runs the steps of compilation. A mechanism beyond the plain ones has a step of its own here.
func (r *Rules) compile() error {
	for _, step := range []struct {
		field string
		run   func() error
	}{
		{"board", r.compileBoard},
		{"pieces", r.compileArmies},
		{"hand", r.compileHand},
		{"prison", r.compilePrison},
		{"citadels", r.compileCitadels},
		{"blocker", r.compileBlocker},
		{"union", r.compileUnion},
		{"pieces", r.compileMoves},
		{"legs", r.compileLegs},
		{"castling", r.compileCastling},
		{"gate", r.compileGate},
		{"castling", r.compileRenewal},
		{"passive", r.compilePassive},
		{"layers", r.compileLayers},
		{"series", r.compileSeries},
		{"facing", r.compileFacing},
		{"points", r.compilePoints},
		{"royal", r.compileOpposed},
		{"explosion", r.compileExplosion},
		{"filters", r.compileFilters},
		{"lives", r.compileLives},
		{"swap", r.compileSwap},
		{"debt", r.compileDebt},
		{"selfPromotion", r.compileSelfPromotion},
		{"privilege", r.compilePrivilege},
		{"checkSeries", r.compileCheckSeries},
		{"noMateBy", r.compileNoMateBy},
		{"count", r.compileCount},
		{"seats", r.compileSeats},
		{"ends", r.compileEnds},
		{"repeat", r.compileRepeat},
		{"impasse", r.compileImpasse},
		{"flagFall", r.compileFlagFall},
		{"key", r.compileKeys},
		{"stages", r.compileHidden},
		{"stages", r.compileTabled},
		{"start", r.compileStart},
		{"start.chance", r.compileChance},
		{"view", r.compileView},
	} {
		before := r.stages.single()
		err := step.run()
		for hook, at := range r.stages.single() {
			if was, set := before[hook]; set && was != at && err == nil {
				err = fmt.Errorf("another mechanism of the game has its own %s already", hook)
			}
		}
		if err == nil {
			continue
		}
		if bad, ok := err.(*DefinitionError); ok {
			bad.Key = r.def.Key
			return bad
		}
		return &DefinitionError{Key: r.def.Key, Field: step.field, Err: err}
	}
	return nil
}

// DefinitionError is a definition that contradicts itself.
type DefinitionError struct {
	Key string
	// Field is the field of Definition at fault, in lowerCamelCase, with the parts within it where they are known:
	// pieces[Q].betza.
	Field string
	Err   error
}

func (e *DefinitionError) Error() string { return fmt.Sprintf("rules of %s: %v", e.Key, e.Err) }

func (e *DefinitionError) Unwrap() error { return e.Err }

// inPiece names the field of a type of men in an error.
func inPiece(def *PieceDef, field string, err error) error {
	return &DefinitionError{Field: fmt.Sprintf("pieces[%s].%s", def.Letter, field), Err: fmt.Errorf("%s: %w", def.Name, err)}
}

func (r *Rules) compileBoard() error {
	d := r.def
	if r.sides != 2 && d.Seats == nil {
		return fmt.Errorf("%d sides need a rule for their seats", r.sides)
	}
	if r.types == 0 || r.types > maxTypes || r.types*r.sides >= int(wallPiece) {
		return fmt.Errorf("%d types of men", r.types)
	}
	b, err := board.New(d.Board)
	if err != nil {
		return err
	}
	r.board, r.n = b, b.N()
	r.words = (r.n + 63) / 64
	for c := range Cell(r.n) {
		if b.Shade(c) == 0 {
			r.dark.Add(c)
		}
	}
	for s := range r.sides {
		r.homeRow[s] = b.Row(0, d.Sides[s].Heading)
	}
	return nil
}

func (r *Rules) compileArmies() error {
	d := r.def
	for i := range d.Pieces {
		p := &d.Pieces[i]
		if list := tokens(p.Letter); len(list) != 1 || !isToken(p.Letter) {
			return fmt.Errorf("letter %q of a man: one capital is needed, with + before or ' or ~ after it", p.Letter)
		}
		if r.TypeOf(p.Letter) != PieceType(i+1) {
			return fmt.Errorf("letter %s names two types", p.Letter)
		}
	}
	for s := range Side(r.sides) {
		side := &d.Sides[s]
		if side.Letter == "" || side.Name == "" {
			return fmt.Errorf("side %d without a name", s)
		}
		if side.Royals > maxRoyals {
			return fmt.Errorf("side %s may own %d royal men", side.Name, side.Royals)
		}
		for o := range Side(r.sides) {
			if o != s {
				r.foes[s] = append(r.foes[s], o)
			}
		}
		for _, letter := range tokens(side.Army) {
			t := r.TypeOf(letter)
			if t == 0 {
				return fmt.Errorf("army of %s: unknown man %q", side.Name, letter)
			}
			q := r.Piece(s, t)
			def := r.PieceInfo(t)
			r.codes[q] = code{side: s, typ: t, royal: def.Royal, pawn: def.Pawn}
			for _, o := range r.foes[s] {
				r.foe[o][q] = true
			}
			if err := r.compileBarred(q, def); err != nil {
				return err
			}
			if err := r.compileFirst(s, t); err != nil {
				return err
			}
		}
	}
	for s := range Side(r.sides) {
		for t := PieceType(1); int(t) <= r.types; t++ {
			if rule := r.PieceInfo(t).Promotion; rule != nil && r.InArmy(s, t) {
				if err := r.compilePromotion(s, t, rule); err != nil {
					return err
				}
			}
		}
	}
	switch d.Royal {
	case RoyalOne, RoyalAllAttacked, RoyalFacing, RoyalBikjang, RoyalExplodable:
	case RoyalRanked:
		r.stage().check = (*Position).lastRoyalChecked
	case RoyalNone, RoyalCapture, RoyalUnite:
		r.stage().check = func(*Position, Side) bool { return false }
		r.stages.fearless = true
	default:
		return fmt.Errorf("unknown royal rule %q", d.Royal)
	}
	switch d.EnPassant {
	case EnPassantNone, EnPassantOne:
	case EnPassantPath, EnPassantSeveral, EnPassantOtherLayer, EnPassantDrawBack:
		r.stage()
	default:
		return fmt.Errorf("unknown en passant rule %q", d.EnPassant)
	}
	return nil
}

func (r *Rules) compilePromotion(s Side, t PieceType, rule *PromotionRule) error {
	c := &r.codes[r.Piece(s, t)]
	heading := r.def.Sides[s].Heading
	rows := rule.Rows
	if rows == nil {
		rows = []int{-1}
	}
	c.zone, c.must = r.rows(rows, heading), r.rows(rule.Must, heading)
	if rule.Cells != nil {
		if len(rule.Cells) != r.sides {
			return fmt.Errorf("promotion zones of %d sides", len(rule.Cells))
		}
		var err error
		if c.zone, err = r.cellSet(rule.Cells[s]); err != nil {
			return fmt.Errorf("promotion zone: %w", err)
		}
		if !rule.Declined {
			c.barred = c.barred.Union(c.zone) // who arrives there is another man at once
		}
	}
	c.deferred, c.again = rule.Deferred, r.rows(rule.Again, heading)
	if c.declines, c.leaves = rule.Declined, rule.Leaving; c.declines || c.leaves || c.deferred {
		r.stage()
	}
	for _, letter := range tokens(rule.To) {
		to := r.TypeOf(letter)
		if to == 0 {
			return fmt.Errorf("promotion to unknown man %q", letter)
		}
		if !r.InArmy(s, to) {
			continue // armies may share a pawn and promote it each to its own men
		}
		c.crowns = c.crowns || r.PieceInfo(to).Royal
		c.options = append(c.options, promotion{piece: r.Piece(s, to), typ: to, limit: uint8(rule.Limit[letter])})
	}
	if len(c.options) == 0 {
		return fmt.Errorf("%s of %s promotes to nothing", r.PieceInfo(t).Name, r.def.Sides[s].Name)
	}
	c.promotes = true
	return nil
}

// rows returns the cells of rows as seen by a side with the given heading, negative ones counted from the far edge: -1
// are the cells that have none ahead.
func (r *Rules) rows(list []int, heading board.Heading) (cells board.Set) {
	for _, row := range list {
		if row < 0 {
			cells = cells.Union(r.board.Row(-1-row, r.board.Opposite(heading)))
			continue
		}
		cells = cells.Union(r.board.Row(row, heading))
	}
	return cells
}

// compileFirst finds the cells on which a man's first move is open to it.
func (r *Rules) compileFirst(s Side, t PieceType) error {
	def, first := r.PieceInfo(t), &r.codes[r.Piece(s, t)].first
	if def.InitialCells == nil {
		*first = r.rows([]int{def.InitialRow}, r.def.Sides[s].Heading)
		return nil
	}
	if len(def.InitialCells) != r.sides {
		return fmt.Errorf("%s: first cells for %d sides", def.Name, len(def.InitialCells))
	}
	var err error
	if *first, err = r.cellSet(def.InitialCells[s]); err != nil {
		return fmt.Errorf("%s: first cells: %w", def.Name, err)
	}
	return nil
}
