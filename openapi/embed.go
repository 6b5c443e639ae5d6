// Package openapi holds the description of the HTTP API and the Go types generated from it. The description,
// openapi.yaml, is the one source: types, server interface, request validation and the docs page all follow it.
package openapi

import _ "embed"

//go:embed openapi.yaml
var spec []byte

// Spec returns the description as YAML. The slice is a copy that belongs to the caller.
func Spec() []byte { return append([]byte(nil), spec...) }
