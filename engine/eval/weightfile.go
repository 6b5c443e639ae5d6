package eval

import (
	"bufio"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/rules"
)

// files holds the tuned weights: for each family of games, and for games that
// were tuned themselves, a file named after it.
//
//go:embed weights
var files embed.FS

// kin holds lines of the keys of a game and of the game whose weights it plays
// with, for want of its own.
//
//go:embed weights/kin
var kin string

// For returns the best weights known for a game: the guess, changed by the
// file of its family, and by its own file or that of its kin if there is one.
func For(r *rules.Rules) Weights {
	w := Family(r)
	if own, err := load(r, Source(r.Key()), w); err == nil {
		return own
	}
	return w // the game has no file, or is another one of that name
}

// Source names the game whose weights a game of that key plays with, which
// may be itself.
func Source(key string) string {
	for line := range strings.Lines(kin) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == key {
			return f[1]
		}
	}
	return key
}

// Family returns the weights of the game's family of mechanisms, which its own
// file changes.
func Family(r *rules.Rules) Weights {
	w := Guess(r)
	if of, err := load(r, family(r.Definition()), w); err == nil {
		return of
	}
	return w
}

// family names the mechanisms that decide which weights suit a game.
func family(d *rules.Definition) string {
	switch {
	case d.Royal == rules.RoyalAllAttacked:
		return "family-royals"
	case d.Gate != nil:
		return "family-gating"
	case d.Hand != nil:
		return "family-drops"
	}
	return "family-plain"
}

func load(r *rules.Rules, name string, onto Weights) (Weights, error) {
	f, err := files.Open("weights/" + name + ".txt")
	if err != nil {
		return Weights{}, err
	}
	defer f.Close()
	return Read(r, f, onto)
}

// Tuned lists the names of the files of weights, without their ending.
func Tuned() []string {
	var names []string
	list, _ := fs.Glob(files, "weights/*.txt") // the pattern is well formed
	for _, f := range list {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(f, "weights/"), ".txt"))
	}
	return names
}

// Read reads a file of weights for a game: lines of the name of a weight and
// its value. What it does not name stays as in onto, which is not changed.
// Blank lines and those that begin with # say nothing, but the first comment
// should tell how the weights were made.
func Read(r *rules.Rules, text io.Reader, onto Weights) (Weights, error) {
	names := Names(r)
	v := onto.Vector()
	sc := bufio.NewScanner(text)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Fields(line)
		i := slices.Index(names, f[0])
		if i < 0 {
			return Weights{}, fmt.Errorf("weights: line %d: %s has no weight %q", n, r.Key(), f[0])
		}
		if len(f) != 2 {
			return Weights{}, fmt.Errorf("weights: line %d: %q is not a name and a value", n, line)
		}
		value, err := strconv.ParseInt(f[1], 10, 16)
		if err != nil {
			return Weights{}, fmt.Errorf("weights: line %d: %w", n, err)
		}
		v[i] = int(value)
	}
	if err := sc.Err(); err != nil {
		return Weights{}, fmt.Errorf("weights: %w", err)
	}
	w := onto.Clone()
	w.SetVector(v)
	return w, nil
}

// Write writes a file that turns the weights from into w, with a first comment
// that says how they were made.
func Write(r *rules.Rules, out io.Writer, from, w Weights, made string) error {
	b := bufio.NewWriter(out)
	for line := range strings.Lines(made) {
		fmt.Fprintln(b, "#", strings.TrimSpace(line))
	}
	before, after := from.Vector(), w.Vector()
	for i, name := range Names(r) {
		if name != "" && before[i] != after[i] {
			fmt.Fprintln(b, name, after[i])
		}
	}
	return b.Flush()
}

// File returns the text of a file of weights that Tuned lists.
func File(name string) (string, error) {
	text, err := files.ReadFile("weights/" + name + ".txt")
	return string(text), err
}
