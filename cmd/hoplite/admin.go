package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"hoplite/engine/variant"
	"hoplite/engine/variantfile"
	"hoplite/server/auth"
	"hoplite/server/live"
	"hoplite/store"
	"hoplite/store/gormdb"
)

type migrateCmd struct{}

// Run brings the schema up to date. Serving does so by itself; this is for those who want it to happen apart.
func (migrateCmd) Run(ctx context.Context, g *Globals, s *streams) (err error) {
	db, err := gormdb.Open(ctx, g.DB, gormdb.Options{Exclusive: true})
	if err != nil {
		return databaseError(g, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, name := range db.Applied() {
		if _, err := fmt.Fprintln(s.out, "applied", name); err != nil {
			return err
		}
	}
	if len(db.Applied()) == 0 {
		_, err = fmt.Fprintln(s.out, "up to date")
	}
	return err
}

// secretCmd holds the commands for the secret that signs sessions.
type secretCmd struct {
	Rotate secretRotateCmd `cmd:"" help:"Sign sessions with a new secret from now on; open ones stay good."`
}

type secretRotateCmd struct{}

// Run makes a new secret, which a running server takes up within a minute.
func (secretRotateCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	if os.Getenv(secretEnv) != "" {
		return fmt.Errorf("the secret comes from %s: put a new one before it there, with a comma between", secretEnv)
	}
	return withStore(ctx, g, false, func(db store.Store) error {
		id, err := auth.RotateSecret(ctx, db, time.Now())
		if err == nil {
			_, err = fmt.Fprintln(s.out, "sessions are signed with secret", id)
		}
		return err
	})
}

type doctorCmd struct{}

// Run checks the database and replays every game. A server may be running.
func (doctorCmd) Run(ctx context.Context, g *Globals, s *streams) (err error) {
	games, err := variantfile.Catalogue(g.Variants)
	if err != nil {
		return fmt.Errorf("catalogue of games: %w", err)
	}
	// What Open would refuse, this command is to report.
	db, err := gormdb.Open(ctx, g.DB, gormdb.Options{MustExist: true, KeepSchema: true, Volatile: true})
	if err != nil {
		return databaseError(g, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	problems := 0
	report := func(what string, found []string) {
		problems += len(found)
		if len(found) == 0 {
			fmt.Fprintf(s.out, "ok       %s\n", what)
		}
		for _, line := range found {
			fmt.Fprintf(s.out, "problem  %s: %s\n", what, line)
		}
	}
	report("what is acknowledged is on disk", lines(db.CheckDurability(ctx)))
	report("the schema is this program's", lines(db.CheckSchema(ctx)))
	found, err := db.CheckIntegrity(ctx)
	if err != nil {
		return err
	}
	report("the tables agree", found)
	count, found, err := replayAll(ctx, db, games)
	if err != nil {
		return err
	}
	report(fmt.Sprintf("replay of %d games", count), found)
	if problems > 0 {
		return fmt.Errorf("%d problems in %s", problems, hidePassword(g.DB))
	}
	return nil
}

// lines is what an error that joins others says, one by one.
func lines(err error) []string {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []string{err.Error()}
	}
	var out []string
	for _, e := range joined.Unwrap() {
		out = append(out, lines(e)...)
	}
	return out
}

// looks is how often a game is read that is being played meanwhile.
const looks = 5

// replayAll replays every game from its log, through the rules, and returns their number and what was wrong.
func replayAll(ctx context.Context, db store.Games, games *variant.Set) (count int, found []string, err error) {
	err = db.EachGame(ctx, func(g store.Game) error {
		count++
		for look := 1; ; look++ {
			log, err := db.LogOf(ctx, g.ID, 0)
			if err != nil {
				return err
			}
			_, problem := live.Replay(games, &g, log)
			if problem == nil {
				return nil
			}
			again, err := db.GameByID(ctx, g.ID)
			if err != nil {
				return err
			}
			if again.Seq == g.Seq || look == looks { // nobody has played meanwhile
				found = append(found, problem.Error())
				return nil
			}
			g = again
		}
	})
	return count, found, err
}
