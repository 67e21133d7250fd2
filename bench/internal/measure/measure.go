// Package measure runs cases in rounds and keeps medians, so that what else runs on the machine hardly shows.
package measure

import (
	"cmp"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/harnesserr/harnesserr/bench/internal/cases"
	"github.com/harnesserr/harnesserr/bench/internal/machine"
)

// Row is what was measured of a case. Times are CPU nanoseconds a record.
type Row struct {
	Case            string
	Median, Lo, Hi  float64 // over the rounds
	Ratio           float64 // to cases.Unit, measured just before: median over the rounds
	Bytes, Allocs   float64 // a record
	ratios, perItem []float64
	in              *cases.Instance
	records         int
}

const (
	minBatches   = 5
	maxBatches   = 200
	allocBatches = 10
)

// Run measures the unit and the cases that match, each round all of them once.
func Run(match *regexp.Regexp, rounds int, share time.Duration, progress func(round int)) (rows []*Row, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var unit *Row
	for _, c := range cases.List() {
		if c.Name != cases.Unit && !match.MatchString(c.Name) {
			continue
		}
		in, err := c.Start()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		r := &Row{Case: c.Name, in: in, records: c.Records}
		if r.Bytes, r.Allocs, err = allocations(r); err != nil {
			return nil, err
		}
		if c.Name == cases.Unit {
			unit = r
		}
		rows = append(rows, r)
	}
	for round := range rounds {
		for _, r := range rows {
			one, err := batches(unit, share)
			if err != nil {
				return nil, err
			}
			took := one
			if r != unit {
				if took, err = batches(r, share); err != nil {
					return nil, err
				}
			}
			r.perItem, r.ratios = append(r.perItem, took), append(r.ratios, took/one)
		}
		progress(round + 1)
	}
	for _, r := range rows {
		r.Median, r.Ratio = Median(r.perItem), Median(r.ratios)
		r.Lo, r.Hi = slices.Min(r.perItem), slices.Max(r.perItem)
		if err := r.in.Stop(); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Case, err)
		}
	}
	return rows, nil
}

// batches runs a case until it has used its share of CPU time, and returns the median of a batch, a record.
func batches(r *Row, share time.Duration) (float64, error) {
	var took []float64
	for used := time.Duration(0); len(took) < minBatches || used < share && len(took) < maxBatches; {
		run, err := r.in.Next()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", r.Case, err)
		}
		began := machine.ThreadTime()
		err = run()
		d := machine.ThreadTime() - began
		if err != nil {
			return 0, fmt.Errorf("%s: %w", r.Case, err)
		}
		used += d
		took = append(took, float64(d)/float64(r.records))
	}
	return Median(took), nil
}

// allocations counts over some batches after the first ones, which fill what a component keeps.
func allocations(r *Row) (bytes, allocs float64, err error) {
	var runs []func() error
	for range 2 + allocBatches {
		run, err := r.in.Next()
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", r.Case, err)
		}
		runs = append(runs, run)
	}
	var before, after runtime.MemStats
	for i, run := range runs {
		if i == 2 {
			runtime.ReadMemStats(&before)
		}
		if err := run(); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", r.Case, err)
		}
	}
	runtime.ReadMemStats(&after)
	n := float64(allocBatches * r.records)
	return float64(after.TotalAlloc-before.TotalAlloc) / n, float64(after.Mallocs-before.Mallocs) / n, nil
}

// Median returns the middle of the values, the upper one of two.
func Median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
