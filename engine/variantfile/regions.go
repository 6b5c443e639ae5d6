package variantfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// wholeRanks reads a region that must be whole ranks, such as "*8 *7"; "-" is none.
func wholeRanks(value string, to *[]int) error {
	ranks := []int{}
	for _, part := range strings.Fields(value) {
		if part == "-" {
			continue
		}
		rank, ok := strings.CutPrefix(part, "*")
		n, err := strconv.Atoi(rank)
		if !ok || err != nil || n < 1 {
			return fmt.Errorf("%q: only whole ranks such as *8 are supported", part)
		}
		ranks = append(ranks, n)
	}
	*to = ranks
	return nil
}

// rows turns the ranks of a region of both sides into rows counted from the own edge. Regions that are not given have the
// usual ranks of eight. It fails unless both are on the board and mirror each other.
func (b *recipe) rows(what string, white, black []int, usualWhite, usualBlack int) ([]int, error) {
	if white == nil {
		white = []int{usualWhite}
	}
	if black == nil {
		black = []int{usualBlack}
	}
	var rows, mirrored []int
	for _, rank := range white {
		rows = append(rows, rank-1)
	}
	for _, rank := range black {
		mirrored = append(mirrored, b.ranks-rank)
	}
	slices.Sort(rows)
	slices.Sort(mirrored)
	if !slices.Equal(rows, mirrored) {
		return nil, fmt.Errorf("%s: ranks %v of White and %v of Black do not mirror each other on %d ranks, which is not supported",
			what, white, black, b.ranks)
	}
	if n := len(rows); n > 0 && (rows[0] < 0 || rows[n-1] >= b.ranks) {
		return nil, fmt.Errorf("%s: ranks %v are not on the board", what, white)
	}
	return rows, nil
}

// cells lists the names of the cells of a region, in which *3 stands for a whole rank and - for nothing.
func (b *recipe) cells(region string) string {
	var names []string
	for _, part := range strings.Fields(region) {
		if rank, ok := strings.CutPrefix(part, "*"); ok {
			for f := range b.files {
				names = append(names, string(rune('a'+f))+rank)
			}
		} else if part != "-" {
			names = append(names, part)
		}
	}
	return strings.Join(names, " ")
}
