// Package sampling turns pushed metric points into evenly spaced samples, as if the collector were scraped.
//
// A counter that is stored whenever a point of it happens to arrive has few samples, and PromQL extrapolates between
// them: three failures an hour apart become six. So points only update the newest state of their series, and a tick
// writes one sample of every live series at each multiple of the interval, at the clock of this machine.
package sampling

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
)

// remember is how long an expired series is kept in mind. It must outlast every counter upstream that can go on after
// a pause (max_stale of the deltatocumulative processor): a counter that comes back must not be taken for a new one.
const remember = 24 * time.Hour

// Options of a sampler.
type Options struct {
	// Interval between two samples of a series; positive.
	Interval time.Duration
	// Expiration ends a series that got no point for so long.
	Expiration time.Duration
	// MaxSeries bounds the series in mind, expired ones included; positive.
	MaxSeries int
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Sampler holds the newest state of every series. It is safe for concurrent use.
type Sampler struct {
	opts    Options
	store   storage.AppendableV2
	started int64 // ms; counters that began later were born under our eyes

	mu      sync.Mutex
	series  map[uint64][]*series // by hash of the labels
	sources map[sourceKey]*source
	count   int
	live    int
	late    int   // points ignored since the last tick
	last    int64 // ms; the newest tick
}

// New returns a sampler that writes into store when [Sampler.Tick] is called.
func New(store storage.AppendableV2, o Options) *Sampler {
	if o.Now == nil {
		o.Now = time.Now
	}
	now := o.Now().UnixMilli()
	return &Sampler{
		opts: o, store: store, started: now, last: now,
		series: map[uint64][]*series{}, sources: map[sourceKey]*source{},
	}
}

// Tick is what one call of [Sampler.Tick] did.
type Tick struct {
	// Samples written, staleness markers included, zeros not.
	Samples int
	// Refused samples by error; the rest of the tick was written.
	Refused []error
	// Late points that were ignored since the tick before, because a newer one had come already.
	Late int
}

// Live is the number of series that the next tick samples.
func (s *Sampler) Live() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live
}

// Tick writes one sample of each live series at the given time. A time that is not after the last tick does nothing.
// When the commit fails nothing was written and the next tick tries again with the newest state.
func (s *Sampler) Tick(ctx context.Context, at time.Time) (Tick, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := at.UnixMilli()
	if now <= s.last {
		return Tick{}, nil
	}
	w := writer{
		app:      s.store.AppenderV2(ctx),
		now:      now,
		previous: max(s.last, now-s.opts.Interval.Milliseconds()),
		started:  s.started,
	}
	for hash, list := range s.series {
		kept := list[:0]
		for _, one := range list {
			idle := time.Duration(now-one.seen) * time.Millisecond
			if one.expired {
				if idle > remember || s.count > s.opts.MaxSeries*9/10 {
					s.forget(one)
					continue
				}
			} else {
				w.write(one, idle > s.opts.Expiration)
			}
			kept = append(kept, one)
		}
		clear(list[len(kept):])
		if len(kept) == 0 {
			delete(s.series, hash)
		} else {
			s.series[hash] = kept
		}
	}
	if err := w.app.Commit(); err != nil {
		return Tick{Refused: w.refused}, fmt.Errorf("commit %d samples: %w", len(w.written), err)
	}
	for _, one := range w.written {
		one.committed()
		if one.expired {
			s.live--
		}
	}
	t := Tick{Samples: len(w.written), Refused: w.refused, Late: s.late}
	s.last, s.late = now, 0
	return t, nil
}

func (s *Sampler) forget(one *series) {
	s.count--
	if one.source.series--; one.source.series == 0 {
		delete(s.sources, one.key())
	}
}

// writer appends the samples of one tick.
type writer struct {
	app      storage.AppenderV2
	now      int64 // ms
	previous int64 // ms; the tick before
	started  int64 // ms; the start of the sampler
	written  []*series
	refused  []error
}

func (w *writer) write(s *series, expire bool) {
	st, v, h, fh, opts := w.startOf(s), s.v, s.h, s.fh, s.opts
	if s.ended = s.ended || expire; s.ended {
		st, v, h, fh, opts = 0, math.Float64frombits(value.StaleNaN), nil, nil, storage.AOptions{}
	}
	opts.Exemplars = s.exemplars
	ref, err := w.app.Append(s.ref, s.labels, st, w.now, v, h, fh, opts)
	// A partial error is about exemplars: the sample itself was taken.
	if err != nil && !errors.Is(err, &storage.AppendPartialError{}) {
		w.refused = append(w.refused, fmt.Errorf("%s: %w", s.labels, err))
		return
	}
	if ref != 0 {
		s.ref = ref
	}
	w.written = append(w.written, s)
}
