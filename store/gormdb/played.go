package gormdb

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"hoplite/store"
)

type playedRow struct {
	GameID        string
	Variant       string
	Speed         string
	Perf          string
	Rated         bool
	HasClock      bool
	Days          int64
	Status        int64
	Seat          int64
	Winner        int64
	Rating        int64
	Provisional   bool
	RatingDiff    *int64
	Plies         int64
	Created       int64
	LastMove      int64
	Seats         int64
	OpAccount     *string
	OpName        *string
	OpTitle       *string
	OpRating      *int64
	OpProvisional *bool
	OpLevel       *int64
}

func (r playedRow) record() store.Played {
	p := store.Played{
		GameID: r.GameID, Variant: r.Variant, Speed: r.Speed, Perf: r.Perf, Rated: r.Rated, HasClock: r.HasClock,
		Days: int(r.Days), Status: store.Status(r.Status), Seat: int(r.Seat), Winner: int(r.Winner),
		Rating: int(r.Rating), Provisional: r.Provisional, Plies: int(r.Plies),
		Created: fromMs(r.Created), Ended: fromMs(r.LastMove),
	}
	if r.RatingDiff != nil {
		d := int(*r.RatingDiff)
		p.RatingDiff = &d
	}
	if r.Seats == 2 && r.OpAccount != nil {
		p.Opponent = store.GamePlayer{
			AccountID: *r.OpAccount, Name: *r.OpName, Title: *r.OpTitle, Rating: int(*r.OpRating),
			Provisional: *r.OpProvisional, AILevel: int(*r.OpLevel),
		}
	}
	return p
}

func (q *queries) Played(ctx context.Context, f store.PlayedFilter) ([]store.Played, error) {
	if f.AccountID == "" {
		return nil, nil
	}
	// The constants are those of Status.Counts.
	where := []string{"p.account_id = ?", "p.account_id <> ''", "NOT p.live", "g.status >= 30", "g.status NOT IN (37, 38)"}
	args := []any{f.AccountID}
	if f.Vs != "" {
		where, args = append(where, "o.account_id = ?"), append(args, f.Vs)
	}
	if f.Perf != "" {
		where, args = append(where, "g.perf = ?"), append(args, f.Perf)
	}
	if !f.Since.IsZero() {
		where, args = append(where, "p.created >= ?"), append(args, toMs(f.Since))
	}
	if !f.Ended.IsZero() {
		where, args = append(where, "g.last_move >= ?"), append(args, toMs(f.Ended))
	}
	limit := ""
	if f.Limit > 0 {
		limit = " LIMIT ?"
		args = append(args, f.Limit)
	}
	r, in := q.reader(ctx)
	var rows []playedRow
	err := gorm.G[playedRow](r).Raw(`SELECT g.id AS game_id, g.variant, g.speed, g.perf, g.rated, g.has_clock, g.days, g.status,
			p.seat, g.winner, p.rating, p.provisional, p.rating_diff, g.plies, p.created, g.last_move,
			(SELECT COUNT(*) FROM game_players s WHERE s.game_id = p.game_id) AS seats,
			o.account_id AS op_account, o.name AS op_name, o.title AS op_title, o.rating AS op_rating,
			o.provisional AS op_provisional, o.ai_level AS op_level
		FROM game_players p JOIN games g ON g.id = p.game_id
			LEFT JOIN game_players o ON o.game_id = p.game_id AND o.seat = 1 - p.seat
		WHERE `+strings.Join(where, " AND ")+" ORDER BY p.created DESC, p.game_id DESC, p.seat"+limit, args...).Scan(in, &rows)
	if err != nil {
		return nil, fail(ctx, err, "games that %q played", f.AccountID)
	}
	out := make([]store.Played, 0, len(rows))
	for _, row := range rows {
		if n := len(out); n > 0 && out[n-1].GameID == row.GameID {
			continue
		}
		out = append(out, row.record())
	}
	return out, nil
}
