package net

import (
	"bufio"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"hoplite/engine/rules"
)

// files holds the trained networks. They are named after the game that they
// were trained for.
//
//go:embed trained
var files embed.FS

// File is a network as it is kept: lines of text that say what it is, an empty
// line, and the weights as varints.
type File struct {
	Games []string // keys of the games that it serves
	// Evaluation is the fingerprint of the weights of the evaluation that it
	// corrects. With others it is worth nothing.
	Evaluation string
	Made       string // how it was made, some lines
	Weights    *Weights
}

const magic = "hoplite network 1"

// For returns the network that corrects the evaluation of a game by weights of
// that fingerprint, or nil if none is known.
func For(r *rules.Rules, evaluation string) *Net {
	for _, name := range Trained() {
		f, err := Open(name, r.Key())
		if err != nil || f == nil || f.Evaluation != evaluation {
			continue
		}
		if n, err := f.Network(r); err == nil {
			return n
		}
	}
	return nil
}

// Network makes the network of a file for a game that is laid out as the one
// that it was trained for.
func (f *File) Network(r *rules.Rules) (*Net, error) {
	if !Fits(r) {
		return nil, fmt.Errorf("net: %s cannot be laid out", r.Key())
	}
	l := NewLayout(r)
	if n := len(f.Weights.Features); n != l.Features() {
		return nil, fmt.Errorf("net: a network of %d features, where %s has %d", n, r.Key(), l.Features())
	}
	return New(l, f.Weights), nil
}

// Trained lists the names of the networks.
func Trained() (names []string) {
	list, _ := files.ReadDir("trained") // it is there, or this would not compile
	for _, f := range list {
		if name, ok := strings.CutSuffix(f.Name(), ".net"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Open reads a trained network if it serves the game, else it returns nil.
func Open(name, game string) (*File, error) {
	f, err := files.Open("trained/" + name + ".net")
	if err != nil {
		return nil, fmt.Errorf("net: %w", err)
	}
	defer f.Close()
	return read(f, game)
}

// Read reads a network.
func Read(from io.Reader) (*File, error) { return read(from, "") }

// read is Read that stops at the games if game, not being empty, is not among
// them.
func read(from io.Reader, game string) (*File, error) {
	text := bufio.NewReader(from)
	out := &File{}
	features := 0
	for n := 0; ; n++ {
		line, err := text.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("net: in its heading: %w", noEnd(err))
		}
		line = strings.TrimSuffix(line, "\n")
		if n == 0 {
			if line != magic {
				return nil, fmt.Errorf("net: begins with %q, not with %q", line, magic)
			}
			continue
		}
		if line == "" {
			break
		}
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "games":
			out.Games = strings.Fields(value)
			if game != "" && !slices.Contains(out.Games, game) {
				return nil, nil
			}
		case "evaluation":
			out.Evaluation = value
		case "made":
			out.Made += value + "\n"
		case "features":
			if features, err = strconv.Atoi(value); err != nil || features <= 0 || features > math.MaxUint16 {
				return nil, fmt.Errorf("net: %q is no number of features", value)
			}
		case "neurons":
			if value != strconv.Itoa(Hidden) {
				return nil, fmt.Errorf("net: %q neurons, not %d", value, Hidden)
			}
		default:
			return nil, fmt.Errorf("net: unknown line %q", line)
		}
	}
	out.Weights = &Weights{Features: make([][Hidden]int16, features)}
	for w := range out.Weights.all {
		v, err := binary.ReadVarint(text)
		if err != nil {
			return nil, fmt.Errorf("net: in its weights: %w", noEnd(err))
		}
		if v < math.MinInt16 || v > math.MaxInt16 {
			return nil, fmt.Errorf("net: a weight of %d", v)
		}
		*w = int16(v)
	}
	base, err := binary.ReadVarint(text)
	if err != nil {
		return nil, fmt.Errorf("net: in its weights: %w", noEnd(err))
	}
	if out.Weights.Base = int32(base); int64(out.Weights.Base) != base {
		return nil, fmt.Errorf("net: a base of %d", base)
	}
	return out, nil
}

// all lists the weights but the base, in the order of a file.
func (w *Weights) all(yield func(*int16) bool) {
	for f := range w.Features {
		for i := range w.Features[f] {
			if !yield(&w.Features[f][i]) {
				return
			}
		}
	}
	for i := range w.Bias {
		if !yield(&w.Bias[i]) {
			return
		}
	}
	for i := range w.Out {
		if !yield(&w.Out[i]) {
			return
		}
	}
}

func noEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Write writes a network.
func (f *File) Write(to io.Writer) error {
	var head strings.Builder
	fmt.Fprintf(&head, "%s\ngames %s\nevaluation %s\n", magic, strings.Join(f.Games, " "), f.Evaluation)
	for line := range strings.Lines(f.Made) {
		fmt.Fprintf(&head, "made %s\n", strings.TrimSuffix(line, "\n"))
	}
	fmt.Fprintf(&head, "features %d\nneurons %d\n\n", len(f.Weights.Features), Hidden)
	packed := []byte(head.String())
	for w := range f.Weights.all {
		packed = binary.AppendVarint(packed, int64(*w))
	}
	if _, err := to.Write(binary.AppendVarint(packed, int64(f.Weights.Base))); err != nil {
		return fmt.Errorf("net: %w", err)
	}
	return nil
}
