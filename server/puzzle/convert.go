package puzzle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"

	engine "hoplite/engine/puzzle"
	"hoplite/store"
)

const goalMate = "mateIn"

// ToStore turns a puzzle of a file into the store's record.
func ToStore(p engine.Puzzle, created time.Time) store.Puzzle {
	return store.Puzzle{
		ID: p.ID, Variant: p.Variant, FEN: p.FEN, Moves: p.Moves, Alts: p.Alts,
		Goal: goalMate + strconv.Itoa(p.Goal.MateIn), Themes: p.Themes,
		Rating: float64(p.Rating), RD: float64(p.RD), Vol: p.Vol,
		Plays: p.Plays, Popularity: p.Popularity, Source: p.Source, Created: created,
	}
}

// FromStore turns a record into what the judge and the files know. Only proven puzzles get into the
// store, so it counts as proven.
func FromStore(p store.Puzzle) (engine.Puzzle, error) {
	text, ok := strings.CutPrefix(p.Goal, goalMate)
	n, err := strconv.Atoi(text)
	if !ok || err != nil || n < 1 {
		return engine.Puzzle{}, fmt.Errorf("puzzle %s: unknown goal %q", p.ID, p.Goal)
	}
	return engine.Puzzle{
		ID: p.ID, Variant: p.Variant, FEN: p.FEN, Moves: p.Moves, Alts: p.Alts, Goal: engine.Goal{MateIn: n},
		Themes: p.Themes, Rating: int(math.Round(p.Rating)), RD: int(math.Round(p.RD)), Vol: p.Vol,
		Plays: p.Plays, Popularity: p.Popularity, Source: p.Source,
		Check: engine.Check{Proof: "exhaustive", Rules: engine.RulesVersion},
	}, nil
}

const (
	metaEmbedded = "puzzle/embedded" // digest of the embedded files that the store has
	saveChunk    = 100               // puzzles in one transaction: games must not wait for them
)

// Saver keeps puzzles.
type Saver interface {
	SavePuzzles(ctx context.Context, ps []store.Puzzle) error
}

// Save writes puzzles in pieces, so that games that are being played do not wait. Known puzzles keep
// their ratings.
func Save(ctx context.Context, s Saver, list []engine.Puzzle, created time.Time) error {
	for len(list) > 0 {
		n := min(saveChunk, len(list))
		rows := make([]store.Puzzle, n)
		for i, p := range list[:n] {
			rows[i] = ToStore(p, created)
		}
		if err := s.SavePuzzles(ctx, rows); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// Install copies the puzzles that come with the program into the store, unless it has them. It may
// be interrupted and repeated at any time.
func Install(ctx context.Context, s interface {
	Saver
	store.Meta
}, now time.Time) error {
	return install(ctx, s, engine.Data(), now)
}

func install(ctx context.Context, s interface {
	Saver
	store.Meta
}, files fs.FS, now time.Time) error {
	digest, err := digestOf(files)
	if err != nil {
		return err
	}
	known, err := s.MetaValue(ctx, metaEmbedded)
	if err == nil && known == digest {
		return nil
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	list, err := engine.Load(files)
	if err != nil {
		return fmt.Errorf("embedded puzzles: %w", err)
	}
	if err := Save(ctx, s, list, now); err != nil {
		return err
	}
	return s.SetMeta(ctx, metaEmbedded, digest)
}

func digestOf(files fs.FS) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		fmt.Fprintf(h, "%s %d\n", path, len(data))
		h.Write(data)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
