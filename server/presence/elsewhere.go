package presence

import (
	"maps"
	"time"
)

// Elsewhere is who is at other nodes, as far as those have said so lately: what a node says holds for some time, so that
// one that died is forgotten. It has no lock of its own. The zero Elsewhere is empty.
type Elsewhere[K comparable] struct {
	until map[K]map[string]time.Time // by node
}

// Note notes that somebody is at a node until then.
func (e *Elsewhere[K]) Note(who K, node string, until time.Time) {
	if e.until == nil {
		e.until = make(map[K]map[string]time.Time)
	}
	if e.until[who] == nil {
		e.until[who] = make(map[string]time.Time, 1)
	}
	e.until[who][node] = until
}

// Left notes that somebody is at a node no more, and reports whether it was.
func (e *Elsewhere[K]) Left(who K, node string) bool {
	_, was := e.until[who][node]
	delete(e.until[who], node)
	if len(e.until[who]) == 0 {
		delete(e.until, who)
	}
	return was
}

// Has reports whether somebody is at any other node.
func (e *Elsewhere[K]) Has(who K, now time.Time) bool {
	for _, until := range e.until[who] {
		if now.Before(until) {
			return true
		}
	}
	return false
}

// All returns everybody who is at any other node.
func (e *Elsewhere[K]) All(now time.Time) []K {
	var list []K
	for who := range e.until {
		if e.Has(who, now) {
			list = append(list, who)
		}
	}
	return list
}

// Forget drops what holds no longer.
func (e *Elsewhere[K]) Forget(now time.Time) {
	for who, nodes := range e.until {
		maps.DeleteFunc(nodes, func(_ string, until time.Time) bool { return !now.Before(until) })
		if len(nodes) == 0 {
			delete(e.until, who)
		}
	}
}
