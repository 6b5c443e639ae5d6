package main

// listPage is how many records are read at once.
const listPage = 500

// eachOf calls f with records, page by page, until there are no more or it was
// called most times. next returns the page after the one that ends with last,
// which is nil at first.
func eachOf[T any](most int, next func(last *T, limit int) ([]T, error), f func(T) error) error {
	for last := (*T)(nil); most > 0; {
		limit := min(most, listPage)
		page, err := next(last, limit)
		if err != nil {
			return err
		}
		for _, x := range page {
			if err := f(x); err != nil {
				return err
			}
		}
		if len(page) < limit {
			return nil
		}
		most -= len(page)
		last = &page[len(page)-1]
	}
	return nil
}
