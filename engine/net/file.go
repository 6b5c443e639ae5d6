package net

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
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
		if n, err := trained(name, r, evaluation); err == nil && n != nil {
			return n
		}
	}
	return nil
}

// trained makes the trained network of a name, or nil if it does not serve the
// game with these weights.
func trained(name string, r *rules.Rules, evaluation string) (*Net, error) {
	text, err := files.ReadFile(fileOf(name))
	if err != nil {
		return nil, fmt.Errorf("net: %w", err)
	}
	in := bufio.NewReader(bytes.NewReader(text))
	f := &File{}
	if err := f.readHeading(in); err != nil || f.Evaluation != evaluation || !slices.Contains(f.Games, r.Key()) {
		return nil, err
	}
	if err := f.Weights.read(in); err != nil {
		return nil, err
	}
	return f.Network(r)
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
	list, _ := fs.Glob(files, fileOf("*")) // the pattern is well formed
	for _, file := range list {
		names = append(names, strings.TrimSuffix(path.Base(file), ending))
	}
	return names
}

const ending = ".net"

func fileOf(name string) string { return "trained/" + name + ending }

// Open reads a trained network.
func Open(name string) (*File, error) {
	f, err := files.Open(fileOf(name))
	if err != nil {
		return nil, fmt.Errorf("net: %w", err)
	}
	defer f.Close()
	return Read(f)
}

// Read reads a network.
func Read(from io.Reader) (*File, error) {
	text := bufio.NewReader(from)
	f := &File{}
	if err := f.readHeading(text); err != nil {
		return nil, err
	}
	if err := f.Weights.read(text); err != nil {
		return nil, err
	}
	return f, nil
}

// readHeading reads all but the weights, for which it makes room.
func (f *File) readHeading(text *bufio.Reader) error {
	f.Weights = &Weights{}
	for n := 0; ; n++ {
		line, err := text.ReadString('\n')
		if err != nil {
			return fmt.Errorf("net: in its heading: %w", noEnd(err))
		}
		line = strings.TrimSuffix(line, "\n")
		key, value, _ := strings.Cut(line, " ")
		switch {
		case n == 0 && line != magic:
			return fmt.Errorf("net: begins with %q, not with %q", line, magic)
		case n == 0:
		case line == "":
			return nil
		case key == "games":
			f.Games = strings.Fields(value)
		case key == "evaluation":
			f.Evaluation = value
		case key == "made":
			f.Made += value + "\n"
		case key == "features":
			features, err := strconv.Atoi(value)
			if err != nil || features <= 0 || features > math.MaxUint16 {
				return fmt.Errorf("net: %q is no number of features", value)
			}
			f.Weights.Features = make([][Hidden]int16, features)
		case key == "neurons":
			if value != strconv.Itoa(Hidden) {
				return fmt.Errorf("net: %q neurons, not %d", value, Hidden)
			}
		default:
			return fmt.Errorf("net: unknown line %q", line)
		}
	}
}

// read reads the weights into the room that there is.
func (w *Weights) read(text *bufio.Reader) error {
	for p, most := range w.all {
		v, err := readVarint(text, most)
		if err != nil {
			return err
		}
		*p = int16(v)
	}
	v, err := readVarint(text, mostBase)
	w.Base = int32(v)
	return err
}

// readVarint reads a weight that is at most so far from 0.
func readVarint(text *bufio.Reader, most int64) (int64, error) {
	v, err := binary.ReadVarint(text)
	if err != nil {
		return 0, fmt.Errorf("net: in its weights: %w", noEnd(err))
	}
	if v < -most || v > most {
		return 0, fmt.Errorf("net: a weight of %d, where %d is the most", v, most)
	}
	return v, nil
}

// all lists the weights but the base, in the order of a file, with how far from
// 0 they may be.
func (w *Weights) all(yield func(*int16, int64) bool) {
	list := func(part []int16, most int64) bool {
		for i := range part {
			if !yield(&part[i], most) {
				return false
			}
		}
		return true
	}
	for f := range w.Features {
		if !list(w.Features[f][:], mostFeature) {
			return
		}
	}
	_ = list(w.Bias[:], mostFeature) && list(w.Out[:], mostOut)
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
