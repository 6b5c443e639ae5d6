// Package node makes one server a node among several that serve one database.
//
// The games are divided into shards, and a shard belongs to the node that holds
// its lease in the database. A node renews its leases together. It counts them
// as its own until two thirds of their time have passed on its own clock since
// before it asked, so it stops answering before anybody else may begin; and what
// it still commits is fenced by the lease itself, which every commit locks. The
// last third covers what the two clocks and a paused process may differ by.
//
// Between the nodes goes NATS, and it carries nothing that could be lost for
// good: calls to the holder of a shard, which are answered or tried again; what
// happens in games, whose versions show a gap, which the log fills; and notices
// about challenges, seeks and credentials, which are stored before they are told.
package node
