package variant

import (
	"strings"

	"hoplite/engine/rules"
)

// Friendly is Paco Ŝako: men unite instead of capturing and set off chains. The numbers are paragraphs of friendly.md.
func Friendly() *rules.Definition {
	d := Standard()
	d.Key, d.Name, d.UCIName, d.PGNName = "friendly", "Friendly Chess", "friendly", "Friendly Chess"
	d.Programs = rules.ProgramNames{}
	d.PGNAliases = []string{"Paco Sako", "Pacosako", "Friendly"}
	d.Lichess = nil
	d.Text = sheet("friendly")
	p := pawn("QRBN")
	// It may be carried back to its first row and go two squares from there (7), which nobody captures in passing (8).
	p.InitialCells = []string{"a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2", "a8 b8 c8 d8 e8 f8 g8 h8 a7 b7 c7 d7 e7 f7 g7 h7"}
	p.Unpassed = []int{home}
	d.Pieces = []rules.PieceDef{king(), queen(), rook(), bishop(), knight(), p}
	d.Royal = rules.RoyalUnite            // 10, 13
	d.EnPassant = rules.EnPassantDrawBack // 8
	d.Union = &rules.UnionRule{Types: map[string]string{}}
	army := "KQRBNP"
	for _, union := range strings.Fields("A:PP C:PR D:PN E:PB F:PQ G:PK H:RR I:RN J:RB L:RQ M:RK O:NN S:NB T:NQ U:NK V:BB W:BQ X:BK Y:QQ Z:QK") {
		letter, men, _ := strings.Cut(union, ":")
		d.Union.Types[letter] = men
		army += letter
		d.Pieces = append(d.Pieces, rules.PieceDef{Letter: letter, Name: "Union " + men})
	}
	d.Sides = twoSides(army)
	d.Ends = []rules.EndRule{{Kind: rules.EndRoyal}, stalemateDraws(), {Kind: rules.EndClock, Plies: 100, CapturesOnly: true}} // 13 to 15
	d.Repeat = drawnAtThree()
	d.FlagFall = rules.FlagRule{Loses: true}
	d.Notation.JoinTurn = true
	return d
}
