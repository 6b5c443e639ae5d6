// Package foreign drives chess programs of others over the protocols that they
// speak: UCI, USI, UCCI and CECP. It knows no game: names, moves and positions
// come from the definition. What a program answers is not trusted; a move that
// is not legal, silence and death are errors with a name.
package foreign

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// The reasons for which a program cannot go on.
var (
	// ErrExited says that the program ended or closed its output.
	ErrExited = errors.New("program exited")
	// ErrHung says that the program did not answer in time.
	ErrHung = errors.New("program does not answer")
)

const (
	startTimeout = 30 * time.Second // programs that load networks are slow to start
	stopGrace    = 2 * time.Second
	maxLine      = 256 << 10
)

// process is a running program with which lines are exchanged. One goroutine
// at a time may use it.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan string // closed when the program's output ends
	log    *slog.Logger
	quit   chan struct{}
	once   sync.Once
	reader sync.WaitGroup
}

// start starts a program. log may be nil.
func start(command []string, dir string, log *slog.Logger) (*process, error) {
	if len(command) == 0 {
		return nil, errors.New("engine: no command")
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", command[0], err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", command[0], err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("engine %s: %w", command[0], err)
	}
	p := &process{cmd: cmd, stdin: stdin, log: log, lines: make(chan string, 64), quit: make(chan struct{})}
	p.reader.Go(func() { p.read(stdout) })
	return p, nil
}

// read passes the program's lines on until its output ends or nobody wants
// them any more.
func (p *process) read(stdout io.Reader) {
	defer close(p.lines)
	sc := bufio.NewScanner(stdout)
	sc.Buffer(make([]byte, 0, 4096), maxLine)
	for sc.Scan() {
		select {
		case p.lines <- strings.TrimRight(sc.Text(), "\r"):
		case <-p.quit:
			return
		}
	}
}

// Send writes one line to the program.
func (p *process) Send(line string) error {
	p.log.Debug("to engine", "line", line)
	if _, err := io.WriteString(p.stdin, line+"\n"); err != nil {
		return fmt.Errorf("%w: %v", ErrExited, err)
	}
	return nil
}

// sendAll writes lines until one cannot be written.
func (p *process) sendAll(lines ...string) error {
	for _, line := range lines {
		if err := p.Send(line); err != nil {
			return err
		}
	}
	return nil
}

// next returns the next line that the program writes.
func (p *process) next(ctx context.Context) (string, error) {
	select {
	case line, ok := <-p.lines:
		if !ok {
			return "", ErrExited
		}
		p.log.Debug("from engine", "line", line)
		return line, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// wait reads until a line satisfies found, for startTimeout at most. Lines
// before it go to each, if that is not nil.
func (p *process) wait(ctx context.Context, what string, each func(string), found func(string) bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("%w: no %s in time", ErrHung, what))
	defer cancel()
	for {
		line, err := p.next(ctx)
		switch {
		case err != nil:
			return err
		case found(line):
			return nil
		case each != nil:
			each(line)
		}
	}
}

// drain drops the lines that have come and were not read.
func (p *process) drain() {
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return
			}
			p.log.Debug("from engine, unread", "line", line)
		default:
			return
		}
	}
}

// CPU returns the processor time that the program has used.
func (p *process) CPU() (time.Duration, error) { return processTime(p.cmd.Process.Pid) }

// Close asks the program to quit, and ends it if it does not.
func (p *process) Close() {
	p.once.Do(func() {
		_ = p.Send("quit") // it may be gone already
		p.stdin.Close()
		kill := time.AfterFunc(stopGrace, func() { _ = p.cmd.Process.Kill() })
		close(p.quit)
		p.reader.Wait()
		_ = p.cmd.Wait() // how a program that was told to quit ends says nothing
		kill.Stop()
	})
}

// kill ends a program that no longer listens.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may be gone already
	p.Close()
}
