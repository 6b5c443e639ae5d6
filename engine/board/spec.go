package board

import (
	"fmt"
	"slices"
	"strings"
)

// Shape names the geometry of a board.
type Shape string

const (
	// Rect is a rectangle of files and ranks.
	Rect Shape = "rect"
	// Mask is a rectangle with missing cells, such as a cross. The others keep the names of the full frame.
	Mask Shape = "mask"
	// Ring is a rectangle whose last file lies before the first; rank 1 is the outermost circle.
	Ring Shape = "ring"
	// Hex91 is the regular hexagon with six cells a side, its ranks counted from the bottom of each file.
	Hex91 Shape = "hex91"
	// Hex70 is the irregular hexagon of 70 cells, its ranks running down to the right.
	Hex70 Shape = "hex70"
	// Cube is a pile of five levels, A to E, of five files and ranks each.
	Cube Shape = "cube"
)

// Spec describes a board.
type Spec struct {
	Shape Shape
	// Files and Ranks are the size of rectangles, masks and rings. The other shapes have one size and may leave them 0.
	Files, Ranks int
	// Missing names the places of a mask that have no cell.
	Missing []string
	// Extra are cells beside a rectangle.
	Extra []ExtraCell
	// Lines are lines across a rectangle in addition to those of its geometry, as names of the cells in their order.
	// Neighbours in a chain must be neighbours on the board.
	Lines [][]string
	// Layers is the number of rectangles that lie behind each other, 1 or 2; 0 means 1. The names of the second begin
	// with "|".
	Layers int
}

// ExtraCell is a cell with neighbours of its own. No step, line or leap of the geometry reaches it.
type ExtraCell struct {
	// Name begins with letters and ends with digits, like the names of the other cells.
	Name       string
	Neighbours []string
	// File and Rank are the place where it is drawn, counted from the lower left corner of the rectangle as 0, 0.
	File, Rank int
}

// geometry is what differs between the shapes. Coordinates are those of the cells, whatever they mean in the geometry.
type geometry interface {
	// cells lists the coordinates of all cells, in the order of their numbers, with their files and ranks as texts.
	cells() []place
	// shift returns where v leads to from at.
	shift(at, v Vector) Vector
	turn(v Vector, h Heading) Vector
	directions() []Vector
	distance(b *Board, at Vector, h Heading) int
	// square returns file and rank as numbers from 0.
	square(at Vector) (file, rank int)
	// rows lists the coordinates as position texts list them, and what separates each row from the one before.
	rows() []row
	// frame is the size of the drawing.
	frame() (w, h float64)
	center(at Vector) (x, y float64)
	outline(at Vector) [][2]float64
	shade(at Vector) int
}

type place struct {
	at         Vector
	file, rank string
}

type row struct {
	separator string
	cells     []Vector
}

// Rectangle returns the board of the given width and height. Cell numbers rise along the files, then along the ranks,
// so cell 0 is a1 and cell 1 is b1.
func Rectangle(files, ranks int) (*Board, error) {
	return New(Spec{Shape: Rect, Files: files, Ranks: ranks})
}

// New returns the board that s describes.
func New(s Spec) (*Board, error) {
	geo, err := s.geometry()
	if err != nil {
		return nil, err
	}
	b := &Board{spec: s, geo: geo, index: map[string]Cell{}}
	for _, p := range geo.cells() {
		name := p.file + p.rank
		if p.at.Z > 0 && s.Layers > 1 {
			name = "|" + name
		}
		b.add(name, p.at)
	}
	if s.Shape == Mask {
		if err := b.mask(s.Missing); err != nil {
			return nil, err
		}
	}
	if len(b.names) == 0 || len(b.names)+len(s.Extra) > MaxCells {
		return nil, fmt.Errorf("board: %d cells", len(b.names)+len(s.Extra))
	}
	b.survey()
	if err := b.addExtra(s.Extra); err != nil {
		return nil, err
	}
	if err := b.addLines(s.Lines); err != nil {
		return nil, err
	}
	return b, nil
}

// maxRanks keeps coordinates and their differences within a Vector.
const maxRanks = 64

// geometry checks the sizes and fills in those that a shape has by itself.
func (s *Spec) geometry() (geometry, error) {
	if s.Layers < 0 || s.Layers > 2 {
		return nil, fmt.Errorf("board: %d layers", s.Layers)
	}
	flat := s.Shape == Rect || s.Shape == Mask
	if !flat && (len(s.Extra) != 0 || len(s.Lines) != 0 || s.Layers > 1) {
		return nil, fmt.Errorf("board: shape %q has no extra cells, extra lines or layers", s.Shape)
	}
	if s.Shape != Mask && len(s.Missing) != 0 {
		return nil, fmt.Errorf("board: shape %q has no missing cells", s.Shape)
	}
	fixed := func(files, ranks int) error {
		if s.Files != 0 && s.Files != files || s.Ranks != 0 && s.Ranks != ranks {
			return fmt.Errorf("board: shape %q has %d files and %d ranks, not %d and %d", s.Shape, files, ranks, s.Files, s.Ranks)
		}
		s.Files, s.Ranks = files, ranks
		return nil
	}
	switch s.Shape {
	case Rect, Mask, Ring:
		if s.Files < 1 || s.Ranks < 1 || s.Files > 26 || s.Ranks > maxRanks || s.Files*s.Ranks*max(s.Layers, 1) > MaxCells {
			return nil, fmt.Errorf("board: no rectangle of %d files and %d ranks", s.Files, s.Ranks)
		}
		if s.Shape == Ring {
			if s.Files < 5 {
				return nil, fmt.Errorf("board: no ring of %d files", s.Files)
			}
			return ring{rect{files: s.Files, ranks: s.Ranks, layers: 1}}, nil
		}
		return rect{files: s.Files, ranks: s.Ranks, layers: max(s.Layers, 1)}, nil
	case Hex91:
		return hex91, fixed(11, 11)
	case Hex70:
		return hex70, fixed(9, 10)
	case Cube:
		return cube{}, fixed(cubeSide*cubeSide, cubeSide)
	}
	return nil, fmt.Errorf("board: unknown shape %q", s.Shape)
}

func (b *Board) add(name string, at Vector) {
	b.index[name] = Cell(len(b.names))
	b.names = append(b.names, name)
	b.coord = append(b.coord, at)
}

// mask takes the missing cells out.
func (b *Board) mask(missing []string) error {
	if len(missing) == 0 {
		return fmt.Errorf("board: a mask without missing cells")
	}
	names, coord := b.names, b.coord
	for _, name := range missing {
		if _, ok := b.index[name]; !ok {
			return fmt.Errorf("board: missing cell %q is not on the board", name)
		}
	}
	b.names, b.coord, b.index = nil, nil, map[string]Cell{}
	for i, name := range names {
		if !slices.Contains(missing, strings.TrimPrefix(name, "|")) {
			b.add(name, coord[i])
		}
	}
	return nil
}

// survey builds the ways back from coordinates, and from files and ranks, to cells.
func (b *Board) survey() {
	low, high := b.coord[0], b.coord[0]
	for _, v := range b.coord {
		low = Vector{X: min(low.X, v.X), Y: min(low.Y, v.Y), Z: min(low.Z, v.Z)}
		high = Vector{X: max(high.X, v.X), Y: max(high.Y, v.Y), Z: max(high.Z, v.Z)}
	}
	b.low = low
	b.size = [3]int{int(high.X-low.X) + 1, int(high.Y-low.Y) + 1, int(high.Z-low.Z) + 1}
	b.place = make([]Cell, b.size[0]*b.size[1]*b.size[2])
	for i := range b.place {
		b.place[i] = Wall
	}
	for c, v := range b.coord {
		x, y, z := int(v.X-low.X), int(v.Y-low.Y), int(v.Z-low.Z)
		b.place[(z*b.size[1]+y)*b.size[0]+x] = Cell(c)
	}
	b.flat = make([]Cell, b.spec.Files*b.spec.Ranks)
	for i := range b.flat {
		b.flat[i] = Wall
	}
	for c := Cell(b.N()); c > 0; c-- { // the first layer comes last
		file, rank := b.Coord(c - 1)
		b.flat[rank*b.spec.Files+file] = c - 1
	}
	b.layRows()
	b.w, b.h = b.geo.frame()
}

func (b *Board) addExtra(extra []ExtraCell) error {
	if len(extra) == 0 {
		return nil
	}
	b.beside = map[Cell][]Cell{}
	low, high := 0, b.spec.Files-1
	for _, e := range extra {
		letters := strings.TrimRight(e.Name, "0123456789")
		if letters == "" || letters == e.Name || strings.Trim(letters, "abcdefghijklmnopqrstuvwxyz") != "" {
			return fmt.Errorf("board: extra cell %q: a name is letters and a number", e.Name)
		}
		if _, ok := b.index[e.Name]; ok {
			return fmt.Errorf("board: two cells %q", e.Name)
		}
		if e.Rank < 0 || e.Rank >= b.spec.Ranks || e.File < -3 || e.File >= b.spec.Files+3 ||
			e.File >= 0 && e.File < b.spec.Files {
			return fmt.Errorf("board: extra cell %s does not lie beside the board", e.Name)
		}
		if len(e.Neighbours) == 0 {
			return fmt.Errorf("board: extra cell %s without neighbours", e.Name)
		}
		c := Cell(len(b.names))
		for _, name := range e.Neighbours {
			n, ok := b.index[name]
			if !ok {
				return fmt.Errorf("board: extra cell %s: unknown neighbour %q", e.Name, name)
			}
			b.beside[c] = append(b.beside[c], n)
			b.beside[n] = append(b.beside[n], c)
		}
		b.add(e.Name, Vector{X: int8(e.File), Y: int8(e.Rank)})
		b.extra.Add(c)
		low, high = min(low, e.File), max(high, e.File)
	}
	b.left = float64(-low)
	b.w = float64(high - low + 1)
	return nil
}

func (b *Board) addLines(lines [][]string) error {
	for _, names := range lines {
		var line []Cell
		for _, name := range names {
			c, ok := b.index[name]
			if !ok {
				return fmt.Errorf("board: extra line through unknown cell %q", name)
			}
			line = append(line, c)
		}
		if len(line) < 2 {
			return fmt.Errorf("board: an extra line of %d cells", len(line))
		}
		for i := 1; i < len(line); i++ {
			next := func(v Vector) bool { return b.Step(line[i-1], v) == line[i] }
			if !slices.ContainsFunc(b.geo.directions(), next) {
				return fmt.Errorf("board: extra line from %s to %s, which are no neighbours", names[i-1], names[i])
			}
		}
		b.lines = append(b.lines, line)
	}
	return nil
}
