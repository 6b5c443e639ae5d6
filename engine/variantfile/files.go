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
	"slices"
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
	return With(set)(dir)
}

// With adds the games of files to a set: the function it returns takes a file or a folder of them.
func With(set *variant.Set) func(path string) (*variant.Set, error) {
	return func(path string) (*variant.Set, error) {
		var own []*rules.Definition
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			own, err = ReadDir(path, Parents(set))
		} else if err == nil {
			own, err = NewShelf(Parents(set)).Take(path)
		}
		if err != nil {
			return nil, err
		}
		var all []*rules.Definition
		for _, r := range set.List() {
			all = append(all, r.Definition())
		}
		return variant.Compile(append(all, own...))
	}
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

// Shelf takes the games of several files, each of which may start from those of the files before.
type Shelf struct {
	parents Finder
	games   []*rules.Definition
}

// NewShelf makes an empty shelf beside the games that parents finds.
func NewShelf(parents Finder) *Shelf { return &Shelf{parents: parents} }

// Games returns the games taken, in order.
func (s *Shelf) Games() []*rules.Definition { return s.games }

func (s *Shelf) find(key string) (*rules.Definition, bool) {
	for _, d := range s.games {
		if d.Key == key {
			return d, true
		}
	}
	return s.parents(key)
}

// Take reads the games of one file, compiles them and returns them: YAML, or the format of variants.ini if the name of
// the file ends in .ini. It fails with *Error, or an error of the file system, and then takes none of them.
func (s *Shelf) Take(path string) ([]*rules.Definition, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	var games []*rules.Definition
	if filepath.Ext(path) == ".ini" {
		games, err = ReadINI(name, string(text))
	} else {
		games = make([]*rules.Definition, 1)
		games[0], err = Read(name, text, s.find)
	}
	if err != nil {
		return nil, err
	}
	for i, d := range games {
		_, known := s.find(d.Key)
		if known || slices.ContainsFunc(games[:i], func(o *rules.Definition) bool { return o.Key == d.Key }) {
			return nil, &Error{File: name, Field: "key", Reason: fmt.Sprintf("there is a game %q already", d.Key)}
		}
	}
	s.games = append(s.games, games...)
	return games, nil
}

// ReadDir takes all files of a folder that end in .yaml, .yml or .ini, in the order of their names.
func ReadDir(dir string, parents Finder) ([]*rules.Definition, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	shelf := NewShelf(parents)
	for _, entry := range entries {
		if ext := filepath.Ext(entry.Name()); entry.IsDir() || ext != ".yaml" && ext != ".yml" && ext != ".ini" {
			continue
		}
		if _, err := shelf.Take(filepath.Join(dir, entry.Name())); err != nil {
			return nil, err
		}
	}
	return shelf.Games(), nil
}
