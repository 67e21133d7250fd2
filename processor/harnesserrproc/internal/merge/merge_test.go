package merge

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// rewritten says that the first two points were rewritten from different types.
var rewritten = Was{0: "RateLimitError", 1: "429"}

func stamp(p interface {
	SetStartTimestamp(pcommon.Timestamp)
	SetTimestamp(pcommon.Timestamp)
	Attributes() pcommon.Map
}, start, at int64) {
	p.SetStartTimestamp(pcommon.Timestamp(start))
	p.SetTimestamp(pcommon.Timestamp(at))
	p.Attributes().PutStr("error.type", "upstream.rate_limited")
}

func sum(t pmetric.AggregationTemporality, starts, ats []int64, values ...int64) pmetric.Metric {
	m := pmetric.NewMetric()
	m.SetEmptySum().SetAggregationTemporality(t)
	for i, v := range values {
		p := m.Sum().DataPoints().AppendEmpty()
		stamp(p, starts[i], ats[i])
		p.SetIntValue(v)
		p.Exemplars().AppendEmpty().SetIntValue(v)
	}
	return m
}

func TestSum(t *testing.T) {
	delta, cumulative := pmetric.AggregationTemporalityDelta, pmetric.AggregationTemporalityCumulative
	for name, tt := range map[string]struct {
		metric           pmetric.Metric
		was              Was
		points, unmerged int
		first            int64
	}{
		"delta of one interval":            {sum(delta, []int64{1, 1}, []int64{2, 2}, 3, 4), rewritten, 1, 0, 7},
		"cumulative of one start":          {sum(cumulative, []int64{1, 1}, []int64{2, 2}, 3, 4), rewritten, 1, 0, 7},
		"joined to a point that was there": {sum(delta, []int64{1, 1}, []int64{2, 2}, 3, 4), Was{1: "429"}, 1, 0, 7},
		"cumulative of two starts":         {sum(cumulative, []int64{1, 2}, []int64{3, 3}, 3, 4), rewritten, 2, 1, 3},
		"samples of one series":            {sum(cumulative, []int64{1, 1}, []int64{2, 3}, 3, 4), Was{0: "429", 1: "429"}, 2, 0, 3},
		"equal before and not rewritten":   {sum(delta, []int64{1, 1}, []int64{2, 2}, 3, 4), nil, 2, 0, 3},
		"unknown temporality":              {sum(pmetric.AggregationTemporalityUnspecified, []int64{1, 1}, []int64{2, 2}, 3, 4), rewritten, 2, 1, 3},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.unmerged, Metric(tt.metric, tt.was))
			points := tt.metric.Sum().DataPoints()
			require.Equal(t, tt.points, points.Len())
			require.Equal(t, tt.first, points.At(0).IntValue())
			if tt.points == 1 {
				require.Equal(t, 2, points.At(0).Exemplars().Len(), "exemplars are kept")
			}
		})
	}
}

func TestGaugeAndSummary(t *testing.T) {
	m := pmetric.NewMetric()
	g := m.SetEmptyGauge().DataPoints()
	for _, v := range []float64{2.5, 4.5} {
		p := g.AppendEmpty()
		stamp(p, 0, 5)
		p.SetDoubleValue(v)
	}
	require.Zero(t, Metric(m, rewritten))
	require.Equal(t, 1, g.Len())
	require.Equal(t, 4.5, g.At(0).DoubleValue())

	s := m.SetEmptySummary().DataPoints()
	for i := range 2 {
		p := s.AppendEmpty()
		stamp(p, 1, 5)
		p.SetCount(uint64(i + 1))
		p.SetSum(float64(i) + 0.5)
		p.QuantileValues().AppendEmpty().SetQuantile(0.5)
	}
	require.Zero(t, Metric(m, rewritten))
	require.Equal(t, 1, s.Len())
	require.Equal(t, uint64(3), s.At(0).Count())
	require.Equal(t, 2.0, s.At(0).Sum())
	require.Zero(t, s.At(0).QuantileValues().Len())
}

func TestHistogram(t *testing.T) {
	build := func(bounds ...[]float64) pmetric.Metric {
		m := pmetric.NewMetric()
		h := m.SetEmptyHistogram()
		h.SetAggregationTemporality(pmetric.AggregationTemporalityDelta)
		for i, b := range bounds {
			p := h.DataPoints().AppendEmpty()
			stamp(p, 1, 2)
			p.ExplicitBounds().FromRaw(b)
			p.BucketCounts().FromRaw([]uint64{1, 2})
			p.SetCount(3)
			p.SetSum(float64(i + 1))
			p.SetMin(float64(i))
			p.SetMax(float64(10 + i))
		}
		return m
	}
	m := build([]float64{1}, []float64{1})
	require.Zero(t, Metric(m, rewritten))
	p := m.Histogram().DataPoints().At(0)
	require.Equal(t, 1, m.Histogram().DataPoints().Len())
	require.Equal(t, []uint64{2, 4}, p.BucketCounts().AsRaw())
	require.Equal(t, []float64{3, 0, 11}, []float64{p.Sum(), p.Min(), p.Max()})
	require.Equal(t, uint64(6), p.Count())

	require.Equal(t, 1, Metric(build([]float64{1}, []float64{2}), rewritten), "other bounds can't be added")
}

func TestExponential(t *testing.T) {
	m := pmetric.NewMetric()
	h := m.SetEmptyExponentialHistogram()
	h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	for i, scale := range []int32{1, 0} {
		p := h.DataPoints().AppendEmpty()
		stamp(p, 1, 2)
		p.SetScale(scale)
		p.Positive().SetOffset(int32(-1 + i))
		p.Positive().BucketCounts().FromRaw([]uint64{1, 2, 3, 4})
		p.SetZeroCount(1)
		p.SetCount(11)
		p.SetSum(5)
	}
	require.Zero(t, Metric(m, rewritten))
	require.Equal(t, 1, h.DataPoints().Len())
	p := h.DataPoints().At(0)
	require.Equal(t, int32(0), p.Scale())
	// Scale 1, buckets -1..2 with 1 2 3 4, become at scale 0 buckets -1..1 with 1, 2+3, 4; the other point has 0..3 with 1 2 3 4.
	require.Equal(t, int32(-1), p.Positive().Offset())
	require.Equal(t, []uint64{1, 6, 6, 3, 4}, p.Positive().BucketCounts().AsRaw())
	require.Equal(t, uint64(2), p.ZeroCount())
	require.Equal(t, uint64(22), p.Count())
}

func TestNoRecordedValue(t *testing.T) {
	m := sum(pmetric.AggregationTemporalityDelta, []int64{1, 1}, []int64{2, 2}, 3, 0)
	m.Sum().DataPoints().At(1).SetFlags(pmetric.DefaultDataPointFlags.WithNoRecordedValue(true))
	require.Zero(t, Metric(m, rewritten))
	require.Equal(t, 1, m.Sum().DataPoints().Len())
	require.Equal(t, int64(3), m.Sum().DataPoints().At(0).IntValue())
}
