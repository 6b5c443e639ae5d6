// Package natstest runs NATS servers inside of tests. Nothing that ships may
// import it: the server would come along.
package natstest

import (
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Run starts a NATS server on a free loopback port, which goes with the test,
// and returns its address.
func Run(t testing.TB) string {
	t.Helper()
	url, _ := Start(t)
	return url
}

// Start is Run for a test that ends the server itself.
func Start(t testing.TB) (url string, stop func()) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatalf("NATS server: %v", err)
	}
	s.Start()
	stop = sync.OnceFunc(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	t.Cleanup(stop)
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the NATS server does not answer")
	}
	return s.ClientURL(), stop
}
