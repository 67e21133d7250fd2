package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/harnesserr/harnesserr/internal/observe"
	"github.com/harnesserr/harnesserr/processor/harnesserrproc"
	"github.com/harnesserr/harnesserr/registry"
)

// codes runs the processor over some runs and returns the codes it found.
func codes(t *testing.T, runs ...*run) (found []string, records []observe.Record) {
	t.Helper()
	f := harnesserrproc.NewFactory()
	p, err := f.CreateTraces(t.Context(), processortest.NewNopSettings(f.Type()), f.CreateDefaultConfig(), consumertest.NewNop())
	require.NoError(t, err)
	require.NoError(t, p.Start(t.Context(), componenttest.NewNopHost()))
	ctx := observe.With(t.Context(), func(r observe.Record) {
		records = append(records, r)
		if r.Verdict.Code != "" {
			found = append(found, r.Verdict.Code)
		}
	})
	for _, r := range runs {
		require.NoError(t, p.ConsumeTraces(ctx, r.data))
	}
	require.NoError(t, p.Shutdown(t.Context()))
	return found, records
}

func TestHealthyRunsAreHealthy(t *testing.T) {
	w := newWorld()
	found, records := codes(t, w.supportRun(), w.researchRun(), w.invoiceRun())
	require.Empty(t, found)
	require.Len(t, records, 6+6+4)
}

// Every failure of the story is told in a dialect the processor understands.
func TestFailuresGetTheirCode(t *testing.T) {
	for _, f := range append(everyday(), rateLimited, retried, overloaded, brokenContract, versionGap) {
		t.Run(f.name, func(t *testing.T) {
			found, _ := codes(t, f.run(newWorld()))
			if f.code == "" {
				require.Empty(t, found)
				return
			}
			require.NotEmpty(t, found)
			require.Equal(t, []string{f.code}, slices.Compact(found))
		})
	}
}

// The story has every code of the registry, each everyday failure once.
func TestStoryHasEveryCode(t *testing.T) {
	require.LessOrEqual(t, len(everyday()), steps/2)
	told := map[string]bool{"context.compaction_failed": true, "policy.approval_denied": true} // by the coding agents
	for _, f := range append(everyday(), rateLimited, overloaded, brokenContract) {
		told[f.code] = true
	}
	for _, e := range registry.All() {
		require.True(t, told[e.Code], e.Code)
	}
}

// What is committed is what the generator writes, and is small enough to read.
func TestCommittedStory(t *testing.T) {
	total := 0
	for _, c := range story() {
		want, err := c.render()
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("../../testdata/fleet", c.file))
		require.NoError(t, err)
		require.True(t, string(want) == string(got), "%s is out of date: go generate ./internal/fleet", c.file)
		total += len(got)
	}
	require.Less(t, total, 450_000)
}
