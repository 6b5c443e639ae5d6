package openapi

import "strings"

// ParseFlag reads a boolean as clients write it: true, 1, yes, on and their opposites, in any letter case. ok is
// false for anything else.
func ParseFlag(s string) (value, ok bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "1", "yes", "on":
		return true, true
	case "false", "0", "no", "off":
		return false, true
	}
	return false, false
}

// Or returns the flag's value, or def for a parameter that was not sent.
func (f Flag) Or(def bool) bool {
	if v, ok := ParseFlag(string(f)); ok {
		return v
	}
	return def
}

// FlagOf returns the parameter form of a boolean.
func FlagOf(v bool) Flag {
	if v {
		return FlagTrue
	}
	return FlagFalse
}
