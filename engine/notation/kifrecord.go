package notation

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hoplite/engine/board"
	"hoplite/engine/rules"
)

// KIFError is a game record that cannot be read.
type KIFError struct {
	// Line counts from 1.
	Line   int
	Reason string
	// Err is the cause where a position or a move is wrong.
	Err error
}

func (e *KIFError) Error() string {
	s := fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *KIFError) Unwrap() error { return e.Err }

// The words of a record's head, and of its end.
const (
	kifHandicap, kifEven = "手合割", "平手"
	kifSente, kifGote    = "先手", "後手"
	kifHandOf            = "の持駒"
	kifTurnOf            = "番"
	kifTable             = "手数----指手---------消費時間--"
	kifResigns, kifMated = "投了", "詰み"
	kifRepeats, kifDraw  = "千日手", "持将棋"
	kifFoul, kifStops    = "反則勝ち", "中断"
)

// maxKIFLine bounds the length of a line of a record.
const maxKIFLine = 1 << 12

// kifReader reads one record.
type kifReader struct {
	r    *rules.Rules
	rec  *Record
	line int
	// rows and hands are those of a diagram of the start, gote says that the second player begins.
	rows  []string
	hands [2]string
	gote  bool
	now   *rules.Position
	last  rules.Cell
}

// ReadKIF reads one game from a record in UTF-8. Comments are kept with the moves, times and variations skipped. It fails
// with *KIFError, with *DialectError if the game is not written in KIF, or with an error of the reader.
func ReadKIF(r *rules.Rules, in io.Reader) (*Record, error) {
	if err := inKIF(r); err != nil {
		return nil, err
	}
	k := &kifReader{r: r, rec: &Record{Rules: r, Result: "*"}, last: board.Wall}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxKIFLine)
	for lines.Scan() {
		k.line++
		line := strings.TrimPrefix(strings.TrimRight(lines.Text(), "\r"), "\ufeff")
		if strings.HasPrefix(line, "変化") {
			break
		}
		if err := k.read(line); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, k.bad(nil, "more than %d bytes", maxKIFLine)
	} else if err != nil {
		return nil, err
	}
	return k.rec, k.begin()
}

func (k *kifReader) bad(cause error, format string, args ...any) error {
	return &KIFError{Line: k.line, Reason: fmt.Sprintf(format, args...), Err: cause}
}

// read takes one line.
func (k *kifReader) read(line string) error {
	switch word := strings.TrimLeft(line, " "); {
	case word == "" || word[0] == '#' || word[0] == '&' || word[0] == '+' || strings.HasPrefix(line, "手数"):
		return nil
	case word[0] == '*':
		at := &k.rec.Comment
		if n := len(k.rec.Moves); n > 0 {
			at = &k.rec.Moves[n-1].Comment
		}
		*at = strings.TrimSpace(*at + " " + word[1:])
		return nil
	case word[0] == '|':
		k.rows = append(k.rows, word)
		return nil
	case word[0] >= '1' && word[0] <= '9':
		return k.move(word)
	case word == kifGote+kifTurnOf:
		k.gote = true
		return nil
	default:
		return k.head(word)
	}
}

// head takes a line before the moves: a name and its value.
func (k *kifReader) head(line string) error {
	name, value, found := strings.Cut(line, "：")
	if !found {
		return nil // files of ranks above a diagram, a line about the end
	}
	value = strings.TrimSpace(strings.ReplaceAll(value, kifBlank, " "))
	switch name {
	case kifSente:
		k.rec.Tags = append(k.rec.Tags, Tag{Name: "White", Value: value})
	case kifGote:
		k.rec.Tags = append(k.rec.Tags, Tag{Name: "Black", Value: value})
	case kifSente + kifHandOf:
		k.hands[0] = value
	case kifGote + kifHandOf:
		k.hands[1] = value
	case kifHandicap:
		if value != kifEven {
			return k.bad(nil, "a game with a handicap (%s)", clip(value))
		}
	}
	return nil
}

// begin makes the start position, once.
func (k *kifReader) begin() error {
	if k.now != nil {
		return nil
	}
	var err error
	if k.rows == nil {
		k.rec.Start, err = k.r.Start(k.r.UsualStart())
	} else {
		var s rules.Setup
		if s, err = k.diagram(); err == nil {
			k.rec.Start, err = k.r.Position(s)
		}
	}
	if err != nil {
		return k.bad(err, "bad start position")
	}
	k.now = k.rec.Start.Clone()
	return nil
}

// move takes a line of the table of moves: its number, the move or a word about the end, and the time used.
func (k *kifReader) move(line string) error {
	if err := k.begin(); err != nil {
		return err
	}
	line = strings.TrimLeft(strings.TrimLeft(line, "0123456789"), " ")
	text, _, _ := strings.Cut(line, " ")
	if k.rec.Result != "*" {
		return k.bad(nil, "a move after the end")
	}
	if result, end := k.end(text); end {
		k.rec.Result = result
		return nil
	}
	if len(k.rec.Moves) == maxPGNPlies {
		return k.bad(nil, "more than %d moves", maxPGNPlies)
	}
	m, err := ParseKIFMove(k.now, text, k.last)
	if err != nil {
		return k.bad(err, "move %d", len(k.rec.Moves)+1)
	}
	k.rec.Moves = append(k.rec.Moves, Ply{Move: m, SAN: SAN(k.now, m)})
	var u rules.Undo
	k.now.Make(m, &u)
	k.last = m.To()
	return nil
}

// end returns the result that a word about the end means for the side to move.
func (k *kifReader) end(word string) (result string, end bool) {
	lost, won := "0-1", "1-0"
	if k.now.Turn() != 0 {
		lost, won = won, lost
	}
	switch word {
	case kifResigns, kifMated, "切れ負け", "反則負け":
		return lost, true
	case kifFoul, "入玉勝ち", "不戦勝":
		return won, true
	case kifRepeats, kifDraw:
		return "1/2-1/2", true
	case kifStops, "不詰":
		return "*", true
	}
	return "", false
}

// WriteKIF writes a game as a record in UTF-8. It fails with *DialectError if the game is not written in KIF, or with an
// error of the writer.
func WriteKIF(w io.Writer, rec *Record) error {
	r := rec.Rules
	if err := inKIF(r); err != nil {
		return err
	}
	var b strings.Builder
	usual, err := r.Start(r.UsualStart())
	if err != nil {
		return err
	}
	if usual.Key() == rec.Start.Key() {
		b.WriteString(kifHandicap + "：" + kifEven + "\n")
	} else {
		writeDiagram(&b, rec.Start)
	}
	fmt.Fprintf(&b, "%s：%s\n%s：%s\n%s\n", kifSente, oneLine(rec.Tag("White")), kifGote, oneLine(rec.Tag("Black")), kifTable)
	if rec.Comment != "" {
		b.WriteString("*" + oneLine(rec.Comment) + "\n")
	}
	g := rules.NewGame(rec.Start)
	last := board.Wall
	for i, ply := range rec.Moves {
		text, err := FormatKIFMove(g.Position(), ply.Move, last)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%4d %s\n", i+1, text)
		if ply.Comment != "" {
			b.WriteString("*" + oneLine(ply.Comment) + "\n")
		}
		if err := g.Play(ply.Move); err != nil {
			return err
		}
		last = ply.Move.To()
	}
	b.WriteString(fmt.Sprintf("%4s %s\n", strconv.Itoa(len(rec.Moves)+1), kifEnd(g, rec.Result)))
	_, err = io.WriteString(w, b.String())
	return err
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// kifEnd is the word for how a game ended.
func kifEnd(g *rules.Game, result string) string {
	winner := map[string]int{"1-0": 0, "0-1": 1}
	o, over := g.Outcome()
	switch side, decided := winner[result]; {
	case result == "1/2-1/2" && over && o.Reason == rules.Repetition:
		return kifRepeats
	case result == "1/2-1/2":
		return kifDraw
	case !decided:
		return kifStops
	case side == int(g.Position().Turn()):
		return kifFoul
	case over && o.Reason == rules.Mate:
		return kifMated
	}
	return kifResigns
}
