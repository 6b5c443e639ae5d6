package main

import (
	"fmt"
	"io"
	"strings"
)

// report is everything that a run found.
type report struct {
	Script []string `json:"-"`
	Bounds bounds
	Steps  []step
}

// print writes the report as Markdown.
func (r *report) print(out io.Writer) error {
	var b strings.Builder
	row := func(cells ...any) {
		for _, cell := range cells {
			fmt.Fprintf(&b, "| %v ", cell)
		}
		b.WriteString("|\n")
	}
	line := func(n int) { b.WriteString(strings.Repeat("|---", n) + "|\n") }

	fmt.Fprintf(&b, "Bounds, %d connections (times in ms, processor time of the server in µs each):\n\n", r.Bounds.Connections)
	row("what", "a second", "CPU", "p50", "p99", "idle connection")
	line(6)
	bound := func(name string, x rateOf, memory any) {
		row(name, fmt.Sprintf("%.0f", x.PerSecond), fmt.Sprintf("%.0f", x.CPU), fmt.Sprintf("%.2f", x.P50), fmt.Sprintf("%.2f", x.P99), memory)
	}
	bound("bare Echo handler", r.Bounds.Echo, kib(r.Bounds.StreamMemory)+" (stream)")
	bound("bare gorilla, decode and acknowledge", r.Bounds.Socket, kib(r.Bounds.SocketMemory))
	bound("bare group commit, SQLite, 512 games", r.Bounds.Commit, "")

	b.WriteString("\nMoves, durable and heard by the opponent (p50/p99 in ms; CPU of the server and of the load itself in µs a move):\n\n")
	row("via", "games", "RSS", "a game", "pace", "moves/s", "ratio", "CPU", "load", "acknowledged", "heard", "bare commit p99")
	line(12)
	for _, s := range r.Steps {
		bare := r.Bounds.Socket.PerSecond
		if s.Via == "bot" {
			bare = r.Bounds.Echo.PerSecond
		}
		for _, m := range []struct {
			name string
			move
			commit string
		}{
			{"asked for", s.Paced, ""},
			{"as fast as it goes", s.Rush, ""},
			{"half of that", s.Half, fmt.Sprintf("%.1f", s.CommitAtHalf.P99)},
		} {
			row(s.Via, s.Games, mib(s.RSS), kib(s.PerGame), m.name, fmt.Sprintf("%.0f", m.PerSecond), fmt.Sprintf("%.2f", m.PerSecond/bare),
				fmt.Sprintf("%.0f", m.CPU), fmt.Sprintf("%.0f", m.ClientCPU), fmt.Sprintf("%.1f / %.1f", m.P50, m.P99),
				fmt.Sprintf("%.1f / %.1f", m.Heard.P50, m.Heard.P99), m.commit)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func kib(n int64) string { return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10)) }

func mib(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }
