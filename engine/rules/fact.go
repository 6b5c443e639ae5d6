package rules

// Fact is something about a position that the men do not show: a count, the number of checks.
type Fact struct {
	Kind FactKind
	// Side is whom the fact is about, or NoWinner if nobody in particular.
	Side int
	Text string
}

// FactKind says what a fact is about.
type FactKind string

// The kinds of fact.
const (
	// FactCount is a count of moves with its limit: "8/64".
	FactCount FactKind = "count"
	// FactChecks says what checks have come to: a number, or what kind of check was among them.
	FactChecks FactKind = "checks"
)

// Facts lists what is to be known about the position beside the men, the hands and the turn.
func (p *Position) Facts() []Fact {
	var list []Fact
	for _, f := range p.rules.stages.facts {
		list = f(p, list)
	}
	return list
}
