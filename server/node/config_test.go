package node_test

import (
	"strings"
	"testing"
	"time"

	"hoplite/server/node"
)

func TestConfig(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		c    node.Config
		bad  string // a part of the complaint; empty if there is none
	}{
		{"loopback", node.Config{URL: "nats://127.0.0.1:4222"}, ""},
		{"loopback by name", node.Config{URL: "nats://localhost:4222"}, ""},
		{"IPv6 loopback", node.Config{URL: "nats://[::1]:4222"}, ""},
		{"elsewhere with a password", node.Config{URL: "tls://hoplite:secret@nats.example:4222"}, ""},
		{"elsewhere without", node.Config{URL: "nats://nats.example:4222"}, "credentials"},
		{"one of several without", node.Config{URL: "nats://a:b@nats1.example,nats://nats2.example"}, "nats2.example"},
		{"address of all interfaces", node.Config{URL: "nats://0.0.0.0:4222"}, "credentials"},
		{"another protocol", node.Config{URL: "http://127.0.0.1"}, "nats://"},
		{"no protocol", node.Config{URL: "127.0.0.1:4222"}, "NATS URL"},
		{"no such file", node.Config{URL: "nats://127.0.0.1", Credentials: "nowhere"}, "nowhere"},
		{"short lease", node.Config{URL: "nats://127.0.0.1", Lease: time.Millisecond}, "lease"},
	} {
		err := tt.c.Validate()
		if tt.bad == "" && err != nil || tt.bad != "" && (err == nil || !strings.Contains(err.Error(), tt.bad)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.bad)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error tells the password: %v", tt.name, err)
		}
	}
}
