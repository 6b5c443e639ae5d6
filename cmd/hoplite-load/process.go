package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
)

// process is a program that is measured from outside.
type process struct {
	URL  string // where it answers, http://host:port
	cmd  *exec.Cmd
	proc procfs.Proc
	log  *strings.Builder
}

const (
	startPatience = 30 * time.Second
	stopPatience  = 30 * time.Second
)

var address = regexp.MustCompile(`http://[0-9.]+:[0-9]+`)

// start runs a program and waits until its output names the address that it answers at.
func start(ctx context.Context, name string, args ...string) (*process, error) {
	cmd := exec.Command(name, args...)
	p := &process{cmd: cmd, log: new(strings.Builder)}
	cmd.Stderr = p.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	found := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if url := address.FindString(lines.Text()); url != "" {
				found <- url
				break
			}
		}
		close(found)
		_, _ = io.Copy(io.Discard, out)
	}()
	select {
	case url, ok := <-found:
		if !ok {
			return nil, errors.Join(fmt.Errorf("%s ended: %s", name, p.log), p.stop())
		}
		p.URL = url
	case <-time.After(startPatience):
		return nil, errors.Join(fmt.Errorf("%s did not answer", name), p.stop())
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), p.stop())
	}
	if p.proc, err = procfs.NewProc(cmd.Process.Pid); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

// stop ends the program in order, and by force if it does not.
func (p *process) stop() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case <-ended:
		return nil
	case <-time.After(stopPatience):
		return errors.Join(errors.New("the program did not end by itself"), p.cmd.Process.Kill())
	}
}

// usage is what a program has used so far.
type usage struct {
	cpu time.Duration
	rss int64
}

func (p *process) usage() (usage, error) {
	stat, err := p.proc.Stat()
	if err != nil {
		return usage{}, err
	}
	return usage{cpu: time.Duration(stat.CPUTime() * float64(time.Second)), rss: int64(stat.ResidentMemory())}, nil
}

// ownCPU is what this process has used.
func ownCPU() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// startServer runs the server that is measured, without bots of its own and without limits, on a database or, without one,
// on a new file. end stops it and takes the file away.
func startServer(ctx context.Context, name, dsn string) (p *process, end func() error, err error) {
	folder, err := os.MkdirTemp("", "hoplite-load-")
	if err != nil {
		return nil, nil, err
	}
	if dsn == "" {
		dsn = filepath.Join(folder, "hoplite.db")
	}
	p, err = start(ctx, name, "--db", dsn, "--log-level", "warn", "serve", "--listen", "127.0.0.1:0", "--bots", "none", "--limits", "off")
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(folder))
	}
	return p, func() error { return errors.Join(p.stop(), os.RemoveAll(folder)) }, nil
}

// startBare runs this program again as a bare server.
func startBare(ctx context.Context, kind string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return start(ctx, self, "bare", kind)
}
