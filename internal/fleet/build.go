package main

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// start is when the story begins; replay moves it to now.
var start = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// chapter is a file of payloads, in the order of time.
type chapter struct {
	file     string
	payloads []func() ([]byte, error)
}

func (c chapter) render() ([]byte, error) {
	var out bytes.Buffer
	for _, p := range c.payloads {
		line, err := p()
		if err != nil {
			return nil, err
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

// world makes everything that is not told by the story: ids and durations.
type world struct {
	rnd *rand.Rand
	now time.Time
}

func newWorld() *world { return &world{rnd: rand.New(rand.NewPCG(2026, 105)), now: start} }

func (w *world) traceID() (id pcommon.TraceID) {
	binary.BigEndian.PutUint64(id[:8], w.rnd.Uint64())
	binary.BigEndian.PutUint64(id[8:], w.rnd.Uint64())
	return id
}

func (w *world) spanID() (id pcommon.SpanID) {
	binary.BigEndian.PutUint64(id[:], w.rnd.Uint64())
	return id
}

// about returns a duration around d, now and then much longer, as durations are.
func (w *world) about(d time.Duration) time.Duration {
	factor := 0.6 + 0.8*w.rnd.Float64()
	if w.rnd.IntN(20) == 0 {
		factor *= 4
	}
	return (time.Duration(float64(d) * factor)).Round(time.Millisecond)
}

// attrs are attributes in the order they are written.
type attrs []any

func (a attrs) put(m pcommon.Map) {
	for i := 0; i < len(a); i += 2 {
		key := a[i].(string)
		switch v := a[i+1].(type) {
		case string:
			m.PutStr(key, v)
		case int:
			m.PutInt(key, int64(v))
		case bool:
			m.PutBool(key, v)
		case []string:
			s := m.PutEmptySlice(key)
			for _, e := range v {
				s.AppendEmpty().SetStr(e)
			}
		}
	}
}

// run is one trace of one service.
type run struct {
	w     *world
	data  ptrace.Traces
	trace pcommon.TraceID
	rs    ptrace.ResourceSpans
	at    time.Time
}

// resource gives a service the attributes its SDK would send.
func resource(m pcommon.Map, service string) {
	m.PutStr("service.name", service)
	m.PutStr("service.namespace", "fleet")
	m.PutStr("service.instance.id", service+"-1")
}

func (w *world) run(service string) *run {
	r := &run{w: w, data: ptrace.NewTraces(), trace: w.traceID(), at: w.now}
	r.rs = r.data.ResourceSpans().AppendEmpty()
	resource(r.rs.Resource().Attributes(), service)
	return r
}

// node is a span that others can stand under. Children follow one another; the parent ends with its last child.
type node struct {
	r      *run
	s      ptrace.Span
	parent *node
	next   time.Time
}

// span adds a span under a parent, nil for the root, which takes about d (its children's time comes on top).
func (r *run) span(parent *node, scope, name string, kind ptrace.SpanKind, d time.Duration, a attrs) *node {
	begin := r.at
	n := &node{r: r, s: r.scope(scope).AppendEmpty(), parent: parent}
	if parent != nil {
		begin = parent.next
		n.s.SetParentSpanID(parent.s.SpanID())
	}
	n.s.SetTraceID(r.trace)
	n.s.SetSpanID(r.w.spanID())
	n.s.SetName(name)
	n.s.SetKind(kind)
	n.s.SetStartTimestamp(pcommon.NewTimestampFromTime(begin))
	a.put(n.s.Attributes())
	n.next = begin.Add(time.Millisecond)
	n.reach(begin.Add(r.w.about(d)))
	return n
}

// reach makes the span and its parents last at least until t.
func (n *node) reach(t time.Time) {
	for ; n != nil; n = n.parent {
		if n.s.EndTimestamp().AsTime().Before(t) {
			n.s.SetEndTimestamp(pcommon.NewTimestampFromTime(t))
		}
		if n.parent != nil {
			n.parent.next = t.Add(time.Millisecond)
		}
	}
}

func (r *run) scope(name string) ptrace.SpanSlice {
	for _, ss := range r.rs.ScopeSpans().All() {
		if ss.Scope().Name() == name {
			return ss.Spans()
		}
	}
	ss := r.rs.ScopeSpans().AppendEmpty()
	ss.Scope().SetName(name)
	return ss.Spans()
}

// set adds attributes.
func (n *node) set(a attrs) *node {
	a.put(n.s.Attributes())
	return n
}

// fails sets the status to ERROR.
func (n *node) fails(message string) *node {
	n.s.Status().SetCode(ptrace.StatusCodeError)
	n.s.Status().SetMessage(message)
	return n
}

// raised records an exception, as SDKs do when one leaves the span.
func (n *node) raised(class, message string) *node {
	e := n.s.Events().AppendEmpty()
	e.SetName("exception")
	e.SetTimestamp(n.s.EndTimestamp())
	attrs{"exception.type", class, "exception.message", message}.put(e.Attributes())
	return n.fails(class + ": " + message)
}

func tracePayload(runs ...*run) func() ([]byte, error) {
	return func() ([]byte, error) {
		all := ptrace.NewTraces()
		for _, r := range runs {
			r.data.ResourceSpans().MoveAndAppendTo(all.ResourceSpans())
		}
		return (&ptrace.JSONMarshaler{}).MarshalTraces(all)
	}
}

// events is a batch of log records of one coding agent.
type events struct {
	w       *world
	data    plog.Logs
	records plog.LogRecordSlice
}

func (w *world) events(service, scope string) *events {
	e := &events{w: w, data: plog.NewLogs()}
	rl := e.data.ResourceLogs().AppendEmpty()
	resource(rl.Resource().Attributes(), service)
	sl := rl.ScopeLogs().AppendEmpty()
	sl.Scope().SetName(scope)
	e.records = sl.LogRecords()
	return e
}

// add records an event with a body.
func (e *events) add(body string, a attrs) {
	l := e.records.AppendEmpty()
	at := pcommon.NewTimestampFromTime(e.w.now.Add(time.Duration(e.records.Len()) * 120 * time.Millisecond))
	l.SetTimestamp(at)
	l.SetObservedTimestamp(at)
	l.SetSeverityNumber(plog.SeverityNumberInfo)
	l.Body().SetStr(body)
	a.put(l.Attributes())
}

func (e *events) payload() ([]byte, error) { return (&plog.JSONMarshaler{}).MarshalLogs(e.data) }

// durations is a cumulative histogram, as an SDK exports it.
func (w *world) durations(service, provider string, good, failed uint64, errorType string) func() ([]byte, error) {
	data := pmetric.NewMetrics()
	rm := data.ResourceMetrics().AppendEmpty()
	resource(rm.Resource().Attributes(), service)
	m := rm.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("gen_ai.client.operation.duration")
	m.SetUnit("s")
	h := m.SetEmptyHistogram()
	h.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	for _, p := range []struct {
		count     uint64
		errorType string
	}{{good, ""}, {failed, errorType}} {
		if p.count == 0 {
			continue
		}
		d := h.DataPoints().AppendEmpty()
		d.SetStartTimestamp(pcommon.NewTimestampFromTime(start))
		d.SetTimestamp(pcommon.NewTimestampFromTime(w.now))
		d.ExplicitBounds().FromRaw([]float64{0.5, 2, 10})
		d.BucketCounts().FromRaw([]uint64{p.count / 2, p.count - p.count/2, 0, 0})
		d.SetCount(p.count)
		d.SetSum(float64(p.count))
		attrs{"gen_ai.operation.name", "chat", "gen_ai.provider.name", provider}.put(d.Attributes())
		if p.errorType != "" {
			d.Attributes().PutStr("error.type", p.errorType)
		}
	}
	return func() ([]byte, error) { return (&pmetric.JSONMarshaler{}).MarshalMetrics(data) }
}
