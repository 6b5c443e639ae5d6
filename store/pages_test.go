package store_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"hoplite/store"
)

// TestEach reads every record once, and no page more than it must.
func TestEach(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		have, most, want int
		limits           []int
	}{
		{0, math.MaxInt, 0, []int{500}},
		{499, math.MaxInt, 499, []int{500}},
		{500, math.MaxInt, 500, []int{500, 500}},
		{1100, math.MaxInt, 1100, []int{500, 500, 500}},
		{1100, 700, 700, []int{500, 200}},
		{1100, 500, 500, []int{500}},
		{3, 0, 0, nil},
	} {
		var limits, got []int
		for n, err := range store.Each(c.most, func(last, limit int) ([]int, error) {
			limits = append(limits, limit)
			var page []int
			for n := last + 1; n <= c.have && len(page) < limit; n++ {
				page = append(page, n)
			}
			return page, nil
		}) {
			if got = append(got, n); err != nil || n != len(got) {
				t.Fatalf("%+v: %d after %d, %v", c, n, len(got)-1, err)
			}
		}
		if len(got) != c.want || !slices.Equal(limits, c.limits) {
			t.Errorf("%+v: %d records in pages of %v", c, len(got), limits)
		}
	}
}

// TestEachEnds ends with the first error, and when nobody reads on.
func TestEachEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	reads := 0
	read := func(int, int) ([]int, error) {
		if reads++; reads == 2 {
			return nil, broken
		}
		return make([]int, 500), nil
	}
	n, failed := 0, error(nil)
	for _, err := range store.Each(math.MaxInt, read) {
		if err != nil {
			failed = err
			continue
		}
		n++
	}
	if n != 500 || !errors.Is(failed, broken) || reads != 2 {
		t.Errorf("%d records, %v after %d reads", n, failed, reads)
	}
	reads = 0
	for range store.Each(math.MaxInt, read) {
		break
	}
	if reads != 1 {
		t.Errorf("%d reads for one record", reads)
	}
}
