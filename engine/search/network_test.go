package search_test

import (
	"testing"

	"hoplite/engine/eval"
	"hoplite/engine/net"
	"hoplite/engine/variant/varianttest"
)

// A network corrects the weights that it was trained with: when they change it
// must be trained anew, or it is silently left out.
func TestNetworksAreInForce(t *testing.T) {
	t.Parallel()
	names := net.Trained()
	if len(names) == 0 {
		t.Fatal("there are none")
	}
	for _, name := range names {
		f, err := net.Open(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, key := range f.Games {
			r := varianttest.Rules(t, key)
			w := eval.For(r)
			if print := w.Fingerprint(); net.For(r, print) == nil {
				t.Errorf("%s: the network of %s was trained with weights %s, in force are %s", key, name, f.Evaluation, print)
			}
		}
	}
}
