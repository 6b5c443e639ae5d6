package notation

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"hoplite/engine/rules"
)

// PGNOptions say what WritePGN leaves out. The zero value writes everything.
type PGNOptions struct {
	NoTags, NoMoves, NoClocks, NoEvals, NoComments bool
}

// WritePGN writes a game, followed by an empty line. The tags are written as they are in the record; Variant, SetUp and
// FEN are added where the game needs them and they are missing. The moves stand on one line.
func WritePGN(w io.Writer, rec *Record, opts PGNOptions) error {
	b := bufio.NewWriter(w)
	if !opts.NoTags {
		for _, t := range rec.allTags() {
			fmt.Fprintf(b, "[%s \"%s\"]\n", t.Name, escapeTag(t.Value))
		}
		b.WriteByte('\n')
	}
	if !opts.NoMoves {
		writeMoves(b, rec, opts)
	}
	result := rec.Result
	if result == "" {
		result = "*"
	}
	b.WriteString(result + "\n\n")
	return b.Flush()
}

func (rec *Record) allTags() []Tag {
	tags := rec.Tags[:len(rec.Tags):len(rec.Tags)]
	d := rec.Rules.Definition()
	// standard is the game of a record without the tag.
	if !rec.hasTag("Variant") && d.PGNName != defaultVariant {
		tags = append(tags, Tag{"Variant", d.PGNName})
	}
	if rec.Start != nil && !rec.hasTag("FEN") && !IsUsualStart(rec.Start) {
		tags = append(tags, Tag{"SetUp", "1"}, Tag{"FEN", FEN(rec.Start)})
	}
	return tags
}

// defaultVariant is the game of records without a Variant tag.
const defaultVariant = "Standard"

// IsUsualStart reports whether a position is the one that a record without a FEN tag starts from. Games with numbered
// arrays have none.
func IsUsualStart(p *rules.Position) bool {
	r := p.Rules()
	if r.Shuffled() {
		return false
	}
	start, err := r.Start(r.UsualStart())
	return err == nil && FEN(start) == FEN(p)
}

func writeMoves(b *bufio.Writer, rec *Record, opts PGNOptions) {
	if rec.Comment != "" && !opts.NoComments {
		b.WriteString("{ " + escapeComment(rec.Comment) + " } ")
	}
	if len(rec.Moves) == 0 {
		return
	}
	p := rec.Start.Clone()
	notate := rec.Rules.Definition().Notation
	var u rules.Undo
	gap := "" // what is still to be written after the last move
	numbered, last := false, rules.Side(0)
	for i, ply := range rec.Moves {
		goesOn := i > 0 && p.Turn() == last // within a turn of several moves
		if goesOn && numbered && notate.JoinTurn {
			if gap = ","; released(p) {
				gap = ""
			}
		}
		b.WriteString(gap)
		gap = " "
		switch {
		case !goesOn && (p.Turn() == 0 || notate.NumberTurns):
			fmt.Fprintf(b, "%d. ", turnNumber(p))
		case !numbered:
			fmt.Fprintf(b, "%d... ", turnNumber(p))
		}
		san := ply.SAN
		if san == "" {
			san = SAN(p, ply.Move)
		}
		b.WriteString(san)
		numbered = true
		if note := ply.note(opts); note != "" {
			b.WriteString(" { " + note + " }")
			numbered = false
		}
		last = p.Turn()
		p.Make(ply.Move, &u)
	}
	b.WriteString(gap)
}

func released(p *rules.Position) bool {
	_, _, ok := p.Released()
	return ok
}

func (ply *Ply) note(opts PGNOptions) string {
	var parts []string
	if ply.Comment != "" && !opts.NoComments {
		parts = append(parts, escapeComment(ply.Comment))
	}
	if ply.Eval != "" && !opts.NoEvals {
		parts = append(parts, "[%eval "+ply.Eval+"]")
	}
	if ply.HasClock && !opts.NoClocks {
		parts = append(parts, "[%clk "+formatClock(ply.Clock)+"]")
	}
	return strings.Join(parts, " ")
}

// formatClock writes hours, minutes and seconds, with hundredths where there are any.
func formatClock(d time.Duration) string {
	d = max(d, 0).Truncate(10 * time.Millisecond)
	s := fmt.Sprintf("%d:%02d:%02d", d/time.Hour, d/time.Minute%60, d/time.Second%60)
	if rest := d % time.Second; rest != 0 {
		s += strings.TrimRight(fmt.Sprintf(".%02d", rest/(10*time.Millisecond)), "0")
	}
	return s
}

func escapeTag(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ").Replace(s)
}

// escapeComment keeps a comment from ending early: PGN has no way to write a closing brace in one.
func escapeComment(s string) string {
	return strings.NewReplacer("}", ")", "\n", " ", "\r", " ").Replace(s)
}
