package enginetest

import (
	"fmt"
	"slices"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// CheckPosition holds a position against everything that must be true of any: it fails with the first that is not.
//   - the moves found by suspicion are those found by trying each, and their counts and kinds agree;
//   - each move, made and taken back, leaves the position as it was, and its key is what a fresh position has;
//   - FEN, move string and algebraic notation read back to what was written;
//   - Play accepts the moves and refuses others; the outcome agrees with the list of moves.
func CheckPosition(p *rules.Position) error {
	r := p.Rules()
	fen := notation.FEN(p)
	moves := p.Moves(nil)
	if tried := p.MovesByTrial(nil); !slices.Equal(moves, tried) {
		return fmt.Errorf("%s: %d moves by suspicion, %d by trial", fen, len(moves), len(tried))
	}
	if n := p.CountMoves(); n != len(moves) {
		return fmt.Errorf("%s: %d moves, counted %d", fen, len(moves), n)
	}
	if p.HasMove() != (len(moves) > 0) {
		return fmt.Errorf("%s: %d moves, HasMove says %t", fen, len(moves), p.HasMove())
	}
	var noisy []rules.Move
	for _, m := range moves {
		if p.IsCapture(m) || p.IsPromotion(m) {
			noisy = append(noisy, m)
		}
	}
	if got := p.Noisy(nil); !sameMoves(got, noisy) {
		return fmt.Errorf("%s: %d captures and promotions, Noisy lists %d", fen, len(noisy), len(got))
	}
	back, err := notation.ParseFEN(r, fen)
	if err != nil {
		return fmt.Errorf("%s: %w", fen, err)
	}
	// A text does not tell that the last move was a pass.
	passed := p.JustPassed()
	if !passed && back.Key() != p.Key() {
		return fmt.Errorf("%s: the key differs from that of the position read back", fen)
	}
	if again := notation.FEN(back); again != fen {
		return fmt.Errorf("%s: read back as %s", fen, again)
	}
	if x, err := notation.ParseFEN(r, notation.XFEN(p)); err != nil || x.Key() != back.Key() {
		return fmt.Errorf("%s: X-FEN %s reads differently: %v", fen, notation.XFEN(p), err)
	}
	texts := map[string]bool{}
	step := 1
	if len(moves) > manyMoves {
		step = len(moves) / manyMoves // a sample: what a blocker does on one cell it does on the next
	}
	for i := 0; i < len(moves); i += step {
		m := moves[i]
		if err := checkMove(p, m, fen, texts); err != nil {
			return err
		}
	}
	return checkEnd(p, fen, len(moves))
}

// manyMoves is the number of moves from which on CheckPosition takes a sample.
const manyMoves = 150

func sameMoves(a, b []rules.Move) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

func checkMove(p *rules.Position, m rules.Move, fen string, texts map[string]bool) error {
	text, san := notation.FormatMove(p, m), notation.SAN(p, m)
	if texts[text] || texts[san] {
		return fmt.Errorf("%s: two moves are written %s or %s", fen, text, san)
	}
	texts[text], texts[san] = true, true
	for _, s := range []string{text, notation.FormatMoveKingRook(p, m)} {
		if got, err := notation.ParseMove(p, s); err != nil || got != m {
			return fmt.Errorf("%s: %s reads as another move: %v", fen, s, err)
		}
	}
	if got, err := notation.ParseSAN(p, san); err != nil || got != m {
		return fmt.Errorf("%s: %s reads as another move: %v", fen, san, err)
	}
	before := *p
	var u rules.Undo
	captured := p.Captured(m)
	if p.IsCapture(m) != (captured != 0) || captured != 0 && p.Rules().Side(captured) == p.Turn() {
		return fmt.Errorf("%s: %s captures %d", fen, text, captured)
	}
	check := p.GivesCheck(m)
	p.Make(m, &u)
	after := notation.FEN(p)
	fresh, err := p.Rules().Position(p.Setup())
	if err != nil {
		return fmt.Errorf("%s: after %s: %w", fen, text, err)
	}
	// A position built anew has the same key and the same state.
	if fresh.Key() != p.Key() {
		return fmt.Errorf("%s: after %s the key differs from that of the position built anew", fen, text)
	}
	if got := notation.FEN(fresh); got != after {
		return fmt.Errorf("%s: after %s: %s, built anew %s", fen, text, after, got)
	}
	if p.InCheck() != check {
		return fmt.Errorf("%s: %s: GivesCheck says %t", fen, text, check)
	}
	p.Unmake(m, &u)
	if *p != before {
		return fmt.Errorf("%s: %s taken back leaves %s", fen, text, notation.FEN(p))
	}
	played := p.Clone()
	if err := played.Play(m); err != nil || notation.FEN(played) != after {
		return fmt.Errorf("%s: Play(%s): %v", fen, text, err)
	}
	if err := played.Play(m); err == nil {
		return fmt.Errorf("%s: %s can be played twice", fen, text)
	} else if notation.FEN(played) != after {
		return fmt.Errorf("%s: a refused move changed the position", fen)
	}
	return nil
}

// checkEnd holds the outcome against the list of moves. A game that is over by a rule that needs no list may have moves
// or none.
func checkEnd(p *rules.Position, fen string, moves int) error {
	o, over := p.Outcome()
	stuck := over && (o.Reason == rules.Mate || o.Reason == rules.NoMove)
	if moves == 0 && !over || moves != 0 && stuck {
		return fmt.Errorf("%s: %d moves, outcome %v %t", fen, moves, o, over)
	}
	if stuck && (o.Reason == rules.Mate) != p.InCheck() {
		return fmt.Errorf("%s: outcome %s, check %t", fen, o.Reason, p.InCheck())
	}
	if !over {
		return nil
	}
	sum := 0.0
	for _, x := range o.Points {
		sum += x
	}
	if sum != 1 {
		return fmt.Errorf("%s: points %v", fen, o.Points)
	}
	return nil
}

// CheckGame takes a game back move by move and plays it again: the positions and the counts of repetitions must be the
// same. The game is as before afterwards.
func CheckGame(g *rules.Game) error {
	end := notation.FEN(g.Position())
	moves := slices.Clone(g.Moves())
	repetitions := g.Repetitions()
	seen := map[uint64]int{g.Start().Key(): 1}
	p := g.Start().Clone()
	var u rules.Undo
	for _, m := range moves {
		p.Make(m, &u)
		seen[p.Key()]++
	}
	if seen[p.Key()] != repetitions {
		return fmt.Errorf("%s: occurred %d times, the game counts %d", end, seen[p.Key()], repetitions)
	}
	back := min(len(moves), 10)
	for range back {
		if !g.Undo() {
			return fmt.Errorf("%s: a move cannot be taken back", end)
		}
	}
	for _, m := range moves[len(moves)-back:] {
		if err := g.Play(m); err != nil {
			return fmt.Errorf("%s: played again: %w", end, err)
		}
	}
	if got := notation.FEN(g.Position()); got != end || g.Repetitions() != repetitions || !slices.Equal(g.Moves(), moves) {
		return fmt.Errorf("%s: played again leads to %s", end, got)
	}
	return nil
}
