package measure

import (
	"fmt"

	"github.com/harnesserr/harnesserr/bench/internal/cases"
)

// Bar is a promise about what the processor costs.
type Bar struct {
	What  string
	Got   float64
	Limit float64
	Least bool // Limit is the least, not the most, that is allowed
	// Guard is the most that a change may come to, where the limit is not kept: it must not get worse.
	Guard float64
}

// Guarded reports whether a bar is no further off than it is known to be.
func (b Bar) Guarded() bool { return b.Holds() || b.Guard > 0 && b.Got <= b.Guard }

// Holds reports whether the promise is kept.
func (b Bar) Holds() bool {
	if b.Least {
		return b.Got >= b.Limit
	}
	return b.Got <= b.Limit
}

// String is a row of a Markdown table.
func (b Bar) String() string {
	sign, holds := "≤", "yes"
	if b.Least {
		sign = "≥"
	}
	if !b.Holds() {
		holds = "**no**"
	}
	return fmt.Sprintf("| %s | %s %g | %.3g | %s |", b.What, sign, b.Limit, b.Got, holds)
}

// TimeBars compares what one run measured. A bar whose cases did not run is left out.
func TimeBars(rows []*Row) (bars []Bar) {
	by := index(rows)
	ratio := func(what, a, b string, limit float64, least bool) {
		if by[a] != nil && by[b] != nil {
			bars = append(bars, Bar{What: what, Got: paired(by[a], by[b]), Limit: limit, Least: least})
		}
	}
	ratio("5 % failing, `annotate: failures`, in units", cases.Failures, cases.Unit, 2, false)
	ratio("5 % failing, `annotate: all`, in units", cases.All, cases.Unit, 3.5, false)
	ratio("200 OTTL statements and 10 redaction patterns, compared with `annotate: all`", cases.Stock, cases.All, 25, true)
	ratio("spans of other conventions, compared with one pass over their attributes", cases.Plain, cases.PlainOne, 1.2, false)
	ratio("10 000 own rules, compared with none", "harnesserr/growth/rules/10000", "harnesserr/growth/rules/00000", 1.2, false)
	return bars
}

// AllocationBars hold the promises about allocations, which don't depend on the machine.
func AllocationBars(rows []*Row) (bars []Bar) {
	by := index(rows)
	for _, b := range []struct {
		what, name   string
		limit, guard float64
	}{
		{"spans of other conventions", cases.Plain, 0.02, 0},
		{"healthy spans, `annotate: failures`", "harnesserr/healthy/failures", 0.02, 0},
		{"healthy spans annotated before", "harnesserr/healthy/annotated_before", 0.02, 0},
		// A failed span gets 11 to 17 attributes, and pdata allocates each value by itself (docs/performance.md).
		{"5 % failing, `annotate: failures`", cases.Failures, 0.5, 0.7},
	} {
		if r := by[b.name]; r != nil {
			bars = append(bars, Bar{What: b.what, Got: r.Allocs, Limit: b.limit, Guard: b.guard})
		}
	}
	return bars
}

func index(rows []*Row) map[string]*Row {
	by := map[string]*Row{}
	for _, r := range rows {
		by[r.Case] = r
	}
	return by
}

// paired is the median over the rounds of the ratio of two cases, both in units of their own moment.
func paired(a, b *Row) float64 {
	ratios := make([]float64, len(a.ratios))
	for i := range ratios {
		ratios[i] = a.ratios[i] / b.ratios[i]
	}
	return Median(ratios)
}
