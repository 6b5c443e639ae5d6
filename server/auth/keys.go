package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// SessionLife is how long a log-in lasts.
	SessionLife = 30 * 24 * time.Hour

	issuer   = "hoplite"
	audience = "hoplite/session"

	secretBytes    = 32
	minEnvSecret   = 16
	oldestKeysKept = 8
)

// errNoSession reports a session token that is not valid, whatever the reason.
var errNoSession = errors.New("no such session")

// key is one secret that signs sessions. The first of a list signs; all that are not yet Retired
// verify.
type key struct {
	ID      string    `json:"kid"`
	Secret  []byte    `json:"secret"`
	Created time.Time `json:"created"`
	Retired time.Time `json:"retired,omitzero"` // when the last session it signed has run out; zero for the newest
}

func newKey(now time.Time) key {
	secret := make([]byte, secretBytes)
	rand.Read(secret)
	return key{ID: keyID(secret), Secret: secret, Created: now}
}

// keyID names a secret without telling anything about it.
func keyID(secret []byte) string {
	sum := sha256.Sum256(append([]byte("hoplite session key "), secret...))
	return hex.EncodeToString(sum[:6])
}

// keysFromEnvironment reads a comma-separated list of secrets, newest first. To rotate, put a new
// one in front and drop the last after SessionLife.
func keysFromEnvironment(list string) ([]key, error) {
	var keys []key
	for _, text := range strings.Split(list, ",") {
		text = strings.TrimSpace(text)
		if len(text) < minEnvSecret {
			return nil, fmt.Errorf("session secret: each must have at least %d characters", minEnvSecret)
		}
		keys = append(keys, key{ID: keyID([]byte(text)), Secret: []byte(text)})
	}
	return keys, nil
}

// rotated puts a fresh key in front. The old one verifies until the sessions that it signed have
// run out; keys past that are dropped.
func rotated(keys []key, now time.Time) []key {
	next := []key{newKey(now)}
	for _, k := range keys {
		if k.Retired.IsZero() {
			k.Retired = now.Add(SessionLife)
		}
		if now.Before(k.Retired) && len(next) <= oldestKeysKept {
			next = append(next, k)
		}
	}
	return next
}

// sessionClaims are what a session token says: Subject is the account, ID the session row.
type sessionClaims = jwt.RegisteredClaims

func sign(keys []key, claims sessionClaims) (string, error) {
	claims.Issuer = issuer
	claims.Audience = jwt.ClaimStrings{audience}
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
	t.Header["kid"] = keys[0].ID
	return t.SignedString(keys[0].Secret)
}

// tokenKeyID reads the kid of a token without trusting anything in it.
func tokenKeyID(token string) (string, bool) {
	t, _, err := jwt.NewParser().ParseUnverified(token, &sessionClaims{})
	if err != nil {
		return "", false
	}
	kid, ok := t.Header["kid"].(string)
	return kid, ok
}

// tokenParser takes what was signed here for an audience, and nothing else.
func tokenParser(audience string, now time.Time) *jwt.Parser {
	return jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithIssuer(issuer),
		jwt.WithAudience(audience),
		jwt.WithExpirationRequired(),
		jwt.WithStrictDecoding(),
		jwt.WithTimeFunc(func() time.Time { return now }),
	)
}

// keyFor finds the secret that a token names.
func keyFor(keys []key, now time.Time) jwt.Keyfunc {
	return func(t *jwt.Token) (any, error) {
		kid, _ := t.Header["kid"].(string)
		for _, k := range keys {
			if k.ID == kid && (k.Retired.IsZero() || now.Before(k.Retired)) {
				return k.Secret, nil
			}
		}
		return nil, errNoSession
	}
}

func verify(keys []key, token string, now time.Time) (*sessionClaims, error) {
	var claims sessionClaims
	_, err := tokenParser(audience, now).ParseWithClaims(token, &claims, keyFor(keys, now))
	if err != nil || claims.ID == "" || claims.Subject == "" {
		return nil, errNoSession
	}
	return &claims, nil
}
