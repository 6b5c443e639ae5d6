package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"strings"
)

const (
	// PersonalPrefix starts the tokens that people make by hand, OAuthPrefix those that an
	// application was granted.
	PersonalPrefix = "lip_"
	OAuthPrefix    = "lio_"

	tokenChars = 32
	// maxBearer is the longest credential worth looking at.
	maxBearer = 4096

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// randomText returns n characters of [A-Za-z0-9], each with the full 5.95 bits.
func randomText(n int) string {
	var b strings.Builder
	for range n {
		i, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			panic(err) // crypto/rand never fails (Go 1.24 and later)
		}
		b.WriteByte(base62[i.Int64()])
	}
	return b.String()
}

// wellFormedToken tells whether text can be a token at all, so that nonsense costs no look-up.
func wellFormedToken(text string) bool {
	rest, ok := strings.CutPrefix(text, PersonalPrefix)
	if !ok {
		rest, ok = strings.CutPrefix(text, OAuthPrefix)
	}
	if !ok || len(rest) != tokenChars {
		return false
	}
	for i := range len(rest) {
		if strings.IndexByte(base62, rest[i]) < 0 {
			return false
		}
	}
	return true
}

// tokenHash is what the store keeps of a token. A plain hash is enough: 190 random bits cannot be
// guessed, salted or not.
func tokenHash(token string) [sha256.Size]byte {
	return sha256.Sum256([]byte(token))
}
