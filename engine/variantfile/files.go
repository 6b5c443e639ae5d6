// Package variantfile reads games from files that an operator writes: definitions in YAML, and the variants.ini of
// Fairy-Stockfish.
//
// A YAML file holds one definition. Its keys are the fields of rules.Definition in lowerCamelCase; field by field what
// their comments say holds here as well. With "parent", the file states the difference from a game of the catalogue:
// fields that are given replace those of the parent, but types of men and sides are matched by their letter, so that one
// of them can be changed or added alone; "without" takes types away.
package variantfile

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

// Error is a definition that cannot be read or contradicts itself.
type Error struct {
	// File is the name of the file, Line the line at fault, counted from 1, or 0 if no line can be named.
	File string
	Line int
	// Field is the way to the field at fault, such as pieces[Q].betza; empty for the file as a whole.
	Field  string
	Reason string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteString(":" + strconv.Itoa(e.Line))
	}
	if e.Field != "" {
		b.WriteString(": " + e.Field)
	}
	return b.String() + ": " + e.Reason
}

// Finder finds the definition with the given key. Reading changes a copy of it.
type Finder func(key string) (*rules.Definition, bool)

// Parents finds the definitions of a set of games.
func Parents(set *variant.Set) Finder {
	return func(key string) (*rules.Definition, bool) {
		r, ok := set.Get(key)
		if !ok {
			return nil, false
		}
		return r.Definition(), true
	}
}

// Catalogue compiles all games, with those of the files in dir if it is not empty.
func Catalogue(dir string) (*variant.Set, error) {
	set, err := variant.Catalogue()
	if err != nil || dir == "" {
		return set, err
	}
	own, err := ReadDir(dir, Parents(set))
	if err != nil {
		return nil, err
	}
	return variant.Compile(append(variant.All(), own...))
}

// maxFile bounds the size of a file that is read.
const maxFile = 1 << 20

// readText reads a file of bounded size.
func readText(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		return nil, &Error{File: filepath.Base(path), Reason: fmt.Sprintf("longer than %d bytes", maxFile)}
	}
	return text, err
}

// ReadFiles reads the games of one file: YAML, or the format of variants.ini if its name ends in .ini. It fails with
// *Error, or an error of the file system.
func ReadFiles(path string, parents Finder) ([]*rules.Definition, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	if filepath.Ext(path) == ".ini" {
		return ReadINI(name, string(text))
	}
	d, err := Read(name, text, parents)
	if err != nil {
		return nil, err
	}
	return []*rules.Definition{d}, nil
}

// ReadDir reads all files of a folder that end in .yaml, .yml or .ini, in the order of their names, and compiles them.
// Games of earlier files may be parents of later ones.
func ReadDir(dir string, parents Finder) ([]*rules.Definition, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []*rules.Definition
	find := func(key string) (*rules.Definition, bool) {
		for _, d := range list {
			if d.Key == key {
				return d, true
			}
		}
		return parents(key)
	}
	for _, entry := range entries {
		name := entry.Name()
		if ext := filepath.Ext(name); entry.IsDir() || ext != ".yaml" && ext != ".yml" && ext != ".ini" {
			continue
		}
		read, err := ReadFiles(filepath.Join(dir, name), find)
		if err != nil {
			return nil, err
		}
		for _, d := range read {
			if _, known := find(d.Key); known {
				return nil, &Error{File: name, Field: "key", Reason: fmt.Sprintf("there is a game %q already", d.Key)}
			}
			list = append(list, d)
		}
	}
	return list, nil
}
