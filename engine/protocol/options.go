package protocol

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hoplite/engine/rules"
	"hoplite/engine/search"
)

const (
	defaultHash     = 16
	maxHash         = 65536
	maxThreads      = 256
	maxMultiPV      = 256
	maxOverhead     = 5000
	defaultOverhead = 30
)

// settings are what options change.
type settings struct {
	hash, threads, multiPV int // hash in MiB
	level                  int
	limited                bool // play as elo says
	elo                    int
	overhead               time.Duration
	shuffled               bool // games are castled from any files
	analyse                bool // full strength whatever the level
	showWDL                bool
	plain                  bool // without a network
}

func defaults() settings {
	levels := search.Levels()
	return settings{hash: defaultHash, threads: 1, multiPV: 1, level: len(levels), elo: levels[len(levels)-1].Rating,
		overhead: defaultOverhead * time.Millisecond}
}

// strength returns the level to play a game at, false for the engine's best.
func (c *settings) strength(r *rules.Rules) (search.Level, bool) {
	levels := search.Levels()
	switch {
	case c.analyse:
		return search.Level{}, false
	case c.limited && c.elo < levels[len(levels)-1].Rating:
		l := search.LevelOf(r, c.elo)
		return l, l.Nodes > 0
	case c.level < len(levels):
		return levels[c.level-1], true
	}
	return search.Level{}, false
}

// option is a setting as programs see it.
type option struct {
	name     string
	kind     optionKind
	value    string // at first
	min, max int    // of a spin
	choices  []string
	set      func(value string) error
}

// optionKind says what values an option has.
type optionKind string

const (
	spin   optionKind = "spin"   // a number
	check  optionKind = "check"  // true or false
	combo  optionKind = "combo"  // one of several texts
	file   optionKind = "string" // a path, empty at first
	button optionKind = "button" // no value: something to do
)

// The names of options in the table below, which are those of UCI.
const (
	optHash     = "Hash"
	optThreads  = "Threads"
	optMultiPV  = "MultiPV"
	optPonder   = "Ponder"
	optLevel    = "Skill Level"
	optLimit    = "UCI_LimitStrength"
	optElo      = "UCI_Elo"
	optOverhead = "Move Overhead"
	optAnalyse  = "UCI_AnalyseMode"
	optShowWDL  = "UCI_ShowWDL"
	optShuffled = "UCI_Chess960"
	optPath     = "VariantPath"
	optVariant  = "UCI_Variant"
	optNetwork  = "Network"
	optClear    = "Clear Hash"
)

// options are all settings of a session. A dialect offers some of them.
func (s *session) options() []option {
	c := &s.settings
	n := len(search.Levels())
	low, high := search.Levels()[0].Rating, search.Levels()[n-1].Rating
	list := []option{
		number(optHash, 1, maxHash, c.hash, func(v int) { s.resize(&c.hash, v) }),
		number(optThreads, 1, maxThreads, c.threads, func(v int) { s.resize(&c.threads, v) }),
		number(optMultiPV, 1, maxMultiPV, c.multiPV, func(v int) { c.multiPV = v }),
		// Whether to ponder is the program's decision, told by its commands.
		flag(optPonder, false, func(bool) error { return nil }),
		number(optLevel, 1, n, c.level, func(v int) { c.level = v }),
		flag(optLimit, c.limited, func(on bool) error { c.limited = on; return nil }),
		number(optElo, low, high, c.elo, func(v int) { c.elo = v }),
		number(optOverhead, 0, maxOverhead, int(c.overhead.Milliseconds()), func(v int) { c.overhead = time.Duration(v) * time.Millisecond }),
		flag(optAnalyse, c.analyse, func(on bool) error { c.analyse = on; return nil }),
		flag(optNetwork, !c.plain, func(on bool) error { c.plain, s.engine = !on, nil; return nil }),
		flag(optShowWDL, c.showWDL, func(on bool) error { c.showWDL = on; return nil }),
		flag(optShuffled, c.shuffled, func(on bool) error { c.shuffled = on; return s.choose(s.named) }),
	}
	if s.opts.Load != nil {
		list = append(list, option{name: optPath, kind: file, set: s.load})
	}
	return append(list,
		option{name: optVariant, kind: combo, value: s.named.UCIName(), choices: s.offered(func(*rules.Rules) bool { return true }),
			set: func(value string) error {
				r, err := s.findVariant(value)
				if err != nil {
					return err
				}
				return s.choose(r)
			}},
		option{name: optClear, kind: button, set: func(string) error {
			if s.engine != nil {
				s.engine.NewGame()
			}
			return nil
		}})
}

// resize sets what an engine is made with.
func (s *session) resize(field *int, v int) {
	if *field != v {
		*field, s.engine = v, nil
	}
}

// load adds the games defined in a file, or goes back to the catalogue for "".
func (s *session) load(path string) error {
	if path == "" || path == "<empty>" {
		s.variants = s.opts.Variants
	} else {
		set, err := s.opts.Load(path)
		if err != nil {
			return err
		}
		s.variants = set
	}
	r, err := s.findVariant(s.named.Key())
	if err != nil { // it came from another file
		r = s.variants.List()[0]
	}
	return s.choose(r)
}

// number makes an option with a range.
func number(name string, low, high, value int, set func(int)) option {
	return option{name: name, kind: spin, value: strconv.Itoa(value), min: low, max: high, set: func(text string) error {
		v, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("number expected, not %s", clip(text))
		}
		if v < low || v > high {
			return fmt.Errorf("%d is outside %d to %d", v, low, high)
		}
		set(v)
		return nil
	}}
}

// flag makes an option that is on or off.
func flag(name string, value bool, set func(bool) error) option {
	return option{name: name, kind: check, value: strconv.FormatBool(value), set: func(text string) error {
		on, err := strconv.ParseBool(strings.ToLower(text))
		if err != nil {
			return fmt.Errorf("true or false expected, not %s", clip(text))
		}
		return set(on)
	}}
}

// spelling is a dialect's name for an option.
type spelling struct{ option, as string }

// spelled returns the options that a dialect offers under its names for them.
func (s *session) spelled(names []spelling) []option {
	var list []option
	all := s.options()
	for _, n := range names {
		for _, o := range all {
			if o.name == n.option {
				o.name = n.as
				list = append(list, o)
			}
		}
	}
	return list
}

// only leaves in the option that chooses the game those that which allows.
func (s *session) only(list []option, name string, which func(*rules.Rules) bool) []option {
	for i := range list {
		if o := &list[i]; o.name == name {
			set := o.set
			o.choices = s.offered(which)
			o.set = func(value string) error {
				if r, err := s.findVariant(value); err == nil && !which(r) {
					return fmt.Errorf("%s is not played over this protocol", clip(value))
				}
				return set(value)
			}
		}
	}
	return list
}

// setOption sets the option of the list that has the name, in any case.
func setOption(list []option, name, value string) error {
	for _, o := range list {
		if strings.EqualFold(o.name, name) {
			if err := o.set(value); err != nil {
				return fmt.Errorf("%s: %w", o.name, err)
			}
			return nil
		}
	}
	return fmt.Errorf("unknown option: %s", clip(name))
}

// line formats an option as UCI and USI do, with "name" before its name, and
// UCCI without.
func (o *option) line(keyword string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "option %s%s type %s", keyword, o.name, o.kind)
	switch o.kind {
	case button:
	case file:
		b.WriteString(" default <empty>")
	case spin:
		fmt.Fprintf(&b, " default %s min %d max %d", o.value, o.min, o.max)
	default:
		b.WriteString(" default " + o.value)
	}
	for _, c := range o.choices {
		b.WriteString(" var " + c)
	}
	return b.String()
}
