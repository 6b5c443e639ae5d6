package spec_test

import (
	"testing"

	"hoplite/openapi"
	"hoplite/server/spec"
)

// BenchmarkLoad is the longest step of a start.
func BenchmarkLoad(b *testing.B) {
	text := openapi.Spec()
	for b.Loop() {
		if _, err := spec.Load(text); err != nil {
			b.Fatal(err)
		}
	}
}
