package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGuaranteesAreTested holds docs/guarantees.md: every promise has a row, and every test that it names is there.
func TestGuaranteesAreTested(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "docs", "guarantees.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.SplitN(line, "|", 3); len(cells) == 3 && strings.HasPrefix(cells[1], " G") {
			rows[strings.TrimSpace(cells[1])] = cells[2]
		}
	}
	for n := range 11 {
		name := fmt.Sprint("G", n+1)
		if !strings.Contains(rows[name], "`go test ") {
			t.Errorf("%s has no test: %q", name, rows[name])
		}
	}
	command, test := regexp.MustCompile("`go test ([^`]+)`"), regexp.MustCompile(`\b(Test|Benchmark)\w+`)
	for promise, row := range rows {
		for _, c := range command.FindAllStringSubmatch(row, -1) {
			source := sources(t, c[1])
			names := test.FindAllString(c[1], -1)
			if len(names) == 0 {
				t.Errorf("%s: %q names no test", promise, c[1])
			}
			for _, name := range names {
				if !strings.Contains(source, "\nfunc "+name+"(") {
					t.Errorf("%s: there is no %s in the packages of %q", promise, name, c[1])
				}
			}
		}
	}
}

// sources returns the test files of the packages that a command names.
func sources(t *testing.T, command string) string {
	t.Helper()
	var text strings.Builder
	for _, word := range strings.Fields(command) {
		folder, ok := strings.CutPrefix(word, "./")
		if !ok {
			continue
		}
		files, err := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s has no tests: %v", word, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(data)
		}
	}
	return text.String()
}
