package eval

import (
	"fmt"
	"hash/fnv"

	"hoplite/engine/rules"
)

// The terms of the weight vector that hold for all men, in hundredths of a
// pawn. A pair of terms ends in MG and EG: their weight slides from the first
// to the second as the men leave the board.
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
	IsolatedMG       // a pawn that no other of its side can come to guard
	IsolatedEG       //
	BlockedMG        // a passed pawn whose next cell is taken, per row advanced
	BlockedEG        //
	BarredMG         // a passed pawn whose next cell is attacked, per row advanced
	BarredEG         //
	EscortEG         // per step that the enemy's royal is farther from a passed pawn than its own, per row
	HangingMG        // an enemy man attacked and not guarded
	HangingEG        //
	PressedMG        // an enemy man attacked more than once and guarded once
	PressedEG        //
	HarassedMG       // a strong enemy man attacked by a weaker one
	HarassedEG       //
	TrappedMG        // a man that has hardly a cell to go to
	TrappedEG        //
	PairMG           // two colour-bound men
	PairEG           //
	AttackerUnits    // danger units of each attacker of a royal zone
	HitUnits         // danger units of each attacked cell of it
	CheckUnits       // of each man that can give check from a cell not guarded
	WeakUnits        // of each cell of the zone that is attacked and only its royal guards
	ShelterUnits     // of each pawn of its own in the zone
	DropUnits        // of each man that may be dropped, while there are weak cells
	DangerLine       // centipawns for ten units, besides their square
	DangerSquare     // for 1024 times the square of the units
	LinearDanger     // per unit, for royals that may be taken
	HandPercent      // of its value that a man in hand counts until it may come in
	GateRight        // per right left while a man is in hand
	MopUpEdge        // against a bare side: its royal far from the middle
	MopUpNear        // and the royals of the other side near it
	MopUpMen         // and its other men
	FadeNoPawns      // percent left of a lead that can hardly be won
	terms
)

// The terms that each type of men has besides.
const (
	TypeValueMG    = iota // what the man is worth
	TypeValueEG           //
	TypeHand              // what it is worth in hand, where it enters by a drop
	TypeMobilityMG        // per cell attacked, besides the term for all men
	TypeMobilityEG        //
	TypeAdvanceMG         // per row beyond the middle of the board
	TypeAdvanceEG         //
	TypeCentreMG          // per step nearer to the middle of the board than its edge
	TypeCentreEG          //
	TypePlaceMG           // per cell of mobility above the type's average on an empty board, besides the term for all men
	TypePlaceEG           //
	TypeGuardMG           // per step, within nearby, that it stands nearer to a royal man of its own
	TypeGuardEG           //
	TypeSiegeMG           // per step that it stands nearer to one of the enemy
	TypeSiegeEG           //
	typeTerms
)

// termNames and typeNames are what the terms are called in files.
var termNames = [terms]string{
	"Tempo", "PlaceMG", "PlaceEG", "MobilityMG", "MobilityEG", "MobilityStrongMG", "MobilityStrongEG",
	"RoyalHomeMG", "RoyalCentreEG", "AdvanceMG", "AdvanceEG", "CentreMG", "PassedMG", "PassedEG",
	"SupportedMG", "SupportedEG", "DoubledMG", "DoubledEG", "PawnThreatMG", "PawnThreatEG",
	"IsolatedMG", "IsolatedEG", "BlockedMG", "BlockedEG", "BarredMG", "BarredEG", "EscortEG", "HangingMG", "HangingEG",
	"PressedMG", "PressedEG", "HarassedMG", "HarassedEG", "TrappedMG", "TrappedEG", "PairMG", "PairEG",
	"AttackerUnits", "HitUnits", "CheckUnits", "WeakUnits", "ShelterUnits", "DropUnits", "DangerLine", "DangerSquare", "LinearDanger", "HandPercent", "GateRight",
	"MopUpEdge", "MopUpNear", "MopUpMen", "FadeNoPawns",
}

var typeNames = [typeTerms]string{
	"ValueMG", "ValueEG", "Hand", "MobilityMG", "MobilityEG", "AdvanceMG", "AdvanceEG", "CentreMG", "CentreEG",
	"PlaceMG", "PlaceEG", "GuardMG", "GuardEG", "SiegeMG", "SiegeEG",
}

// Weights is everything of the evaluation that can be tuned, for one game.
type Weights struct {
	// Types are those of the types of men, by number; 0 is no type.
	Types [][typeTerms]int
	Terms [terms]int
}

// Vector returns a copy of all weights in one slice: type after type, then
// the terms for all men.
func (w *Weights) Vector() []int {
	var v []int
	for i := range w.Types {
		v = append(v, w.Types[i][:]...)
	}
	return append(v, w.Terms[:]...)
}

// SetVector takes over the weights of a slice that Vector made.
func (w *Weights) SetVector(v []int) {
	for i := range w.Types {
		v = v[copy(w.Types[i][:], v):]
	}
	copy(w.Terms[:], v)
}

// Fingerprint names the weights: others have another name.
func (w *Weights) Fingerprint() string {
	h := fnv.New64a()
	for _, v := range w.Vector() {
		fmt.Fprintln(h, v)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// Clone returns an independent copy.
func (w *Weights) Clone() Weights {
	c := *w
	c.Types = append(c.Types[:0:0], w.Types...)
	return c
}

// Names returns what the weights of a vector of the game are called in files,
// in the order of Vector. Those of type 0, which is none, have no name.
func Names(r *rules.Rules) []string {
	names := make([]string, typeTerms)
	for _, d := range r.Definition().Pieces {
		for _, n := range typeNames {
			names = append(names, d.Letter+"."+n)
		}
	}
	return append(names, termNames[:]...)
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
		SupportedMG: 8, SupportedEG: 5, DoubledMG: -10, DoubledEG: -20,
		PawnThreatMG: -35, PawnThreatEG: -30,
		IsolatedMG: -8, IsolatedEG: -8,
		BlockedMG: -2, BlockedEG: -6, BarredMG: -2, BarredEG: -5, EscortEG: 2,
		HangingMG: 25, HangingEG: 20, PressedMG: 10, PressedEG: 8, HarassedMG: 25, HarassedEG: 20,
		TrappedMG: -15, TrappedEG: -15,
		PairMG: 30, PairEG: 45,
		AttackerUnits: 6, HitUnits: 2, CheckUnits: 5, WeakUnits: 3, ShelterUnits: -1, DropUnits: 4,
		DangerSquare: 90, LinearDanger: 1,
		HandPercent: 85, GateRight: 14,
		MopUpEdge: 14, MopUpNear: 9, MopUpMen: 3,
		FadeNoPawns: 12,
	}
	def := r.Definition()
	w.Types = make([][typeTerms]int, len(def.Pieces)+1)
	for i := range def.Pieces {
		t := rules.PieceType(i + 1)
		v := guessValue(m, t)
		eg := v
		if def.Pieces[i].Pawn {
			eg = v * 6 / 5
		}
		w.Types[t][TypeValueMG], w.Types[t][TypeValueEG], w.Types[t][TypeHand] = v, eg, v
	}
	return w
}

// guessValue is what a type of men is worth by its definition, else by its
// mobility.
func guessValue(m *movement, t rules.PieceType) int {
	def := m.rules.Definition()
	mob := m.average(t)
	byMobility := 57*mob + 0.8*mob*mob
	switch d := &def.Pieces[t-1]; {
	case d.Value > 0:
		return int(d.Value*pawnValue + 0.5)
	case d.Royal && def.Royal == rules.RoyalAllAttacked:
		// All but the last one are men like others, and a shield against
		// mate besides.
		return int(1.1 * byMobility)
	case d.Royal:
		return 0 // losing it loses the game; it is never traded
	case d.Pawn:
		return pawnValue
	}
	return int(byMobility)
}

// Mobility returns the number of cells that a man of the type attacks on
// average, on a board of the game that is 69 percent empty. Cells where it
// may only go, or only take, count half.
func Mobility(r *rules.Rules, t rules.PieceType) float64 { return newMovement(r).average(t) }
