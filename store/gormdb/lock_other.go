//go:build !unix

package gormdb

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"hoplite/store"
)

// fileLock is a file that exists while its holder runs and names it. After a
// crash it has to be removed by hand.
type fileLock struct{ path string }

func lockFile(path string) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if os.IsExist(err) {
		text, _ := os.ReadFile(path) // an unreadable file names nobody
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		return nil, fmt.Errorf("%s: %w", path, &store.LockedError{PID: pid})
	}
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	defer f.Close()
	_, err = fmt.Fprintln(f, os.Getpid())
	return &fileLock{path}, err
}

func (l *fileLock) unlock() error { return os.Remove(l.path) }
