package rules

import (
	"strconv"
	"strings"

	"hoplite/engine/board"
)

// readBoard reads the rows of a position text in the order and with the separators of the board. A man behind a bar
// stands on the second layer.
func (r *Rules) readBoard(s *Setup, text string) error {
	rows, separators := r.board.Rows(), r.board.RowSeparators()
	marks := strings.Join(separators, "")
	between := func(c rune) bool { return strings.ContainsRune(marks, c) }
	if n := 1 + strings.Count(strings.Map(func(c rune) rune {
		if between(c) {
			return '/'
		}
		return -1
	}, text), "/"); n != len(rows) {
		return badFEN("board", "%d ranks instead of %d", n, len(rows))
	}
	for i, row := range rows {
		end := strings.IndexFunc(text, between)
		if end < 0 {
			end = len(text)
		}
		if err := r.readRow(s, text[:end], row); err != nil {
			return err
		}
		if i == len(separators) {
			break
		}
		if !strings.HasPrefix(text[end:], separators[i]) {
			return badFEN("board", "%q and not %q separates rank %s from the next", text[end], separators[i], r.rowName(row))
		}
		text = text[end+1:]
	}
	return nil
}

// rowName returns what the names of the cells in a row have in common: the rank, in the cube with the level before it.
func (r *Rules) rowName(row []Cell) string {
	for _, c := range row {
		if file := r.board.FileName(c); c != board.Wall {
			return file[:len(file)-1] + r.board.RankName(c)
		}
	}
	return ""
}

func (r *Rules) readRow(s *Setup, text string, row []Cell) error {
	name := r.rowName(row)
	at := 0
	for text != "" {
		if n := len(text) - len(strings.TrimLeft(text, "0123456789")); n > 0 {
			empty, err := strconv.Atoi(text[:n])
			if err != nil || text[0] == '0' || empty > len(row) {
				return badFEN("board", "%q empty cells in rank %s", text[:n], name)
			}
			at += empty
			text = text[n:]
			continue
		}
		behind := r.board.Layers() > 1 && text[0] == '|'
		if behind {
			if text = text[1:]; text == "" {
				return badFEN("board", "rank %s ends with a bar", name)
			}
		}
		q, n, err := r.readMan(text, "board")
		if err != nil {
			return err
		}
		if at >= len(row) || row[at] == board.Wall {
			return badFEN("board", "rank %s has more than %d files", name, len(row))
		}
		c := row[at]
		if behind {
			c = r.board.Across(c)
		}
		s.Cells[c] = q
		at++
		text = text[n:]
	}
	if at != len(row) {
		return badFEN("board", "rank %s has %d files instead of %d", name, at, len(row))
	}
	return nil
}
