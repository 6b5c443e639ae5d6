package gormdb

import (
	"context"
	"fmt"
	"strings"
)

// checks are facts that hold across tables, each with a query for what breaks
// it. The game path has no foreign keys, so that a step need not look them up.
func checks() []struct{ what, query string } {
	return []struct{ what, query string }{
		{"action without a game", `SELECT DISTINCT a.game_id AS id FROM actions a
			WHERE NOT EXISTS (SELECT 1 FROM games g WHERE g.id = a.game_id)`},
		{"game whose log is not as long as it says", `SELECT g.id FROM games g WHERE g.seq <>
			(SELECT count(*) FROM actions a WHERE a.game_id = g.id) OR g.seq <>
			(SELECT coalesce(max(a.seq), 0) FROM actions a WHERE a.game_id = g.id)`},
		{"game without players", `SELECT g.id FROM games g
			WHERE NOT EXISTS (SELECT 1 FROM game_players p WHERE p.game_id = g.id)`},
		{"player of an unknown account", `SELECT p.game_id AS id FROM game_players p WHERE p.account_id <> ''
			AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = p.account_id)`},
		{"player whose game is over and on", `SELECT p.game_id AS id FROM game_players p JOIN games g ON g.id = p.game_id
			WHERE (p.live AND g.status >= 25) OR (NOT p.live AND g.status < 25) OR p.created <> g.created`},
	}
}

// CheckIntegrity reads the whole database and returns what is wrong with it, a
// line each, at most a hundred of a kind. It may take long, and slows down
// nobody but itself.
func (db *DB) CheckIntegrity(ctx context.Context) ([]string, error) {
	var found []string
	r := db.b.reader().WithContext(ctx)
	if !db.sql.postgres {
		var lines []string
		if err := r.Raw("SELECT integrity_check FROM pragma_integrity_check").Scan(&lines).Error; err != nil {
			return nil, fail(ctx, err, "integrity")
		}
		for _, l := range lines {
			if !strings.EqualFold(l, "ok") {
				found = append(found, l)
			}
		}
		var broken []struct{ Table, Parent string }
		err := r.Raw(`SELECT "table", parent FROM pragma_foreign_key_check LIMIT 100`).Scan(&broken).Error
		if err != nil {
			return nil, fail(ctx, err, "references")
		}
		for _, b := range broken {
			found = append(found, fmt.Sprintf("a row of %s refers to a row of %s that does not exist", b.Table, b.Parent))
		}
	}
	for _, c := range checks() {
		var ids []string
		if err := r.Raw("SELECT id FROM (" + c.query + ") t ORDER BY id LIMIT 100").Scan(&ids).Error; err != nil {
			return nil, fail(ctx, err, "%s", c.what)
		}
		for _, id := range ids {
			found = append(found, c.what+": "+id)
		}
	}
	return found, nil
}
