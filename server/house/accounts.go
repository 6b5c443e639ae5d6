package house

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"hoplite/openapi"
	"hoplite/server/auth"
	"hoplite/store"
)

// tokenDescription is how a token of a house bot can be told from others.
const tokenDescription = "House bot"

// errTaken says that a person has the name of a house bot.
var errTaken = errors.New("the name belongs to somebody else")

// accounts makes what the bots need to log in.
type accounts struct {
	store store.Store
	now   func() time.Time
}

// token makes sure that the member has an account and returns a fresh token for
// it. The tokens of earlier runs are deleted: nobody knows their text any more.
func (a *accounts) token(ctx context.Context, m member) (string, error) {
	var token string
	err := a.store.InTx(ctx, func(tx store.Store) error {
		if err := a.account(ctx, tx, m); err != nil {
			return err
		}
		id := auth.AccountID(m.name)
		if _, err := tx.DeleteTokensOf(ctx, id); err != nil {
			return err
		}
		var err error
		token, err = auth.IssueToken(ctx, tx, id, tokenDescription, []string{"bot:play"}, a.now())
		return err
	})
	return token, err
}

func (a *accounts) account(ctx context.Context, tx store.Store, m member) error {
	id := auth.AccountID(m.name)
	profile, err := json.Marshal(openapi.Profile{Bio: m.level.Character})
	if err != nil {
		return err
	}
	found, err := tx.AccountByID(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound):
		now := a.now()
		return tx.CreateAccount(ctx, store.Account{
			ID: id, Name: m.name, Title: "BOT", Hidden: m.hidden, Created: now, Seen: now, Language: "en-US", Profile: profile,
		})
	case err != nil:
		return err
	case found.PasswordHash != "" || found.Hidden != m.hidden || !found.IsBot():
		return errTaken
	}
	return tx.UpdateAccount(ctx, id, store.AccountChange{Closed: new(time.Time), Profile: new(json.RawMessage(profile))})
}

// closeEngine closes the accounts of the engine, so that nobody starts a game
// in which it does not move.
func (a *accounts) closeEngine(ctx context.Context) error {
	crew, err := hire(nil)
	if err != nil {
		return err
	}
	for _, m := range crew {
		id := auth.AccountID(m.name)
		found, err := a.store.AccountByID(ctx, id)
		if errors.Is(err, store.ErrNotFound) || err == nil && (found.IsClosed() || !found.Hidden) {
			continue
		}
		if err == nil {
			now := a.now()
			err = a.store.UpdateAccount(ctx, id, store.AccountChange{Closed: &now})
		}
		if err != nil {
			return fmt.Errorf("house: account %s: %w", id, err)
		}
	}
	return nil
}
