package main

import (
	"os"
	"syscall"
	"testing"
	"time"
)

const couples = 6

// faultRounds is how often something happens to a node: twice, or 30 times with
// HOPLITE_LONG=1.
func faultRounds() int {
	if os.Getenv("HOPLITE_LONG") == "1" {
		return 30
	}
	return 2
}

// TestNodeKilled kills nodes under load. Others take their games, and nothing
// that was acknowledged is lost or done twice; who watches at a node that stays
// sees every version once.
func TestNodeKilled(t *testing.T) {
	n := startNodes(t, 3)
	if n == nil {
		return
	}
	stop := n.load(couples, watchAt(n.list()[0]))
	for range faultRounds() {
		time.Sleep(time.Second)
		victim := n.list()[1]
		victim.kill()
		time.Sleep(100 * time.Millisecond) // some requests find nobody
		n.drop(victim)
		time.Sleep(nodeLease)
		n.add()
	}
	n.verify(stop())
}

// TestNodeStopped stops a node under load for longer than its lease, while
// requests still go to it, and lets it go on. It lands nothing.
func TestNodeStopped(t *testing.T) {
	n := startNodes(t, 3)
	if n == nil {
		return
	}
	stop := n.load(couples, watchAt(n.list()[0]))
	for range faultRounds() {
		time.Sleep(time.Second)
		victim := n.list()[1+time.Now().Nanosecond()%2]
		victim.signal(syscall.SIGSTOP)
		time.Sleep(2 * nodeLease)
		victim.signal(syscall.SIGCONT)
		time.Sleep(nodeLease)
	}
	n.verify(stop())
}

// TestRollingRestart replaces one node after the other under load.
func TestRollingRestart(t *testing.T) {
	n := startNodes(t, 3)
	if n == nil {
		return
	}
	stop := n.load(couples, nil)
	for range faultRounds() {
		for _, old := range n.list() {
			n.add()
			n.drop(old) // as a proxy does before
			old.stop()
		}
	}
	n.verify(stop())
}
