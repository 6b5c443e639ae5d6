// Package relation is about how accounts stand to each other: who follows and
// who blocks whom, and the notes that they keep about each other.
package relation
