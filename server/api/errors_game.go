package api

import (
	"errors"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
)

// gameError returns what the rules of a game have against a request.
func gameError(err error) (text string, ok bool) {
	if e, is := errors.AsType[*notation.MoveError](err); is {
		if e.Malformed {
			return "Invalid UCI: " + e.Text, true
		}
		return e.Error(), true
	}
	if e, is := errors.AsType[*notation.FENError](err); is {
		return e.Error(), true
	}
	if e, is := errors.AsType[*rules.SetupError](err); is {
		return e.Error(), true
	}
	if e, is := errors.AsType[*rules.IllegalMoveError](err); is {
		return e.Error(), true
	}
	return "", false
}
