package node_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os/exec"
	"testing"
	"time"

	"hoplite/server/node"
	"hoplite/store"
	"hoplite/store/storetest"
)

// TestPackagedServer joins by the NATS server of the distribution, an older one than that in the other tests, which asks
// for a password.
func TestPackagedServer(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("nats-server")
	if err != nil {
		program = "/usr/sbin/nats-server"
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	server := exec.CommandContext(ctx, program, "-a", "127.0.0.1", "-p", fmt.Sprint(port), "--user", "hoplite", "--pass", "secret")
	if err := server.Start(); err != nil {
		t.Fatalf("%v; 'make deps' installs it", err)
	}
	t.Cleanup(func() {
		cancel()
		_ = server.Wait() // it was killed
	})
	await(t, "the server answers", func() bool {
		c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
		if err == nil {
			err = c.Close()
		}
		return err == nil
	})
	db := storetest.New(t)
	log := slog.New(slog.DiscardHandler)
	if n, err := node.Join(t.Context(), node.Config{URL: fmt.Sprintf("nats://127.0.0.1:%d", port), Lease: lease}, db, log); err == nil {
		n.Close()
		t.Error("joined without a password")
	}
	url := fmt.Sprintf("nats://hoplite:secret@127.0.0.1:%d", port)
	a, _, _ := join(t, db, url)
	b, _, _ := join(t, db, url)
	await(t, "half each", func() bool { return a.Shards() == store.Shards/2 && b.Shards() == store.Shards/2 })
	shard := 0
	if _, mine := a.Holds(shard); mine {
		a, b = b, a
	}
	var answer string
	if err := a.Call(t.Context(), shard, "echo", true, "!", &answer); err != nil || answer != b.ID()+"!" {
		t.Errorf("call: %q, %v", answer, err)
	}
}
