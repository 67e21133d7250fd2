package merge

import "go.opentelemetry.io/collector/pdata/pmetric"

// exponential adds two exponential histograms: the finer one is brought to the scale of the coarser, which loses nothing
// but resolution that the sum couldn't have (OTel metrics data model, exponential histograms).
func exponential(t pmetric.AggregationTemporality, dst, src pmetric.ExponentialHistogramDataPoint) bool {
	nothing, takeOver := silent(dst, src)
	switch {
	case nothing:
		return true
	case takeOver:
		src.CopyTo(dst)
		return true
	case dst.ZeroThreshold() != src.ZeroThreshold(), !aligned(t, dst, src):
		return false
	}
	scale := min(dst.Scale(), src.Scale())
	rescale(dst, scale)
	rescale(src, scale)
	buckets(dst.Positive(), src.Positive())
	buckets(dst.Negative(), src.Negative())
	dst.SetZeroCount(dst.ZeroCount() + src.ZeroCount())
	dst.SetCount(dst.Count() + src.Count())
	moments(dst, src)
	src.Exemplars().MoveAndAppendTo(dst.Exemplars())
	return true
}

func rescale(p pmetric.ExponentialHistogramDataPoint, scale int32) {
	if shift := p.Scale() - scale; shift > 0 {
		coarsen(p.Positive(), shift)
		coarsen(p.Negative(), shift)
		p.SetScale(scale)
	}
}

// coarsen folds buckets so that each is 2^shift of the old ones: bucket i becomes bucket i>>shift.
func coarsen(b pmetric.ExponentialHistogramDataPointBuckets, shift int32) {
	counts := b.BucketCounts()
	if counts.Len() == 0 {
		b.SetOffset(0)
		return
	}
	first := b.Offset() >> shift
	last := (b.Offset() + int32(counts.Len()) - 1) >> shift
	folded := make([]uint64, last-first+1)
	for i := range counts.Len() {
		folded[(b.Offset()+int32(i))>>shift-first] += counts.At(i)
	}
	b.SetOffset(first)
	counts.FromRaw(folded)
}

// buckets adds the counts of src to dst; both are of one scale.
func buckets(dst, src pmetric.ExponentialHistogramDataPointBuckets) {
	d, s := dst.BucketCounts(), src.BucketCounts()
	if s.Len() == 0 {
		return
	}
	if d.Len() == 0 {
		src.CopyTo(dst)
		return
	}
	first := min(dst.Offset(), src.Offset())
	end := max(dst.Offset()+int32(d.Len()), src.Offset()+int32(s.Len()))
	sum := make([]uint64, end-first)
	for i := range d.Len() {
		sum[dst.Offset()-first+int32(i)] += d.At(i)
	}
	for i := range s.Len() {
		sum[src.Offset()-first+int32(i)] += s.At(i)
	}
	dst.SetOffset(first)
	d.FromRaw(sum)
}
