package rules

// CompileStaged compiles a game as if it had a mechanism beyond the plain ones.
func CompileStaged(d *Definition) (*Rules, error) {
	r := newRules(d)
	r.stage()
	return r, r.compile()
}
