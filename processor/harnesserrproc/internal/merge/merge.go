// Package merge joins data points of one metric that have become equal in all attributes.
//
// Points are joined only where their sum is a fact: the same stretch of time and the same kind of value. Everything else
// stays as it was and is counted.
package merge

import (
	"hash/maphash"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Was tells what a point's error.type was before it was rewritten; points that were not rewritten are not in it. Two points
// that were equal before are samples of one series and are never joined.
type Was map[int]string

// Metric joins the points of a metric that have become equal. It returns how many could not be joined to a point they equal.
func Metric(m pmetric.Metric, was Was) (unmerged int) {
	switch m.Type() {
	case pmetric.MetricTypeSum:
		t := m.Sum().AggregationTemporality()
		return points(m.Sum().DataPoints(), was, func(dst, src pmetric.NumberDataPoint) bool { return number(t, dst, src) })
	case pmetric.MetricTypeGauge:
		return points(m.Gauge().DataPoints(), was, gauge)
	case pmetric.MetricTypeHistogram:
		t := m.Histogram().AggregationTemporality()
		return points(m.Histogram().DataPoints(), was, func(dst, src pmetric.HistogramDataPoint) bool { return histogram(t, dst, src) })
	case pmetric.MetricTypeExponentialHistogram:
		t := m.ExponentialHistogram().AggregationTemporality()
		return points(m.ExponentialHistogram().DataPoints(), was, func(dst, src pmetric.ExponentialHistogramDataPoint) bool { return exponential(t, dst, src) })
	case pmetric.MetricTypeSummary:
		return points(m.Summary().DataPoints(), was, summary)
	}
	return 0
}

// slice is what the slices of data points of all types have in common.
type slice[P point] interface {
	Len() int
	At(int) P
	RemoveIf(func(P) bool)
}

type point interface {
	Attributes() pcommon.Map
	StartTimestamp() pcommon.Timestamp
	Timestamp() pcommon.Timestamp
	Flags() pmetric.DataPointFlags
}

// points walks a slice once; later points join the first they equal and can be joined to.
func points[P point, S slice[P]](s S, was Was, join func(dst, src P) bool) (unmerged int) {
	chains := newChains(s.Len())
	var gone []bool
	for i := range s.Len() {
		p := s.At(i)
		chain := chains.of(fingerprint(p.Attributes()), i)
		joined, apart := false, false
		for j := chain; j != i && !joined; j = chains.next[j] {
			if becameEqual(was, i, j) && s.At(j).Attributes().Equal(p.Attributes()) {
				joined = join(s.At(j), p)
				apart = !joined
			}
		}
		switch {
		case joined:
			if gone == nil {
				gone = make([]bool, s.Len())
			}
			gone[i] = true
			continue
		case apart:
			unmerged++
		}
		chains.append(chain, i)
	}
	if gone == nil {
		return unmerged
	}
	at := 0
	s.RemoveIf(func(P) bool {
		at++
		return gone[at-1]
	})
	return unmerged
}

// chains are the points that stay, those of one fingerprint behind each other, first to last.
type chains struct {
	first      map[uint64]int
	next, last []int // last is known at the first of a chain
}

func newChains(n int) *chains {
	return &chains{first: make(map[uint64]int, n), next: make([]int, n), last: make([]int, n)}
}

// of returns where the chain of a fingerprint begins, and lets it end at i, a new one with i itself.
func (c *chains) of(print uint64, i int) (first int) {
	first, ok := c.first[print]
	if !ok {
		c.first[print], c.last[i] = i, i
		return i
	}
	c.next[c.last[first]] = i
	return first
}

// append makes i the last of the chain.
func (c *chains) append(first, i int) { c.last[first] = i }

// becameEqual reports whether two points that are equal were not so before.
func becameEqual(was Was, i, j int) bool {
	before, rewritten := was[i]
	other, too := was[j]
	return rewritten != too || rewritten && before != other
}

// seed makes fingerprints of this process.
var seed = maphash.MakeSeed()

// fingerprint is a number that equal attribute sets share, in whatever order they are; unequal ones hardly ever do.
func fingerprint(m pcommon.Map) (sum uint64) {
	const mix = 0x9E3779B97F4A7C15
	for k, v := range m.All() {
		var value uint64
		switch v.Type() {
		case pcommon.ValueTypeStr:
			value = maphash.String(seed, v.Str())
		case pcommon.ValueTypeInt:
			value = uint64(v.Int()) * mix
		default:
			value = maphash.String(seed, v.AsString())
		}
		pair := (maphash.String(seed, k) ^ value*mix) * mix
		sum += pair ^ pair>>32
	}
	return sum
}

// aligned reports whether two points are of the same stretch of time and of a known temporality, so that they may be added.
func aligned(t pmetric.AggregationTemporality, dst, src point) bool {
	return t != pmetric.AggregationTemporalityUnspecified &&
		dst.StartTimestamp() == src.StartTimestamp() && dst.Timestamp() == src.Timestamp()
}

// silent handles points without a recorded value: nothing is to be added from src, or dst takes src over.
func silent(dst, src point) (nothing, takeOver bool) {
	return src.Flags().NoRecordedValue(), dst.Flags().NoRecordedValue()
}

func number(t pmetric.AggregationTemporality, dst, src pmetric.NumberDataPoint) bool {
	nothing, takeOver := silent(dst, src)
	switch {
	case nothing:
		return true
	case takeOver:
		src.CopyTo(dst)
		return true
	case !aligned(t, dst, src):
		return false
	}
	if dst.ValueType() == pmetric.NumberDataPointValueTypeInt && src.ValueType() == pmetric.NumberDataPointValueTypeInt {
		dst.SetIntValue(dst.IntValue() + src.IntValue())
	} else {
		dst.SetDoubleValue(value(dst) + value(src))
	}
	src.Exemplars().MoveAndAppendTo(dst.Exemplars())
	return true
}

func value(p pmetric.NumberDataPoint) float64 {
	if p.ValueType() == pmetric.NumberDataPointValueTypeInt {
		return float64(p.IntValue())
	}
	return p.DoubleValue()
}

// gauge keeps the greater of two values of one moment: gauges can't be added, and of two readings with one name the
// greater is the one to act on.
func gauge(dst, src pmetric.NumberDataPoint) bool {
	nothing, takeOver := silent(dst, src)
	switch {
	case nothing:
		return true
	case takeOver:
		src.CopyTo(dst)
		return true
	case dst.Timestamp() != src.Timestamp():
		return false
	}
	exemplars := pmetric.NewExemplarSlice()
	dst.Exemplars().MoveAndAppendTo(exemplars)
	src.Exemplars().MoveAndAppendTo(exemplars)
	if value(src) > value(dst) {
		src.CopyTo(dst)
	}
	exemplars.MoveAndAppendTo(dst.Exemplars())
	return true
}

func histogram(t pmetric.AggregationTemporality, dst, src pmetric.HistogramDataPoint) bool {
	nothing, takeOver := silent(dst, src)
	switch {
	case nothing:
		return true
	case takeOver:
		src.CopyTo(dst)
		return true
	case !slices.Equal(dst.ExplicitBounds().AsRaw(), src.ExplicitBounds().AsRaw()),
		dst.BucketCounts().Len() != src.BucketCounts().Len(), !aligned(t, dst, src):
		return false
	}
	for i := range dst.BucketCounts().Len() {
		dst.BucketCounts().SetAt(i, dst.BucketCounts().At(i)+src.BucketCounts().At(i))
	}
	dst.SetCount(dst.Count() + src.Count())
	moments(dst, src)
	src.Exemplars().MoveAndAppendTo(dst.Exemplars())
	return true
}

// momented is a histogram's optional sum and extremes.
type momented interface {
	HasSum() bool
	Sum() float64
	SetSum(float64)
	RemoveSum()
	HasMin() bool
	Min() float64
	SetMin(float64)
	RemoveMin()
	HasMax() bool
	Max() float64
	SetMax(float64)
	RemoveMax()
}

// moments joins sum and extremes; what one of two points doesn't know, both together don't.
func moments(dst, src momented) {
	if dst.HasSum() && src.HasSum() {
		dst.SetSum(dst.Sum() + src.Sum())
	} else {
		dst.RemoveSum()
	}
	if dst.HasMin() && src.HasMin() {
		dst.SetMin(min(dst.Min(), src.Min()))
	} else {
		dst.RemoveMin()
	}
	if dst.HasMax() && src.HasMax() {
		dst.SetMax(max(dst.Max(), src.Max()))
	} else {
		dst.RemoveMax()
	}
}

// summary adds count and sum. Quantiles of two populations say nothing about both together, so they go.
func summary(dst, src pmetric.SummaryDataPoint) bool {
	nothing, takeOver := silent(dst, src)
	switch {
	case nothing:
		return true
	case takeOver:
		src.CopyTo(dst)
		return true
	case dst.StartTimestamp() != src.StartTimestamp(), dst.Timestamp() != src.Timestamp():
		return false
	}
	dst.SetCount(dst.Count() + src.Count())
	dst.SetSum(dst.Sum() + src.Sum())
	dst.QuantileValues().RemoveIf(func(pmetric.SummaryDataPointValueAtQuantile) bool { return true })
	return true
}
