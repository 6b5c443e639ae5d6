package challenge

import (
	"context"
	"hash/maphash"
	"sync"
	"time"

	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/game"
	"hoplite/server/pairing"
	"hoplite/store"
)

// RematchLife is how long an offer of a rematch waits for its answer. Nobody
// needs to keep it alive.
const RematchLife = 2 * time.Minute

// ruleNoRematch is the agreement that a game has no rematch.
const ruleNoRematch = "noRematch"

// Rematch is what became of asking for another game, or of taking one up.
type Rematch struct {
	// GameID is the game that follows, or that will follow if the offer is
	// accepted. It is also the id of the challenge that is the offer.
	GameID  string
	Started bool
}

// Rematches makes games follow games, by challenges of the service.
type Rematches struct {
	*Service
	// games are the locks of finished games, by hash of their id, so that the
	// players of one ask one after the other. They come before the locks of
	// challenges.
	games [64]sync.Mutex
}

// NewRematches returns the rematches of a service.
func NewRematches(s *Service) *Rematches { return &Rematches{Service: s} }

// Offer offers a rematch of a finished game with the colours exchanged,
// or accepts the one that the opponent offers. Doing it again gives the same
// answer: one rematch follows a game. The engine accepts at once.
func (s *Rematches) Offer(ctx context.Context, by Player, gameID string) (Rematch, error) {
	defer s.lockGame(gameID)()
	old, me, err := s.finished(ctx, by, gameID)
	if err != nil {
		return Rematch{}, err
	}
	if old.Rematch != "" {
		return Rematch{GameID: old.Rematch, Started: true}, nil
	}
	if old.HasRule(ruleNoRematch) {
		return Rematch{}, fault.Invalid("The players agreed on no rematch")
	}
	opponent := old.Players[1-me].AccountID
	if opponent == "" {
		return Rematch{}, fault.Invalid("There is nobody to play a rematch with")
	}
	if err := s.checkApart(ctx, by.ID, opponent); err != nil {
		return Rematch{}, err
	}
	mine, theirs, err := s.offers(ctx, by.ID, gameID)
	if err != nil {
		return Rematch{}, err
	}
	if theirs != "" {
		err := s.Accept(ctx, by, theirs, "")
		return Rematch{GameID: theirs, Started: err == nil}, err
	}
	if mine != "" {
		return Rematch{GameID: mine}, nil
	}
	if err := s.checkLoad(ctx, by.ID); err != nil {
		return Rematch{}, err
	}
	terms, err := s.again(old, me)
	if err != nil {
		return Rematch{}, err
	}
	if old.Players[1-me].AILevel > 0 {
		return s.engineAgain(ctx, old, terms, opponent)
	}
	c := s.record(terms)
	c.ChallengerID, c.DestID, c.RematchOf = by.ID, opponent, gameID
	c.Expires = c.Created.Add(RematchLife)
	if err := s.insert(ctx, &c); err != nil {
		return Rematch{}, err
	}
	s.stir()
	s.Announce(ctx, c)
	return Rematch{GameID: c.ID}, nil
}

// Refuse declines the opponent's offer, or withdraws one's own. Without
// any it does nothing, and says so by false.
func (s *Rematches) Refuse(ctx context.Context, by Player, gameID string) (done bool, err error) {
	defer s.lockGame(gameID)()
	if _, _, err := s.finished(ctx, by, gameID); err != nil {
		return false, err
	}
	mine, theirs, err := s.offers(ctx, by.ID, gameID)
	switch {
	case err != nil:
	case theirs != "":
		return true, s.Decline(ctx, by, theirs, reasonGeneric)
	case mine != "":
		return true, s.withdraw(ctx, mine)
	}
	return false, err
}

// finished returns a game that is over and the caller's seat in it.
func (s *Rematches) finished(ctx context.Context, by Player, gameID string) (*game.Snapshot, int, error) {
	snap, err := s.Live.Snapshot(ctx, gameID)
	if err != nil {
		return nil, 0, err
	}
	me := snap.PlayerOf(by.ID)
	switch {
	case me < 0:
		return nil, 0, fault.NotFound("Not your game")
	case !snap.Over():
		return nil, 0, fault.Invalid("The game is not over")
	case len(snap.Players) != 2:
		return nil, 0, fault.Invalid("Rematches are for games of two players")
	}
	return snap, me, nil
}

// offers finds the open offers of a rematch of a game: the account's own, and
// the one made to it.
func (s *Rematches) offers(ctx context.Context, accountID, gameID string) (mine, theirs string, err error) {
	in, out, err := s.List(ctx, accountID)
	for _, c := range in {
		if c.RematchOf == gameID {
			theirs = c.ID
		}
	}
	for _, c := range out {
		if c.RematchOf == gameID {
			mine = c.ID
		}
	}
	return mine, theirs, err
}

// again is the terms of the old game with the colours exchanged. A game with
// many starts gets a new one.
func (s *Rematches) again(old *game.Snapshot, me int) (pairing.Terms, error) {
	fen := old.InitialFEN
	if r, ok := s.Games.Rules(old.Variant); ok && r.Shuffled() && !s.Games.Anywhere(old.Variant) {
		fen = ""
	}
	start, err := s.Games.Start(old.Variant, fen, pairing.Pick)
	if err != nil {
		return pairing.Terms{}, fault.Invalid("The game cannot begin again").Because(err)
	}
	return pairing.Terms{
		Control: old.Control, Start: start, Rated: old.Rated, Color: string(lichess.Color(1 - me)), Rules: old.Rules,
	}, nil
}

// engineAgain makes the rematch against a level of the engine.
func (s *Rematches) engineAgain(ctx context.Context, old *game.Snapshot, t pairing.Terms, engine string) (Rematch, error) {
	if a, err := s.Store.AccountByID(ctx, engine); err != nil || pairing.EngineLevel(a) == 0 {
		if err == nil || isUnknown(a, err) {
			err = fault.Unavailable("The engine does not play on this server")
		}
		return Rematch{}, err
	}
	order := t.Order("", lichess.SourceAI)
	order.RematchOf = old.ID
	// The colours are exchanged.
	snap, err := s.Maker.Start(ctx, order, old.Players[1].AccountID, old.Players[0].AccountID)
	if err != nil {
		return Rematch{}, err
	}
	return Rematch{GameID: snap.ID, Started: true}, nil
}

// withdraw ends the caller's own offer, if nobody has answered it meanwhile.
func (s *Rematches) withdraw(ctx context.Context, id string) error {
	defer s.lock(id)()
	c, err := s.load(ctx, id)
	if err != nil {
		return err
	}
	canceled := store.ChallengeCanceled
	return s.end(ctx, c, kindCanceled, store.ChallengeChange{Status: &canceled})
}

func (s *Rematches) lockGame(gameID string) (unlock func()) {
	mu := &s.games[maphash.String(s.seed, gameID)%uint64(len(s.games))]
	mu.Lock()
	return mu.Unlock
}

// Shown returns the account's open challenges as it sees them: those that wait
// for its answer, then those that it made.
func (s *Service) Shown(ctx context.Context, accountID string) ([]openapi.Challenge, error) {
	in, out, err := s.List(ctx, accountID)
	if err != nil {
		return nil, err
	}
	list := make([]openapi.Challenge, 0, len(in)+len(out))
	for i, c := range append(in, out...) {
		shown, _, err := s.show(ctx, c)
		if err != nil {
			return nil, err
		}
		shown.Direction = "in"
		if i >= len(in) {
			shown.Direction = "out"
		}
		list = append(list, shown)
	}
	return list, nil
}
