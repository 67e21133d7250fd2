package main

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/harnesserr/harnesserr/dashboards/contract"
	"github.com/harnesserr/harnesserr/registry"
)

// TestFirstFailuresAreCounted asks a store that the sample telemetry reached once,
// after the store had begun to look: most counters of failures were born at 1 there,
// which increase() does not see. Every code of the registry must stand in the table
// of failures; a cancellation was asked for, and stands apart.
func TestFirstFailuresAreCounted(t *testing.T) {
	base := os.Getenv("DASH_PROM_URL")
	if base == "" || os.Getenv("DASH_SAMPLE_ONCE") == "" {
		t.Skip("DASH_PROM_URL and DASH_SAMPLE_ONCE are not set: no store that saw the sample telemetry once")
	}
	s := apiStore{base}
	for _, d := range shippedDashboards(t) {
		for _, p := range d.Panels {
			if d.name(p) != "Agent errors / Failures by peer, class and code" {
				continue
			}
			require.Len(t, p.Targets, 1)
			counts := map[string]float64{}
			for _, row := range s.instant(t, d.interpolate(p.Targets[0].Expr, duration(testRange), duration(testInterval), "")) {
				counts[row.labels[contract.LabelCode]] += row.value
			}
			expected := []string{registry.HarnessCancelled}
			for _, e := range registry.All() {
				if slices.Contains(expected, e.Code) {
					require.NotContains(t, counts, e.Code)
					continue
				}
				require.GreaterOrEqual(t, counts[e.Code], 1.0, e.Code)
			}
			// Once each, in one service, told by no twin.
			for _, code := range []string{registry.OutputMalformed, registry.LoopTimeout, registry.ContextCompactionFailed, registry.ToolTimeout} {
				require.Equal(t, 1.0, counts[code], code)
			}
			return
		}
	}
	require.Fail(t, "no such panel")
}
