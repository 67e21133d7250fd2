package sampling

import (
	"os"
	"testing"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/store"
)

// TestCountElsewhere is the counting expression on series that other stores hold. What the board itself holds is in
// testdata/ticks/count.txtar.
func TestCountElsewhere(t *testing.T) {
	for _, file := range []string{"testdata/count_dense.test", "testdata/count_sparse.test"} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			engine := promqltest.NewTestEngineWithOpts(t, promql.EngineOpts{
				MaxSamples: 1_000_000, Timeout: store.LookbackDelta, LookbackDelta: store.LookbackDelta,
				EnableAtModifier: true, EnableNegativeOffset: true,
			})
			promqltest.RunTest(t, string(text), engine)
		})
	}
}
