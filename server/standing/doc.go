// Package standing shows how accounts stand: leaderboards, the history of their
// ratings, what they achieved, what they did lately, and the score between two.
// Everything is computed from stored games and ratings when it is asked for.
package standing
