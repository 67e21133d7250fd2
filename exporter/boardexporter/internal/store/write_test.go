package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/metricstest"
)

// TestPointsAsTheyCome is what the store makes of times: the window is 30 minutes.
func TestPointsAsTheyCome(t *testing.T) {
	s := open(t, options(t.TempDir()))
	now := time.Now()
	for _, c := range []struct {
		name  string
		late  time.Duration
		value int64
		want  string // reason of refusal
	}{
		{"now", 0, 100, ""},
		{"10 minutes late", 10 * time.Minute, 90, ""},
		{"40 minutes late", 40 * time.Minute, 60, "too_old"},
		{"3 hours late", 3 * time.Hour, 1, "too_old"},
		{"the same point again", 0, 100, ""},
		{"another value at the same time", 0, 101, "duplicate"},
		{"5 minutes ahead", -5 * time.Minute, 110, ""},
		{"an hour ahead", -time.Hour, 200, "too_new"},
		{"now, after the one ahead", time.Second, 99, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := push(t, s, metricstest.Point{Peer: "a", Value: c.value, At: now.Add(-c.late)})
			if c.want == "" {
				require.NoError(t, r.Err())
				return
			}
			require.Equal(t, map[string]int{c.want: 1}, r.ByReason)
			require.ErrorContains(t, r.Err(), `harness_peer="a"`)
		})
	}
	require.NoError(t, s.Close())
}

func TestARefusedPointKeepsNoOtherOut(t *testing.T) {
	s := open(t, options(t.TempDir()))
	now := time.Now()
	require.NoError(t, push(t, s, metricstest.Point{Peer: "a", Value: 1, At: now}).Err())
	var points []metricstest.Point
	for range 10 {
		points = append(points, metricstest.Point{Peer: "a", Value: 1, At: now.Add(-time.Hour)})
	}
	r := push(t, s, append(points, metricstest.Point{Peer: "b", Value: 1, At: now})...)
	require.Equal(t, 10, r.Count())
	require.Equal(t, map[string]int{"too_old": 10}, r.ByReason)
	require.ErrorContains(t, r.Err(), "10 points refused, the first")
	require.Len(t, query(t, s, metricstest.Series, now), 2)
	require.NoError(t, s.Close())
}

func TestDeltaIsRefusedInWordsThatHelp(t *testing.T) {
	s := open(t, options(t.TempDir()))
	now := time.Now()
	md := metricstest.Counter(metricstest.Point{Peer: "a", Value: 1, At: now})
	metrics := md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics()
	metrics.At(0).CopyTo(metrics.AppendEmpty())
	metrics.At(1).SetName("delta.calls")
	metrics.At(1).Sum().SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
	for _, fill := range []func(pmetric.Metric){deltaHistogram, deltaExponential} {
		fill(metrics.AppendEmpty())
	}
	r, err := s.NewWriter(nil).Write(t.Context(), s.DirectAppender(t.Context()), md)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"delta": 3}, r.ByReason)
	require.ErrorIs(t, r.Err(), ErrDelta)
	require.ErrorContains(t, r.Err(), `metric "delta.calls" has delta temporality: put the deltatocumulative processor`)
	require.Len(t, query(t, s, metricstest.Series, now), 1, "the rest is kept")
	require.NoError(t, s.Close())
}

func deltaHistogram(m pmetric.Metric) {
	m.SetName("delta.duration")
	m.SetEmptyHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
	m.Histogram().DataPoints().AppendEmpty()
}

func deltaExponential(m pmetric.Metric) {
	m.SetName("delta.size")
	m.SetEmptyExponentialHistogram().SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
	m.ExponentialHistogram().DataPoints().AppendEmpty()
}

func TestOddMetrics(t *testing.T) {
	s := open(t, options(t.TempDir()))
	now := pcommon.NewTimestampFromTime(time.Now())
	md := pmetric.NewMetrics()
	metrics := md.ResourceMetrics().AppendEmpty().ScopeMetrics().AppendEmpty().Metrics()
	metrics.AppendEmpty().SetName("empty")
	metrics.AppendEmpty().SetEmptyGauge().DataPoints().AppendEmpty().SetTimestamp(now) // no name
	good := metrics.AppendEmpty()
	good.SetName("good")
	good.SetUnit("By")
	good.SetEmptyGauge().DataPoints().AppendEmpty().SetTimestamp(now)
	r, err := s.NewWriter(nil).Write(t.Context(), s.DirectAppender(t.Context()), md)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"untranslatable": 2}, r.ByReason)
	require.Len(t, query(t, s, "good_bytes", now.AsTime()), 1)
	require.Equal(t, "bytes", s.Metadata.All()["good_bytes"].Unit)
	require.NoError(t, s.Close())
}

func TestZeroBeforeACounterThatComesAsItIs(t *testing.T) {
	s := open(t, options(t.TempDir()))
	now := time.Now()
	require.NoError(t, push(t, s, metricstest.Point{Peer: "a", Value: 3, At: now, Start: now.Add(-time.Minute)}).Err())
	v := query(t, s, `increase(harness_calls_total[5m])`, now)
	require.Len(t, v, 1)
	require.InDelta(t, 3, v[0].F, 0.2)
	require.NoError(t, s.Close())
}

// TestAPointWithoutATimestamp: the translator must not fill the years since 1970 with target_info.
func TestAPointWithoutATimestamp(t *testing.T) {
	s := open(t, options(t.TempDir()))
	now := time.Now()
	md := metricstest.Counter(metricstest.Point{Peer: "a", Value: 1, At: now}, metricstest.Point{Peer: "b", Value: 1, At: time.Unix(0, 0)})
	md.ResourceMetrics().At(0).Resource().Attributes().PutStr("host.name", "h")
	began := time.Now()
	r, err := s.NewWriter(nil).Write(t.Context(), s.DirectAppender(t.Context()), md)
	require.NoError(t, err)
	require.Less(t, time.Since(began), 5*time.Second)
	require.Equal(t, map[string]int{"too_old": 2}, r.ByReason) // the point and its target_info
	require.Len(t, query(t, s, `target_info{host_name="h"}`, now), 1)
	require.NoError(t, s.Close())
}
