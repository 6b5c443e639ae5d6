package catalogue_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/catalogue"
	"hoplite/server/servertest"
)

// frame is what the list of games says of a board.
func frame(b openapi.BoardShape) openapi.BoardShape {
	b.Lines = nil
	return b
}

// Every game of the catalogue is described so that it can be drawn and started, and nothing else is.
func TestVariantsThroughTheServer(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	nobody := s.Anonymous()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var list []openapi.VariantSummary
	nobody.Get(t, "/api/variants").Want(t, 200).JSON(t, &list)
	if len(list) != len(set.List()) {
		t.Fatalf("%d games listed, want %d", len(list), len(set.List()))
	}
	for i, r := range set.List() {
		d := r.Definition()
		var v openapi.VariantDetail
		nobody.Get(t, "/api/variants/"+d.Key).Want(t, 200).JSON(t, &v)
		sum := list[i]
		if sum.Key != d.Key || sum.Name != d.Name || v.Key != d.Key || sum.StartFen != v.StartFen || !cmp.Equal(sum.Board, frame(v.Board)) || sum.Players != 2 {
			t.Errorf("%s: listed as %+v", d.Key, sum)
		}
		if sum.Puzzles != v.Puzzles {
			t.Errorf("%s: %d puzzles listed, %d shown", d.Key, sum.Puzzles, v.Puzzles)
		}
		pos, err := notation.ParseFEN(r, v.StartFen)
		if err != nil || pos.CountMoves() == 0 {
			t.Errorf("%s: start position %q: %v", d.Key, v.StartFen, err)
		}
		if v.Starts != r.Starts() || v.UciName != d.UCIName || v.PgnName != d.PGNName || v.Text.Summary == "" || v.Text.Rules == "" {
			t.Errorf("%s: starts %d, names %q %q, text %+v", d.Key, v.Starts, v.UciName, v.PgnName, v.Text)
		}
		for n, a := range v.Arrangements {
			start, err := r.Start(n)
			if err != nil || notation.FEN(start) != a.Fen || r.StartName(n) != a.Name {
				t.Errorf("%s: arrangement %d is %+v: %v", d.Key, n, a, err)
			}
		}
		if want := map[bool]int{true: r.Starts()}[d.Start.Choice != nil]; len(v.Arrangements) != want || !cmp.Equal(sum.Arrangements, v.Arrangements) {
			t.Errorf("%s: %d arrangements of %d starts, listed %d", d.Key, len(v.Arrangements), r.Starts(), len(sum.Arrangements))
		}
		if len(v.Cells) != r.Board().N() {
			t.Errorf("%s: %d cells, want %d", d.Key, len(v.Cells), r.Board().N())
		}
		if points := d.Look.Points; points != (v.Board.Style == openapi.BoardShapeStylePoints) || points != (len(v.Board.Lines) > 0) {
			t.Errorf("%s: on points: %t, but drawn as %q with %d lines", d.Key, points, v.Board.Style, len(v.Board.Lines))
		}
		if d.Look.Plain != (v.Board.Style == openapi.BoardShapeStylePlain) {
			t.Errorf("%s: plain: %t, but drawn as %q", d.Key, d.Look.Plain, v.Board.Style)
		}
		zones := 0
		for _, z := range d.Look.Zones {
			zones += len(strings.Fields(z.Cells))
		}
		for _, c := range v.Cells {
			if c.Zone != "" {
				zones--
			}
		}
		if zones != 0 {
			t.Errorf("%s: %d cells of zones are not on the board", d.Key, zones)
		}
		for _, c := range v.Cells {
			if _, ok := r.Board().ParseCell(c.Name); !ok || len(c.Outline) < 3 {
				t.Errorf("%s: cell %+v", d.Key, c)
			}
		}
		if len(v.Sides) != r.Sides() || v.Sides[0].Color != "white" || v.Sides[1].Color != "black" {
			t.Errorf("%s: sides %+v", d.Key, v.Sides)
		}
		letters := map[string]bool{}
		royal := 0
		for _, p := range v.Pieces {
			letters[p.Letter] = true
			// A neutral man is in no army and is put, not moved.
			neutral := d.Blocker != nil && p.Letter == d.Blocker.Man
			if p.Name == "" || (p.Betza == "") != neutral || (len(p.Sides) == 0) != neutral {
				t.Errorf("%s: piece %+v", d.Key, p)
			}
			if p.Royal {
				royal++
			}
		}
		if (royal == 0) != (d.Royal == rules.RoyalNone) || v.Rules.Royal == "" {
			t.Errorf("%s: royal pieces: %d, and the rule is %q", d.Key, royal, v.Rules.Royal)
		}
		for _, p := range v.Pieces {
			for _, to := range p.PromotesTo {
				if !letters[to] {
					t.Errorf("%s: %s promotes to %q, which is no piece", d.Key, p.Letter, to)
				}
			}
		}
		for _, h := range v.Rules.Hand {
			if !letters[h] {
				t.Errorf("%s: %q in hand is no piece", d.Key, h)
			}
		}
		if len(v.Rules.Ends) == 0 || v.Rules.Ends[0].Kind == "" {
			t.Errorf("%s: ends %+v", d.Key, v.Rules.Ends)
		}
		for _, w := range v.Rules.Castling {
			for _, cell := range []string{w.KingFrom, w.KingTo, w.RookFrom, w.RookTo} {
				if _, ok := r.Board().ParseCell(cell); !ok {
					t.Errorf("%s: castling by %q", d.Key, cell)
				}
			}
		}
	}
	for _, key := range []string{"nothing", "Standard", "%2e%2e", strings.Repeat("x", 500), "n%C3%A9"} {
		if e := nobody.Get(t, "/api/variants/"+key).Want(t, 404).Error(t); e != "No such variant" {
			t.Errorf("%s: %q", key, e)
		}
	}
	// A key that only stands for the rules of a game is answered with that game.
	var standsFor openapi.VariantDetail
	nobody.Get(t, "/api/variants/fromPosition").Want(t, 200).JSON(t, &standsFor)
	if standsFor.Starts < 2 || standsFor.Key == "fromPosition" {
		t.Errorf("fromPosition follows the rules of %q with %d starts", standsFor.Key, standsFor.Starts)
	}
}

// armies of the Spartan game differ, and the catalogue says so without being told.
func TestArmies(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	var v openapi.VariantDetail
	s.Anonymous().Get(t, "/api/variants/spartan").Want(t, 200).JSON(t, &v)
	sides := map[string][]string{}
	for _, p := range v.Pieces {
		for _, side := range p.Sides {
			sides[side] = append(sides[side], p.Letter)
		}
	}
	if slices.Equal(sides["white"], sides["black"]) || len(sides["white"]) < 6 || len(sides["black"]) < 6 {
		t.Errorf("armies %v", sides)
	}
	if a := v.Cells[0]; a.Name != "a1" || a.X != 0.5 || a.Y != 7.5 || a.Shade != 0 || math.Abs(float64(a.Outline[0][1]-7)) > 1e-6 {
		t.Errorf("a1 is drawn as %+v", a)
	}
}

// counter is a number of puzzles that a test sets.
type counter struct {
	n     int
	err   error
	asked int
}

func (c *counter) CountPuzzles(context.Context) (map[string]int, error) {
	c.asked++
	return map[string]int{"spartan": c.n}, c.err
}

func TestPuzzlesAreCountedNowAndThen(t *testing.T) {
	t.Parallel()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := &counter{n: 7}
	s, err := catalogue.New(set, c, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	h := catalogue.NewHandlers(s)
	shown := func() int {
		t.Helper()
		r, err := h.VariantShow(t.Context(), api.VariantShowRequestObject{Key: "spartan"})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		if err := r.VisitVariantShowResponse(w); err != nil || w.Code != http.StatusOK {
			t.Fatalf("status %d, %v", w.Code, err)
		}
		if got := w.Header().Get("Content-Length"); got != fmt.Sprint(w.Body.Len()) {
			t.Errorf("Content-Length %s of %d bytes", got, w.Body.Len())
		}
		var v openapi.VariantDetail
		if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		return v.Puzzles
	}
	if got := shown(); got != 7 {
		t.Errorf("%d puzzles, want 7", got)
	}
	c.n = 8
	now = now.Add(30 * time.Second)
	if got := shown(); got != 7 || c.asked != 1 {
		t.Errorf("%d puzzles after half a minute, asked %d times", got, c.asked)
	}
	now = now.Add(40 * time.Second)
	if got := shown(); got != 8 || c.asked != 2 {
		t.Errorf("%d puzzles after a minute, asked %d times", got, c.asked)
	}
	c.err = errors.New("no database")
	now = now.Add(2 * time.Minute)
	if got := shown(); got != 8 {
		t.Errorf("%d puzzles without a database, want the old number", got)
	}
}

func BenchmarkVariantShow(b *testing.B) {
	set, err := variant.Catalogue()
	if err != nil {
		b.Fatal(err)
	}
	s, err := catalogue.New(set, &counter{}, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	h := catalogue.NewHandlers(s)
	b.ReportAllocs()
	for b.Loop() {
		r, err := h.VariantShow(b.Context(), api.VariantShowRequestObject{Key: "spartan"})
		if err != nil {
			b.Fatal(err)
		}
		w := httptest.NewRecorder()
		if err := r.VisitVariantShowResponse(w); err != nil || w.Body.Len() < 1000 {
			b.Fatal(err)
		}
	}
}
