package foreign

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// processClock is the part of the number of a process's clock that says what
// it counts: time on a processor, to the nanosecond, of all threads.
const processClock = 2

// processTime returns the processor time that a process has used, the threads
// that have ended included.
func processTime(pid int) (time.Duration, error) {
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|processClock), &ts); err != nil {
		return 0, fmt.Errorf("processor time of process %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// ThreadTime returns the processor time that the calling thread has used. The
// caller keeps to its thread with runtime.LockOSThread.
func ThreadTime() (time.Duration, error) {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		return 0, fmt.Errorf("processor time of the thread: %w", err)
	}
	return time.Duration(ts.Nano()), nil
}
