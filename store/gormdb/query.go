package gormdb

import (
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"hoplite/store"
)

// assignments are the columns that an update sets.
type assignments []clause.Assigner

func (s *assignments) add(column string, value any) {
	*s = append(*s, clause.Assignment{Column: clause.Column{Name: column}, Value: value})
}

// put adds a column if there is a value for it.
func put[T any](s *assignments, column string, value *T) {
	if value != nil {
		s.add(column, *value)
	}
}

func putAs[T, V any](s *assignments, column string, value *T, as func(T) V) {
	if value != nil {
		s.add(column, as(*value))
	}
}

// one turns the count of an update that must meet a row into an error.
func one(n int, err error) error {
	if err == nil && n == 0 {
		return gorm.ErrRecordNotFound
	}
	return err
}

// missing makes "no such record" of a key that the database refuses to look
// for, such as text with a zero byte on PostgreSQL.
func missing(err error) error {
	if kind := kindOf(err); kind != nil && errors.Is(kind, store.ErrInvalid) {
		return store.ErrNotFound
	}
	return err
}

// chunk keeps lists of parameters below every database's limit.
const chunk = 500

func inChunks[K, T any](keys []K, read func([]K) ([]T, error)) ([]T, error) {
	var out []T
	for len(keys) > 0 {
		n := min(chunk, len(keys))
		part, err := read(keys[:n])
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
		keys = keys[n:]
	}
	return out, nil
}

// inOrder sorts records by the order of their keys.
func inOrder[T any](keys []string, list []T, key func(T) string) []T {
	byKey := make(map[string]T, len(list))
	for _, x := range list {
		byKey[key(x)] = x
	}
	out := make([]T, 0, len(list))
	for _, k := range keys {
		if x, ok := byKey[k]; ok {
			out = append(out, x)
			delete(byKey, k)
		}
	}
	return out
}
