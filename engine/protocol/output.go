package protocol

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// output writes whole lines from several goroutines and keeps the first error.
type output struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// line writes a line. Breaks in what is formatted become blanks.
func (o *output) line(format string, args ...any) {
	text := strings.NewReplacer("\n", " ", "\r", " ").Replace(fmt.Sprintf(format, args...))
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = io.WriteString(o.w, text+"\n")
	}
}

// Err returns the first error of writing.
func (o *output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// clip keeps an echoed word readable.
func clip(word string) string {
	const most = 40
	word = strings.ToValidUTF8(word, "?")
	if r := []rune(word); len(r) > most {
		return string(r[:most]) + "..."
	}
	return word
}
