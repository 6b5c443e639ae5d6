package variantfile

import (
	"errors"
	"strings"

	"hoplite/engine/rules"
)

// explain turns what the compilation of a definition says into an error that names the line of the field at fault, or the
// nearest field above it that the file gives.
func (r *reader) explain(err error) *Error {
	out := &Error{File: r.file, Reason: err.Error()}
	var bad *rules.DefinitionError
	if !errors.As(err, &bad) {
		return out
	}
	out.Field, out.Reason = bad.Field, bad.Err.Error()
	for way := bad.Field; way != ""; {
		if line, ok := r.lines[way]; ok {
			out.Line = line
			break
		}
		way = way[:max(strings.LastIndexAny(way, ".["), 0)]
	}
	return out
}
