package main

import (
	"context"
	"net/http"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// BenchmarkColdStart starts the real program on a database that does not exist, until it has answered: the time on the
// wall, and the processor time of the program until it has ended again.
func BenchmarkColdStart(b *testing.B) {
	binary := buildProgram(b, b.TempDir())
	addr := freeAddr(b)
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	var cpu time.Duration
	for b.Loop() {
		cmd := exec.CommandContext(context.WithoutCancel(b.Context()), binary, "serve", "--bots", "none", "--listen", addr,
			"--db", filepath.Join(b.TempDir(), "h.db"))
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
			resp, err := client.Get("http://" + addr + "/api/variants")
			if err == nil {
				_ = resp.Body.Close()
				break
			}
			if time.Now().After(end) {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
		cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		b.StartTimer()
	}
	b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N), "cpu-ms/op")
}
