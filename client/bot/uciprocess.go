package bot

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

const (
	uciStartTimeout = 30 * time.Second // programs that load networks are slow to start
	uciStopGrace    = 2 * time.Second
	uciMaxLine      = 256 << 10
)

// errUCIExited says that the program ended or closed its output.
var errUCIExited = errors.New("program exited")

// uciProcess is a running UCI program. One goroutine at a time may use it.
type uciProcess struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	lines   chan string // closed when the program's output ends
	options map[string]uciOption
	name    string
	log     *slog.Logger
	quit    chan struct{}
	once    sync.Once
	reader  sync.WaitGroup
}

// startUCI starts the program and waits for its uciok.
func startUCI(ctx context.Context, command []string, dir string, log *slog.Logger) (*uciProcess, error) {
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
	p := &uciProcess{
		cmd: cmd, stdin: stdin, log: log,
		lines:   make(chan string, 64),
		options: map[string]uciOption{},
		quit:    make(chan struct{}),
	}
	p.reader.Go(func() { p.read(stdout) })
	if err := p.handshake(ctx); err != nil {
		p.close()
		return nil, fmt.Errorf("engine %s: %w", command[0], err)
	}
	return p, nil
}

// read passes the program's lines on until its output ends or nobody wants
// them any more.
func (p *uciProcess) read(stdout io.Reader) {
	defer close(p.lines)
	sc := bufio.NewScanner(stdout)
	sc.Buffer(make([]byte, 0, 4096), uciMaxLine)
	for sc.Scan() {
		select {
		case p.lines <- sc.Text():
		case <-p.quit:
			return
		}
	}
}

func (p *uciProcess) send(line string) error {
	p.log.Debug("to engine", "line", line)
	if _, err := io.WriteString(p.stdin, line+"\n"); err != nil {
		return fmt.Errorf("%w: %v", errUCIExited, err)
	}
	return nil
}

// next returns the next line that the program writes.
func (p *uciProcess) next(ctx context.Context) (string, error) {
	select {
	case line, ok := <-p.lines:
		if !ok {
			return "", errUCIExited
		}
		p.log.Debug("from engine", "line", line)
		return line, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

func (p *uciProcess) handshake(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, uciStartTimeout, errors.New("no uciok in time"))
	defer cancel()
	if err := p.send("uci"); err != nil {
		return err
	}
	for {
		line, err := p.next(ctx)
		if err != nil {
			return err
		}
		switch {
		case strings.HasPrefix(line, "id name "):
			p.name = strings.TrimSpace(line[len("id name "):])
		case strings.TrimSpace(line) == "uciok":
			return nil
		default:
			if o, ok := parseUCIOption(line); ok {
				p.options[strings.ToLower(o.Name)] = o
			}
		}
	}
}

// ready waits until the program has worked off what it was sent.
func (p *uciProcess) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, uciStartTimeout, errors.New("no readyok in time"))
	defer cancel()
	if err := p.send("isready"); err != nil {
		return err
	}
	for {
		line, err := p.next(ctx)
		if err != nil {
			return err
		}
		if strings.TrimSpace(line) == "readyok" {
			return nil
		}
	}
}

// set changes an option; false means that the program does not have it.
func (p *uciProcess) set(name, value string) (bool, error) {
	o, ok := p.options[strings.ToLower(name)]
	if !ok {
		return false, nil
	}
	if o.Type == "button" {
		return true, p.send("setoption name " + o.Name)
	}
	return true, p.send("setoption name " + o.Name + " value " + value)
}

// search runs one search. When the context ends it stops the program and takes
// its answer off the line, so that the process can be used again; a program
// that does not answer is given up with errUCIExited.
func (p *uciProcess) search(ctx context.Context, position, command string) (Choice, error) {
	var c Choice
	if err := p.send(position); err != nil {
		return c, err
	}
	if err := p.send(command); err != nil {
		return c, err
	}
	wait, stopped := ctx, false
	for {
		line, err := p.next(wait)
		switch {
		case errors.Is(err, errUCIExited):
			return c, err
		case err != nil && stopped:
			return c, fmt.Errorf("%w: no bestmove after stop", errUCIExited)
		case err != nil:
			if err := p.send("stop"); err != nil {
				return c, err
			}
			grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), uciStopGrace)
			defer cancel()
			wait, stopped = grace, true
			continue
		}
		if move, ok := parseUCIBestMove(line); ok {
			if stopped {
				return c, context.Cause(ctx)
			}
			c.Move = move
			return c, nil
		}
		parseUCIInfo(line, &c)
	}
}

// close asks the program to quit, and ends it if it does not.
func (p *uciProcess) close() {
	p.once.Do(func() {
		_ = p.send("quit") // it may be gone already
		p.stdin.Close()
		kill := time.AfterFunc(uciStopGrace, func() { _ = p.cmd.Process.Kill() })
		close(p.quit)
		p.reader.Wait()
		_ = p.cmd.Wait() // how a program that was told to quit ends says nothing
		kill.Stop()
	})
}
