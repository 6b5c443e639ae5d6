package notation

import (
	"fmt"
	"strconv"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// A diagram of a start position in KIF has a line for each rank, in which every cell is a blank or, for the second
// player's men, a v, and the name of the man, or ・ if it is empty.

const kifEmpty, kifNobody = "・", "なし"

// writeDiagram writes a position.
func writeDiagram(b *strings.Builder, p *rules.Position) {
	r := p.Rules()
	hand := func(s rules.Side, who string) {
		if r.HasHand() {
			b.WriteString(who + kifHandOf + "：" + kifHand(p, s) + "\n")
		}
	}
	hand(1, kifGote)
	for rank := r.Board().Ranks() - 1; rank >= 0; rank-- {
		b.WriteByte('|')
		for file := range r.Board().Files() {
			switch q := p.At(r.Board().At(file, rank)); {
			case q == 0:
				b.WriteString(" " + kifEmpty)
			case r.Side(q) == 0:
				b.WriteString(" " + kifName(r, r.Type(q)))
			default:
				b.WriteString("v" + kifName(r, r.Type(q)))
			}
		}
		b.WriteString("|" + numerals()[r.Board().Ranks()-1-rank] + "\n")
	}
	hand(0, kifSente)
	if p.Turn() != 0 {
		b.WriteString(kifGote + kifTurnOf + "\n")
	}
}

// kifHand writes what is in hand: names, each with its number in Chinese numerals if it is more than one.
func kifHand(p *rules.Position, s rules.Side) string {
	var list []string
	for t := rules.PieceType(1); int(t) <= p.Rules().Types(); t++ {
		switch n := p.Hand(s, t); {
		case n == 1:
			list = append(list, kifName(p.Rules(), t))
		case n > 1:
			list = append(list, kifName(p.Rules(), t)+chinese(n))
		}
	}
	if list == nil {
		return kifNobody
	}
	return strings.Join(list, kifBlank)
}

// chinese writes a number below a hundred.
func chinese(n int) string {
	text := ""
	if tens := n / 10; tens > 1 {
		text = numerals()[tens-1]
	}
	if n >= 10 {
		text += "十"
	}
	if n%10 > 0 {
		text += numerals()[n%10-1]
	}
	return text
}

// diagram reads the position that the lines of a diagram show.
func (k *kifReader) diagram() (rules.Setup, error) {
	r := k.r
	s := rules.Setup{Cells: make([]rules.Piece, r.Board().N()), Passed: board.Wall, FullMoves: 1}
	if k.gote {
		s.Turn = 1
	}
	if len(k.rows) != r.Board().Ranks() {
		return s, fmt.Errorf("%d ranks instead of %d", len(k.rows), r.Board().Ranks())
	}
	for i, row := range k.rows {
		body, _, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
		file := 0
		for body != "" {
			side := rules.Side(0)
			if body[0] == 'v' {
				side = 1
			} else if body[0] != ' ' {
				return s, fmt.Errorf("rank %d of the diagram: a man without a mark of his side", i+1)
			}
			end := strings.IndexAny(body[1:], " v") + 1
			if end == 0 {
				end = len(body)
			}
			name := body[1:end]
			body = body[end:]
			c := r.Board().At(file, r.Board().Ranks()-1-i)
			t := kifType(r, name)
			if int(c) >= r.Board().N() || t == 0 && name != kifEmpty {
				return s, fmt.Errorf("rank %d of the diagram: %q", i+1, clip(name))
			}
			s.Cells[c] = r.Piece(side, t)
			file++
		}
		if file != r.Board().Files() {
			return s, fmt.Errorf("rank %d of the diagram has %d files instead of %d", i+1, file, r.Board().Files())
		}
	}
	return s, k.readHands(&s)
}

// readHands reads what both players have in hand.
func (k *kifReader) readHands(s *rules.Setup) error {
	r := k.r
	if !r.HasHand() {
		return nil
	}
	s.Hands = make([][]int, r.Sides())
	for side := range s.Hands {
		s.Hands[side] = make([]int, r.Types()+1)
		for _, text := range strings.Fields(k.hands[side%2]) {
			if text == kifNobody {
				continue
			}
			t, n := rules.PieceType(0), 1
			for count := range 100 { // the numerals are few
				name, number := text, strconv.Itoa(count)
				if count > 1 {
					var has bool
					if name, has = strings.CutSuffix(text, chinese(count)); !has {
						if name, has = strings.CutSuffix(text, number); !has {
							continue
						}
					}
				} else if count == 0 {
					continue
				}
				if own := kifType(r, name); own != 0 {
					t, n = own, count
				}
			}
			if t == 0 {
				return fmt.Errorf("in hand: %q", clip(text))
			}
			s.Hands[side][t] += n
		}
	}
	return nil
}
