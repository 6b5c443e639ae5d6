package gormdb

import (
	"strconv"
	"strings"
	"sync"

	"hoplite/store/migrations"
)

// statements keeps the text of the game path's statements, which are made for
// numbers of rows that are powers of two: few texts, so that PostgreSQL's
// connections keep them prepared, and few executions.
type statements struct {
	postgres bool
	mu       sync.Mutex
	text     map[statement]string
}

type statement struct {
	kind string
	rows int
}

func newStatements(d migrations.Dialect) *statements {
	return &statements{postgres: d == migrations.Postgres, text: map[statement]string{}}
}

// get returns the text for so many rows, with the database's placeholders.
func (s *statements) get(kind string, rows int, build func(rows int) string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := statement{kind, rows}
	text, ok := s.text[key]
	if !ok {
		text = s.number(build(rows))
		s.text[key] = text
	}
	return text
}

// number turns the question marks into what the database understands. The
// statements of the game path have none within quotes.
func (s *statements) number(text string) string {
	if !s.postgres {
		return text
	}
	var b strings.Builder
	n := 0
	for _, c := range text {
		if c != '?' {
			b.WriteRune(c)
			continue
		}
		n++
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// values returns rows of placeholders for VALUES. PostgreSQL needs the types
// where nothing else tells them; an empty type needs none.
func (s *statements) values(rows int, types ...string) string {
	var b strings.Builder
	for r := range rows {
		if r > 0 {
			b.WriteByte(',')
		}
		for i, t := range types {
			if i == 0 {
				b.WriteByte('(')
			} else {
				b.WriteByte(',')
			}
			b.WriteByte('?')
			if s.postgres && r == 0 && t != "" {
				b.WriteString("::" + t)
			}
		}
		b.WriteByte(')')
	}
	return b.String()
}

// sizes calls f for consecutive parts of n rows whose sizes are powers of two
// up to most.
func sizes(n, most int, f func(from, to int) error) error {
	for from := 0; from < n; {
		size := most
		for size > n-from {
			size /= 2
		}
		if err := f(from, from+size); err != nil {
			return err
		}
		from += size
	}
	return nil
}
