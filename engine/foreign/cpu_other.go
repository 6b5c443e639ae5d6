//go:build !linux

package foreign

import (
	"errors"
	"time"
)

var errNoClock = errors.New("processor time is measured on Linux only")

func processTime(int) (time.Duration, error) { return 0, errNoClock }

// ThreadTime returns the processor time that the calling thread has used.
func ThreadTime() (time.Duration, error) { return 0, errNoClock }
