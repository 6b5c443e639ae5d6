package export

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/store"
)

// pgn is a game as PGN, with the two blank lines that end each game.
func (h Handlers) pgn(p *played, o options) string {
	rec := &notation.Record{
		Start: p.start, Rules: p.start.Rules(), Moves: slices.Clone(p.plies), Result: result(p.Game),
	}
	for i := range rec.Moves {
		rec.Moves[i].Clock = rec.Moves[i].Clock.Round(time.Second)
	}
	if p.reviewed != nil && o.evals {
		p.reviewed.annotate(rec.Moves)
	}
	if o.tags {
		rec.Tags = h.tags(p)
	}
	var b strings.Builder
	// A strings.Builder takes everything.
	_ = notation.WritePGN(&b, rec, notation.PGNOptions{NoTags: !o.tags, NoMoves: !o.moves, NoClocks: !o.clocks})
	return strings.TrimRight(b.String(), "\n") + "\n\n\n"
}

// tags lists the header in Lichess's order.
func (h Handlers) tags(p *played) []notation.Tag {
	var tags []notation.Tag
	add := func(name, value string) { tags = append(tags, notation.Tag{Name: name, Value: value}) }
	created := p.Created.UTC()
	date, white, black := created.Format("2006.01.02"), p.Players[0], p.Players[1]
	add("Event", event(p.Game))
	add("Site", h.d.URL+"/"+p.ID)
	add("Date", date)
	add("Round", "-")
	add("White", pgnName(white))
	add("Black", pgnName(black))
	add("Result", result(p.Game))
	add("GameId", p.ID)
	add("UTCDate", date)
	add("UTCTime", created.Format("15:04:05"))
	add("WhiteElo", elo(white))
	add("BlackElo", elo(black))
	if white.RatingDiff != nil {
		add("WhiteRatingDiff", signed(*white.RatingDiff))
	}
	if black.RatingDiff != nil {
		add("BlackRatingDiff", signed(*black.RatingDiff))
	}
	if white.Title != "" {
		add("WhiteTitle", white.Title)
	}
	if black.Title != "" {
		add("BlackTitle", black.Title)
	}
	add("Variant", h.d.Games.PGNVariant(p.Variant))
	add("TimeControl", p.control.PGN())
	add("ECO", "?") // nothing here names openings yet
	add("Termination", termination(p.Status))
	if fen := h.initialFEN(p); fen != "" {
		add("FEN", fen)
		add("SetUp", "1")
	}
	return tags
}

// event is the first tag: "rated blitz game", "casual chess960 game".
func event(g *store.Game) string {
	mode := "casual"
	if g.Rated {
		mode = "rated"
	}
	return fmt.Sprintf("%s %s game", mode, g.Perf)
}

func pgnName(p store.GamePlayer) string {
	switch {
	case p.AILevel > 0:
		return "lichess AI level " + strconv.Itoa(p.AILevel)
	case p.Name == "":
		return "Anonymous"
	}
	return p.Name
}

func elo(p store.GamePlayer) string {
	if p.Rating == 0 {
		return "?"
	}
	return strconv.Itoa(p.Rating)
}

func signed(diff int) string { return fmt.Sprintf("%+d", diff) }

// result is that of the whole game, unknown while it runs and when it was
// aborted.
func result(g *store.Game) string {
	switch {
	case !g.Status.Counts():
		return "*"
	case len(g.Players) > 2:
		return "*" // places are no result of two sides
	case g.Winner == 0:
		return "1-0"
	case g.Winner == 1:
		return "0-1"
	}
	return "1/2-1/2"
}

// termination says in PGN's words how a game with the status ended.
func termination(s store.Status) string {
	switch s {
	case store.StatusCreated, store.StatusStarted:
		return "Unterminated"
	case store.StatusAborted, store.StatusNoStart:
		return "Abandoned"
	case store.StatusTimeout, store.StatusOutOfTime:
		return "Time forfeit"
	case store.StatusCheat:
		return "Rules infraction"
	case store.StatusUnknownFinish:
		return "Unknown"
	case store.StatusMaterialClaim:
		return "Insufficient material"
	}
	return "Normal"
}
