package variantfile

import (
	"fmt"
	"slices"
	"strings"

	"hoplite/engine/betza"
	"hoplite/engine/rules"
)

// men makes the types: those with a letter, and those that they promote to where these must be told apart.
func (b *recipe) men() ([]rules.PieceDef, error) {
	if len(b.pieces) == 0 {
		return nil, fmt.Errorf("there are no men: name their letters, such as \"king = k\"")
	}
	for what, letters := range map[string]*string{"enPassantTypes": b.passers, "nMoveRuleTypes": b.resetters} {
		if letters != nil && *letters != b.pawns && (what != "enPassantTypes" || *letters != "") {
			return nil, fmt.Errorf("%s: types other than the pawns %q are not supported", what, b.pawns)
		}
	}
	var zone []int
	if b.hasPawn() || len(b.promoted) > 0 {
		var err error
		if zone, err = b.zone(); err != nil {
			return nil, err
		}
	}
	marked := b.drops && b.toHand && !b.dropLoop // a promoted pawn goes to the hand as a pawn
	if marked && len(b.promotionLimit) > 0 {
		return nil, fmt.Errorf("promotionLimit with captures to a hand is not supported")
	}
	var men, promoted []rules.PieceDef
	for _, p := range b.pieces {
		if b.onlyForm(p.letter) {
			continue
		}
		def := rules.PieceDef{Letter: p.letter, Name: strings.ToUpper(p.name[:1]) + p.name[1:], Betza: p.betza, Value: b.values[p.letter],
			Royal: p.name == "king"}
		if _, confined := b.mobility[p.name]; confined {
			def.Within = p.name
		}
		if custom(p.name) {
			def.Name = "Man " + p.letter
		}
		if p.name == "janggiCannon" { // it neither leaps over its like nor takes it
			def.HopBars = p.letter
		}
		switch {
		case strings.Contains(b.pawns, p.letter) && !def.Royal:
			if err := b.makePawn(&def, zone, marked); err != nil {
				return nil, err
			}
		case b.promoted[p.letter] != "":
			become := slices.IndexFunc(b.pieces, func(o piece) bool { return o.letter == b.promoted[p.letter] })
			if become < 0 {
				return nil, fmt.Errorf("%s promotes to %s, which is no man of the game", p.letter, b.promoted[p.letter])
			}
			def.Promotion = &rules.PromotionRule{To: "+" + p.letter, Rows: zone, Declined: !b.mustPiece, Leaving: true}
			if b.immobilityIllegal {
				def.Promotion.Must = b.stuckRows(p.betza)
			}
			promoted = append(promoted, rules.PieceDef{Letter: "+" + p.letter, Name: "Promoted " + strings.ToLower(def.Name),
				Betza: b.pieces[become].betza})
		}
		men = append(men, def)
	}
	if marked {
		for _, l := range b.promotesTo {
			if i := slices.IndexFunc(men, func(m rules.PieceDef) bool { return m.Letter == string(l) }); i >= 0 && b.hasPawn() {
				copied := men[i]
				copied.Letter, copied.Name = copied.Letter+"~", "Promoted "+strings.ToLower(copied.Name)
				promoted = append(promoted, copied)
			}
		}
	}
	return append(men, promoted...), nil
}

// onlyForm reports whether a type is only what another promotes to, and never stands for itself.
func (b *recipe) onlyForm(letter string) bool {
	placement, _, _ := strings.Cut(b.fen, " ")
	if strings.Contains(strings.ToUpper(placement), letter) {
		return false
	}
	for _, to := range b.promoted {
		if to == letter {
			return true
		}
	}
	return false
}

func (b *recipe) hasPawn() bool {
	return slices.ContainsFunc(b.pieces, func(p piece) bool { return strings.Contains(b.pawns, p.letter) })
}

// zone returns the rows of the promotion zone, counted from the own edge.
func (b *recipe) zone() ([]int, error) {
	return b.rows("promotion region", b.promotionWhite, b.promotionBlack, 8, 1)
}

func (b *recipe) makePawn(def *rules.PieceDef, zone []int, marked bool) error {
	def.Pawn = true
	if !b.takesPassing() {
		def.Betza = strings.ReplaceAll(def.Betza, "ce", "c")
	}
	if strings.HasPrefix(def.Betza, "fmW") && b.stepsTwice() {
		rows, err := b.rows("double step region", b.doubleWhite, b.doubleBlack, 2, 7)
		if err != nil {
			return err
		}
		if len(rows) != 1 {
			return fmt.Errorf("double steps from several ranks are not supported")
		}
		def.Betza += "ifmnD"
		def.InitialRow = rows[0]
	}
	to := ""
	for _, l := range b.promotesTo {
		if !b.has(string(l)) {
			continue
		}
		to += string(l)
		if marked {
			to += "~"
		}
	}
	if to == "" {
		return nil
	}
	def.Promotion = &rules.PromotionRule{To: to, Rows: zone, Declined: !b.mustPawn}
	for letter, n := range b.promotionLimit {
		if def.Promotion.Limit == nil {
			def.Promotion.Limit = map[string]int{}
		}
		def.Promotion.Limit[letter] = n
	}
	if b.mustPawn {
		for _, row := range zone {
			def.Barred = append(def.Barred, row-b.ranks)
		}
	}
	return nil
}

// stuckRows are the rows, counted from the far edge, on which a man that only goes forward has no move.
func (b *recipe) stuckRows(text string) []int {
	atoms, err := betza.Parse(text)
	if err != nil {
		return nil // the rules name what is wrong with it
	}
	var rows []int
	for row := -1; row >= -b.ranks; row-- {
		stuck := true
		for _, a := range atoms {
			for _, v := range a.Vectors {
				if int(v.Y) < -row && int(max(v.X, -v.X)) < b.files {
					stuck = false
				}
			}
		}
		if !stuck {
			break
		}
		rows = append(rows, row)
	}
	return rows
}
