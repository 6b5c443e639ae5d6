package live

import (
	"crypto/rand"
	"encoding/hex"
	"math/big"
	"strings"

	"hoplite/engine/rules"
)

const (
	idLength   = 8
	idDigits   = "0123456789"
	idAlphabet = idDigits + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// NewID returns a random game id: eight letters and digits, at least one of
// them a digit, so that no id is ever the name of a page.
func NewID() string {
	for {
		var b [idLength]byte
		for i := range b {
			b[i] = idAlphabet[randomInt(len(idAlphabet))]
		}
		if id := string(b[:]); strings.ContainsAny(id, idDigits) {
			return id
		}
	}
}

// newSeed draws the seed of a game's chance.
func newSeed() string {
	var seed rules.Seed
	_, _ = rand.Read(seed[:]) // crypto/rand does not fail
	return hex.EncodeToString(seed[:])
}

// randomInt returns an unpredictable number below n.
func randomInt(n int) int {
	v, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand does not fail
	}
	return int(v.Int64())
}
