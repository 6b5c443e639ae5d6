package gormdb

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gorm.io/gorm/schema"
)

func models() []any {
	return []any{
		accountRow{}, perfRow{}, sessionRow{}, tokenRow{}, authCodeRow{}, challengeRow{}, seekRow{}, gameRow{}, gamePlayerRow{},
		actionRow{}, puzzleRow{}, attemptRow{}, currentPuzzleRow{}, auditRow{}, inviteRow{},
		reportRow{}, mailCodeRow{}, secondFactorRow{}, recoveryCodeRow{}, linkedIdentityRow{}, metaRow{}, heartbeatRow{}, leaseRow{}, nodeRow{},
		relationRow{}, noteRow{}, importRow{}, bookmarkRow{}, externalEngineRow{},
		ratingDayRow{},
	}
}

// CheckSchema compares the tables with what this program reads and writes, and
// returns every difference.
func (db *DB) CheckSchema(ctx context.Context) error {
	var errs []error
	var cache sync.Map
	for _, m := range models() {
		s, err := schema.Parse(m, &cache, schema.NamingStrategy{})
		if err != nil {
			return err
		}
		have, err := db.columns(ctx, s.Table)
		if err != nil {
			return fail(ctx, err, "table %s", s.Table)
		}
		for _, f := range s.Fields {
			want := kind(f.FieldType)
			if got := have[f.DBName]; got != want {
				errs = append(errs, fmt.Errorf("column %s.%s is %q, want %q", s.Table, f.DBName, got, want))
			}
			delete(have, f.DBName)
		}
		for name := range have {
			errs = append(errs, fmt.Errorf("column %s.%s is unknown", s.Table, name))
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// columns returns the kinds of a table's columns by name.
func (db *DB) columns(ctx context.Context, table string) (map[string]string, error) {
	text := "SELECT name, type FROM pragma_table_info(?)"
	if db.sql.postgres {
		text = `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
			WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped`
	}
	var rows []struct{ Name, Type string }
	if err := db.b.reader().WithContext(ctx).Raw(text, table).Scan(&rows).Error; err != nil {
		return nil, err
	}
	out := make(map[string]string, len(rows))
	for _, r := range rows {
		out[r.Name] = columnKind(r.Type)
	}
	return out, nil
}

// columnKind is what a database's type holds, whatever the database calls it.
func columnKind(declared string) string {
	name := strings.ToLower(declared)
	switch name {
	case "bigint", "integer":
		return "int"
	case "double precision", "real":
		return "float"
	case "boolean":
		return "bool"
	case "bytea", "blob":
		return "bytes"
	}
	return name
}

func kind(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Int64:
		return "int"
	case reflect.Float64:
		return "float"
	case reflect.Bool:
		return "bool"
	case reflect.Slice:
		return "bytes"
	}
	return t.String()
}
