package protocol

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// maxLine bounds a command. A position with a thousand moves has some 6 kB.
const maxLine = 1 << 20

// readLines sends the lines of r until its end or the end of ctx, then closes
// the channel and gives the error of reading, nil at the end of the input.
// Lines longer than maxLine come cut off, so that they are answered as the
// nonsense they are.
func readLines(ctx context.Context, r io.Reader) (<-chan string, <-chan error) {
	lines := make(chan string)
	result := make(chan error, 1)
	go func() {
		defer close(lines)
		br := bufio.NewReaderSize(r, 1<<16)
		var line []byte
		for {
			part, err := br.ReadSlice('\n')
			line = append(line, part[:min(len(part), maxLine-len(line))]...)
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if len(line) > 0 {
				select {
				case lines <- string(line):
				case <-ctx.Done():
					result <- nil
					return
				}
				line = line[:0]
			}
			if err != nil {
				if errors.Is(err, io.EOF) {
					err = nil
				}
				result <- err
				return
			}
		}
	}()
	return lines, result
}
