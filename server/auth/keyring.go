package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"hoplite/store"
)

const (
	metaKeys = "auth/session-keys"

	// keysStale is how long a rotation in another process may go unnoticed by signing;
	// keysRetry bounds how often tokens with made-up key ids make us look.
	keysStale = time.Minute
	keysRetry = 2 * time.Second
)

// keyring holds the secrets that sign sessions. They come from the environment, or are made at the
// first start and kept in the store, where several nodes find the same ones.
type keyring struct {
	meta  store.Meta // nil when the environment gave the secrets
	mu    sync.Mutex
	keys  []key
	asked time.Time
}

func newKeyring(ctx context.Context, meta store.Meta, secrets string, now time.Time) (*keyring, error) {
	if secrets != "" {
		keys, err := keysFromEnvironment(secrets)
		return &keyring{keys: keys}, err
	}
	fresh, err := json.Marshal([]key{newKey(now)})
	if err != nil {
		return nil, err
	}
	text, err := meta.SetMetaOnce(ctx, metaKeys, string(fresh))
	if err != nil {
		return nil, fmt.Errorf("session keys: %w", err)
	}
	keys, err := parseKeys(text)
	return &keyring{meta: meta, keys: keys, asked: now}, err
}

func parseKeys(text string) ([]key, error) {
	var keys []key
	if err := json.Unmarshal([]byte(text), &keys); err != nil {
		return nil, fmt.Errorf("session keys: %w", err)
	}
	if len(keys) == 0 || len(keys[0].Secret) < minEnvSecret {
		return nil, errors.New("session keys: none in the store")
	}
	return keys, nil
}

func (k *keyring) sign(ctx context.Context, claims sessionClaims, now time.Time) (string, error) {
	keys, err := k.fresh(ctx, keysStale, now)
	if err != nil {
		return "", err
	}
	return sign(keys, claims)
}

func (k *keyring) verify(ctx context.Context, token string, now time.Time) (*sessionClaims, error) {
	k.mu.Lock()
	keys := k.keys
	k.mu.Unlock()
	if claims, err := verify(keys, token, now); err == nil {
		return claims, nil
	}
	kid, ok := tokenKeyID(token)
	if !ok || known(keys, kid) {
		return nil, errNoSession
	}
	// Perhaps another process has rotated the keys.
	keys, err := k.fresh(ctx, keysRetry, now)
	if err != nil {
		return nil, err
	}
	return verify(keys, token, now)
}

func known(keys []key, id string) bool {
	for _, k := range keys {
		if k.ID == id {
			return true
		}
	}
	return false
}

// fresh returns keys that were read from the store at most age ago.
func (k *keyring) fresh(ctx context.Context, age time.Duration, now time.Time) ([]key, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.meta == nil || now.Sub(k.asked) < age {
		return k.keys, nil
	}
	text, err := k.meta.MetaValue(ctx, metaKeys)
	if err != nil {
		return nil, fmt.Errorf("session keys: %w", err)
	}
	keys, err := parseKeys(text)
	if err != nil {
		return nil, err
	}
	k.keys, k.asked = keys, now
	return keys, nil
}

// RotateSecret makes a new secret for sessions and keeps the old ones until the last session that
// they signed has run out. A running server signs with it within a minute. Secrets from the
// environment are rotated there.
func RotateSecret(ctx context.Context, s store.Store, now time.Time) (newID string, err error) {
	err = s.InTx(ctx, func(tx store.Store) error {
		var keys []key
		text, err := tx.MetaValue(ctx, metaKeys)
		switch {
		case err == nil:
			if keys, err = parseKeys(text); err != nil {
				return err
			}
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
		keys = rotated(keys, now)
		next, err := json.Marshal(keys)
		if err != nil {
			return err
		}
		newID = keys[0].ID
		return tx.SetMeta(ctx, metaKeys, string(next))
	})
	return newID, err
}
