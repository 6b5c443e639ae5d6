// Package openapi holds the description of the HTTP API and the Go types generated from it. The description,
// openapi.yaml, is the one source: types, server interface, request validation and the docs page all follow it.
package openapi

import _ "embed"

//go:embed openapi.yaml
var spec []byte

//go:embed asyncapi.yaml
var socketSpec []byte

// Spec returns the description as YAML. The slice is a copy that belongs to the caller.
func Spec() []byte { return append([]byte(nil), spec...) }

// SocketSpec returns the description of the websocket, which is AsyncAPI, as YAML. Package frames follows it. The slice
// is a copy that belongs to the caller.
func SocketSpec() []byte { return append([]byte(nil), socketSpec...) }
