package foreign

import (
	"errors"
	"strings"
	"testing"
)

// A program of version 1 says nothing of itself, and plays the usual game.
func TestProgramWithoutFeatures(t *testing.T) {
	t.Parallel()
	r := game(t, "standard", "", "").Start().Rules()
	p, err := Program{Command: []string{"sh", "-c", "while read line; do [ $line = quit ] && exit; done"}, Protocol: ProtocolCECP}.Start(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Name() != "sh" {
		t.Errorf("it is called %q", p.Name())
	}
}

// A program that does not start is named once.
func TestProgramsThatDoNotStart(t *testing.T) {
	t.Parallel()
	r := game(t, "standard", "", "").Start().Rules()
	for _, proto := range []Protocol{ProtocolCECP, ProtocolUCI} {
		for name, command := range map[string][]string{
			"no file": {"./missing"}, "ends at once": {"sh", "-c", "exit 3"},
		} {
			_, err := Program{Command: command, Protocol: proto}.Start(t.Context(), r)
			if err == nil || strings.Count(err.Error(), "engine ") != 1 {
				t.Errorf("%s, %s: %v", proto, name, err)
			}
			if command[0] == "sh" && !errors.Is(err, ErrExited) {
				t.Errorf("%s, %s: %v", proto, name, err)
			}
		}
	}
}
