package sampling

import "github.com/prometheus/prometheus/storage"

// startOf returns the start time that goes with the first sample of a counter, in ms, or 0. The store writes a 0 at
// that time unless the series has a newer sample already. Without it a counter that is born at 1 shows no increase.
//
//	the counter                                               start time
//	began after us, or doesn't say when                       just after the tick before
//	is older, new in the store, and its source is known       just after the tick before: SDKs give a new label set the
//	                                                          start of the process
//	is older, and its source is new or the store knows it     its own: what was counted before us makes no burst
//
// A 0 hours ago, at the true start, or a millisecond before the sample would make PromQL extrapolate wildly or not at
// all, so it stands nearly a whole interval before. Not at the tick itself: there a counter that began anew still has
// its old value, and without the 0 a reset to a higher value can't be seen.
func (w *writer) startOf(s *series) int64 {
	if s.sampled || !s.counts() {
		return 0
	}
	if s.start == 0 || s.start >= w.started || s.source.known && !w.stored(s) {
		return w.previous + 1
	}
	return s.start
}

// stored tells whether the head of the store holds the series.
func (w *writer) stored(s *series) bool {
	g, ok := w.app.(storage.GetRef)
	if !ok {
		return false
	}
	ref, _ := g.GetRef(s.labels, s.labels.Hash())
	return ref != 0
}
