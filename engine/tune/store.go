package tune

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
)

// rowsFile is how rows are kept. Games is the number of games that they come
// from.
type rowsFile struct {
	Games                  int
	Weights                []int
	Scores, Search, Points []float32
	Held                   []bool
	Ends                   []uint32
	At                     []uint16
	Slopes                 []float32
}

// Save writes the rows of a number of games to a file, whole or not at all.
func (r *Rows) Save(path string, games int) error {
	return save(path, rowsFile{games, r.Weights, r.scores, r.search, r.points, r.held, r.ends, r.at, r.slopes})
}

// LoadRows reads the rows of so many games that were made with the weights of
// the vector. Without a file, or with one of other games or weights, it
// returns nil.
func LoadRows(path string, games int, weights []int) (*Rows, error) {
	var in rowsFile
	if err := load(path, &in); err != nil {
		return nil, err
	}
	if in.Games != games || !slices.Equal(in.Weights, weights) {
		return nil, nil
	}
	return &Rows{in.Weights, in.Scores, in.Search, in.Points, in.Held, in.Ends, in.At, in.Slopes}, nil
}

// fitFile is a checkpoint with what it belongs to.
type fitFile struct {
	Rows     int      `json:"rows"`
	From     []int    `json:"from"`
	Settings Settings `json:"settings"`
	Fit      *Fit     `json:"fit"`
}

// Save writes a checkpoint, whole or not at all.
func (f *Fit) Save(path string, rows *Rows, s Settings) error {
	s.Epochs = 0 // more may be added
	return replace(path, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(fitFile{rows.Len(), rows.Weights, s, f})
	})
}

// LoadFit reads the checkpoint of a fit of these rows with these settings.
// Without a file, or with one of another fit, it returns nil.
func LoadFit(path string, rows *Rows, s Settings) (*Fit, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	var in fitFile
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("tune: checkpoint %s: %w", path, err)
	}
	s.Epochs = 0
	if in.Rows != rows.Len() || !reflect.DeepEqual(in.Settings, s) || !slices.Equal(in.From, rows.Weights) {
		return nil, nil
	}
	return in.Fit, nil
}

// trainingFile is a checkpoint with what it belongs to.
type trainingFile struct {
	Evaluation string
	Samples    int
	Lessons    Lessons
	Training   *Training
}

// Save writes a checkpoint, whole or not at all.
func (t *Training) Save(path string, s *Samples, how Lessons) error {
	return save(path, trainingFile{s.Evaluation, s.Len(), how, t})
}

// LoadTraining reads the checkpoint of a training with these samples and
// lessons. Without a file, or with one of another training, it returns nil.
func LoadTraining(path string, s *Samples, how Lessons) (*Training, error) {
	var in trainingFile
	if err := load(path, &in); err != nil {
		return nil, err
	}
	if in.Evaluation != s.Evaluation || in.Samples != s.Len() || in.Lessons != how {
		return nil, nil
	}
	return in.Training, nil
}

// save keeps a value in a file, whole or not at all.
func save(path string, value any) error {
	return replace(path, func(w io.Writer) error { return gob.NewEncoder(w).Encode(value) })
}

// load reads a value that save kept, or leaves it as it is without the file.
func load(path string, value any) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	defer f.Close()
	if err := gob.NewDecoder(bufio.NewReader(f)).Decode(value); err != nil {
		return fmt.Errorf("tune: %s: %w", path, err)
	}
	return nil
}

// replace writes a file beside path and puts it in its place when it is
// complete.
func replace(path string, write func(io.Writer) error) error {
	f, err := os.Create(path + ".part")
	if err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	b := bufio.NewWriter(f)
	err = errors.Join(write(b), b.Flush(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	return nil
}
