package search

import "hoplite/engine/rules"

// traits are what the mechanisms of a game ask of the search.
type traits struct {
	// nullMove allows the search to pass.
	nullMove bool
	// staticMargin, per ply, must lie between the evaluation and beta to cut
	// off without a search; quietMargin, between it and alpha to leave quiet
	// moves out.
	staticMargin, quietMargin int
	// hangCuts leaves quiet moves out that lose their man by exchanges.
	hangCuts bool
	// clock is the number of plies without progress that draws; 0: none.
	clock int
	// stuckLoses makes having no legal move a loss.
	stuckLoses bool
	// special asks for the outcome of every position, because the game has
	// ends that show neither at a glance nor in having no move, the clock and
	// dead material.
	special bool
	// staged games have kinds of move whose effects the kind does not tell.
	staged bool
	// keepsTurn games let a side move again after its own move.
	keepsTurn bool
	// mustCapture games know no choice while there is a capture.
	mustCapture bool
	// drops are late moves of their own: there are many, and few are good.
	drops bool
	// repeat is the rule of repetition where somebody may lose by one; judged
	// says that it is such a game.
	repeat rules.RepeatRule
	judged bool
	// cyclic games may come back to a position after captures.
	cyclic bool
}

// traitsOf reads the traits of a game.
//
// Whether passing helps was measured by matches, one feature against none, at
// 4 000 and 6 000 nodes a move. With one royal man it does: without it 222
// wins, 120 draws and 258 losses in two such games (-21 Elo, ±26). With check
// as an attack on all royals it does not show: with it 177 wins, 60 draws and
// 163 losses (+12 Elo, ±32), and with late moves dropped 83, 35 and 82 (+2,
// ±48), after an earlier engine had lost 80 by it.
//
// Dropping late quiet moves gained most of all that was tried: 116 wins, 33
// draws, 51 losses with two royals (+117 Elo, ±51); 114, 38, 48 with one
// (+119, ±51); 85, 23, 52 in a game with gating (+73, ±55), where a move with
// and without the man that comes in counts once. All at 4 000 nodes a move.
func traitsOf(r *rules.Rules) traits {
	d := r.Definition()
	t := traits{nullMove: true, staticMargin: 80, quietMargin: 100, special: !r.EndsByMoves(),
		staged: r.Staged(), keepsTurn: r.KeepsTurn(), cyclic: r.Cyclic()}
	t.repeat = d.Repeat
	t.judged = (t.repeat.Perpetual != "" || t.repeat.Loser != rules.RepeatDraws) && !t.keepsTurn && r.Sides() == 2
	if t.keepsTurn {
		t.nullMove = false
	}
	t.drops = d.Hand != nil
	t.hangCuts = !t.drops || d.Gate != nil
	for _, f := range d.Filters {
		if f == rules.MustCapture {
			t.mustCapture, t.nullMove = true, false
		}
	}
	if d.Royal == rules.RoyalAllAttacked {
		// A king may be taken next move: passing is no small favour.
		t.nullMove = false
	}
	for _, end := range d.Ends {
		switch end.Kind {
		case rules.EndNoMove:
			if end.Lost {
				// Running out of moves loses, so passing is often a gain.
				t.nullMove = false
				t.stuckLoses = true
			}
		case rules.EndClock:
			t.clock = end.Plies
		case rules.EndGoal, rules.EndChecks:
			// What counts may turn in few plies: trust the evaluation less, and
			// do not pass beside a goal.
			t.staticMargin, t.quietMargin = 160, 200
			t.nullMove = t.nullMove && end.Kind != rules.EndGoal
		}
	}
	return t
}
