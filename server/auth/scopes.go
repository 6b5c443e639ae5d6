package auth

import (
	"slices"
	"strings"

	"hoplite/server/api"
)

// playerScopes are those of the token that sign-up hands out: all but the moderators'.
func playerScopes() []string {
	return slices.DeleteFunc(api.Scopes(), func(s string) bool { return s == api.ScopeWebMod })
}

// canonicalScopes puts known scopes in the documented order, each once; unknown ones come back
// apart.
func canonicalScopes(asked []string) (known, unknown []string) {
	want := make(map[string]bool, len(asked))
	for _, s := range asked {
		want[strings.TrimSpace(s)] = true
	}
	known = make([]string, 0, len(want))
	for _, s := range api.Scopes() {
		if want[s] {
			known = append(known, s)
			delete(want, s)
		}
	}
	for s := range want {
		unknown = append(unknown, s)
	}
	slices.Sort(unknown)
	return known, unknown
}

// joinScopes is the form that clients split again: no spaces.
func joinScopes(scopes []string) string { return strings.Join(scopes, ",") }

// scopesOf is never nil, so that no scopes are an empty list on the wire.
func scopesOf(scopes []string) []string {
	if scopes == nil {
		return []string{}
	}
	return scopes
}
