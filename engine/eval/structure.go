package eval

import (
	"math/bits"

	"hoplite/engine/rules"
)

// structure is what depends on the pawns of both sides alone, for one of them.
type structure[S cells] struct {
	pawns  S
	takes  S // cells that they attack
	doubly S // more than once
	passed S // those that no enemy pawn holds up
	round  S // and among them those that have to go round one
	worth  score
}

// structures remember them by the cells of the pawns, where the pawns of a
// side are of one type.
type structures[S cells] struct {
	pawn  [2]*man[S]
	words []uint64 // nil if there is more than one type
}

const (
	structureCount = 1 << 11
	structureSets  = 5
)

// stride is the number of words of an entry: the sets of both sides, and what
// they are worth.
func (s *judge[S]) stride() int { return 2*structureSets*len(s.all) + 1 }

func (s *judge[S]) newStructures() {
	known := &s.known
	for side := range rules.Side(2) {
		for i := range s.rules.Definition().Pieces {
			t := rules.PieceType(i + 1)
			if m := s.men[s.rules.Piece(side, t)]; m != nil && m.pawn && s.rules.InArmy(side, t) {
				if known.pawn[side] != nil {
					return
				}
				known.pawn[side] = m
			}
		}
		if known.pawn[side] == nil {
			return
		}
	}
	known.words = make([]uint64, structureCount*s.stride())
}

// structure fills in what depends on the pawns alone.
func (s *judge[S]) structure(p *rules.Position) {
	a, b := &s.sides[0].structure, &s.sides[1].structure
	a.pawns, b.pawns = narrow[S](p.Pawns(0)), narrow[S](p.Pawns(1))
	if s.known.words == nil {
		s.build(p, 0)
		s.build(p, 1)
		return
	}
	hash := uint64(0)
	for j := 0; j < len(s.all); j++ {
		hash = (hash^a.pawns[j])*0x9e3779b97f4a7c15 ^ b.pawns[j]
		hash = (hash ^ hash>>32) * 0xbf58476d1ce4e5b9
	}
	stride := s.stride()
	at := int(hash>>40&(structureCount-1)) * stride
	e := s.known.words[at : at+stride : at+stride]
	same := true
	for j := 0; j < len(s.all); j++ {
		same = same && e[2*j] == a.pawns[j] && e[2*j+1] == b.pawns[j]
	}
	// An entry that was never used is right about boards without pawns.
	if !same {
		s.build(p, 0)
		s.build(p, 1)
		for j := 0; j < len(s.all); j++ {
			e[2*j], e[2*j+1] = a.pawns[j], b.pawns[j]
			w := e[2*len(s.all)+8*j:][:8]
			w[0], w[1], w[2], w[3] = a.takes[j], a.doubly[j], a.passed[j], a.round[j]
			w[4], w[5], w[6], w[7] = b.takes[j], b.doubly[j], b.passed[j], b.round[j]
		}
		e[stride-1] = uint64(uint32(a.worth)) | uint64(uint32(b.worth))<<32
		return
	}
	for j := 0; j < len(s.all); j++ {
		w := e[2*len(s.all)+8*j:][:8]
		a.takes[j], a.doubly[j], a.passed[j], a.round[j] = w[0], w[1], w[2], w[3]
		b.takes[j], b.doubly[j], b.passed[j], b.round[j] = w[4], w[5], w[6], w[7]
	}
	a.worth, b.worth = score(int32(e[stride-1])), score(int32(e[stride-1]>>32))
}

// build computes the structure of one side. The cells of both are known.
func (s *judge[S]) build(p *rules.Position, side rules.Side) {
	y, enemy := &s.sides[side].structure, &s.sides[side^1].structure
	*y = structure[S]{pawns: y.pawns}
	for j := 0; j < len(s.all); j++ {
		for word := y.pawns[j]; word != 0; word &= word - 1 {
			c := lowest(j, word)
			takes := s.men[p.At(c)].spots[c].takes
			for k := 0; k < len(s.all); k++ {
				y.doubly[k] |= y.takes[k] & takes[k]
				y.takes[k] |= takes[k]
			}
		}
	}
	for j := 0; j < len(s.all); j++ {
		for word := y.pawns[j]; word != 0; word &= word - 1 {
			c := lowest(j, word)
			s.pawn(y, enemy, s.men[p.At(c)], c)
		}
	}
}

// pawn adds the pawn m on c to the structure of its side, the cells that its
// pawns attack being known.
func (s *judge[S]) pawn(y, enemy *structure[S], m *man[S], c rules.Cell) {
	t := &s.weights.Terms
	y.worth += m.spots[c].place
	holders, ahead, backed := 0, false, false
	for j := 0; j < len(s.all); j++ {
		holders += bits.OnesCount64(m.span[c][j] & enemy.pawns[j])
		ahead = ahead || m.ahead[c][j]&y.pawns[j] != 0
		backed = backed || m.back[c][j]&y.pawns[j] != 0
	}
	switch {
	case has(&y.takes, c):
		y.worth += pair(t[SupportedMG], t[SupportedEG])
	case !backed:
		y.worth += pair(t[IsolatedMG], t[IsolatedEG])
	}
	if m.wide {
		// It can go round one that bars its way.
		holders--
	} else if ahead {
		y.worth += pair(t[DoubledMG], t[DoubledEG])
	}
	if holders <= 0 && !(ahead && !m.wide) {
		add(&y.passed, c)
		if m.wide && holders == 0 {
			add(&y.round, c)
		}
	}
}
