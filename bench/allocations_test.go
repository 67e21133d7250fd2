package bench

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/bench/internal/measure"
)

// TestAllocations is the part of the benchmarks that doesn't depend on the machine. Time is never a reason to fail. A bar
// that is known to be missed must not be missed by more.
func TestAllocations(t *testing.T) {
	rows, err := measure.Run(regexp.MustCompile(`^harnesserr/(plain|healthy|failing5/failures)`), 1, 0, func(int) {})
	require.NoError(t, err)
	bars := measure.AllocationBars(rows)
	require.Len(t, bars, 4)
	for _, b := range bars {
		require.True(t, b.Guarded(), "allocations a record: %s", b)
	}
}
