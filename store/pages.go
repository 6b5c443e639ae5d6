package store

import "iter"

// pageSize is how many records Each reads at once.
const pageSize = 500

// Each yields up to most records, which it reads page by page. next returns up
// to limit records after last, which is the zero record at first. An error is
// the last thing that Each yields.
func Each[T any](most int, next func(last T, limit int) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last T
		for left := most; left > 0; {
			limit := min(left, pageSize)
			page, err := next(last, limit)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, last = range page {
				if !yield(last, nil) {
					return
				}
			}
			if len(page) < limit {
				return
			}
			left -= len(page)
		}
	}
}
