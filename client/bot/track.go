package bot

import (
	"fmt"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// games finds the rules of variants.
type games struct{ set *variant.Set }

// newGames takes the games of a set, those of the catalogue if it is nil.
func newGames(set *variant.Set) (games, error) {
	if set != nil {
		return games{set}, nil
	}
	set, err := variant.Catalogue()
	return games{set}, err
}

func (g games) rules(key string) (*rules.Rules, bool) { return g.set.Get(key) }

// track follows a game by its rules. It belongs to one goroutine.
type track struct {
	start *rules.Position
	game  *rules.Game
	moves []string // of game
}

// newTrack returns nil if the rules are not known or the start is not readable;
// the game can be played without.
func (g games) newTrack(of Game) *track {
	start, err := g.startOf(of)
	if err != nil {
		return nil
	}
	return &track{start: start, game: rules.NewGame(start.Clone())}
}

func (g games) startOf(of Game) (*rules.Position, error) {
	r, ok := g.rules(of.Variant)
	if !ok {
		return nil, fmt.Errorf("unknown variant %q", of.Variant)
	}
	if of.FEN == "" {
		return r.Start(r.UsualStart())
	}
	return notation.ParseFEN(r, of.FEN)
}

// follow brings the game to the position after moves.
func (t *track) follow(moves []string) error {
	same := 0
	for same < len(moves) && same < len(t.moves) && moves[same] == t.moves[same] {
		same++
	}
	for len(t.moves) > same {
		if !t.game.Undo() {
			return fmt.Errorf("move %d cannot be taken back", len(t.moves))
		}
		t.moves = t.moves[:len(t.moves)-1]
	}
	for _, text := range moves[same:] {
		m, err := notation.ParseMove(t.game.Position(), text)
		if err == nil {
			err = t.game.Play(m)
		}
		if err != nil {
			return fmt.Errorf("move %d, %s: %w", len(t.moves)+1, text, err)
		}
		t.moves = append(t.moves, text)
	}
	return nil
}

// standing is what the bot wants to know about a position.
type standing struct {
	white    bool   // the first side is to move
	check    bool   // it is in check
	legal    int    // its moves
	quiet    int    // plies since a capture or pawn move
	captured string // cell on which the last move captured, or ""
}

// at describes the position after moves; false if the moves cannot be followed.
func (t *track) at(moves []string) (standing, bool) {
	if err := t.follow(moves); err != nil {
		return standing{}, false
	}
	p := t.game.Position()
	s := standing{white: p.Turn() == 0, check: p.InCheck(), legal: p.CountMoves(), quiet: p.HalfmoveClock()}
	played := t.game.Moves()
	if n := len(played); n > 0 && t.game.Undo() {
		last := played[n-1]
		if before := t.game.Position(); before.IsCapture(last) {
			s.captured = before.Rules().Board().CellName(last.To())
		}
		if t.game.Play(last) != nil {
			return standing{}, false
		}
	}
	return s, true
}

// rewrite writes the moves in another form, of which castling has two.
func (t *track) rewrite(moves []string, format func(*rules.Position, rules.Move) string) ([]string, error) {
	if err := t.follow(moves); err != nil {
		return nil, err
	}
	p := t.start.Clone()
	out := make([]string, 0, len(moves))
	for _, m := range t.game.Moves() {
		out = append(out, format(p, m))
		if err := p.Play(m); err != nil {
			return nil, err
		}
	}
	return out, nil
}
