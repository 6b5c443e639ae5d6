package gormdb

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"hoplite/store/migrations"
)

// table is a table of a database as it is, not as this program would make it.
type table struct {
	name    string
	columns []column
}

type column struct {
	name     string
	kind     string // text, int, float, bool or bytes
	nullable bool
}

// passing reports whether a table says who serves this very database at present. That does not come along: a copy is
// served by nobody yet.
func passing(name string) bool { return name == "leases" || name == "nodes" }

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func (t table) names() []string {
	out := make([]string, len(t.columns))
	for i, c := range t.columns {
		out[i] = c.name
	}
	return out
}

// list is the columns for a statement.
func (t table) list() string {
	quoted := t.names()
	for i, name := range quoted {
		quoted[i] = quote(name)
	}
	return strings.Join(quoted, ", ")
}

// tablesOf returns every table that a copy takes along (not that of the schema's version, nor passing ones), with the columns in the order of their names, and each
// table after those that it refers to.
func tablesOf(ctx context.Context, d migrations.Dialect, c *sql.Conn) ([]table, error) {
	columns := `SELECT m.name, c.name, c.type, c."notnull" = 0 AND c.pk = 0 FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY 1, 2`
	references := `SELECT m.name, f."table" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`
	if d == migrations.Postgres {
		columns = `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull
			FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
			WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
			ORDER BY c.relname COLLATE "C", a.attname COLLATE "C"`
		references = `SELECT f.relname, t.relname FROM pg_constraint r JOIN pg_class f ON f.oid = r.conrelid JOIN pg_class t ON t.oid = r.confrelid
			WHERE r.contype = 'f' AND r.connamespace = current_schema()::regnamespace`
	}
	var tables []table
	var name string
	var col column
	err := each(ctx, c, columns, []any{&name, &col.name, &col.kind, &col.nullable}, func() {
		if name == migrations.VersionTable || passing(name) {
			return
		}
		if len(tables) == 0 || tables[len(tables)-1].name != name {
			tables = append(tables, table{name: name})
		}
		col.kind = columnKind(col.kind)
		t := &tables[len(tables)-1]
		t.columns = append(t.columns, col)
	})
	if err != nil {
		return nil, err
	}
	needs := map[string][]string{}
	var from, to string
	if err := each(ctx, c, references, []any{&from, &to}, func() { needs[from] = append(needs[from], to) }); err != nil {
		return nil, err
	}
	return referredFirst(tables, needs)
}

// each calls f for every row, which it has scanned into dest.
func each(ctx context.Context, c *sql.Conn, query string, dest []any, f func()) error {
	rows, err := c.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		f()
	}
	return rows.Err()
}

// referredFirst puts each table after those that it needs; itself does not count.
func referredFirst(tables []table, needs map[string][]string) ([]table, error) {
	var out []table
	done := map[string]bool{}
	for len(out) < len(tables) {
		before := len(out)
		for _, t := range tables {
			waits := slices.ContainsFunc(needs[t.name], func(n string) bool { return n != t.name && !done[n] })
			if !done[t.name] && !waits {
				done[t.name] = true
				out = append(out, t)
			}
		}
		if len(out) == before {
			return nil, errors.New("tables refer to each other in a circle")
		}
	}
	return out, nil
}

// sameTables makes sure that nothing of the one has no place in the other.
func sameTables(from, to []table) error {
	describe := func(tables []table) map[string]string {
		out := map[string]string{}
		for _, t := range tables {
			for _, c := range t.columns {
				out[t.name+"."+c.name] = c.kind
			}
		}
		return out
	}
	have, want := describe(to), describe(from)
	for name, kind := range want {
		if have[name] != kind {
			return fmt.Errorf("column %s is %q, and %q where it goes to: want an empty database without tables", name, kind, have[name])
		}
		delete(have, name)
	}
	for name := range have {
		return fmt.Errorf("column %s is only where the copy goes to: want an empty database without tables", name)
	}
	return nil
}

// scan reads all rows of a table one by one. The values are int64, float64, bool, string, []byte or nil, whatever the
// database's driver makes of them, and good until f returns.
func (t table) scan(ctx context.Context, c *sql.Conn, f func(values []any) error) error {
	rows, err := c.QueryContext(ctx, "SELECT "+t.list()+" FROM "+quote(t.name))
	if err != nil {
		return err
	}
	defer rows.Close()
	values := make([]any, len(t.columns))
	cells := make([]cell, len(t.columns))
	dest := make([]any, len(t.columns))
	for i, col := range t.columns {
		cells[i].column = col
		dest[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		for i := range cells {
			values[i] = cells[i].value
		}
		if err := f(values); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
	}
	return rows.Err()
}

// cell is one value on its way, in the form of its column's kind.
type cell struct {
	column
	value any
}

// Scan implements sql.Scanner.
func (c *cell) Scan(src any) error {
	if src == nil && c.nullable {
		c.value = nil
		return nil
	}
	var err error
	switch c.kind {
	case "int":
		c.value, err = convert[int64](src)
	case "float":
		c.value, err = convert[float64](src)
	case "bool":
		c.value, err = convert[bool](src)
	case "text":
		c.value, err = convert[string](src)
	case "bytes":
		var b []byte
		b, err = convert[[]byte](src)
		// A driver may say nil for no bytes.
		c.value = append([]byte{}, b...)
	default:
		err = fmt.Errorf("column %s has the unknown type %s", c.name, c.kind)
	}
	return err
}

func convert[T any](src any) (T, error) {
	var v sql.Null[T]
	err := v.Scan(src)
	return v.V, err
}

// digest is a sum over the rows of a table that does not depend on their order.
type digest struct {
	seed maphash.Seed
	rows int64
	sum  uint64
	row  []byte
}

func (d *digest) add(values []any) {
	b := d.row[:0]
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			b = append(b, 'n')
		case int64:
			b = binary.BigEndian.AppendUint64(append(b, 'i'), uint64(v))
		case float64:
			b = binary.BigEndian.AppendUint64(append(b, 'f'), math.Float64bits(v))
		case bool:
			b = append(b, 'b', '0')
			if v {
				b[len(b)-1] = '1'
			}
		case string:
			b = append(binary.BigEndian.AppendUint64(append(b, 's'), uint64(len(v))), v...)
		case []byte:
			b = append(binary.BigEndian.AppendUint64(append(b, 'x'), uint64(len(v))), v...)
		}
	}
	d.row = b
	d.rows++
	d.sum += maphash.Bytes(d.seed, b)
}
