package main

import (
	"encoding/json"
	"errors"
	"io"
	"iter"
	"text/tabwriter"
)

// printRecords writes each record as a row of a table, whose cells end with
// tabs, or as one JSON object a line.
func printRecords[T any](w io.Writer, records iter.Seq2[T, error], asJSON bool, object func(T) map[string]any, row func(T) string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	lines := json.NewEncoder(w)
	write := func(r T) error {
		if asJSON {
			return lines.Encode(object(r))
		}
		_, err := io.WriteString(t, row(r)+"\n")
		return err
	}
	for r, err := range records {
		if err == nil {
			err = write(r)
		}
		if err != nil {
			return errors.Join(err, t.Flush())
		}
	}
	return t.Flush()
}
