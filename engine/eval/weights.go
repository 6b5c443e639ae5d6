package eval

import "hoplite/engine/rules"

// The terms of the weight vector, in hundredths of a pawn. A pair of terms
// ends in MG and EG: their weight slides from the first to the second as the
// men leave the board.
const (
	Tempo            = iota
	PlaceMG          // per cell of mobility above the type's average on an empty board
	PlaceEG          //
	MobilityMG       // per cell attacked, for a man worth up to four pawns
	MobilityEG       //
	MobilityStrongMG // the same for a stronger one
	MobilityStrongEG //
	RoyalHomeMG      // per row that a royal man has left its own edge
	RoyalCentreEG    // per step that a royal man is nearer to the middle
	AdvanceMG        // per row that a pawn has advanced beyond the middle
	AdvanceEG        //
	CentreMG         // for a pawn's nearness to the middle of the board
	PassedMG         // by the square of the rows advanced
	PassedEG         //
	SupportedMG      // a pawn guarded by a pawn
	SupportedEG      //
	DoubledMG        // a pawn behind another of its side
	DoubledEG        //
	PawnThreatMG     // a man attacked by a pawn
	PawnThreatEG     //
	PairMG           // two colour-bound men
	PairEG           //
	AttackerUnits    // danger units of each attacker of a royal zone
	HitUnits         // danger units of each attacked cell of it
	DangerDivisor    // centipawns are the square of the units by this
	LinearDanger     // per unit, for royals that may be taken
	HandPercent      // of its value that a man in hand counts
	GateRight        // per right left while a man is in hand
	MopUpEdge        // against a bare side: its royal far from the middle
	MopUpNear        // and the royals of the other side near it
	MopUpMen         // and its other men
	FadeNoPawnsShift // halvings of a lead that can hardly be won
	terms
)

// Weights is everything of the evaluation that can be tuned, for one game.
type Weights struct {
	// Values are those of the types of men, by number; 0 is no type.
	Values []int
	Terms  [terms]int
}

// Vector returns a copy of all weights in one slice: the values, then the
// terms.
func (w *Weights) Vector() []int {
	return append(append([]int(nil), w.Values...), w.Terms[:]...)
}

// SetVector takes over the weights of a slice that Vector made.
func (w *Weights) SetVector(v []int) {
	n := copy(w.Values, v)
	copy(w.Terms[:], v[n:])
}

// pawnValue is what a man marked as pawn is worth when its definition does
// not say, and the scale of the hints of definitions.
const pawnValue = 100

// Guess returns weights for a game that was not tuned: values by the hints
// of the definition, else by mobility on the game's own board, and terms that
// suit games like chess.
func Guess(r *rules.Rules) Weights {
	m := newMovement(r)
	var w Weights
	w.Terms = [terms]int{
		Tempo:   12,
		PlaceMG: 4, PlaceEG: 3,
		MobilityMG: 5, MobilityEG: 5, MobilityStrongMG: 3, MobilityStrongEG: 4,
		RoyalHomeMG: -14, RoyalCentreEG: 8,
		AdvanceMG: 3, AdvanceEG: 6, CentreMG: 7,
		PassedMG: 2, PassedEG: 5,
		SupportedMG: 8, SupportedEG: 5, DoubledMG: -6, DoubledEG: -14,
		PawnThreatMG: -35, PawnThreatEG: -30,
		PairMG: 30, PairEG: 45,
		AttackerUnits: 6, HitUnits: 2, DangerDivisor: 9, LinearDanger: 1,
		HandPercent: 85, GateRight: 14,
		MopUpEdge: 14, MopUpNear: 9, MopUpMen: 3,
		FadeNoPawnsShift: 3,
	}
	def := r.Definition()
	w.Values = make([]int, len(def.Pieces)+1)
	for i := range def.Pieces {
		t := rules.PieceType(i + 1)
		switch d := &def.Pieces[i]; {
		case d.Value > 0:
			w.Values[t] = int(d.Value*pawnValue + 0.5)
		case d.Royal && def.Royal == rules.RoyalAllAttacked:
			// All but the last one are men like others, and a shield against
			// mate besides.
			mob := m.average(t)
			w.Values[t] = int(1.1 * (57*mob + 0.8*mob*mob))
		case d.Royal:
			// Losing it loses the game; it is never traded.
		case d.Pawn:
			w.Values[t] = pawnValue
		default:
			mob := m.average(t)
			w.Values[t] = int(57*mob + 0.8*mob*mob)
		}
	}
	return w
}

// Mobility returns the number of cells that a man of the type attacks on
// average, on a board of the game that is 69 percent empty. Cells where it
// may only go, or only take, count half.
func Mobility(r *rules.Rules, t rules.PieceType) float64 { return newMovement(r).average(t) }
