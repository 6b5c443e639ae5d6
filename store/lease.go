package store

import (
	"context"
	"hash/fnv"
	"time"
)

// Shards is how many parts the games are divided into when several nodes serve
// one database. It never changes: ShardOf is stored nowhere, but all nodes have
// to agree on it.
const Shards = 256

// LeaderShard is the lease of the one node that does what must be done once. No
// game is in it.
const LeaderShard = Shards

// ShardOf returns the shard of a game, from 0 to Shards-1.
func ShardOf(gameID string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(gameID)) // it never fails
	return int(h.Sum32() % Shards)
}

// Lease is the right of a node to a shard for some time.
type Lease struct {
	Shard int
	// Node holds it, or held it last; "" if it was given back.
	Node string
	// Epoch counts the changes of hands. Who commits with an older one than is
	// stored has lost the shard.
	Epoch int64
	// Left is how long it holds from the moment at which it was read, by the
	// database's clock; 0 or less if anybody may take it.
	Left time.Duration
}

// Free reports whether anybody may take the lease.
func (l Lease) Free() bool { return l.Node == "" || l.Left <= 0 }

// Claim is a lease that was just taken.
type Claim struct {
	Lease
	// Handed says that the holder before gave it back, and Vacant for how long
	// nobody has held it then.
	Handed bool
	Vacant time.Duration
}

// Roll is who serves a database, as one node saw it.
type Roll struct {
	Leases []Lease  // of every shard and of the leader, in order
	Nodes  []string // that are alive, in order
}

// Leases divide the games among the nodes that serve one database. All times
// are by the database's clock. One node that serves alone needs none.
type Leases interface {
	// RenewLeases notes that the node is alive, and lets that and the leases
	// that it holds last for ttl from now. A lease that ran out and that nobody
	// has taken since is held again, in the same epoch. It waits for commits
	// under these leases.
	RenewLeases(ctx context.Context, node string, ttl time.Duration) (Roll, error)
	// ClaimLeases takes those of the shards that are free and under which nothing
	// is being committed, each in a new epoch, and returns what it got.
	ClaimLeases(ctx context.Context, node string, ttl time.Duration, shards []int) ([]Claim, error)
	// ReleaseLeases gives shards back that the node holds.
	ReleaseLeases(ctx context.Context, node string, shards []int) error
	// Leave gives everything back and forgets the node.
	Leave(ctx context.Context, node string) error
}
