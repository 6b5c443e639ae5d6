package node

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"time"

	"hoplite/store"
)

// Run keeps the leases of the node until ctx ends, and then gives them back.
func (n *Node) Run(ctx context.Context) error {
	opened := false
	for {
		pause, err := n.round(ctx, &opened)
		if err != nil && ctx.Err() == nil {
			n.log.Warn("leases not renewed", "error", err)
			pause = n.ttl / 12
		}
		n.mu.Lock()
		leaving := n.leaving
		n.mu.Unlock()
		if ctx.Err() != nil || leaving {
			n.giveUp(context.WithoutCancel(ctx))
			<-ctx.Done()
			return nil
		}
		select {
		case <-ctx.Done():
		case <-n.wake:
		case <-time.After(pause):
		}
	}
}

// round renews what the node holds, and brings that nearer to its share. It
// returns when to look again.
func (n *Node) round(ctx context.Context, opened *bool) (time.Duration, error) {
	n.mu.Lock()
	leaving := n.leaving
	n.mu.Unlock()
	if leaving || ctx.Err() != nil {
		return 0, nil
	}
	renewing, cancel := context.WithTimeout(ctx, n.ttl/3)
	defer cancel()
	before := time.Since(n.began)
	roll, err := n.store.RenewLeases(renewing, n.id, n.ttl)
	if err != nil {
		return 0, err
	}
	n.peers.Store(int64(len(roll.Nodes)))
	n.compare(roll)
	n.until.Store(int64(before + n.ttl*2/3))
	if err := n.leader(ctx, roll); err != nil {
		return 0, err
	}
	if !*opened {
		if *opened, err = n.open(ctx, roll); err != nil || !*opened {
			return n.ttl / 20, err
		}
	}
	again, err := n.balance(ctx, roll)
	if err != nil || again {
		return n.ttl / 20, err
	}
	pause := n.ttl / 4
	for _, l := range roll.Leases { // those of a node that died are free then
		if l.Node != n.id && l.Left > 0 {
			pause = min(pause, l.Left+5*time.Millisecond)
		}
	}
	return pause, nil
}

// compare forgets what others have taken, and finds what was taken without
// our knowing, because the answer was lost.
func (n *Node) compare(roll store.Roll) {
	var lost []int
	var found []store.Claim
	for _, l := range roll.Leases {
		known := n.epochs[l.Shard].Load()
		mine := l.Node == n.id
		if known != 0 && (!mine || l.Epoch != known) {
			lost = append(lost, l.Shard)
		}
		if mine && l.Epoch != known {
			found = append(found, store.Claim{Lease: l})
		}
	}
	if len(lost) > 0 {
		n.log.Warn("shards lost", "shards", len(lost))
		n.lose(lost)
	}
	n.gain(found)
}

// leader takes the leader's lease if nobody has it.
func (n *Node) leader(ctx context.Context, roll store.Roll) error {
	if !roll.Leases[store.LeaderShard].Free() {
		return nil
	}
	claims, err := n.store.ClaimLeases(ctx, n.id, n.ttl, []int{store.LeaderShard})
	n.gain(claims)
	return err
}

// open reports whether the games are being served. If nobody does the leader
// makes up for the time without any.
func (n *Node) open(ctx context.Context, roll store.Roll) (bool, error) {
	served := slices.ContainsFunc(roll.Leases[:store.Shards], func(l store.Lease) bool { return !l.Free() })
	if !served {
		if !n.Leads() {
			return false, nil
		}
		if err := n.games.Recover(ctx); err != nil {
			return false, err
		}
	}
	n.games.Open()
	return true, nil
}

// balance takes free shards, or gives some back, so that each node has its
// share. It reports whether to look again soon.
func (n *Node) balance(ctx context.Context, roll store.Roll) (again bool, err error) {
	var mine, free []int
	for _, l := range roll.Leases[:store.Shards] {
		switch {
		case n.epochs[l.Shard].Load() != 0:
			mine = append(mine, l.Shard)
		case l.Free():
			free = append(free, l.Shard)
		}
	}
	want := share(roll.Nodes, n.id)
	switch {
	case len(mine) < want && len(free) > 0:
		// Nodes that begin at different places get into each other's way less.
		h := fnv.New32a()
		_, _ = h.Write([]byte(n.id)) // it never fails
		at := int(h.Sum32() % uint32(len(free)))
		free = slices.Concat(free[at:], free[:at])
		wanted := free[:min(len(free), want-len(mine))]
		claims, err := n.store.ClaimLeases(ctx, n.id, n.ttl, wanted)
		n.gain(claims)
		if len(claims) > 0 {
			n.log.Info("shards taken", "shards", len(claims), "held", len(mine)+len(claims), "nodes", len(roll.Nodes))
		}
		return len(claims) < len(wanted), err
	case len(mine) > want:
		surplus := mine[want:]
		n.lose(surplus)
		err := n.store.ReleaseLeases(ctx, n.id, surplus)
		n.tell()
		n.log.Info("shards given to others", "shards", len(surplus), "held", want, "nodes", len(roll.Nodes))
		return false, err
	}
	return false, nil
}

// share is how many shards a node should have.
func share(nodes []string, id string) int {
	i := slices.Index(nodes, id)
	if i < 0 {
		return 0
	}
	want := store.Shards / len(nodes)
	if i < store.Shards%len(nodes) {
		want++
	}
	return want
}

// gain makes the node answer for shards.
func (n *Node) gain(claims []store.Claim) {
	if len(claims) == 0 {
		return
	}
	var games []store.Claim
	leads := false
	for _, c := range claims {
		if c.Shard == store.LeaderShard {
			leads = true
		} else {
			games = append(games, c)
		}
	}
	n.games.Gained(games)
	for _, c := range claims {
		n.epochs[c.Shard].Store(c.Epoch)
		if err := n.listen(c.Shard); err != nil {
			n.log.Error("no calls for a shard can be heard", "shard", c.Shard, "error", err)
		}
	}
	if leads {
		n.log.Info("this node leads", "node", n.id)
		n.changeLead()
	}
	n.games.Settled(games)
}

// lose makes the node answer for shards no more.
func (n *Node) lose(shards []int) {
	var games []int
	for _, shard := range shards {
		n.epochs[shard].Store(0)
		n.deafen(shard)
		if shard != store.LeaderShard {
			games = append(games, shard)
		}
	}
	if len(games) < len(shards) {
		n.changeLead()
	}
	n.games.Lost(games)
}

func (n *Node) changeLead() {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.lead)
	n.lead = make(chan struct{})
}

// giveUp gives everything back.
func (n *Node) giveUp(ctx context.Context) {
	defer close(n.left)
	var held []int
	for shard := range n.epochs {
		if n.epochs[shard].Load() != 0 {
			held = append(held, shard)
		}
	}
	n.until.Store(0)
	n.lose(held)
	ctx, cancel := context.WithTimeout(ctx, n.ttl/2)
	defer cancel()
	if err := n.store.Leave(ctx, n.id); err != nil && !errors.Is(err, context.Canceled) {
		n.log.Warn("leases not given back: they run out by themselves", "error", err)
		return
	}
	n.tell()
	n.log.Info("shards given to others", "shards", len(held), "held", 0)
}
