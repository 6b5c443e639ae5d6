package bot

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Policy decides which challenges the bot accepts. Empty lists and zero bounds
// do not restrict.
type Policy struct {
	Concurrency  int      `yaml:"concurrency"` // games at the same time
	Variants     []string `yaml:"variants"`    // keys; empty: all that the engine plays
	Speeds       []string `yaml:"speeds"`
	Modes        []string `yaml:"modes"` // casual, rated
	MinLimit     Duration `yaml:"min_limit"`
	MaxLimit     Duration `yaml:"max_limit"`
	MinIncrement Duration `yaml:"min_increment"`
	MaxIncrement Duration `yaml:"max_increment"`
	MinDays      int      `yaml:"min_days"`
	MaxDays      int      `yaml:"max_days"`
	Unlimited    bool     `yaml:"unlimited"` // games without any clock

	People      bool     `yaml:"people"`
	Bots        bool     `yaml:"bots"`
	Anonymous   bool     `yaml:"anonymous"`
	MinRating   int      `yaml:"min_rating"`
	MaxRating   int      `yaml:"max_rating"`
	PerOpponent int      `yaml:"per_opponent"` // games at the same time against one account
	Block       []string `yaml:"block"`        // account names, whatever the case
	Only        []string `yaml:"only"`         // if not empty, nobody else
}

// DefaultPolicy accepts everything that the engine can play.
func DefaultPolicy() Policy {
	return Policy{
		Concurrency: 4,
		Modes:       []string{ModeCasual, ModeRated},
		Unlimited:   true,
		People:      true, Bots: true, Anonymous: true,
	}
}

// The modes of a game.
const (
	ModeCasual = "casual"
	ModeRated  = "rated"
)

// DeclineReason is what a refused challenger is told, in the words of the API.
type DeclineReason string

// The reasons that the bot gives.
const (
	DeclineGeneric     DeclineReason = "generic"
	DeclineLater       DeclineReason = "later"
	DeclineTooFast     DeclineReason = "tooFast"
	DeclineTooSlow     DeclineReason = "tooSlow"
	DeclineTimeControl DeclineReason = "timeControl"
	DeclineRated       DeclineReason = "rated"  // send a rated one instead
	DeclineCasual      DeclineReason = "casual" // send a casual one instead
	DeclineVariant     DeclineReason = "variant"
	DeclineNoBot       DeclineReason = "noBot"
	DeclineOnlyBot     DeclineReason = "onlyBot"
)

// Offer is a challenge as the policy sees it.
type Offer struct {
	Variant   string
	Speed     string
	Rated     bool
	Clock     bool // Limit and Increment are set
	Limit     time.Duration
	Increment time.Duration
	Days      int // with neither clock nor days the game is unlimited

	Opponent    string // account id; "" is anonymous
	OpponentBot bool
	Rating      int // 0 if unknown
}

// Load is what the bot is doing when a challenge arrives.
type Load struct {
	Games        int // played or accepted
	WithOpponent int // of those, against this opponent
}

// Decide returns "" to accept, or the reason to decline with. plays reports
// which variants the engine knows. What the challenger cannot change is checked
// first, and whether there is room last, so that nobody is asked to come later
// for a game that would be declined then.
func (p *Policy) Decide(o Offer, load Load, plays func(variant string) bool) DeclineReason {
	if reason := p.opponent(o); reason != "" {
		return reason
	}
	if !plays(o.Variant) || len(p.Variants) > 0 && !slices.Contains(p.Variants, o.Variant) {
		return DeclineVariant
	}
	if reason := p.mode(o); reason != "" {
		return reason
	}
	if reason := p.timing(o); reason != "" {
		return reason
	}
	if load.Games >= p.Concurrency || p.PerOpponent > 0 && load.WithOpponent >= p.PerOpponent {
		return DeclineLater
	}
	return ""
}

func (p *Policy) opponent(o Offer) DeclineReason {
	named := func(list []string) bool {
		return slices.ContainsFunc(list, func(n string) bool { return strings.EqualFold(n, o.Opponent) })
	}
	switch {
	case o.Opponent == "" && !p.Anonymous:
		return DeclineGeneric
	case o.Opponent != "" && named(p.Block):
		return DeclineGeneric
	case len(p.Only) > 0 && !named(p.Only):
		return DeclineGeneric
	case o.OpponentBot && !p.Bots:
		return DeclineNoBot
	case !o.OpponentBot && !p.People:
		return DeclineOnlyBot
	case o.Rating > 0 && (p.MinRating > 0 && o.Rating < p.MinRating || p.MaxRating > 0 && o.Rating > p.MaxRating):
		return DeclineGeneric
	}
	return ""
}

func (p *Policy) mode(o Offer) DeclineReason {
	if o.Rated && !slices.Contains(p.Modes, ModeRated) {
		return DeclineCasual
	}
	if !o.Rated && !slices.Contains(p.Modes, ModeCasual) {
		return DeclineRated
	}
	return ""
}

func (p *Policy) timing(o Offer) DeclineReason {
	outside := func(v, least, most int64) DeclineReason {
		switch {
		case least > 0 && v < least:
			return DeclineTooFast
		case most > 0 && v > most:
			return DeclineTooSlow
		}
		return ""
	}
	if len(p.Speeds) > 0 && !slices.Contains(p.Speeds, o.Speed) {
		return DeclineTimeControl
	}
	switch {
	case o.Clock:
		if r := outside(int64(o.Limit), int64(p.MinLimit), int64(p.MaxLimit)); r != "" {
			return r
		}
		return outside(int64(o.Increment), int64(p.MinIncrement), int64(p.MaxIncrement))
	case o.Days > 0:
		return outside(int64(o.Days), int64(p.MinDays), int64(p.MaxDays))
	case !p.Unlimited:
		return DeclineTimeControl
	}
	return ""
}

func (p *Policy) validate() error {
	var errs []error
	if p.Concurrency < 1 {
		errs = append(errs, fmt.Errorf("challenges.concurrency: %d, must be at least 1", p.Concurrency))
	}
	if len(p.Modes) == 0 {
		errs = append(errs, errors.New("challenges.modes: nothing would be accepted"))
	}
	for _, m := range p.Modes {
		if m != ModeCasual && m != ModeRated {
			errs = append(errs, fmt.Errorf("challenges.modes: %q, must be casual or rated", m))
		}
	}
	if !p.People && !p.Bots {
		errs = append(errs, errors.New("challenges: neither people nor bots"))
	}
	pairs := []struct {
		name        string
		least, most int64
	}{
		{"limit", int64(p.MinLimit), int64(p.MaxLimit)},
		{"increment", int64(p.MinIncrement), int64(p.MaxIncrement)},
		{"days", int64(p.MinDays), int64(p.MaxDays)},
		{"rating", int64(p.MinRating), int64(p.MaxRating)},
	}
	for _, b := range pairs {
		if b.least < 0 || b.most < 0 || b.most > 0 && b.least > b.most {
			errs = append(errs, fmt.Errorf("challenges: min_%s and max_%s do not fit", b.name, b.name))
		}
	}
	return errors.Join(errs...)
}
