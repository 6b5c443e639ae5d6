package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"hoplite/client"
	"hoplite/openapi"
)

// mostPairs bounds the accounts that a load signs up: making a password's hash is slow on purpose.
const mostPairs = 16

// pair is two accounts that play many games against each other.
type pair struct {
	players [2]*client.Client
	tokens  [2]string
	names   [2]string
}

// signUp makes n pairs of people, or of bots, whose names begin alike.
func signUp(ctx context.Context, base, prefix string, n int, bots bool) ([]pair, error) {
	pairs := make([]pair, n)
	for i := range pairs {
		for side := range 2 {
			name := fmt.Sprintf("%s%d%c", prefix, i, "wb"[side])
			anyone, err := client.New(client.BaseURL(base))
			if err != nil {
				return nil, err
			}
			made, err := anyone.Account.SignUp(ctx, openapi.SignupForm{Username: name, Password: "load-" + name + "-pass"})
			if err != nil {
				return nil, err
			}
			one, err := client.New(client.BaseURL(base), client.Token(made.Token))
			if err != nil {
				return nil, err
			}
			if bots {
				if err := one.Bot.Upgrade(ctx); err != nil {
					return nil, err
				}
			}
			pairs[i].players[side], pairs[i].tokens[side], pairs[i].names[side] = one, made.Token, name
		}
	}
	return pairs, nil
}

// begin starts a game of three hours and returns its id.
func (p *pair) begin(ctx context.Context) (string, error) {
	limit, increment := 3*60*60, 60
	made, err := p.players[0].Challenges.Create(ctx, p.names[1], openapi.ChallengeForm{
		ClockLimit: &limit, ClockIncrement: &increment, Color: "white",
	})
	if err != nil {
		return "", err
	}
	return made.ID, p.players[1].Challenges.Accept(ctx, made.ID, "")
}

// post sends an empty request and reads the answer.
func post(ctx context.Context, c *http.Client, target, token string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target, nil)
	if err != nil {
		return err
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := c.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("POST %s: %d %s", target, answer.StatusCode, body)
	}
	return err
}

func movePath(base, game, move string) string {
	return base + "/api/bot/game/" + game + "/move/" + url.PathEscape(move)
}
