package eval_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hoplite/engine/eval"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
	"hoplite/engine/variant/varianttest"
)

func TestWeightsAreWrittenAndReadBack(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "spartan")
	from := eval.Guess(r)
	w := from.Clone()
	v := w.Vector()
	for i := len(v) / 10; i < len(v); i++ {
		v[i] += i % 5
	}
	w.SetVector(v)
	var text strings.Builder
	if err := eval.Write(r, &text, from, w, "made by\na test"); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text.String(), "# made by\n# a test\n") {
		t.Errorf("it does not begin with how it was made: %s", text.String())
	}
	got, err := eval.Read(r, strings.NewReader(text.String()), from)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Vector(), w.Vector()) {
		t.Errorf("read back %v, want %v", got.Vector(), w.Vector())
	}
}

func TestBadWeightFiles(t *testing.T) {
	t.Parallel()
	r := varianttest.Rules(t, "standard")
	for _, c := range []struct{ text, want string }{
		{"# fine\n\nTempo 12 3", `line 3: "Tempo 12 3" is not a name and a value`},
		{"X.ValueMG 12", `line 1: standard has no weight "X.ValueMG"`},
		{"Tempo much", `line 1: strconv.ParseInt: parsing "much"`},
		{"Tempo 40000", "value out of range"},
	} {
		if _, err := eval.Read(r, strings.NewReader(c.text), eval.Guess(r)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// Each file is of a family or of a game, says how it was made, and names
// weights of its games only: a family's those that all games have.
func TestTunedWeights(t *testing.T) {
	t.Parallel()
	set, err := variant.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range eval.Tuned() {
		games := set.List()
		if !strings.HasPrefix(name, "family-") {
			r, ok := set.Get(name)
			if !ok {
				t.Errorf("there is no game %s", name)
				continue
			}
			games = []*rules.Rules{r}
		}
		f, err := eval.File(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(f, "# ") {
			t.Errorf("%s does not say how it was made", name)
		}
		for _, r := range games {
			if _, err := eval.Read(r, strings.NewReader(f), eval.Family(r)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Games that play with the weights of another one know all of them, and that
// one has a file.
func TestKin(t *testing.T) {
	t.Parallel()
	kin := 0
	for _, d := range variant.All() {
		from := eval.Source(d.Key)
		if from == d.Key {
			continue
		}
		kin++
		r := varianttest.Rules(t, d.Key)
		f, err := eval.File(from)
		if err != nil {
			t.Fatalf("%s: %v", d.Key, err)
		}
		want, err := eval.Read(r, strings.NewReader(f), eval.Family(r))
		if err != nil {
			t.Fatalf("%s with the weights of %s: %v", d.Key, from, err)
		}
		got, family := eval.For(r), eval.Family(r)
		if !slices.Equal(got.Vector(), want.Vector()) || slices.Equal(got.Vector(), family.Vector()) {
			t.Errorf("%s does not play with the weights of %s", d.Key, from)
		}
		if _, err := eval.File(d.Key); err == nil {
			t.Errorf("%s has a file of its own, too", d.Key)
		}
	}
	if kin == 0 {
		t.Error("no game plays with the weights of another")
	}
}

// What a tracer says of each weight foretells the score with another one.
func TestTraceIsTheEvaluation(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"standard", "spartan", "seirawan", "crazyhouse", "threeCheck"} {
		r := varianttest.Rules(t, key)
		w := eval.For(r)
		tracer := eval.NewTracer(r, w)
		scorer := eval.NewWith(r, w).NewScorer()
		chance := rand.New(rand.NewPCG(3, 4))
		names := eval.Names(r)
		for range 4 {
			p := walk(t, r, chance, func(*rules.Position) {})
			score, features := tracer.Trace(p, nil)
			if got := scorer.Score(p); math.Abs(float64(got)-score) > 1 {
				t.Fatalf("%s: traced %.2f, scored %d", key, score, got)
			}
			if len(features) < 10 {
				t.Fatalf("%s: only %d features", key, len(features))
			}
			for range 5 {
				f := features[chance.IntN(len(features))]
				const more = 3
				changed := w.Clone()
				v := changed.Vector()
				v[f.Weight] += more
				changed.SetVector(v)
				want := score + more*float64(f.Slope)
				if got := float64(eval.NewWith(r, changed).NewScorer().Score(p)); math.Abs(got-want) > 3 && !bent(names[f.Weight]) {
					t.Errorf("%s: %s changed by %d gives %.0f, want %.2f", key, names[f.Weight], more, got, want)
				}
			}
		}
	}
}

// bent reports whether the score is not linear in a weight.
func bent(name string) bool {
	return strings.Contains(name, "Value") || strings.Contains(name, "Units") || strings.Contains(name, "Danger")
}
