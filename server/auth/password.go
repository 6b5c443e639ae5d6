package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/argon2"

	"hoplite/server/fault"
)

// params are the cost of one argon2id hash. They are written into every stored string, so that
// raising them later leaves older passwords readable.
type params struct {
	memory uint32 // KiB
	passes uint32
	lanes  uint8
}

var (
	// current follows the OWASP advice for argon2id at its smallest memory with two passes.
	current = params{memory: 19 * 1024, passes: 2, lanes: 1}
	// largest bounds what a stored string may ask for, so that a damaged row cannot eat the memory.
	largest = params{memory: 256 * 1024, passes: 16, lanes: 8}
)

const (
	saltBytes = 16
	sumBytes  = 32

	// hashesAtOnce and hashesWaiting bound the work that strangers can cause: 19 MiB each, and a
	// queue that a busy machine empties in about a second.
	hashesAtOnce  = 2
	hashesWaiting = 32
)

// errStoredPassword reports a stored password string that is not in our form.
var errStoredPassword = errors.New("stored password is not an argon2id string")

// Hasher makes and checks argon2id strings, at most two at once; the rest waits in a bounded queue,
// and beyond that callers get fault.Unavailable at once.
type Hasher struct {
	running chan struct{}
	callers atomic.Int64
	decoy   string // verified for unknown accounts, so that they take as long as known ones
}

// NewHasher returns a Hasher; a program needs one.
func NewHasher() *Hasher {
	sum := make([]byte, saltBytes+sumBytes)
	rand.Read(sum)
	return &Hasher{
		running: make(chan struct{}, hashesAtOnce),
		decoy:   current.format(sum[:saltBytes], sum[saltBytes:]),
	}
}

// Hash returns the string to store for a password.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	sum, err := h.sum(ctx, password, salt, current, sumBytes)
	if err != nil {
		return "", err
	}
	return current.format(salt, sum), nil
}

// Verify tells whether password is the one that stored was made from. An empty stored string stands
// for an account without a password or no account at all: the answer is false after the usual time.
func (h *Hasher) Verify(ctx context.Context, stored, password string) (bool, error) {
	known := stored != ""
	if !known {
		stored = h.decoy
	}
	p, salt, want, err := parseStored(stored)
	if err != nil {
		return false, err
	}
	got, err := h.sum(ctx, password, salt, p, uint32(len(want)))
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1 && known, nil
}

// Outdated tells whether a stored string was made with other parameters than today's, so that it
// should be made again while the password is at hand.
func (h *Hasher) Outdated(stored string) bool {
	p, _, _, err := parseStored(stored)
	return err != nil || p != current
}

func (h *Hasher) sum(ctx context.Context, password string, salt []byte, p params, size uint32) ([]byte, error) {
	defer h.callers.Add(-1)
	if h.callers.Add(1) > hashesAtOnce+hashesWaiting {
		busy := fault.Unavailable("Too many log-ins at once, please try again")
		busy.RetryAfter = 2 * time.Second
		return nil, busy
	}
	select {
	case h.running <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-h.running }()
	return argon2.IDKey([]byte(normalPassword(password)), salt, p.passes, p.memory, p.lanes, size), nil
}

func (p params) format(salt, sum []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, p.memory, p.passes, p.lanes, b64.EncodeToString(salt), b64.EncodeToString(sum))
}

func parseStored(stored string) (p params, salt, sum []byte, err error) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != "v="+strconv.Itoa(argon2.Version) {
		return params{}, nil, nil, errStoredPassword
	}
	costs := strings.Split(parts[3], ",")
	if len(costs) != 3 {
		return params{}, nil, nil, errStoredPassword
	}
	memory, ok1 := cost(costs[0], "m=", uint64(largest.memory))
	passes, ok2 := cost(costs[1], "t=", uint64(largest.passes))
	lanes, ok3 := cost(costs[2], "p=", uint64(largest.lanes))
	if !ok1 || !ok2 || !ok3 {
		return params{}, nil, nil, errStoredPassword
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	sum, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil || len(salt) < 8 || len(sum) < 16 || len(sum) > 128 {
		return params{}, nil, nil, errStoredPassword
	}
	return params{memory: uint32(memory), passes: uint32(passes), lanes: uint8(lanes)}, salt, sum, nil
}

func cost(text, prefix string, max uint64) (uint64, bool) {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	return n, err == nil && n >= 1 && n <= max
}
