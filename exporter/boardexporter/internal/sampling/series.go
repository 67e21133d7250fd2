package sampling

import (
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/exemplar"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"

	"github.com/harnesserr/harnesserr/exporter/boardexporter/internal/store"
)

// maxExemplars is how many exemplars of one series wait for the next tick; the newest are kept.
const maxExemplars = 10

// series is the newest state of one series, as a scrape target would show it.
type series struct {
	labels labels.Labels
	source *source
	opts   storage.AOptions // family name and metadata only
	ref    storage.SeriesRef

	start     int64 // ms; when the counter began, 0 if the source doesn't say
	at        int64 // ms; the newest point, at the clock of the source
	seen      int64 // ms; when it came, at our clock
	v         float64
	h         *histogram.Histogram
	fh        *histogram.FloatHistogram
	exemplars []exemplar.Exemplar

	sampled bool // a sample of the counter that began at start was written
	ended   bool // a staleness marker is due
	expired bool // not sampled any more, but remembered
}

// sourceKey names who sends a series.
type sourceKey struct{ job, instance string }

// source is a sender of series.
type source struct {
	series int
	known  bool // a series of it was written before
}

func (s *series) key() sourceKey {
	return sourceKey{s.labels.Get(model.JobLabel), s.labels.Get(model.InstanceLabel)}
}

// counts tells whether the series only grows between resets.
func (s *series) counts() bool {
	return s.opts.Metadata.Type == model.MetricTypeCounter || s.opts.Metadata.Type == model.MetricTypeHistogram
}

// committed notes that the pending sample is in the store.
func (s *series) committed() {
	s.sampled, s.source.known, s.exemplars = true, true, nil
	s.expired, s.ended = s.ended, false
}

// Appender returns an appender that updates the state of the series. It never touches the store, so there is nothing
// to commit.
func (s *Sampler) Appender() storage.AppenderV2 { return collector{s} }

type collector struct{ s *Sampler }

func (collector) Commit() error   { return nil }
func (collector) Rollback() error { return nil }

func (c collector) Append(_ storage.SeriesRef, ls labels.Labels, st, t int64, v float64,
	h *histogram.Histogram, fh *histogram.FloatHistogram, o storage.AOptions,
) (storage.SeriesRef, error) {
	stale := value.IsStaleNaN(v) || h != nil && value.IsStaleNaN(h.Sum) || fh != nil && value.IsStaleNaN(fh.Sum)
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	one := c.s.find(ls)
	if stale {
		if one != nil && !one.expired {
			one.ended = true
		}
		return 0, nil
	}
	if one == nil {
		if one = c.s.add(ls); one == nil {
			return 0, store.ErrSeriesLimit
		}
	} else if one.start >= st && t < one.at {
		// A newer point of the same counter is here already: this one has nothing to add.
		c.s.late++
		return 0, nil
	}
	if one.expired {
		one.expired = false
		c.s.live++
	}
	now := c.s.opts.Now().UnixMilli()
	if one.start != st {
		one.sampled = false // another counter
	}
	one.start, one.seen, one.ended = st, now, false
	one.at = min(t, now) // a clock that is ahead must not make later points look late
	one.v, one.h, one.fh = v, nil, nil
	if h != nil {
		one.h = h.Copy()
	}
	if fh != nil {
		one.fh = fh.Copy()
	}
	one.opts = storage.AOptions{MetricFamilyName: o.MetricFamilyName, Metadata: o.Metadata}
	one.keep(o.Exemplars)
	return 0, nil
}

func (s *series) keep(es []exemplar.Exemplar) {
	for _, e := range es {
		e.Labels = e.Labels.Copy()
		s.exemplars = append(s.exemplars, e)
	}
	if n := len(s.exemplars); n > maxExemplars {
		s.exemplars = s.exemplars[n-maxExemplars:]
	}
}

func (s *Sampler) find(ls labels.Labels) *series {
	for _, one := range s.series[ls.Hash()] {
		if labels.Equal(one.labels, ls) {
			return one
		}
	}
	return nil
}

// add begins a series, or returns nil at the limit.
func (s *Sampler) add(ls labels.Labels) *series {
	if s.count >= s.opts.MaxSeries {
		return nil
	}
	one := &series{labels: ls.Copy()}
	src := s.sources[one.key()]
	if src == nil {
		src = &source{}
		s.sources[one.key()] = src
	}
	src.series++
	one.source = src
	hash := ls.Hash()
	s.series[hash] = append(s.series[hash], one)
	s.count++
	s.live++
	return one
}
