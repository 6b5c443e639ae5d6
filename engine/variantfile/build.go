package variantfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/betza"
	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// ownCategory is the heading under which the games of a variants.ini are listed.
const ownCategory = "Our own games"

// definition puts the settings together.
func (b *recipe) definition(name string) (*rules.Definition, error) {
	d := &rules.Definition{Key: keyOf(name), Name: name, UCIName: name, PGNName: name, Category: ownCategory, Players: 2,
		Text:  rules.Text{Summary: "A game read from a file in the format of variants.ini."},
		Board: b.spec(), Start: rules.StartRule{FEN: b.fen}, Repeat: rules.RepeatRule{Draw: b.foldRule}}
	if !isKey(d.Key) {
		return nil, fmt.Errorf("%q makes no key of letters and digits", name)
	}
	men, err := b.men()
	if err != nil {
		return nil, err
	}
	d.Pieces = men
	for _, p := range b.pieces {
		if both, ok := b.mobility[p.name]; ok {
			if both[0] == "" || both[1] == "" {
				return nil, fmt.Errorf("the mobility region of %s is needed for both sides", p.name)
			}
			d.Regions = append(d.Regions, rules.Region{Name: p.name, Cells: both[:]})
		}
	}
	army := ""
	for _, p := range men {
		army += p.Letter
	}
	d.Sides = []rules.SideDef{{Name: "White", Letter: "w", Heading: 0, Army: army}, {Name: "Black", Letter: "b", Heading: 2, Army: army}}
	d.Royal = rules.RoyalNone
	if b.royal() != "" {
		d.Royal = rules.RoyalOne
	}
	if b.facing {
		if d.Royal != rules.RoyalOne {
			return nil, fmt.Errorf("flyingGeneral needs kings")
		}
		d.Royal = rules.RoyalFacing
	}
	if b.perpetual {
		d.Repeat.Perpetual = rules.PerpetualCheck
	}
	if b.enPassant && b.stepsTwice() {
		d.EnPassant = rules.EnPassantOne
	}
	if b.noCheck {
		d.Filters = append(d.Filters, rules.NoCheck)
	}
	if b.mustCapture {
		d.Filters = append(d.Filters, rules.MustCapture)
	}
	if b.gating != b.seirawan {
		return nil, fmt.Errorf("gating and seirawanGating go together")
	}
	if b.gating {
		_, hand, _ := strings.Cut(b.fen, "[")
		hand, _, _ = strings.Cut(hand, "]")
		d.Gate = &rules.GateRule{Hand: distinct(strings.ToUpper(hand))}
	} else if b.drops {
		d.Hand = b.handRule()
	}
	if err := b.ends(d); err != nil {
		return nil, err
	}
	if d.Castling, err = b.castlingRule(kingOf(d)); err != nil {
		return nil, err
	}
	if b.duck {
		d.Pieces = append(d.Pieces, rules.PieceDef{Letter: "*", Name: "Duck"})
		d.Blocker = &rules.BlockerRule{Man: "*"}
	}
	return d, nil
}

// keyOf makes a key of a name: what is neither letter nor digit is left out, the letter after it becomes a capital.
func keyOf(name string) string {
	var out strings.Builder
	raise := false
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		digit := c >= '0' && c <= '9'
		switch {
		case !letter && !digit:
			raise = out.Len() > 0
		case digit && i == 0:
			out.WriteString("v" + string(c))
		case letter && out.Len() == 0:
			out.WriteString(strings.ToLower(string(c)))
		case letter && raise:
			out.WriteString(strings.ToUpper(string(c)))
			raise = false
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}

func distinct(letters string) string {
	out := ""
	for _, l := range letters {
		if !strings.ContainsRune(out, l) {
			out += string(l)
		}
	}
	return out
}

func (b *recipe) stepsTwice() bool {
	return b.doubleStep && len(b.doubleRows) > 0 || b.doubleStep && b.doubleRows == nil
}

// men makes the types: those with a letter, and those that they promote to where these must be told apart.
func (b *recipe) men() ([]rules.PieceDef, error) {
	if len(b.pieces) == 0 {
		return nil, fmt.Errorf("there are no men: name their letters, such as \"king = k\"")
	}
	if b.promotionRowsBlack != nil && !slices.Equal(b.promotionRowsBlack, b.promotionRows) {
		return nil, fmt.Errorf("promotion regions that do not mirror each other are not supported")
	}
	if b.doubleRowsBlack != nil && b.doubleRows != nil && !slices.Equal(b.doubleRowsBlack, b.doubleRows) {
		return nil, fmt.Errorf("regions of double steps that do not mirror each other are not supported")
	}
	marked := b.drops && b.toHand && !b.dropLoop // a promoted pawn goes to the hand as a pawn
	var men, promoted []rules.PieceDef
	for _, p := range b.pieces {
		if b.onlyForm(p.letter) {
			continue
		}
		def := rules.PieceDef{Letter: p.letter, Name: strings.ToUpper(p.name[:1]) + p.name[1:], Betza: p.betza, Value: p.value,
			Royal: p.name == "king"}
		if _, confined := b.mobility[p.name]; confined {
			def.Within = p.name
		}
		if custom(p.name) {
			def.Name = "Man " + p.letter
		}
		switch {
		case strings.Contains(b.pawns, p.letter) && !def.Royal:
			if err := b.makePawn(&def, marked); err != nil {
				return nil, err
			}
		case b.promoted[p.letter] != "":
			become := slices.IndexFunc(b.pieces, func(o piece) bool { return o.letter == b.promoted[p.letter] })
			if become < 0 {
				return nil, fmt.Errorf("%s promotes to %s, which is no man of the game", p.letter, b.promoted[p.letter])
			}
			def.Promotion = &rules.PromotionRule{To: "+" + p.letter, Rows: b.zone(), Declined: !b.mustPiece, Leaving: true}
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
func (b *recipe) zone() []int {
	if b.promotionRows != nil {
		return b.promotionRows
	}
	return []int{min(8, b.ranks) - 1}
}

func (b *recipe) makePawn(def *rules.PieceDef, marked bool) error {
	def.Pawn = true
	if !b.enPassant {
		def.Betza = strings.ReplaceAll(def.Betza, "ce", "c")
	}
	if strings.HasPrefix(def.Betza, "fmW") && b.stepsTwice() {
		rows := b.doubleRows
		if rows == nil {
			rows = []int{1}
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
	def.Promotion = &rules.PromotionRule{To: to, Rows: b.zone(), Declined: !b.mustPawn}
	for letter, n := range b.promotionLimit {
		if def.Promotion.Limit == nil {
			def.Promotion.Limit = map[string]int{}
		}
		def.Promotion.Limit[letter] = n
	}
	if b.mustPawn {
		for _, row := range b.zone() {
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

func (b *recipe) handRule() *rules.HandRule {
	rule := &rules.HandRule{Captures: b.toHand, Demoted: map[string]string{}}
	for _, p := range b.pieces {
		if p.name == "king" || b.onlyForm(p.letter) {
			continue
		}
		rule.Types += p.letter
		drop := rules.DropRule{Types: p.letter}
		if strings.Contains(b.pawns, p.letter) {
			if !b.firstRankDrops {
				drop.Barred = append(drop.Barred, 0)
			}
			if !b.zoneDrops {
				for _, row := range b.zone() {
					drop.Barred = append(drop.Barred, row-b.ranks)
				}
			}
		}
		if b.immobilityIllegal {
			drop.Barred = append(drop.Barred, b.stuckRows(p.betza)...)
		}
		if strings.Contains(b.noDoubled, p.letter) {
			drop.PerFile = b.noDoubledCount
		}
		drop.NoMate = b.dropMateIllegal && p.name == "shogiPawn"
		if drop.Barred != nil || drop.PerFile != 0 || drop.NoMate {
			rule.Drops = append(rule.Drops, drop)
		}
		if b.promoted[p.letter] != "" {
			rule.Demoted["+"+p.letter] = p.letter
		}
	}
	if b.toHand && !b.dropLoop && b.hasPawn() {
		for _, l := range b.promotesTo {
			if b.has(string(l)) {
				rule.Demoted[string(l)+"~"] = b.pawns[:1]
			}
		}
	}
	return rule
}

// castlingRule makes the wings from where the start position has king and rooks, if it has rights.
func (b *recipe) castlingRule(king string, unsafe bool) (*rules.CastlingRule, error) {
	fields := strings.Fields(b.fen)
	if !b.castling || king == "" || !b.has("R") || len(fields) < 3 || fields[2] == "-" {
		return nil, nil
	}
	rule := &rules.CastlingRule{Unsafe: unsafe}
	for side, heading := range []board.Heading{0, 2} {
		rank, letter := 1, king
		if heading != 0 {
			rank, letter = b.ranks, strings.ToLower(king)
		}
		from := b.kingFile
		if from < 0 {
			from = b.fileOf(fields[0], rank, letter)
		}
		if from < 0 {
			return nil, fmt.Errorf("castling: %s is not on rank %d of the start position", letter, rank)
		}
		cell := func(file int) string { return string(rune('a'+file)) + strconv.Itoa(rank) }
		or := func(file, usual int) int {
			if file < 0 {
				return usual
			}
			return file
		}
		right, left := or(b.kingSide, 6), or(b.queenSide, 2)
		rule.Wings = append(rule.Wings,
			rules.CastlingWing{Side: rules.Side(side), Letter: "K", King: king, Rook: "R", KingFrom: cell(from), KingTo: cell(right),
				RookFrom: cell(or(b.rookKingSide, b.files-1)), RookTo: cell(right - 1), SAN: "O-O"},
			rules.CastlingWing{Side: rules.Side(side), Letter: "Q", King: king, Rook: "R", KingFrom: cell(from), KingTo: cell(left),
				RookFrom: cell(or(b.rookQueenSide, 0)), RookTo: cell(left + 1), SAN: "O-O-O"})
	}
	return rule, nil
}

// kingOf returns the letter of the royal type, and whether it may be left attacked.
func kingOf(d *rules.Definition) (letter string, capturable bool) {
	for _, p := range d.Pieces {
		if p.Royal {
			return p.Letter, d.Royal == rules.RoyalCapture
		}
	}
	return "", false
}

// fileOf finds a man on a rank of a board text, or returns -1.
func (b *recipe) fileOf(text string, rank int, letter string) int {
	text, _, _ = strings.Cut(text, "[")
	rows := strings.Split(text, "/")
	if rank > len(rows) {
		return -1
	}
	file := 0
	row := rows[len(rows)-rank]
	for i := 0; i < len(row); i++ {
		end := i
		for end < len(row) && row[end] >= '0' && row[end] <= '9' {
			end++
		}
		if end > i {
			n, _ := strconv.Atoi(row[i:end])
			file += n
			i = end - 1
			continue
		}
		if row[i:i+1] == letter {
			return file
		}
		if row[i] != '+' && row[i] != '~' {
			file++
		}
	}
	return -1
}

// ends makes the tests for the end of the game.
func (b *recipe) ends(d *rules.Definition) error {
	special := false
	add := func(e rules.EndRule) {
		d.Ends = append(d.Ends, e)
		special = true
	}
	if err := b.lossOfMen(d, add); err != nil {
		return err
	}
	if len(b.flagWhite) > 0 || len(b.flagBlack) > 0 {
		if !slices.Equal(b.flagWhite, b.flagBlack) {
			return fmt.Errorf("flag regions that differ between the sides are not supported")
		}
		men := b.flagPiece
		if men == "" || men == "*" {
			men = d.Sides[0].Army
		}
		add(rules.EndRule{Kind: rules.EndGoal, Goal: rules.GoalRule{Cells: strings.Join(b.flagWhite, " "), Men: men, Kind: rules.GoalReach}})
	}
	if b.checkCounting {
		n := 3
		for _, field := range strings.Fields(b.fen) {
			if own, _, ok := strings.Cut(field, "+"); ok {
				if k, err := strconv.Atoi(own); err == nil {
					n = k
				}
			}
		}
		add(rules.EndRule{Kind: rules.EndChecks, Checks: n})
	}
	if b.blast && d.Explosion == nil {
		return fmt.Errorf("blastOnCapture is only supported where the loss of one type loses (extinctionPieceTypes)")
	}
	if d.Royal == rules.RoyalOne || d.Royal == rules.RoyalExplodable {
		d.Ends = append(d.Ends, rules.EndRule{Kind: rules.EndMate})
	}
	d.Ends = append(d.Ends, rules.EndRule{Kind: rules.EndNoMove, Lost: b.stalemate == "loss", Won: b.stalemate == "win"})
	if d.Royal == rules.RoyalOne && !special && d.Hand == nil {
		d.Ends = append(d.Ends, rules.EndRule{Kind: rules.EndMaterial, Material: rules.MaterialRule{HandCounts: d.Gate != nil}})
	}
	if b.moveRule > 0 {
		d.Ends = append(d.Ends, rules.EndRule{Kind: rules.EndClock, Plies: 2 * b.moveRule})
	}
	return nil
}

// lossOfMen makes the end by the loss of men: of all, or of a type that then is royal without a check rule.
func (b *recipe) lossOfMen(d *rules.Definition, add func(rules.EndRule)) error {
	if b.extinction == "" {
		return nil
	}
	if b.extinct == "*" {
		if b.extinction == "draw" {
			return fmt.Errorf("extinctionValue draw is not supported")
		}
		add(rules.EndRule{Kind: rules.EndExtinct, Lost: b.extinction == "loss", Won: b.extinction == "win"})
		return nil
	}
	i := slices.IndexFunc(d.Pieces, func(p rules.PieceDef) bool { return p.Letter == b.extinct })
	if i < 0 || b.extinction != "loss" || d.Royal != rules.RoyalNone {
		return fmt.Errorf("extinctionPieceTypes %q with value %s: only the loss of all men, or of one type in a game without a king, is supported",
			b.extinct, b.extinction)
	}
	d.Pieces[i].Royal = true
	d.Royal = rules.RoyalCapture
	switch {
	case b.blast:
		if !b.pseudoRoyal {
			return fmt.Errorf("blastOnCapture needs extinctionPseudoRoyal")
		}
		d.Royal = rules.RoyalExplodable
		d.Explosion = &rules.ExplosionRule{Reach: "K", Spared: b.pawns}
	case b.pseudoRoyal:
		return fmt.Errorf("extinctionPseudoRoyal is only supported with blastOnCapture")
	}
	for s := range d.Sides {
		d.Sides[s].Royals = strings.Count(b.fen, b.extinct)
	}
	add(rules.EndRule{Kind: rules.EndRoyal})
	return nil
}
