package main

import (
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/stretchr/testify/require"
)

// TestCount runs the cases of testdata/count.test, in which COUNT(m, w) stands for
// the generated expression.
func TestCount(t *testing.T) {
	raw, err := os.ReadFile("testdata/count.test")
	require.NoError(t, err)
	call := regexp.MustCompile(`COUNT\((\w+), (\w+)\)`)
	script := call.ReplaceAllStringFunc(string(raw), func(s string) string {
		m := call.FindStringSubmatch(s)
		return count(sel(m[1]), m[2])
	})
	promqltest.RunTest(t, script, promqltest.NewTestEngine(t, false, 0, promqltest.DefaultMaxSamplesPerQuery))
}

func TestCountAgo(t *testing.T) {
	require.Equal(t, `((increase(m{a="1"}[1h] offset 15m) and resets(m{a="1"}[1h] offset 15m) > 0)`+
		` or (last_over_time(m{a="1"}[1h] offset 15m) - last_over_time(m{a="1"}[65m] offset 75m)) >= 0`+
		` or last_over_time(m{a="1"}[1h] offset 15m))`,
		countAgo(sel("m", eq("a", "1")), time.Hour, 15*time.Minute))
}

func TestDuration(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"15s": 15 * time.Second, "90s": 90 * time.Second, "5m": 5 * time.Minute, "65m": 65 * time.Minute,
		"6h": 6 * time.Hour, "3d": 72 * time.Hour, "0s": 0,
	} {
		require.Equal(t, want, duration(d))
	}
}
