package variantfile

import (
	_ "embed"
	"fmt"
	"strings"

	"hoplite/engine/rules"
)

// ReadINI reads the games of a text in the format of Fairy-Stockfish's variants.ini: sections [name] or [name:parent] with
// lines "option = value". A parent is an earlier section or one of the games of builtin.ini. An option whose mechanism we
// do not have is an error that names it, unless its value asks for nothing; a file is read as a whole or not at all. It
// fails with *Error. file is only used in errors.
func ReadINI(file, text string) ([]*rules.Definition, error) {
	recipes := map[string]*recipe{}
	if _, err := readRecipes("builtin.ini", builtin, recipes); err != nil {
		return nil, err
	}
	sections, err := readRecipes(file, text, recipes)
	if err != nil {
		return nil, err
	}
	var list []*rules.Definition
	for _, s := range sections {
		d, err := recipes[s.name].definition(s.name)
		if err == nil {
			_, err = rules.Compile(d)
		}
		if err != nil {
			return nil, &Error{File: file, Line: s.line, Field: s.name, Reason: err.Error()}
		}
		list = append(list, d)
	}
	return list, nil
}

//go:embed builtin.ini
var builtin string

// readRecipes builds the games of a text on those that are there already, and adds them.
func readRecipes(file, text string, built map[string]*recipe) ([]section, error) {
	sections, err := splitINI(file, text)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, s := range sections {
		fail := func(line int, field, format string, args ...any) error {
			return &Error{File: file, Line: line, Field: s.name + field, Reason: fmt.Sprintf(format, args...)}
		}
		if own[s.name] {
			return nil, fail(s.line, "", "given twice")
		}
		own[s.name] = true
		b := newRecipe()
		if s.parent != "" {
			parent, ok := built[s.parent]
			if !ok {
				return nil, fail(s.line, "", "no game %q can be a parent here", s.parent)
			}
			b = parent.clone()
		}
		for _, o := range s.options {
			if err := b.set(o.key, o.value); err != nil {
				return nil, fail(o.line, "."+o.key, "%v", err)
			}
		}
		built[s.name] = b
	}
	return sections, nil
}

type section struct {
	name, parent string
	line         int
	options      []option
}

type option struct {
	key, value string
	line       int
}

// splitINI cuts a text into sections. Comments begin with # or ; at the start of a line.
func splitINI(file, text string) ([]section, error) {
	var list []section
	for i, line := range strings.Split(text, "\n") {
		fail := func(format string, args ...any) error {
			return &Error{File: file, Line: i + 1, Reason: fmt.Sprintf(format, args...)}
		}
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if line[0] == '[' {
			inner, ok := strings.CutSuffix(line[1:], "]")
			if !ok {
				return nil, fail("a section without a closing bracket")
			}
			name, parent, _ := strings.Cut(inner, ":")
			s := section{name: strings.TrimSpace(name), parent: strings.TrimSpace(parent), line: i + 1}
			if s.name == "" {
				return nil, fail("a section without a name")
			}
			list = append(list, s)
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fail("neither a section nor an option with a value")
		}
		if len(list) == 0 {
			return nil, fail("an option before the first section")
		}
		s := &list[len(list)-1]
		s.options = append(s.options, option{key: strings.TrimSpace(key), value: strings.TrimSpace(value), line: i + 1})
	}
	return list, nil
}
