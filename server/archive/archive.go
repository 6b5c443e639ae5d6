// Package archive keeps games that were played elsewhere, and what people mark
// to find it again.
package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/variant"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/store"
)

// SourceImport is the source of games that were brought.
const SourceImport = "import"

// Store is what the archive keeps and reads.
type Store interface {
	store.Archive
	GameByID(ctx context.Context, id string) (store.Game, error)
	InTx(ctx context.Context, f func(store.Store) error) error
}

// Deps is what a Service needs; all fields are required.
type Deps struct {
	Store    Store
	Variants *variant.Set
	Games    *lichess.Games
	URL      string // of the server as people see it, without a final slash
	Now      func() time.Time
}

// Service keeps the archive.
type Service struct{ Deps }

// New returns a service.
func New(d Deps) *Service { return &Service{d} }

// Import stores the first game of a PGN text and returns its id; by may be
// empty. The same text again gives the same game.
func (s *Service) Import(ctx context.Context, by, pgn string) (string, error) {
	sum := sha256.Sum256([]byte(strings.TrimSpace(pgn)))
	hash := hex.EncodeToString(sum[:])
	if known, err := s.Store.ImportByHash(ctx, hash); !errors.Is(err, store.ErrNotFound) {
		return known.GameID, err
	}
	rec, err := s.read(pgn)
	if err != nil {
		return "", err
	}
	setup, played, err := s.setup(rec)
	if err != nil {
		return "", err
	}
	snap, rows, err := game.Finished(setup, rec.Rules, played)
	if err != nil {
		return "", inPGN(err)
	}
	err = s.Store.InTx(ctx, func(tx store.Store) error {
		if _, err := tx.CommitSteps(ctx, []store.Step{live.FinishedStep(snap, rows)}, nil); err != nil {
			return err
		}
		return tx.CreateImport(ctx, store.Import{
			GameID: setup.ID, AccountID: by, Hash: hash, Date: date(rec), Created: setup.Created,
		})
	})
	if errors.Is(err, store.ErrConflict) {
		// The same text came twice at once.
		if known, err := s.Store.ImportByHash(ctx, hash); err == nil {
			return known.GameID, nil
		}
	}
	return setup.ID, err
}

func inPGN(err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return fault.Field("pgn", f.Error())
	}
	return err
}

// read reads the first game of a text.
func (s *Service) read(pgn string) (*notation.Record, error) {
	for rec, err := range notation.ReadPGN(s.Variants, strings.NewReader(pgn)) {
		if err != nil {
			return nil, fault.Field("pgn", err.Error())
		}
		return rec, nil
	}
	return nil, fault.Field("pgn", "There is no game in it")
}

// setup is the game of a record as it would have begun here.
func (s *Service) setup(rec *notation.Record) (*game.Setup, game.Played, error) {
	key := rec.Rules.Key()
	start, err := s.Games.Start(key, rec.Tag("FEN"), func(int) int { return rec.Rules.UsualStart() })
	if errors.Is(err, lichess.ErrNotAStart) {
		// A shuffled game from some other position: that is what the usual one is called from there.
		start, err = s.Games.Start(s.Games.Usual(), rec.Tag("FEN"), func(int) int { return 0 })
	}
	if err != nil {
		return nil, game.Played{}, fault.Field("pgn", "bad start position: "+err.Error())
	}
	control := clock.ReadPGN(rec.Tag("TimeControl"))
	created := s.Now().UTC().Truncate(time.Millisecond)
	setup := &game.Setup{
		ID: lichess.NewID(), Variant: start.Variant, InitialFEN: start.FEN, StartNumber: start.Number, Control: control,
		Speed: string(control.Speed()), Perf: s.Games.Perf(start.Variant, control.Speed()), Source: SourceImport, Created: created,
	}
	return setup, played(rec, setup), nil
}
