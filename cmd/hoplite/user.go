package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/auth"
	"hoplite/store"
	"hoplite/store/gormdb"
)

// userCmd holds the commands that change accounts. They work beside a running server, which notices within seconds.
type userCmd struct {
	Create   userCreateCmd   `cmd:"" help:"Make an account; prints its password, or the token of a bot."`
	Password userPasswordCmd `cmd:"" help:"Change a password and end the account's sessions."`
	Token    userTokenCmd    `cmd:"" help:"Make an API token and print it."`
	Role     userRoleCmd     `cmd:"" help:"Make somebody an administrator, or take that away."`

	List        userListCmd        `cmd:"" help:"Find accounts."`
	Close       userCloseCmd       `cmd:"" help:"Close or ban an account."`
	Reopen      userReopenCmd      `cmd:"" help:"Open a closed or banned account again."`
	EndSessions userEndSessionsCmd `cmd:"" help:"End every session of an account."`
	ResetLink   userResetLinkCmd   `cmd:"" help:"Print a link with which the owner sets a new password."`
	TotpOff     userTotpOffCmd     `cmd:"" help:"Turn a second factor off."`
}

// botScope is all that a bot needs.
const botScope = "bot:play"

type userCreateCmd struct {
	Name          string `arg:"" help:"The user name."`
	PasswordStdin bool   `help:"Read the password from the first line of the standard input, instead of making one."`
	Bot           bool   `help:"Make a bot, which needs no password."`
	Role          string `enum:",admin" default:"" placeholder:"ROLE" help:"admin."`
	Email         string `placeholder:"ADDRESS" help:"The account's e-mail address."`
}

// Run makes the account. What it prints is shown only this once.
func (c *userCreateCmd) Run(ctx context.Context, g *Globals, s *streams) (err error) {
	if why := auth.CheckName(c.Name); why != "" {
		return fmt.Errorf("name %q %s", c.Name, why)
	}
	if c.Email != "" {
		if why := auth.CheckEmail(c.Email); why != "" {
			return fmt.Errorf("%q %s", c.Email, why)
		}
	}
	now := time.Now()
	account := store.Account{
		ID: auth.AccountID(c.Name), Name: c.Name, Email: c.Email, Role: c.Role, Created: now, Language: "en-US",
	}
	var made string // a password that nobody knows yet
	if c.PasswordStdin || !c.Bot {
		if account.PasswordHash, made, err = newPassword(ctx, s, c.Name, c.PasswordStdin); err != nil {
			return err
		}
	}
	if c.Bot {
		account.Title = "BOT"
	}
	ctx = audit.OnCommandLine(ctx)
	return withStore(ctx, g, true, func(db store.Store) error {
		var token string
		err := db.InTx(ctx, func(tx store.Store) error {
			err := tx.CreateAccount(ctx, account)
			if errors.Is(err, store.ErrConflict) {
				return fmt.Errorf("the name %s is taken", c.Name)
			}
			if err == nil {
				err = audit.Add(ctx, tx, now, audit.AccountCreated, account.ID, c.Role)
			}
			if err == nil && c.Bot {
				token, err = auth.IssueToken(ctx, tx, account.ID, "Made with the account", []string{botScope}, now)
			}
			return err
		})
		if err != nil {
			return err
		}
		if made != "" {
			_, err = fmt.Fprintln(s.out, "password:", made)
		}
		if token != "" {
			_, tokenErr := fmt.Fprintln(s.out, "token:", token)
			err = errors.Join(err, tokenErr)
		}
		return err
	})
}

type userPasswordCmd struct {
	Name          string `arg:"" help:"The user name."`
	PasswordStdin bool   `help:"Read the password from the first line of the standard input, instead of making one."`
}

// Run changes the password and ends the account's sessions; its tokens stay.
func (c *userPasswordCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	ctx = audit.OnCommandLine(ctx)
	return withStore(ctx, g, false, func(db store.Store) error {
		account, err := findUser(ctx, db, c.Name)
		if err != nil {
			return err
		}
		hash, made, err := newPassword(ctx, s, account.Name, c.PasswordStdin)
		if err != nil {
			return err
		}
		_, err = auth.StorePassword(ctx, db, account.ID, hash, "", time.Now())
		if err == nil && made != "" {
			_, err = fmt.Fprintln(s.out, "password:", made)
		}
		return err
	})
}

type userTokenCmd struct {
	Name        string   `arg:"" help:"The user name."`
	Scopes      []string `placeholder:"SCOPE" help:"What the token may do, such as bot:play,challenge:read (default: bot:play for bots, all but web:mod for people)."`
	Description string   `default:"Made on the command line" placeholder:"TEXT" help:"How the token is listed."`
}

// Run prints the token, which cannot be seen again.
func (c *userTokenCmd) Run(ctx context.Context, g *Globals, s *streams) error {
	for _, scope := range c.Scopes {
		if !slices.Contains(api.Scopes(), scope) {
			return fmt.Errorf("no such scope: %q; there are %s", scope, strings.Join(api.Scopes(), " "))
		}
	}
	ctx = audit.OnCommandLine(ctx)
	return withStore(ctx, g, false, func(db store.Store) error {
		account, err := findUser(ctx, db, c.Name)
		if err != nil {
			return err
		}
		scopes := c.Scopes
		switch {
		case len(scopes) > 0:
		case account.IsBot():
			scopes = []string{botScope}
		default:
			scopes = slices.DeleteFunc(api.Scopes(), func(s string) bool { return s == api.ScopeWebMod })
		}
		token, err := auth.IssueToken(ctx, db, account.ID, c.Description, scopes, time.Now())
		if err == nil {
			_, err = fmt.Fprintln(s.out, token)
		}
		return err
	})
}

type userRoleCmd struct {
	Name string `arg:"" help:"The user name."`
	Role string `arg:"" enum:"admin,none" help:"admin or none."`
}

// Run sets the role.
func (c *userRoleCmd) Run(ctx context.Context, g *Globals) error {
	ctx = audit.OnCommandLine(ctx)
	return withStore(ctx, g, false, func(db store.Store) error {
		account, err := findUser(ctx, db, c.Name)
		if err != nil {
			return err
		}
		role := c.Role
		if role == "none" {
			role = ""
		}
		return auth.SetRole(ctx, db, account.ID, role, time.Now())
	})
}

// findUser returns an open account.
func findUser(ctx context.Context, db store.Accounts, name string) (store.Account, error) {
	account, err := anyUser(ctx, db, name)
	if err == nil && account.IsClosed() {
		return account, fmt.Errorf("the account %q is closed", name)
	}
	return account, err
}

func anyUser(ctx context.Context, db store.Accounts, name string) (store.Account, error) {
	account, err := db.AccountByID(ctx, auth.AccountID(name))
	if errors.Is(err, store.ErrNotFound) {
		return account, fmt.Errorf("there is no account %q", name)
	}
	return account, err
}

// newPassword returns the hash of a password that it reads or makes, and the one that it made.
func newPassword(ctx context.Context, s *streams, name string, read bool) (hash, made string, err error) {
	password := ""
	if read {
		line, err := bufio.NewReader(io.LimitReader(s.in, 4096)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", "", fmt.Errorf("password: %w", err)
		}
		password = strings.TrimRight(line, "\r\n")
	} else {
		made = strings.ToLower(rand.Text()) // 130 bits
		password = made
	}
	if why := auth.CheckPassword(name, password); why != "" {
		return "", "", fmt.Errorf("the password %s", why)
	}
	hash, err = auth.NewHasher().Hash(ctx, password)
	return hash, made, err
}

// withStore opens the database beside a server that may be running. The schema is brought up to date only if no server
// is; where make is false, a missing file stays missing.
func withStore(ctx context.Context, g *Globals, make bool, do func(store.Store) error) (err error) {
	o := gormdb.Options{MustExist: !make, KeepSchema: true}
	db, err := gormdb.Open(ctx, g.DB, o)
	if errors.Is(err, gormdb.ErrSchema) {
		o.KeepSchema, o.Exclusive = false, true
		db, err = gormdb.Open(ctx, g.DB, o)
	}
	if err != nil {
		return databaseError(g, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}

// databaseError names the database where the error does not.
func databaseError(g *Globals, err error) error {
	return nameDatabase(g.DB, err)
}

func nameDatabase(dsn string, err error) error {
	dsn = hidePassword(dsn)
	if locked, ok := errors.AsType[*store.LockedError](err); ok {
		return fmt.Errorf("%s: %w", dsn, locked)
	}
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("there is no database %s", dsn)
	}
	return err
}
