package main

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// round makes telemetry fresh: one pass over a set of payloads has its own ids and times.
//
// Ids are mixed with random numbers of the round, without a table: equal ids stay equal in every file and signal, different
// ones stay different.
type round struct {
	salt  [3]uint64
	shift time.Duration // added to every time
}

// newRound begins a round at a time; pause is the time between two of its payloads. The newest record gets the time at which
// the round ends, or as much before as it takes for no record to lie in the future when it is sent.
func newRound(set []payload, start time.Time, pause time.Duration) round {
	var span times
	for _, p := range set {
		p.eachTime(func(t pcommon.Timestamp) pcommon.Timestamp { span.add(t); return t })
	}
	length := min(span.length(), time.Duration(len(set)-1)*pause)
	return round{
		salt:  [3]uint64{rand.Uint64(), rand.Uint64(), rand.Uint64()},
		shift: start.Add(length).Sub(span.newest.AsTime()),
	}
}

// times are the oldest and the newest of some times.
type times struct{ oldest, newest pcommon.Timestamp }

func (s *times) add(t pcommon.Timestamp) {
	if s.oldest == 0 || t < s.oldest {
		s.oldest = t
	}
	s.newest = max(s.newest, t)
}

func (s *times) length() time.Duration { return time.Duration(s.newest - s.oldest) }

// of returns a fresh copy of a payload.
func (r round) of(p payload) payload {
	out := newPayload()
	p.traces.CopyTo(out.traces)
	p.logs.CopyTo(out.logs)
	p.metrics.CopyTo(out.metrics)
	out.eachTime(r.time)
	out.eachID(r.trace, r.span)
	return out
}

func (r round) time(t pcommon.Timestamp) pcommon.Timestamp {
	if r.shift < 0 && t < pcommon.Timestamp(-r.shift) {
		return t // before 1970 after the move: no time at all
	}
	return pcommon.Timestamp(int64(t) + int64(r.shift))
}

func (r round) trace(id pcommon.TraceID) pcommon.TraceID {
	if id.IsEmpty() {
		return id
	}
	binary.BigEndian.PutUint64(id[:8], mix(binary.BigEndian.Uint64(id[:8])^r.salt[0]))
	binary.BigEndian.PutUint64(id[8:], mix(binary.BigEndian.Uint64(id[8:])^r.salt[1]))
	return id
}

func (r round) span(id pcommon.SpanID) pcommon.SpanID {
	if id.IsEmpty() {
		return id
	}
	binary.BigEndian.PutUint64(id[:], mix(binary.BigEndian.Uint64(id[:])^r.salt[2]))
	return id
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): every input
// has another output, and neighbours end up far apart.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func newPayload() payload {
	return payload{traces: ptrace.NewTraces(), logs: plog.NewLogs(), metrics: pmetric.NewMetrics()}
}

// count returns the number of spans, log records or data points.
func (p payload) count() int {
	return p.traces.SpanCount() + p.logs.LogRecordCount() + p.metrics.DataPointCount()
}

// eachTime replaces every time that is set.
func (p payload) eachTime(f func(pcommon.Timestamp) pcommon.Timestamp) {
	replace := func(t pcommon.Timestamp, set func(pcommon.Timestamp)) {
		if t != 0 {
			set(f(t))
		}
	}
	for s := range p.eachSpan {
		replace(s.StartTimestamp(), s.SetStartTimestamp)
		replace(s.EndTimestamp(), s.SetEndTimestamp)
		for _, e := range s.Events().All() {
			replace(e.Timestamp(), e.SetTimestamp)
		}
	}
	for l := range p.eachLog {
		replace(l.Timestamp(), l.SetTimestamp)
		replace(l.ObservedTimestamp(), l.SetObservedTimestamp)
	}
	for d := range p.eachPoint {
		replace(d.StartTimestamp(), d.SetStartTimestamp)
		replace(d.Timestamp(), d.SetTimestamp)
		for _, e := range exemplars(d).All() {
			replace(e.Timestamp(), e.SetTimestamp)
		}
	}
}

// eachID replaces every trace and span id.
func (p payload) eachID(trace func(pcommon.TraceID) pcommon.TraceID, span func(pcommon.SpanID) pcommon.SpanID) {
	for s := range p.eachSpan {
		s.SetTraceID(trace(s.TraceID()))
		s.SetSpanID(span(s.SpanID()))
		s.SetParentSpanID(span(s.ParentSpanID()))
		for _, l := range s.Links().All() {
			l.SetTraceID(trace(l.TraceID()))
			l.SetSpanID(span(l.SpanID()))
		}
	}
	for l := range p.eachLog {
		l.SetTraceID(trace(l.TraceID()))
		l.SetSpanID(span(l.SpanID()))
	}
	for d := range p.eachPoint {
		for _, e := range exemplars(d).All() {
			e.SetTraceID(trace(e.TraceID()))
			e.SetSpanID(span(e.SpanID()))
		}
	}
}

func (p payload) eachSpan(yield func(ptrace.Span) bool) {
	for _, rs := range p.traces.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, s := range ss.Spans().All() {
				if !yield(s) {
					return
				}
			}
		}
	}
}

func (p payload) eachLog(yield func(plog.LogRecord) bool) {
	for _, rl := range p.logs.ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, l := range sl.LogRecords().All() {
				if !yield(l) {
					return
				}
			}
		}
	}
}

// point is what data points of all kinds have in common.
type point interface {
	StartTimestamp() pcommon.Timestamp
	SetStartTimestamp(pcommon.Timestamp)
	Timestamp() pcommon.Timestamp
	SetTimestamp(pcommon.Timestamp)
}

// exemplars returns the exemplars of a point; a point of a summary has none.
func exemplars(d point) pmetric.ExemplarSlice {
	if e, ok := d.(interface{ Exemplars() pmetric.ExemplarSlice }); ok {
		return e.Exemplars()
	}
	return pmetric.NewExemplarSlice()
}

func (p payload) eachPoint(yield func(point) bool) {
	for _, rm := range p.metrics.ResourceMetrics().All() {
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				if !eachPointOf(m, yield) {
					return
				}
			}
		}
	}
}

func eachPointOf(m pmetric.Metric, yield func(point) bool) bool {
	switch m.Type() {
	case pmetric.MetricTypeGauge:
		return all(m.Gauge().DataPoints(), yield)
	case pmetric.MetricTypeSum:
		return all(m.Sum().DataPoints(), yield)
	case pmetric.MetricTypeHistogram:
		return all(m.Histogram().DataPoints(), yield)
	case pmetric.MetricTypeExponentialHistogram:
		return all(m.ExponentialHistogram().DataPoints(), yield)
	case pmetric.MetricTypeSummary:
		return all(m.Summary().DataPoints(), yield)
	}
	return true
}

// all yields the points of a slice of any kind.
func all[P point](points interface {
	Len() int
	At(int) P
}, yield func(point) bool) bool {
	for i := range points.Len() {
		if !yield(points.At(i)) {
			return false
		}
	}
	return true
}
