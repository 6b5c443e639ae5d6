package variantfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
			d.Regions = append(d.Regions, rules.Region{Name: p.name, Cells: []string{b.cells(both[0]), b.cells(both[1])}})
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
	if b.takesPassing() && b.stepsTwice() {
		d.EnPassant = rules.EnPassantOne
	}
	if b.noCheck {
		d.Filters = append(d.Filters, rules.NoCheck)
	}
	if b.mustCapture {
		d.Filters = append(d.Filters, rules.MustCapture)
	}
	if b.gating && (b.drops || b.toHand) || b.toHand && !b.drops {
		return nil, fmt.Errorf("drops together with gating, and captures to a hand without drops, are not supported")
	}
	if b.gating != b.seirawan {
		return nil, fmt.Errorf("gating and seirawanGating go together")
	}
	if b.gating {
		_, hand, _ := strings.Cut(b.fen, "[")
		hand, _, _ = strings.Cut(hand, "]")
		d.Gate = &rules.GateRule{Hand: distinct(strings.ToUpper(hand))}
	} else if b.drops {
		if d.Hand, err = b.handRule(); err != nil {
			return nil, err
		}
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
	return b.doubleStep && (b.doubleWhite == nil || len(b.doubleWhite) > 0)
}

// takesPassing reports whether pawns capture in passing.
func (b *recipe) takesPassing() bool { return b.enPassant && (b.passers == nil || *b.passers != "") }

func (b *recipe) handRule() (*rules.HandRule, error) {
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
				zone, err := b.zone()
				if err != nil {
					return nil, err
				}
				for _, row := range zone {
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
	return rule, nil
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
	if flag := b.cells(b.flagWhite); flag != "" || b.cells(b.flagBlack) != "" {
		if flag != b.cells(b.flagBlack) {
			return fmt.Errorf("flag regions that differ between the sides are not supported")
		}
		kind := rules.GoalReach
		if b.flagMove {
			kind = rules.GoalRace
		}
		men := b.flagPiece
		if men == "" || men == "*" {
			men = d.Sides[0].Army
		}
		add(rules.EndRule{Kind: rules.EndGoal, Goal: rules.GoalRule{Cells: flag, Men: men, Kind: kind}})
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
	if d.Royal != rules.RoyalNone && d.Royal != rules.RoyalCapture {
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
	placement, _, _ := strings.Cut(b.fen, " ")
	d.Sides[0].Royals = strings.Count(placement, b.extinct)
	d.Sides[1].Royals = strings.Count(placement, strings.ToLower(b.extinct))
	add(rules.EndRule{Kind: rules.EndRoyal})
	return nil
}
