package node

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"hoplite/store"
)

// Store is what a node needs of the database.
type Store interface {
	store.Leases
	SetMetaOnce(ctx context.Context, key, value string) (string, error)
}

// Games is told which shards the node has. All calls come from one goroutine.
type Games interface {
	// Recover is called on one node, before any has a shard: nobody has served
	// the games for a while.
	Recover(ctx context.Context) error
	// Open is called once, before the node may have shards: somebody serves.
	Open()
	// Gained is called before the node counts as the holder.
	Gained(claims []store.Claim)
	// Settled is called after it has begun to answer for them.
	Settled(claims []store.Claim)
	// Lost is called after the node has ceased to be the holder.
	Lost(shards []int)
	// Reconnected says that events of the other nodes may have been missed: the
	// connection to them was known to be broken for so long.
	Reconnected(away time.Duration)
}

// Node is this server among the others. Its methods may be called from any
// goroutine.
type Node struct {
	id    string
	store Store
	games Games
	log   *slog.Logger
	ttl   time.Duration

	nc     *nats.Conn
	prefix string
	wake   chan struct{}

	// What the node holds. Holds reads it without a lock; only Run writes.
	began  time.Time
	epochs [store.Shards + 1]atomic.Int64
	until  atomic.Int64 // since began
	cut    atomic.Int64 // when the connection was last lost, since began

	ears *ears

	serving sync.WaitGroup // calls that are being answered
	mu      sync.Mutex
	closed  bool
	ops     map[string]handler
	subs    map[int]*nats.Subscription // by shard
	leaving bool
	left    chan struct{} // closed when everything was given back
	lead    chan struct{} // closed and made anew when the leader may have changed
	peers   atomic.Int64
}

// Join connects to the others. Run takes part; Close ends the connection.
func Join(ctx context.Context, c Config, s Store, log *slog.Logger) (*Node, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	// Installations that share a NATS server do not hear each other. The 1 is
	// the version of what the nodes say to each other.
	name, err := s.SetMetaOnce(ctx, "installation", strings.ToLower(rand.Text()[:16]))
	if err != nil {
		return nil, fmt.Errorf("name of the installation: %w", err)
	}
	n := &Node{
		id: strings.ToLower(rand.Text()[:12]), store: s, log: log, ttl: cmp.Or(c.Lease, DefaultLease),
		prefix: "hoplite.1." + name, wake: make(chan struct{}, 1), began: time.Now(),
		ops: make(map[string]handler), subs: make(map[int]*nats.Subscription),
		left: make(chan struct{}), lead: make(chan struct{}),
	}
	options := []nats.Option{
		nats.Name("hoplite " + n.id), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond), nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		nats.NoEcho(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			n.cut.Store(int64(time.Since(n.began)))
			if err != nil {
				log.Warn("NATS connection lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			log.Info("NATS connection is back")
			n.stir()
			if games := n.hearer(); games != nil {
				games.Reconnected(time.Since(n.began) - time.Duration(n.cut.Load()))
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, sub *nats.Subscription, err error) {
			subject := ""
			if sub != nil {
				subject = sub.Subject
			}
			log.Warn("NATS", "subject", subject, "error", err)
		}),
	}
	if c.Credentials != "" {
		options = append(options, nats.UserCredentials(c.Credentials))
	}
	n.ears = newEars()
	if n.nc, err = nats.Connect(c.URL, options...); err != nil {
		n.ears.close()
		return nil, fmt.Errorf("NATS: %w", err)
	}
	// Others say when something has become free.
	if _, err := n.nc.Subscribe(n.prefix+".leases", func(*nats.Msg) { n.stir() }); err != nil {
		n.nc.Close()
		n.ears.close()
		return nil, fmt.Errorf("NATS: %w", err)
	}
	return n, nil
}

// ID names the node. It is another one after each start.
func (n *Node) ID() string { return n.id }

// Lease returns how long a node that is not heard of keeps its shards.
func (n *Node) Lease() time.Duration { return n.ttl }

// Shards returns how many shards the node holds, for metrics.
func (n *Node) Shards() (held int) {
	for shard := range store.Shards {
		if _, ok := n.Holds(shard); ok {
			held++
		}
	}
	return held
}

// Peers returns how many nodes were alive at the last renewal, with this one.
func (n *Node) Peers() int { return int(n.peers.Load()) }

// Use says whom to tell about shards. It comes before Run.
func (n *Node) Use(g Games) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.games = g
}

func (n *Node) hearer() Games {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.games
}

// Holds returns the epoch in which this node holds a shard, false if it does
// not, or is not sure any more.
func (n *Node) Holds(shard int) (epoch int64, ok bool) {
	if int64(time.Since(n.began)) >= n.until.Load() {
		return 0, false
	}
	epoch = n.epochs[shard].Load()
	return epoch, epoch != 0
}

// Leads reports whether this node does what one node must do.
func (n *Node) Leads() bool {
	_, ok := n.Holds(store.LeaderShard)
	return ok
}

// Lead runs f whenever this node is the leader, until ctx ends. The context of
// f ends when the node is the leader no more; another one may begin while f is
// still ending.
func (n *Node) Lead(ctx context.Context, f func(context.Context) error) error {
	for ctx.Err() == nil {
		n.mu.Lock()
		changed := n.lead
		n.mu.Unlock()
		if !n.Leads() {
			select {
			case <-ctx.Done():
			case <-changed:
			case <-time.After(n.ttl / 4):
			}
			continue
		}
		leading, stop := context.WithCancel(ctx)
		watch := make(chan struct{})
		go func() {
			defer close(watch)
			n.watchLead(leading)
			stop()
		}()
		err := f(leading)
		if err == nil && leading.Err() == nil {
			<-leading.Done() // it has done what there was to do
		}
		stop()
		<-watch
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// watchLead returns when the node leads no more, or ctx ends.
func (n *Node) watchLead(ctx context.Context) {
	tick := time.NewTicker(max(n.ttl/30, 10*time.Millisecond)) // for leases that run out
	defer tick.Stop()
	for {
		n.mu.Lock()
		changed := n.lead
		n.mu.Unlock()
		if !n.Leads() {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-tick.C:
		}
	}
}

// stir makes Run look at the leases now.
func (n *Node) stir() {
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// tell wakes the other nodes.
func (n *Node) tell() {
	if err := n.nc.Publish(n.prefix+".leases", nil); err != nil {
		n.log.Warn("NATS", "error", err)
	}
}

// Leave gives every shard back at once, so that others go on with the games,
// and waits until that is done or ctx is over. The node still reaches the
// others.
func (n *Node) Leave(ctx context.Context) {
	n.mu.Lock()
	n.leaving = true
	n.mu.Unlock()
	n.stir()
	select {
	case <-n.left:
	case <-ctx.Done():
	}
}

// Close ends the connection. Nobody may use the node any more.
func (n *Node) Close() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	n.serving.Wait()
	if err := n.nc.FlushTimeout(time.Second); err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
		n.log.Debug("NATS", "error", err)
	}
	n.nc.Close()
	n.ears.close()
}
