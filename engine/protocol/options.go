package protocol

import (
	"strconv"
	"strings"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// identify answers "uci".
func (s *session) identify() {
	s.out.line("id name %s", s.opts.Name)
	s.out.line("id author %s", s.opts.Author)
	s.out.line("option name Hash type spin default %d min 1 max %d", defaultHash, maxHash)
	s.out.line("option name Threads type spin default 1 min 1 max %d", maxThreads)
	s.out.line("option name MultiPV type spin default 1 min 1 max %d", maxMultiPV)
	s.out.line("option name Ponder type check default false")
	n := len(search.Levels())
	s.out.line("option name Skill Level type spin default %d min 1 max %d", n, n)
	s.out.line("option name Move Overhead type spin default %d min 0 max %d", defaultOverhead, maxOverhead)
	s.out.line("option name UCI_Chess960 type check default false")
	var b strings.Builder
	list := s.opts.Variants.List()
	for _, r := range list {
		b.WriteString(" var " + uciName(r))
	}
	s.out.line("option name UCI_Variant type combo default %s%s", uciName(list[0]), b.String())
	s.out.line("option name Clear Hash type button")
	s.out.line("uciok")
}

// setOption obeys "setoption name … value …".
func (s *session) setOption(args []string) {
	name, value, ok := splitOption(args)
	if !ok {
		s.out.info("setoption: name expected")
		return
	}
	if s.cancel != nil {
		s.out.info("setoption: not while a search is running")
		return
	}
	number := func(lo, hi int) (int, bool) {
		n, err := strconv.Atoi(value)
		if err != nil {
			s.out.info("setoption %s: number expected, not %s", clip(name), clip(value))
			return 0, false
		}
		if n < lo || n > hi {
			s.out.info("setoption %s: %d is outside %d to %d", clip(name), n, lo, hi)
		}
		return min(max(n, lo), hi), true
	}
	switch strings.ToLower(name) {
	case "hash":
		if n, ok := number(1, maxHash); ok && n != s.hash {
			s.hash, s.engine = n, nil
		}
	case "threads":
		if n, ok := number(1, maxThreads); ok && n != s.threads {
			s.threads, s.engine = n, nil
		}
	case "multipv":
		if n, ok := number(1, maxMultiPV); ok {
			s.multiPV = n
		}
	case "skill level", "level":
		if n, ok := number(1, len(search.Levels())); ok {
			s.level = n
		}
	case "move overhead":
		if n, ok := number(0, maxOverhead); ok {
			s.overhead = time.Duration(n) * time.Millisecond
		}
	case "uci_chess960":
		on, err := strconv.ParseBool(strings.ToLower(value))
		if err != nil {
			s.out.info("setoption %s: true or false expected, not %s", name, clip(value))
			return
		}
		s.shuffled = on
		s.chooseRules(s.rules)
	case "uci_variant":
		r, ok := s.findVariant(value)
		if !ok {
			s.out.info("setoption %s: unknown variant %s", name, clip(value))
			return
		}
		s.chooseRules(r)
	case "clear hash":
		if s.engine != nil {
			s.engine.NewGame()
		}
	case "ponder":
		// Whether to ponder is the interface's decision, told by "go ponder".
	default:
		s.out.info("unknown option: %s", clip(name))
	}
}

// chooseRules switches to r, or to its shuffled form if that was asked for.
func (s *session) chooseRules(r *rules.Rules) {
	if s.shuffled {
		if other, ok := s.shuffledForm(r); ok {
			r = other
		}
	}
	if r == s.rules {
		return
	}
	if err := s.setRules(r); err != nil {
		s.out.info("%v", err)
	}
}

// splitOption finds the name and the value, both of which may have spaces.
func splitOption(args []string) (name, value string, ok bool) {
	if len(args) < 2 || args[0] != "name" {
		return "", "", false
	}
	at := len(args)
	for i := 1; i < len(args); i++ {
		if args[i] == "value" {
			at = i
			break
		}
	}
	name = strings.Join(args[1:at], " ")
	if at < len(args) {
		value = strings.Join(args[at+1:], " ")
	}
	return name, value, name != ""
}
